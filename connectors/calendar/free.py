"""Finds gaps between events within the hours of the day a person keeps."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from connectors.base import (
    Call,
    Context,
    Effect,
    Field,
    Item,
    Outcome,
    Prepared,
    Preview,
    Question,
    Resolved,
    Role,
)
from connectors.calendar.config import Config
from connectors.calendar.desk import Desk, local_now
from connectors.calendar.expand import Occurrence
from connectors.calendar.find import window_of
from connectors.calendar.moments import DAY, aware, elapsed
from connectors.calendar.timing import read_when
from connectors.calendar.tools import FindFreeTime
from connectors.calendar.wording import brief_range, count_of, listed, span_words, zone_words
from connectors.calendar.write import context_of, moment_of
from connectors.clean import clean_line
from connectors.when import When, duration, phrase_for

_WEEK = 7 * DAY
_LONGEST = 92 * DAY
_MINUTE = timedelta(minutes=1)
_STEP = 15 * _MINUTE
_MOST = 40
_SHOWN = 60

Gap = tuple[datetime, datetime]


def prepare(desk: Desk, call: Call, wanted: FindFreeTime, context: Context) -> Prepared | Question | Outcome:
    """Which days would be looked at, and for how long a gap."""
    lasts = duration(wanted.duration) if wanted.duration else timedelta(minutes=desk.config.minutes)
    if lasts is None or lasts <= timedelta():
        words = clean_line(wanted.duration or "", _SHOWN)
        return Question(f"How long should it be? “{words}” is no length.", argument="duration")
    hours = _hours_wanted(wanted, desk.config, context)
    if isinstance(hours, Question):
        return hours
    minutes = lasts // _MINUTE
    first, last = hours[0][0], hours[-1][1]
    days = span_words(first, last, context)
    length = _length(lasts)
    return Prepared(
        call=call,
        effects=frozenset({Effect.READ}),
        resolved=(
            Resolved(
                Role.BOUND, "when" if wanted.when else "", f"{first.isoformat()}/{last.isoformat()}", days
            ),
            Resolved(Role.BOUND, "duration" if wanted.duration else "", str(minutes), length),
        ),
        payload={
            "hours": [[start.isoformat(), end.isoformat()] for start, end in hours],
            "minutes": minutes,
            **moment_of(context),
        },
        preview=Preview(
            "Find free time in the calendar",
            "reads the calendar",
            (
                Field("When", days, argument="when", note=_note(hours)),
                Field("At least", length, argument="duration"),
            ),
        ),
        basis="",
    )


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    """The gaps there are now; each one's handle is a phrase for `when`."""
    context = context_of(prepared.payload)
    lasts = int(str(prepared.payload["minutes"])) * _MINUTE
    hours = list(_read_hours(prepared, context))
    desk.index.refresh()
    view = desk.index.between(hours[0][0], hours[-1][1], context.zone)
    busy = [each for each in view.occurrences if each.busy and isinstance(each.start, datetime)]
    gaps = [gap for span in hours for gap in free_gaps(span, _spans(busy, context)) if elapsed(*gap) >= lasts]
    items = tuple(_item(gap, context) for gap in gaps[:_MOST])
    if not gaps:
        text = f"No gap of {_length(lasts)} is free, {span_words(hours[0][0], hours[-1][1], context)}."
    else:
        more = f"; these are the first {_MOST}" if len(gaps) > _MOST else ""
        text = (
            f"{count_of(len(gaps), 'gap')} of {_length(lasts)} or more{more}; "
            f"times are in {zone_words(hours[0][0], context)}."
        )
    days = [each for each in view.occurrences if each.busy and not isinstance(each.start, datetime)]
    if days:
        text += f" {count_of(len(days), 'event')} of whole days not counted as busy."
    return Outcome(True, text + listed(view.problems), items=items)


def free_gaps(span: Gap, busy: Iterable[Gap]) -> Iterator[Gap]:
    """The parts of a span that no busy time touches, given the busy times by start."""
    start, end = span
    for begins, ends in busy:
        if begins >= end:
            break
        if begins > start:
            yield start, begins
        start = max(start, ends)
    if start < end:
        yield start, end


def _spans(busy: list[Occurrence], context: Context) -> list[Gap]:
    return sorted((aware(each.start, context.zone), aware(each.end, context.zone)) for each in busy)


def _hours_wanted(wanted: FindFreeTime, config: Config, context: Context) -> list[Gap] | Question:
    now = _next_step(local_now(context))
    start = aware(now.date(), context.zone)
    if wanted.when:
        when = read_when(wanted.when, context, "when")
        if isinstance(when, Question):
            return when
        if isinstance(when.start, datetime):
            return _cut([_hours_said(when, config, context)], now) or _all_past(wanted.when)
        window = window_of(when, context)
        start, end = window.start, min(window.end, window.start + _LONGEST)
    else:
        end = start + _WEEK
    days = (end.date() - start.date()).days
    spans = [
        (
            datetime.combine(start.date() + number * DAY, config.day_starts, context.zone),
            datetime.combine(start.date() + number * DAY, config.day_ends, context.zone),
        )
        for number in range(days)
    ]
    return _cut(spans, now) or _all_past(wanted.when or "today")


def _hours_said(when: When, config: Config, context: Context) -> Gap:
    """The hours a person named themselves: those, also where they lie outside the usual day."""
    start = aware(when.start, context.zone)
    if when.end is not None:
        return start, aware(when.end, context.zone)
    closing = datetime.combine(start.date(), config.day_ends, context.zone)
    return start, closing if closing > start else start + timedelta(hours=1)


def _cut(spans: list[Gap], now: datetime) -> list[Gap]:
    return [(max(start, now), end) for start, end in spans if end > now]


def _all_past(words: str) -> Question:
    return Question(
        f"“{clean_line(words, _SHOWN)}” is over. When should there be free time?", argument="when"
    )


def _next_step(moment: datetime) -> datetime:
    past = timedelta(minutes=moment.minute % 15, seconds=moment.second, microseconds=moment.microsecond)
    return moment + (_STEP - past if past else past)


def _note(hours: list[Gap]) -> str:
    start, end = hours[-1]
    return f"each day {start:%H:%M}-{end:%H:%M}" if len(hours) > 1 else ""


def _read_hours(prepared: Prepared, context: Context) -> Iterator[Gap]:
    hours = prepared.payload["hours"]
    for pair in hours if isinstance(hours, list) else []:
        if isinstance(pair, list):
            start, end = (datetime.fromisoformat(str(each)).astimezone(context.zone) for each in pair)
            yield start, end


def _item(gap: Gap, context: Context) -> Item:
    start, end = gap
    phrase = phrase_for(When(start, end, None, ""), local_now(context))
    return Item(phrase, brief_range(start, end, context), _length(elapsed(start, end)))


def _length(lasts: timedelta) -> str:
    minutes = lasts // _MINUTE
    hours, rest = divmod(minutes, 60)
    parts = [f"{hours} h" if hours else "", f"{rest} min" if rest else ""]
    return " ".join(part for part in parts if part)
