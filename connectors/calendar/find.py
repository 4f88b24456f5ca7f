"""Finds the event a person means by words and day, or asks which one it is."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from connectors.base import Context, Needs, Option, Outcome, Question, failed
from connectors.calendar.desk import Desk, local_now
from connectors.calendar.expand import Occurrence
from connectors.calendar.handles import EVENT, Handle, read_handle
from connectors.calendar.index import Entry
from connectors.calendar.match import Words
from connectors.calendar.moments import DAY, Moment, aware, day_of, key
from connectors.calendar.timing import read_when
from connectors.calendar.wording import detail_of, handle_of, span_words, title_of
from connectors.clean import clean_line
from connectors.when import When, describe

_AHEAD = 366 * DAY
_SOON = 14 * DAY
_MOST_OPTIONS = 8
_SHOWN = 60
_GONE = "That event is not in the calendar any more."
_INSTANT = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Window:
    """A span to look in; `instant` where a time of day was named."""

    start: datetime
    end: datetime
    instant: bool = False


def find_event(
    desk: Desk, said: str | None, on: str | None, context: Context
) -> Occurrence | Question | Outcome:
    """The occurrence that words (or a handle) and a day name; the next one of a series if no day is named."""
    handle = read_handle(said) if said else None
    if handle is not None and handle.kind == EVENT and handle.recurrence is not None:
        return _by_handle(desk, handle, context)
    window = _window(on, context)
    if isinstance(window, Question):
        return window
    if handle is not None:
        return _by_file(desk, handle, window, context)
    words = Words(said or "")
    found = _search(desk, words, window, context)
    if len(found) == 1:
        return found[0]
    if found:
        return _which(desk, _question(said, window, context), found, context)
    return _not_there(desk, words, window, context)


def _window(on: str | None, context: Context) -> Window | Question | None:
    if not on:
        return None
    when = read_when(on, context, "on")
    return when if isinstance(when, Question) else window_of(when, context)


def window_of(when: When, context: Context) -> Window:
    """The span that a phrase names: its days, its times, or the one minute it names."""
    start = aware(when.start, context.zone)
    if when.end is not None:
        return Window(start, aware(when.end, context.zone))
    if isinstance(when.start, datetime):
        return Window(start, start + _INSTANT, instant=True)
    return Window(start, aware(when.start + DAY, context.zone))


def occurrence_at(desk: Desk, entry: Entry, recurrence: Moment, context: Context) -> Occurrence | None:
    """The occurrence of a series that a RECURRENCE-ID names, wherever it was moved to within a year."""
    around = aware(recurrence, context.zone)
    for reach in (2 * DAY, _AHEAD):
        view = desk.index.between(around - reach, around + reach, context.zone, _only(entry))
        for each in view.occurrences:
            if each.recurrence is not None and key(each.recurrence) == key(recurrence):
                return each
    return None


def _by_handle(desk: Desk, handle: Handle, context: Context) -> Occurrence | Outcome:
    entry = desk.index.get(handle.place)
    if entry is None or handle.recurrence is None:
        return failed(Needs.NOT_FOUND, _GONE)
    return occurrence_at(desk, entry, handle.recurrence, context) or failed(Needs.NOT_FOUND, _GONE)


def _by_file(
    desk: Desk, handle: Handle, window: Window | None, context: Context
) -> Occurrence | Question | Outcome:
    entry = desk.index.get(handle.place) if handle.kind == EVENT else None
    if entry is None:
        return failed(Needs.NOT_FOUND, _GONE)
    for looked in _windows(window, context):
        view = desk.index.between(looked.start, looked.end, context.zone, _only(entry))
        if view.occurrences:
            return _one_each(list(view.occurrences), context)[0]
    if window is not None:
        return failed(Needs.NOT_FOUND, f"That event is not on {_days(window, context)}.")
    return _far_off(desk, entry, context)


def _far_off(desk: Desk, entry: Entry, context: Context) -> Occurrence | Outcome:
    """The one occurrence of a file that lies more than a year away."""
    first = datetime.combine(entry.skim.first or date(1970, 1, 1), time(), context.zone)
    view = desk.index.between(first, first + _AHEAD, context.zone, _only(entry))
    if view.occurrences:
        return view.occurrences[0]
    return failed(Needs.NOT_FOUND, f"That event could not be read. {' '.join(view.problems[:1])}".strip())


def _search(desk: Desk, words: Words, window: Window | None, context: Context) -> list[Occurrence]:
    """The events that fit the words best: with a day, all on it; without, the next of each."""
    for looked in _windows(window, context) if words or window else (_soon(context),):
        view = desk.index.between(looked.start, looked.end, context.zone, words.may_be_in)
        occurrences = list(view.occurrences)
        if looked.instant:
            occurrences = [
                each for each in occurrences if aware(each.start, context.zone) == looked.start
            ] or occurrences
        found = words.best(occurrences)
        if window is None:
            found = _one_each(found, context)
        if found:
            return found
    return []


def _windows(window: Window | None, context: Context) -> Iterable[Window]:
    if window is not None:
        return (window,)
    today = aware(day_of(context.now, context.zone), context.zone)
    year = _AHEAD
    return (Window(today, today + year), Window(today - year, today), Window(today + year, today + 5 * year))


def _soon(context: Context) -> Window:
    today = aware(day_of(context.now, context.zone), context.zone)
    return Window(today, today + _SOON)


def _one_each(occurrences: list[Occurrence], context: Context) -> list[Occurrence]:
    """Of each series the occurrence that is next, or else the last; finished ones of today only if alone."""
    chosen: dict[tuple[object, str], Occurrence] = {}
    for each in occurrences:
        known = chosen.get((each.place, each.uid))
        if known is None or (_over(known, context) and not _over(each, context)):
            chosen[each.place, each.uid] = each
    return list(chosen.values())


def _over(occurrence: Occurrence, context: Context) -> bool:
    return aware(occurrence.end, context.zone) <= context.now


def _question(said: str | None, window: Window | None, context: Context) -> str:
    day = f" on {_days(window, context)}" if window else ""
    if not said:
        return f"Which event{day}?"
    return f"More than one event{day} fits “{clean_line(said, _SHOWN)}”. Which one?"


def _which(desk: Desk, text: str, found: list[Occurrence], context: Context) -> Question:
    options = tuple(
        Option(
            title_of(each.title),
            {"event": handle_of(each), "on": None},
            detail_of(each, desk, context),
        )
        for each in found[:_MOST_OPTIONS]
    )
    if len(found) > _MOST_OPTIONS:
        text += f" ({len(found) - _MOST_OPTIONS} more fit; more words would tell them apart.)"
    return Question(text, options, argument="event")


def _not_there(desk: Desk, words: Words, window: Window | None, context: Context) -> Question | Outcome:
    if not words:
        day = f" on {_days(window, context)}" if window else " in the next two weeks"
        return failed(Needs.NOT_FOUND, f"Nothing is in the calendar{day}.")
    name = clean_line(words.said, _SHOWN)
    if window is None:
        return failed(Needs.NOT_FOUND, f"No event called “{name}” is in the calendar.")
    text = f"Nothing called “{name}” is on {_days(window, context)}."
    elsewhere = _search(desk, words, None, context)
    if not elsewhere:
        return failed(Needs.NOT_FOUND, text)
    return _which(desk, f"{text} Is it one of these?", elsewhere, context)


def _only(entry: Entry) -> Callable[[Entry], bool]:
    return lambda each: each.place == entry.place


def _days(window: Window, context: Context) -> str:
    """A window in words: its day, its days, or its moment."""
    if window.instant:
        return describe(window.start, local_now(context))
    return span_words(window.start, window.end, context)
