"""Works out every exact time that a reading can mean."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from connectors.when.anchors import dates_of, stretches, views, week_around
from connectors.when.answers import DoubtError, When
from connectors.when.clocks import HOUR
from connectors.when.days import add_length
from connectors.when.describe import describe
from connectors.when.moments import UTC, World, later, nearest, zone_of
from connectors.when.phrases import options_for
from connectors.when.pieces import Clock, DayRange, In, Mark, Part, Shift
from connectors.when.reading import Reading
from connectors.when.series import repeated
from connectors.when.spans import Stretch
from connectors.when.timed import part_stretches, starts_of, timed
from connectors.when.zones import other_season, zones_of

_WEEK_DAYS = 7


def every_meaning(reading: Reading, world: World, words: str) -> tuple[When, ...]:
    """Every exact time that the reading can mean, the likeliest first, each once."""
    if Mark.SINCE in reading.marks:
        world = replace(world, past=True)
    found: list[When] = []
    for zone in zones_of(reading.zone, world):
        for when in _in_zone(reading, world, zone, words):
            found.append(when)
            if isinstance(when.start, datetime):
                other = other_season(when.start, reading.zone)
                found += [replace(when, start=other)] if other and when.end is None else []
    if Mark.SOMETIME in reading.marks:
        found = [replace(when, vague=True) for when in found]
    return each_once(_still_ahead(found, reading, world))


def each_once(found: Iterable[When]) -> tuple[When, ...]:
    """The times without those said twice; both passes of a repeated hour, which compare equal, stay."""
    return tuple({(repr(when.start), repr(when.end), when.rule): when for when in found}.values())


def _still_ahead(found: list[When], reading: Reading, world: World) -> list[When]:
    """Without the hours after midnight that have passed, where a night is meant that has not."""
    if reading.left.part is not Part.NIGHT or world.past:
        return found
    ahead = [when for when in found if not isinstance(when.start, datetime) or when.start > world.now]
    return ahead or found


def _in_zone(reading: Reading, world: World, zone: ZoneInfo, words: str) -> Iterator[When]:
    if reading.repeat is not None:
        yield from repeated(reading, world, zone, words)
    elif isinstance(reading.left.counted, Shift):
        yield _shifted(reading, reading.left.counted, world, words)
    elif isinstance(reading.left.counted, In) and _by_the_clock(reading.left.counted):
        yield _counted(reading, reading.left.counted, world, zone, words)
    elif Mark.ALL_DAY in reading.marks or (reading.left.clock is None and reading.left.part is None):
        yield from _whole_days(reading, world, zone, words)
    else:
        yield from _times(reading, world, zone, words)


def _by_the_clock(counted: In) -> bool:
    return bool(counted.length.seconds) or not (counted.length.days or counted.length.months)


def _counted(reading: Reading, counted: In, world: World, zone: ZoneInfo, words: str) -> When:
    left = reading.left
    if left.days or left.spans or left.clock or left.part or reading.right:
        raise DoubtError("That names a day or a time twice.")
    now = world.now.replace(second=0, microsecond=0)
    start = _moved(now, counted, world.zone).astimezone(zone)
    return When(start, _end_after(start, reading), None, words)


def _shifted(reading: Reading, shift: Shift, world: World, words: str) -> When:
    about, left = world.about, reading.left
    if about is None:
        raise DoubtError("Earlier or later than what?")
    if left.days or left.spans or left.clock or left.part or reading.right:
        raise DoubtError("That names a day or a time twice.")
    if not isinstance(about, datetime):
        if shift.length.seconds:
            raise DoubtError("It is an all-day event; say the time it should have.")
        return When(add_length(about, shift.length), None, None, words)
    zone = zone_of(about) if about.tzinfo else world.zone
    start = _moved(
        about.replace(tzinfo=zone) if about.tzinfo is None else about.astimezone(zone), shift, zone
    )
    return When(start, _end_after(start, reading), None, words)


def _moved(moment: datetime, by: In | Shift, zone: ZoneInfo) -> datetime:
    """Months and days move along the calendar, hours and minutes by the clock."""
    day = add_length(moment.date(), by.length)
    if day != moment.date():
        moment = nearest(day, moment.hour * HOUR + moment.minute, zone)
    return later(moment, by.length.seconds)


def _end_after(start: datetime, reading: Reading) -> datetime | None:
    length = reading.lasting
    if length is None:
        return None
    day = add_length(start.date(), length)
    return later(start.replace(year=day.year, month=day.month, day=day.day), length.seconds)


def _whole_days(reading: Reading, world: World, zone: ZoneInfo, words: str) -> Iterator[When]:
    left, right, seen = reading.left, reading.right, views(world, zone)
    if left.clock is not None or left.part is not None or (right is not None and right.clock is not None):
        raise DoubtError("That names a time of day, but not for all of it.")
    if Mark.WEEK_OF in reading.marks:
        for first, after in week_around(left, seen):
            yield When(first, after, None, words, vague=True)
        return
    if not left.has_day:
        yield from _no_day(reading, world, words)
        return
    is_span = bool(left.spans and not left.days)
    for stretch in stretches(left, seen):
        if right is None and not is_span:
            yield from _one_day(stretch[0], reading, world, words)
        elif right is None:
            yield _one_span(stretch, reading, world, words)
        else:
            yield from _day_range(stretch[0], reading, world, zone, words)


def _no_day(reading: Reading, world: World, words: str) -> Iterator[When]:
    if Mark.ALL_DAY not in reading.marks:
        raise DoubtError("That names no day and no time.")
    yield When(world.about_day or world.now.date(), None, None, words)


def _one_day(day: date, reading: Reading, world: World, words: str) -> Iterator[When]:
    about = world.about
    if Mark.SINCE in reading.marks:
        yield _since_day(day, world, words)
    elif reading.lasting is not None:
        if reading.lasting.seconds:
            raise DoubtError("At what time does it start?")
        yield When(day, add_length(day, reading.lasting), None, words)
    elif isinstance(about, datetime) and Mark.ALL_DAY not in reading.marks:
        zone = zone_of(about) if about.tzinfo else world.zone
        local = about.astimezone(zone) if about.tzinfo else about
        yield When(nearest(day, local.hour * HOUR + local.minute, zone), None, None, words)
    else:
        yield When(day, None, None, words)


def _one_span(stretch: Stretch, reading: Reading, world: World, words: str) -> When:
    first, after = stretch
    if Mark.SINCE in reading.marks:
        return _since_day(first, world, words)
    exact = Mark.ALL_DAY in reading.marks or not _is_choice(reading)
    if world.about is not None and not exact:
        raise _which_day(stretch, reading, world)
    return When(first, after, None, words, vague=not exact)


def _is_choice(reading: Reading) -> bool:
    """Whether the stretch is one to choose a day from, rather than "4-6 december", which is all of it."""
    return not any(isinstance(span, DayRange) for span in reading.left.spans)


def _day_range(first: date, reading: Reading, world: World, zone: ZoneInfo, words: str) -> Iterator[When]:
    right = reading.right
    if right is None or not right.has_day or right.part is not None:
        raise DoubtError("That names only one end of a time.")
    for _, after in stretches(right, views(world, zone, after=first)):
        if after <= first:
            raise DoubtError("That ends before it starts.")
        yield When(first, after, None, words)


def _times(reading: Reading, world: World, zone: ZoneInfo, words: str) -> Iterator[When]:
    left, seen = reading.left, views(world, zone)
    if left.spans and not left.days:
        found = stretches(left, seen)
        raise _which_day(found[0], reading, world)
    days = dates_of(left, seen)
    if left.clock is None and left.part is not None:
        if reading.right is not None or reading.lasting is not None:
            raise DoubtError("At what time does it start?")
        for start, end in part_stretches(left.part, days, world, zone):
            yield When(start, end, None, words, vague=True)
        return
    for start, end in timed(reading, days, world, zone):
        yield _since(start, world, words) if Mark.SINCE in reading.marks else When(start, end, None, words)


def _since_day(day: date, world: World, words: str) -> When:
    if day > world.now.date():
        raise DoubtError("That has not begun yet.")
    return When(day, world.now.date() + timedelta(days=1), None, words, vague=True)


def _since(start: datetime, world: World, words: str) -> When:
    now = world.now.replace(second=0, microsecond=0).astimezone(start.tzinfo)
    if start.astimezone(UTC) >= now.astimezone(UTC):
        raise DoubtError("That has not begun yet.")
    return When(start, now, None, words, vague=True)


def _which_day(stretch: Stretch, reading: Reading, world: World) -> DoubtError:
    """A doubt that offers each day of a week that is still ahead, at the time that was said or is kept."""
    first, after = stretch
    today = world.now.date()
    days = [first + timedelta(days=each) for each in range((after - first).days)]
    ahead = [day for day in days if day >= today]
    if (after - first).days > _WEEK_DAYS or not ahead:
        return DoubtError("On which day?")
    about = world.about_day
    if about is not None:
        ahead.sort(key=lambda day: day.weekday() != about.weekday())
    clock = reading.left.clock
    if isinstance(clock, Clock) and reading.left.part is None and len(starts_of(reading, world)) > 1:
        at = f"at {clock.hour}:{clock.minute:02}"
        return DoubtError("On which day?", tuple((describe(day, world.now), f"{day} {at}") for day in ahead))
    plain = replace(reading, left=replace(reading.left, spans=[], days=[]))
    found = [when for day in ahead for when in _on(day, plain, world)]
    return DoubtError("On which day?", options_for(found, world))


def _on(day: date, reading: Reading, world: World) -> Iterator[When]:
    if reading.left.clock is not None:
        for start, end in timed(reading, (day,), world, world.zone):
            yield When(start, end, None, "")
    elif reading.left.part is not None:
        for start, end in part_stretches(reading.left.part, (day,), world, world.zone):
            yield When(start, end, None, "", vague=True)
    else:
        yield from _one_day(day, reading, world, "")
