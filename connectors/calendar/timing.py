"""Turns the words for a time and a length into start and end, or into a question."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

from connectors.base import Context, Option, Question
from connectors.calendar.desk import local_now
from connectors.calendar.moments import DAY, Moment, wall
from connectors.clean import clean_line
from connectors.when import Unclear, When, duration, label_for, phrase_for, understand

_DIFFERENCE = re.compile(r"\b(longer|shorter|more|less)\b", re.IGNORECASE)
_LESS = frozenset({"shorter", "less"})
_SENSIBLE_HOURS = range(8, 22)
_MOST_HOURS = 4
_MOST_DAYS = 7
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Slot:
    """When something takes place; `end` is exclusive, `rule` an RRULE value or None."""

    start: Moment
    end: Moment
    rule: str | None = None


def read_when(words: str, context: Context, argument: str, about: Moment | None = None) -> When | Question:
    """A time in the person's words, or the question that makes it exact."""
    found = understand(words, local_now(context), about=about)
    if isinstance(found, Unclear):
        options = tuple(Option(label, {argument: phrase}) for label, phrase in found.options)
        return Question(found.text, options, argument=argument)
    return found


def new_slot(when: str | None, length: str | None, minutes: int, context: Context) -> Slot | Question:
    """When a new event takes place; with no length said it lasts `minutes`, or the day."""
    if not when:
        return Question("When is it?", argument="when")
    found = read_when(when, context, "when")
    if isinstance(found, Question):
        return found
    if found.vague:
        return _which_time(found, context)
    return _slot(found, length, timedelta(minutes=minutes), context)


def moved_slot(when: str, length: str | None, old: Slot, minutes: int, context: Context) -> Slot | Question:
    """When a changed event takes place: a new start, and its old length where none is said."""
    found = read_when(when, context, "when", about=old.start)
    if isinstance(found, Question):
        return found
    if found.vague:
        return _which_time(found, context)
    same_kind = isinstance(found.start, datetime) == isinstance(old.start, datetime)
    usual = wall(old.end) - wall(old.start) if same_kind else timedelta(minutes=minutes)
    return _slot(found, length, usual, context)


def stretched_slot(length: str, old: Slot) -> Slot | Question:
    """A changed event that starts as before and lasts as long as said, or so much longer or shorter."""
    lasts = _length(length, wall(old.end) - wall(old.start))
    if isinstance(lasts, Question):
        return lasts
    if not isinstance(old.start, datetime) and lasts % DAY:
        return Question("It takes whole days. From when to when should it be instead?", argument="when")
    return Slot(old.start, later(old.start, lasts))


def later(start: Moment, by: timedelta) -> Moment:
    """A moment so much elapsed time later, on the same clock."""
    if isinstance(start, datetime) and start.tzinfo is not None:
        return (start.astimezone(UTC) + by).astimezone(start.tzinfo)
    return start + by


def _slot(found: When, length: str | None, usual: timedelta, context: Context) -> Slot | Question:
    start, end = found.start, found.end
    if length is None:
        lasts = usual if isinstance(start, datetime) else max(usual // DAY, 1) * DAY
        return Slot(start, later(start, lasts) if end is None else end, found.rule)
    said = _length(length, usual)
    if isinstance(said, Question):
        return said
    if not isinstance(start, datetime) and said % DAY:
        return _ask_hour(found, context)
    return Slot(start, later(start, said), found.rule)


def _length(words: str, usual: timedelta) -> timedelta | Question:
    difference = _DIFFERENCE.search(words)
    said = duration(_DIFFERENCE.sub("", words).removeprefix("by ").strip() if difference else words)
    if said is not None and difference:
        said = usual - said if difference[1].lower() in _LESS else usual + said
    if said is None or said <= timedelta():
        return Question(
            f"How long should it be? “{clean_line(words, _SHOWN)}” is no length.", argument="duration"
        )
    return said


def _ask_hour(found: When, context: Context) -> Question:
    day = label_for(found, local_now(context))
    options = tuple(
        _option(replace(found, start=moment, end=None), context) for moment in _hours(found.start, context)
    )
    return Question(f"At what time on {day}?", options, argument="when")


def _which_time(found: When, context: Context) -> Question:
    """Ask which time within a stretch is meant, or all of it."""
    whole = replace(found, vague=False)
    if isinstance(found.start, datetime):
        moments: tuple[Moment, ...] = tuple(_hours(found.start, context, found.end))
    else:
        moments = tuple(_days(found))
    options = tuple(_option(replace(whole, start=moment, end=None), context) for moment in moments)
    label = label_for(whole, local_now(context))
    everything = Option(f"The whole time: {label}", {"when": phrase_for(whole, local_now(context))})
    return Question(f"When in “{clean_line(found.words, _SHOWN)}”?", (*options, everything), argument="when")


def _option(when: When, context: Context) -> Option:
    now = local_now(context)
    return Option(label_for(when, now), {"when": phrase_for(when, now)})


def _hours(start: Moment, context: Context, end: Moment | None = None) -> Iterator[datetime]:
    given = 0
    for hour in _SENSIBLE_HOURS:
        moment = datetime.combine(start, time(hour), context.zone)
        inside = not isinstance(start, datetime) or (
            start <= moment and (not isinstance(end, datetime) or moment < end)
        )
        if inside and moment > context.now and given < _MOST_HOURS:
            given += 1
            yield moment


def _days(found: When) -> Iterator[Moment]:
    if found.end is None or wall(found.end) - wall(found.start) > _MOST_DAYS * DAY:
        return
    day = found.start
    while day < found.end:
        yield day
        day += DAY
