"""Which occurrences of a series are meant: this one, this and those that follow, or all."""

from dataclasses import dataclass

from connectors.base import Context, Needs, Option, Outcome, Question, failed
from connectors.calendar.calendars import refuse_read_only
from connectors.calendar.desk import Desk
from connectors.calendar.event_file import Chosen
from connectors.calendar.expand import Occurrence, expand
from connectors.calendar.find import find_event
from connectors.calendar.index import Entry
from connectors.calendar.moments import DAY, aware
from connectors.calendar.tools import Series
from connectors.calendar.wording import brief_range, handle_of, range_of, rule_of, title_of

_YEARS_BACK = 366 * DAY


@dataclass(frozen=True, slots=True)
class Scope:
    """What is meant of an event; `series` is None for one that takes place once."""

    entry: Entry
    occurrence: Occurrence
    series: Series | None

    @property
    def chosen(self) -> Chosen:
        each = self.occurrence
        return Chosen(each.recurrence, each.start, each.end)


@dataclass(frozen=True, slots=True)
class Picked:
    """The event that words mean, in a calendar that may be written to."""

    occurrence: Occurrence
    entry: Entry


def picked(desk: Desk, words: str | None, day: str | None, context: Context) -> Picked | Question | Outcome:
    """The event to be changed, the question which one, or why none can be."""
    found = find_event(desk, words, day, context)
    if not isinstance(found, Occurrence):
        return found
    if refused := refuse_read_only(desk, found.place.collection):
        return refused
    entry = desk.index.get(found.place)
    if entry is None:
        return failed(Needs.NOT_FOUND, "That event is not in the calendar any more.")
    return Picked(found, entry)


def scope_of(desk: Desk, chosen: Picked, series: Series | None, context: Context) -> Scope | Question:
    """What is meant, or the question that settles it; "following" from the first one on is all of them."""
    entry, occurrence = chosen.entry, chosen.occurrence
    if occurrence.recurrence is None:
        return Scope(entry, occurrence, None)
    if series is None:
        return _ask(desk, entry, occurrence, context)
    if series == "following" and not _any_before(desk, entry, occurrence, context):
        return Scope(entry, occurrence, "all")
    return Scope(entry, occurrence, series)


def scope_words(scope: Scope, context: Context) -> str:
    """What is meant, in words; empty for an event by itself."""
    when = range_of(scope.occurrence.start, scope.occurrence.end, context)
    match scope.series:
        case "this":
            return f"only this one, {when}"
        case "following":
            return f"this one, {when}, and all that follow; those before stay as they are"
        case "all":
            return "all of them"
        case _:
            return ""


def _ask(desk: Desk, entry: Entry, occurrence: Occurrence, context: Context) -> Question:
    when = brief_range(occurrence.start, occurrence.end, context)
    rule = rule_of(desk.index.parsed(entry), occurrence.uid, context)
    title = title_of(occurrence.title)
    picked = {"event": handle_of(occurrence), "on": None}
    return Question(
        f"“{title}” repeats {rule}. Which of them do you mean?",
        (
            Option(f"Only the one on {when}", {**picked, "series": "this"}),
            Option("That one and all that follow", {**picked, "series": "following"}),
            Option("All of them", {**picked, "series": "all"}),
        ),
    )


def _any_before(desk: Desk, entry: Entry, occurrence: Occurrence, context: Context) -> bool:
    """True if the series has an occurrence before this one."""
    begins = aware(occurrence.recurrence or occurrence.start, context.zone)
    parsed = desk.index.parsed(entry)
    series = next(each for each in parsed.events if each.uid == occurrence.uid)
    starts = [aware(start, context.zone) for start in series.starts]
    first = min(starts, default=begins)
    while first < begins:
        found, _ = expand(entry.place, parsed, first, min(first + _YEARS_BACK, begins))
        if any(aware(each.recurrence or each.start, context.zone) < begins for each in found):
            return True
        first += _YEARS_BACK
    return False
