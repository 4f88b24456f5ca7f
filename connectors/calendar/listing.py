"""Lists events: what is on, in order, with handles by which each can be named again."""

from datetime import datetime

from connectors.base import Call, Context, Effect, Field, Outcome, Prepared, Preview, Question, Resolved, Role
from connectors.calendar.calendars import calendar_named
from connectors.calendar.desk import Desk, local_now
from connectors.calendar.find import window_of
from connectors.calendar.index import Entry
from connectors.calendar.match import Words
from connectors.calendar.moments import DAY, aware
from connectors.calendar.timing import read_when
from connectors.calendar.tools import ListEvents
from connectors.calendar.wording import count_of, item_of, listed, span_words, zone_words
from connectors.calendar.write import context_of, moment_of
from connectors.clean import clean_line

_WEEK = 7 * DAY
_YEAR = 366 * DAY
_LONGEST = 10 * _YEAR
_MOST = 100
_SHOWN = 80


def prepare(desk: Desk, call: Call, wanted: ListEvents, context: Context) -> Prepared | Question | Outcome:
    """What would be read: which days, which words, which calendar."""
    today = aware(local_now(context).date(), context.zone)
    start, end = today, today + (_YEAR if wanted.search else _WEEK)
    if wanted.when:
        when = read_when(wanted.when, context, "when")
        if isinstance(when, Question):
            return when
        window = window_of(when, context)
        start, end = window.start, min(window.end, window.start + _LONGEST)
    calendar = ""
    if wanted.calendar:
        named = calendar_named(desk, wanted.calendar)
        if isinstance(named, Question):
            return named
        calendar = named.name
    days = span_words(start, end, context)
    shown = desk.index.displayname(calendar) if calendar else "all calendars"
    fields = [Field("When", days, argument="when"), Field("Calendar", shown, argument="calendar")]
    if wanted.search:
        fields.insert(0, Field("Words", clean_line(wanted.search, _SHOWN), argument="search"))
    return Prepared(
        call=call,
        effects=frozenset({Effect.READ}),
        resolved=(
            Resolved(
                Role.BOUND, "when" if wanted.when else "", f"{start.isoformat()}/{end.isoformat()}", days
            ),
            Resolved(Role.BOUND, "calendar" if calendar else "", calendar or "*", shown),
        ),
        payload={
            "start": start.isoformat(),
            "end": end.isoformat(),
            "search": wanted.search or "",
            "calendar": calendar,
            **moment_of(context),
        },
        preview=Preview("Show what is in the calendar", "reads the calendar", tuple(fields)),
        basis="",
    )


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    """The events there are now, and which files could not be read."""
    payload = prepared.payload
    context = context_of(payload)
    start, end = (
        datetime.fromisoformat(str(payload[name])).astimezone(context.zone) for name in ("start", "end")
    )
    words = Words(str(payload["search"]))

    def take(entry: Entry) -> bool:
        return payload["calendar"] in ("", entry.place.collection) and words.may_be_in(entry)

    desk.index.refresh()
    view = desk.index.between(start, end, context.zone, take)
    found = words.best(view.occurrences) if words else list(view.occurrences)
    items = tuple(item_of(each, desk, context) for each in found[:_MOST])
    text = _summary(len(found), bool(words), start, end, context) + listed(view.problems)
    return Outcome(True, text, items=items)


def _summary(number: int, searched: bool, start: datetime, end: datetime, context: Context) -> str:
    what = count_of(number, "event") if number else "No events"
    fitting = (" that fits" if number == 1 else " that fit") if searched else ""
    more = f"; these are the first {_MOST}" if number > _MOST else ""
    times = f"; times are in {zone_words(start, context)}" if number else ""
    return f"{what}{fitting}, {span_words(start, end, context)}{more}{times}."
