"""Works out times of day on given days: starts, ends, halves of the day, what has passed."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from connectors.when.anchors import dates_of, views
from connectors.when.answers import DoubtError
from connectors.when.clocks import PART_MINUTES, Hint, end_readings, readings, start_readings
from connectors.when.days import add_length
from connectors.when.lengths import Length
from connectors.when.moments import UTC, World, later, localise, nearest
from connectors.when.pieces import Part, UtcOffset
from connectors.when.reading import Reading

Pair = tuple[datetime, datetime | None]


def starts_of(reading: Reading, world: World) -> tuple[int, ...]:
    """Every time of day at which it can start, in minutes from the start of its day."""
    clock, right = reading.left.clock, reading.right
    if clock is None:
        raise DoubtError("At what time does it start?")
    hint = Hint(reading.left.part, world.about_minutes)
    return (
        readings(clock, hint)
        if right is None or right.clock is None
        else start_readings(clock, right.clock, hint)
    )


def timed(reading: Reading, days: tuple[date, ...], world: World, zone: ZoneInfo) -> Iterator[Pair]:
    """Every start and end that the clock times can mean on the days, or on the days they imply."""
    starts = starts_of(reading, world)
    for minutes in starts:
        here = days or implied_days(minutes, world, zone, alone=len(starts) == 1)
        for day in here:
            yield from on_day(reading, day, minutes, world, zone)


def implied_days(minutes: int, world: World, zone: ZoneInfo, *, alone: bool) -> tuple[date, ...]:
    """The day that a time without one means: the day of the thing changed, or the nearest day it comes.

    When today's time has passed and nothing else is in doubt (`alone`), tomorrow and today are both offered.
    """
    if world.about_day is not None:
        return (world.about_day,)
    today, one = world.now.astimezone(zone).date(), timedelta(days=1)
    passed = nearest(today, minutes, zone) <= world.now
    if world.past:
        return (today,) if passed else (today - one,)
    if not passed:
        return (today,)
    return (today + one, today) if alone else (today + one,)


def part_stretches(part: Part, days: tuple[date, ...], world: World, zone: ZoneInfo) -> Iterator[Pair]:
    """The stretch of the part of the day on each day, or on the days it implies."""
    first, after = PART_MINUTES[part]
    for day in days or implied_days(first, world, zone, alone=True):
        yield nearest(day, first, zone), nearest(day, after, zone)


def on_day(reading: Reading, day: date, minutes: int, world: World, zone: ZoneInfo) -> Iterator[Pair]:
    """Every start and end that a time of day, in minutes from the start of the day, means on that day."""
    for start in _moments(day, minutes, reading.left.utc_offset, world, zone):
        for end in _ends(reading, day, minutes, start, world, zone):
            if end is not None and end.astimezone(UTC) <= start.astimezone(UTC):
                continue
            yield start, end


def _ends(
    reading: Reading, day: date, minutes: int, start: datetime, world: World, zone: ZoneInfo
) -> Iterator[datetime | None]:
    right, lasting = reading.right, reading.lasting
    if right is None:
        yield None if lasting is None else _after(start, lasting.months, lasting.days, lasting.seconds)
        return
    if right.clock is None:
        raise DoubtError("At what time does it end?")
    offset = right.utc_offset or reading.left.utc_offset
    if not right.has_day:
        for end in end_readings(minutes, right.clock, right.part):
            yield from _moments(day, end, offset, world, zone)
        return
    for end_day in dates_of(right, views(world, zone, after=day)):
        if end_day < day:
            raise DoubtError("That ends before it starts.")
        for end in readings(right.clock, Hint(right.part, None)):
            yield from _moments(end_day, end, offset, world, zone)


def _after(start: datetime, months: int, days: int, seconds: int) -> datetime:
    from_day = add_length(start.date(), Length(months, days))
    return later(start.replace(year=from_day.year, month=from_day.month, day=from_day.day), seconds)


def _moments(
    day: date, minutes: int, offset: UtcOffset | None, world: World, zone: ZoneInfo
) -> tuple[datetime, ...]:
    if offset is None:
        return localise(day, minutes, zone, world.across_gap)
    wall = datetime(day.year, day.month, day.day) + timedelta(minutes=minutes)  # noqa: DTZ001 -- made aware below
    moment = (wall - offset.offset).replace(tzinfo=UTC).astimezone(zone)
    if (
        offset.doubtful
        and moment.utcoffset() != offset.offset
        and minutes < -offset.offset // timedelta(minutes=1)
    ):
        raise DoubtError("That can be a distance from UTC or the end of a range; write the range with “to”.")
    return (moment,)
