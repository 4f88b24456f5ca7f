"""Works out every series of repeated times that a reading can mean."""

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from connectors.when.anchors import stretches, views
from connectors.when.answers import DoubtError, When
from connectors.when.clocks import DAY
from connectors.when.days import add_length
from connectors.when.moments import World, nearest
from connectors.when.pieces import Day, Frequency, Month, Repeat, Week, Weekday, Year
from connectors.when.reading import Reading, Side
from connectors.when.repeats import complete, first_on_or_after, refine, rrule
from connectors.when.timed import on_day, starts_of


def repeated(reading: Reading, world: World, zone: ZoneInfo, words: str) -> Iterator[When]:
    """Every series that the reading can mean."""
    if reading.left.utc_offset or (reading.right and reading.right.utc_offset):
        raise DoubtError("A repetition needs a named zone, such as Europe/Berlin, not a distance from UTC.")
    if reading.left.counted or reading.left.offset or (reading.right and reading.right.has_day):
        raise DoubtError("I cannot work out that repetition.")
    repeat, left_over = _refined(reading)
    if reading.left.part is not None and reading.left.clock is None:
        raise DoubtError("At what time of the day should it repeat?")
    for start, span_end in _bounds(reading, left_over, world, zone):
        whole = complete(repeat, start or world.about_day)
        yield from _from_start(reading, whole, start, span_end, world, zone, words)


def _refined(reading: Reading) -> tuple[Repeat, list[Day]]:
    repeat = reading.repeat
    if repeat is None:
        raise DoubtError("That does not say how often.")
    left_over: list[Day] = []
    for day in reading.left.days:
        more = refine(repeat, day)
        if more is None:
            left_over.append(day)
        else:
            repeat = more
    return repeat, left_over


def _bounds(
    reading: Reading, left_over: list[Day], world: World, zone: ZoneInfo
) -> Iterator[tuple[date | None, date | None]]:
    """The first day of the series, if one was said, and the last day if a stretch was named."""
    named = [
        side
        for side in (reading.starting, Side(days=left_over), Side(spans=reading.left.spans))
        if side.has_day
    ]
    if len(named) > 1 or any(isinstance(day, Weekday) for day in left_over):
        raise DoubtError("That names two different days to start on.")
    if not named:
        yield None, None
        return
    today = world.now.astimezone(zone).date()
    for first, after in stretches(named[0], views(world, zone)):
        if named[0] is not reading.starting and reading.left.spans:
            yield max(first, today), after - timedelta(days=1)
        else:
            yield first, None


def _from_start(
    reading: Reading,
    repeat: Repeat,
    start: date | None,
    span_end: date | None,
    world: World,
    zone: ZoneInfo,
    words: str,
) -> Iterator[When]:
    today = world.now.astimezone(zone).date()
    first = first_on_or_after(repeat, start or today)
    last = _last_day(reading, first, world, zone) or span_end
    _check_order(first, last)
    if reading.left.clock is None:
        if reading.lasting and reading.lasting.seconds:
            raise DoubtError("At what time does it start?")
        yield When(first, None, rrule(repeat, until=last, times=reading.times, zone=None), words)
        return
    rule = rrule(repeat, until=last, times=reading.times, zone=zone)
    for minutes in _starts_within_day(reading, repeat, world):
        day = first
        if start is None and nearest(day, minutes, zone) <= world.now:
            day = first_on_or_after(repeat, first + timedelta(days=1))
        _check_order(day, last)
        for begin, end in islice(on_day(reading, day, minutes, world, zone), 1):
            if end is not None and end - begin > timedelta(days=1):
                raise DoubtError("What repeats can last a day at the most; say a shorter time.")
            yield When(begin, end, rule, words)


def _check_order(first: date, last: date | None) -> None:
    if last is not None and last < first:
        raise DoubtError("That repetition ends before it starts.")


def _starts_within_day(reading: Reading, repeat: Repeat, world: World) -> tuple[int, ...]:
    """The times of day at which it starts; an hour after the night of a named day would be on another day."""
    starts = starts_of(reading, world)
    if repeat.frequency is Frequency.DAILY:
        return tuple(dict.fromkeys(minutes % DAY for minutes in starts))
    if any(minutes >= DAY for minutes in starts):
        raise DoubtError(
            "Say the day that this hour of the night lies on, such as “every saturday at 00:30”."
        )
    return starts


def _last_day(reading: Reading, first: date, world: World, zone: ZoneInfo) -> date | None:
    if reading.lasting is not None and not reading.lasting.seconds:
        return add_length(first, reading.lasting) - timedelta(days=1)
    until = reading.until
    if not until.has_day:
        return None
    if any(isinstance(span, Week | Month | Year) for span in until.spans) and not until.days:
        raise DoubtError("Until the start or until the end of that? Say the day.")
    found = {after - timedelta(days=1) for _, after in stretches(until, views(world, zone, after=first))}
    if len(found) > 1:
        raise DoubtError("Until which day? That can be more than one.")
    return found.pop()
