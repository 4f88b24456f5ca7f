"""Puts a new event in a calendar."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from connectors.base import Call, Context, Effect, Field, Outcome, Prepared, Preview, Question, Resolved, Role
from connectors.calendar.calendars import calendar_to_write
from connectors.calendar.compose import Draft, Person, new_event
from connectors.calendar.desk import Desk, local_now
from connectors.calendar.expand import Occurrence, upcoming
from connectors.calendar.guests import NOBODY_TOLD, guests, shown_person
from connectors.calendar.ical import writable
from connectors.calendar.mailing import MAILED, settle
from connectors.calendar.moments import DAY, Moment, aware, wall
from connectors.calendar.parse import parse
from connectors.calendar.readback import report_on, told_there
from connectors.calendar.store import Collection, Place
from connectors.calendar.timing import new_slot
from connectors.calendar.tools import CreateEvent
from connectors.calendar.watch import Span, beside, state_of
from connectors.calendar.wording import clash_fields, next_dates, range_of, rule_of, title_of
from connectors.calendar.write import UNDO, UNDO_MAILED, Plan, carry_out, payload_of, plan_of
from connectors.clean import clean, clean_line
from connectors.when import describe_range, distance

_SHOWN = 200
_LOOKED_AHEAD = 92 * DAY
_MOST_LOOKED_AT = 10


def prepare(desk: Desk, call: Call, wanted: CreateEvent, context: Context) -> Prepared | Question | Outcome:
    """The event that would be made, and what takes place at the same time."""
    title = writable(wanted.title or "").strip()
    if not title:
        return Question("What should it be called?", argument="title")
    slot = new_slot(wanted.when, wanted.duration, desk.config.minutes, context)
    if isinstance(slot, Question):
        return slot
    people = guests(desk.book, wanted.invite)
    if isinstance(people, Question):
        return people
    calendar = calendar_to_write(desk, wanted.calendar)
    if not isinstance(calendar, Collection):
        return calendar
    notes, where = writable(wanted.notes or ""), writable(wanted.place or "")
    draft = Draft(title, slot.start, slot.end, slot.rule, where, notes, people)
    return _prepared(desk, call, draft, calendar, context, wanted.notify)


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    """Write the event and say where it is."""
    plan = plan_of(prepared.payload)
    return carry_out(desk, prepared, plan, lambda: told_there(desk, plan.report or {}, plan.context))


def new_place(desk: Desk, collection: str) -> tuple[Place, str]:
    """A file name that is not taken, and the UID that goes with it."""
    while True:
        uid = str(uuid.uuid4())
        place = Place(collection, desk.store.new_name(collection, uid))
        if desk.index.get(place) is None:
            return place, uid


def time_spans(occurrences: list[Occurrence], context: Context) -> tuple[Span, ...]:
    """The exact times in which other events would clash; whole days clash with nothing."""
    return tuple(
        (aware(each.start, context.zone), aware(each.end, context.zone))
        for each in occurrences
        if isinstance(each.start, datetime)
    )


def _prepared(
    desk: Desk, call: Call, draft: Draft, calendar: Collection, context: Context, notify: bool | None
) -> Prepared | Question:
    place, uid = new_place(desk, calendar.name)
    data = new_event(draft, uid, _zone_of(draft.start, context), context.now)
    mailing = settle(desk, ((place, data),), draft.people, notify)
    if isinstance(mailing, Question):
        return mailing
    parsed = parse(data)
    begins = aware(draft.start, context.zone)
    first = upcoming(place, parsed, begins, _MOST_LOOKED_AT)
    looked_at = [each for each in first if aware(each.start, context.zone) < begins + _LOOKED_AHEAD]
    spans = time_spans(looked_at, context)
    rule = rule_of(parsed, uid, context)
    made = None if desk.index.collections else calendar
    plan = Plan(context, mailing.files, spans, made, report_on(place, draft.start, "Added."))
    fields = (
        Field("Title", title_of(draft.title), argument="title"),
        _when_field(draft.start, draft.end, context),
        *((Field("Repeats", rule, argument="when", note=next_dates(first, context)),) if rule else ()),
        *((Field("Where", clean_line(draft.where, _SHOWN), argument="place"),) if draft.where else ()),
        Field("Calendar", calendar.displayname, argument="calendar", note="a new one" if made else ""),
        *(invited_field(person, mailing.addresses) for person in draft.people),
        *clash_fields(beside(desk, spans, context), desk, context),
    )
    return Prepared(
        call=call,
        effects=frozenset({Effect.WRITE, *((Effect.SEND,) if mailing.addresses else ())}),
        resolved=_resolved(draft, calendar, call, context),
        payload=payload_of(plan),
        preview=Preview(
            f"Add “{title_of(draft.title)}” to the calendar",
            "invites people by mail" if mailing.addresses else "adds an event",
            fields,
            body=clean(draft.notes) or None,
            warnings=past_warning(draft.start, draft.end, rule, context),
        ),
        basis=state_of(desk, plan.places, spans, context),
        undo=UNDO_MAILED if mailing.addresses else UNDO,
    )


def invited_field(person: Person, mailed: Sequence[str] = ()) -> Field:
    """Somebody newly invited, and whether the server mails them."""
    note = MAILED if person.address.lower() in [each.lower() for each in mailed] else NOBODY_TOLD
    return Field("Invited", shown_person(person), argument="invite", note=note)


def past_warning(start: Moment, end: Moment, rule: str, context: Context) -> tuple[str, ...]:
    """A warning that an event would be over already."""
    over = not rule and aware(end, context.zone) <= context.now
    return (f"This is in the past: {distance(start, local_now(context))}.",) if over else ()


def _when_field(start: Moment, end: Moment, context: Context) -> Field:
    days = "" if isinstance(start, datetime) or wall(end) - wall(start) == DAY else ", all day"
    note = distance(start, local_now(context))
    # In the zone that was said, which may be another than the person's own.
    said = describe_range(start, end, local_now(context))
    return Field("When", said + days, argument="when", note=note)


def _zone_of(start: Moment, context: Context) -> ZoneInfo:
    zone = start.tzinfo if isinstance(start, datetime) else None
    return zone if isinstance(zone, ZoneInfo) else context.zone


def _carried(argument: str, text: str) -> tuple[Resolved, ...]:
    return (Resolved(Role.CONTENT, argument, text, clean_line(text, _SHOWN)),) if text else ()


def _resolved(draft: Draft, calendar: Collection, call: Call, context: Context) -> tuple[Resolved, ...]:
    said = "calendar" if call.arguments.get("calendar") else ""
    times = f"{draft.start.isoformat()}/{draft.end.isoformat()}" + (f" {draft.rule}" if draft.rule else "")
    return (
        Resolved(Role.TARGET, said, calendar.name, calendar.displayname),
        Resolved(Role.CONTENT, "title", draft.title, title_of(draft.title)),
        *_carried("place", draft.where),
        *_carried("notes", draft.notes),
        Resolved(Role.BOUND, "when", times, range_of(draft.start, draft.end, context)),
        *(
            Resolved(Role.DESTINATION, "invite", person.address, shown_person(person))
            for person in draft.people
        ),
    )
