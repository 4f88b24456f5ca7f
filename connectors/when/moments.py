"""Local times made exact: summer time gaps and repeated hours, and the time of the thing being changed."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from connectors.when.clocks import HOUR

UTC = ZoneInfo("UTC")


class GapSide(StrEnum):
    """Where a time goes that the clocks jump over."""

    AFTER = "after"
    BEFORE = "before"


@dataclass(frozen=True, slots=True)
class World:
    """What a phrase is seen against: the moment, the thing being changed, and which way open times lie.

    A time that the clocks jump over is an error, unless `across_gap` says on which side of it to stay.
    """

    now: datetime
    about: datetime | date | None = None
    past: bool = False
    across_gap: GapSide | None = None

    @property
    def zone(self) -> ZoneInfo:
        return zone_of(self.now)

    @property
    def about_moment(self) -> datetime | None:
        """The start of the thing being changed, where it has a time of day, in the person's own zone."""
        if not isinstance(self.about, datetime):
            return None
        return (
            self.about.replace(tzinfo=self.zone)
            if self.about.tzinfo is None
            else self.about.astimezone(self.zone)
        )

    @property
    def about_day(self) -> date | None:
        moment = self.about_moment
        return moment.date() if moment else self.about

    @property
    def about_minutes(self) -> int | None:
        moment = self.about_moment
        return moment.hour * HOUR + moment.minute if moment else None


class GapError(Exception):
    """Raised for a local time that the clocks jump over."""

    def __init__(self, wall: datetime, zone: ZoneInfo) -> None:
        super().__init__(f"{wall} does not exist in {zone.key}")
        self.wall = wall
        self.zone = zone


def zone_of(moment: datetime) -> ZoneInfo:
    """The moment's named zone; UTC for one that has none."""
    return moment.tzinfo if isinstance(moment.tzinfo, ZoneInfo) else UTC


def localise(day: date, minutes: int, zone: ZoneInfo, across_gap: GapSide | None) -> tuple[datetime, ...]:
    """The moments that a wall-clock time names: one, or two where clocks are set back.

    Where clocks are set forward over it, the moment on the wanted side of the gap; GapError when none is.
    """
    wall = datetime.combine(day, time()) + timedelta(minutes=minutes)
    first, second = wall.replace(tzinfo=zone), wall.replace(tzinfo=zone, fold=1)
    if first.utcoffset() == second.utcoffset():
        return (first,)
    if first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != wall:
        if across_gap is None:
            raise GapError(wall, zone)
        return ((first if across_gap is GapSide.AFTER else second).astimezone(UTC).astimezone(zone),)
    return first, second


def nearest(day: date, minutes: int, zone: ZoneInfo) -> datetime:
    """The moment of a wall-clock time, never in doubt: the first of two, the later side of a gap."""
    wall = datetime.combine(day, time()) + timedelta(minutes=minutes)
    return wall.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)


def later(moment: datetime, seconds: float) -> datetime:
    """The moment so many elapsed seconds later, in the same zone."""
    zone = zone_of(moment)
    return (moment.astimezone(UTC) + timedelta(seconds=seconds)).astimezone(zone)
