"""Dates and times as calendars hold them: whole days, times in a zone, and times in no zone."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

Moment = datetime | date

DAY = timedelta(days=1)


def whole_day(moment: Moment) -> bool:
    """True for a date, which belongs to every zone and is never converted."""
    return not isinstance(moment, datetime)


def aware(moment: Moment, zone: ZoneInfo) -> datetime:
    """A moment as an exact time for comparing; a date begins at midnight, a time in no zone is local."""
    if not isinstance(moment, datetime):
        return datetime.combine(moment, time(), zone)
    return moment.astimezone(zone) if moment.tzinfo else moment.replace(tzinfo=zone)


def local(moment: Moment, zone: ZoneInfo) -> Moment:
    """A moment as it is shown to somebody in `zone`."""
    return aware(moment, zone) if isinstance(moment, datetime) else moment


def same_time(one: Moment, other: Moment, zone: ZoneInfo) -> bool:
    """True if two moments are the same for somebody in `zone`; a whole day is never a time."""
    return whole_day(one) == whole_day(other) and aware(one, zone) == aware(other, zone)


def day_of(moment: Moment, zone: ZoneInfo) -> date:
    """The day a moment is on, for somebody in `zone`."""
    return aware(moment, zone).date() if isinstance(moment, datetime) else moment


def same_kind(moment: Moment, like: Moment) -> Moment:
    """A moment in the zone of another, so that the wall clock of a series is kept."""
    if isinstance(moment, datetime) and isinstance(like, datetime):
        if like.tzinfo is None:
            return moment.replace(tzinfo=None)
        return moment.astimezone(like.tzinfo) if moment.tzinfo else moment.replace(tzinfo=like.tzinfo)
    return moment


def wall(moment: Moment) -> datetime:
    """What the clock on the wall says, without a zone."""
    if isinstance(moment, datetime):
        return moment.replace(tzinfo=None)
    return datetime.combine(moment, time())


def at_wall(moment: datetime, zone: tzinfo | None) -> datetime:
    """The time at which a wall clock in a zone says this."""
    return moment.replace(tzinfo=zone)


def elapsed(start: datetime, end: datetime) -> timedelta:
    """The time that really passes between two moments, also where the clocks change between them."""
    return end.astimezone(UTC) - start.astimezone(UTC)


def key(moment: Moment) -> str:
    """A moment as RECURRENCE-ID values write it: `20261203`, `20261203T140000Z` or (in no zone) without Z."""
    if not isinstance(moment, datetime):
        return moment.strftime("%Y%m%d")
    if moment.tzinfo is None:
        return moment.strftime("%Y%m%dT%H%M%S")
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def from_key(text: str) -> Moment | None:
    """The moment a key names, or None if it is no key."""
    for form in ("%Y%m%dT%H%M%SZ", "%Y%m%dT%H%M%S", "%Y%m%d"):
        try:
            found = datetime.strptime(text, form)  # noqa: DTZ007 - the zone is set below
        except ValueError:
            continue
        if form.endswith("Z"):
            return found.replace(tzinfo=UTC)
        return found if "T" in form else found.date()
    return None
