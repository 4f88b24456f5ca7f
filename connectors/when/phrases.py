"""The one unambiguous phrase for an exact time, and the options made of several."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from connectors.when.answers import When
from connectors.when.describe import describe_range, describe_rule, is_repeated, offset_text
from connectors.when.moments import World, zone_of
from connectors.when.repeats import parse_rule, repeat_words


def phrase_for(when: When, now: datetime, *, about: datetime | date | None = None) -> str:
    """A phrase that `understand` reads as exactly this time, given the same `now` and `about`.

    Such as "2026-12-04 12:00 to 13:30"; raises ValueError for a rule that the grammar has no words for.
    """
    if when.rule is not None:
        return _repeating(when, now)
    sometime = "sometime " if when.vague else ""
    if not isinstance(when.start, datetime):
        all_day = "all day " if isinstance(about, datetime) and when.end is None else ""
        return sometime + all_day + _days(when.start, when.end)
    end = when.end if isinstance(when.end, datetime) else None
    return sometime + _moments(when.start, end) + _zone(when.start, now)


def options_for(found: Iterable[When], world: World) -> tuple[tuple[str, str], ...]:
    """A (label, phrase) pair for each time."""
    now, about = world.now, world.about
    return tuple((label_for(when, now), phrase_for(when, now, about=about)) for when in found)


def label_for(when: When, now: datetime) -> str:
    """The time as a person reads it, with its repetition."""
    label = describe_range(when.start, when.end, now)
    if when.rule is None:
        return label
    zone = zone_of(when.start) if isinstance(when.start, datetime) else None
    return f"{label}, {describe_rule(when.rule, zone)}"


def _days(start: date, end: date | None) -> str:
    return f"{start}" if end is None else f"{start} to {end - timedelta(days=1)}"


def _moments(start: datetime, end: datetime | None) -> str:
    exact = is_repeated(start) or (end is not None and is_repeated(end))
    text = f"{start:%Y-%m-%d %H:%M}" + (f" {offset_text(start)}" if exact else "")
    if end is None:
        return text
    if exact:
        return f"{text} to {end:%Y-%m-%d %H:%M} {offset_text(end)}"
    return f"{text} to {end:%H:%M}" if end.date() == start.date() else f"{text} to {end:%Y-%m-%d %H:%M}"


def _zone(start: datetime, now: datetime) -> str:
    key = zone_of(start).key
    return "" if key == zone_of(now).key else f" {key}"


def _repeating(when: When, now: datetime) -> str:
    start, end = when.start, when.end
    parsed = parse_rule(when.rule or "", zone_of(start) if isinstance(start, datetime) else None)
    if parsed is None:
        raise ValueError(f"no words for the rule {when.rule}")
    repeat, until, count = parsed
    text = repeat_words(repeat)
    if isinstance(start, datetime):
        text += f" at {start:%H:%M}"
        if isinstance(end, datetime):
            text += f" for {int((end.timestamp() - start.timestamp()) // 60)} minutes"
        text += _zone(start, now)
    text += f" starting {start:%Y-%m-%d}"
    text += f" {count} times" if count is not None else ""
    return text if until is None else f"{text} until {until}"
