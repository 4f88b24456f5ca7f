"""Shows what an invitation would change, and who is behind it, before anything is written."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from connectors.base import Call, Context, Effect, Field, Prepared, Preview, Resolved, Role
from connectors.calendar.create import past_warning, time_spans
from connectors.calendar.desk import Desk, local_now
from connectors.calendar.event_file import EventFile
from connectors.calendar.expand import Occurrence, expand, upcoming
from connectors.calendar.handles import EVENT, Handle, spell
from connectors.calendar.ical import moment, text
from connectors.calendar.invitations.message import Message, Method, address_of, attendees
from connectors.calendar.mailing import mailed_fields, mailed_to
from connectors.calendar.moments import DAY, Moment, aware, key
from connectors.calendar.parse import Parsed, parse
from connectors.calendar.readback import report_on
from connectors.calendar.store import Collection, Place
from connectors.calendar.watch import beside, state_of
from connectors.calendar.wording import (
    clash_fields,
    count_of,
    next_dates,
    range_of,
    rule_of,
    title_of,
)
from connectors.calendar.write import UNDO, UNDO_MAILED, Plan, payload_of
from connectors.clean import clean, clean_line
from connectors.lending import Lent
from connectors.when import distance

_SHOWN = 200
_MOST_PEOPLE = 5
_MOST_LOOKED_AT = 10
_LOOKED_AHEAD = 92 * DAY
_ANSWERS = {
    "ACCEPTED": "accepts",
    "DECLINED": "declines",
    "TENTATIVE": "may come",
    "DELEGATED": "sends somebody else",
    "NEEDS-ACTION": "has not answered",
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """A file that an invitation would write; `before` is None where the event is new.

    `lost` occurrences changed by themselves would go; `who` gives the `answer` of a reply; `mailed` is
    everybody whom the calendar's server would mail.
    """

    message: Message
    lent: Lent
    place: Place
    before: bytes | None
    after: bytes
    lost: int = 0
    who: str = ""
    answer: str = ""
    made: Collection | None = None
    mailed: tuple[str, ...] = ()

    def mailing(self, addresses: tuple[str, ...]) -> "Proposal":
        return replace(self, mailed=addresses)

    @property
    def identity(self) -> Moment | None:
        """The one occurrence it is about, None where it is about all of the event."""
        message = self.message
        alone = message.series.master is None and len(message.series.overrides) == 1
        return moment(message.series.overrides[0], "RECURRENCE-ID") if alone else None

    def occurrences(self, data: bytes | None, context: Context) -> list[Occurrence]:
        """What a version of the file has: the one occurrence meant, or the first of all."""
        if data is None:
            return []
        parsed = parse(data)
        starts = [start for series in parsed.events for start in series.starts]
        if self.identity is None:
            first = min((aware(each, context.zone) for each in starts), default=context.now)
            return upcoming(self.place, parsed, first, _MOST_LOOKED_AT)
        return self._named(parsed, self.identity, [self.identity, *starts], context)

    def _named(
        self, parsed: Parsed, identity: Moment, starts: list[Moment], context: Context
    ) -> list[Occurrence]:
        for start in starts:
            begins = aware(start, context.zone)
            found, _ = expand(self.place, parsed, begins - DAY, begins + 2 * DAY)
            for each in found:
                if each.recurrence is None or key(each.recurrence) == key(identity):
                    return [each]
        return []


def prepared_for(desk: Desk, call: Call, proposal: Proposal, context: Context) -> Prepared:
    """The proposal as a call made exact."""
    now = proposal.occurrences(proposal.after, context)
    spans = time_spans([each for each in now if _near(each, now[0], context)], context) if now else ()
    done = _done(proposal)
    report = report_on(proposal.place, now[0].start, done) if now and not proposal.who else {"done": done}
    plan = Plan(context, ((proposal.place, proposal.after),), spans, proposal.made, report)
    event = proposal.message.main
    title = title_of(text(event, "SUMMARY") or _title_of(proposal))
    return Prepared(
        call=call,
        effects=frozenset({Effect.WRITE, *((Effect.SEND,) if proposal.mailed else ())}),
        resolved=(*_resolved(proposal, title), *mailed_to(proposal.mailed)),
        payload=payload_of(plan),
        preview=Preview(
            _heading(proposal, title),
            _deed(proposal),
            (*_fields(desk, proposal, title, now, context), *_clashes(desk, proposal, spans, context)),
            body=clean(text(event, "DESCRIPTION")) or None,
            warnings=tuple(_warnings(proposal, now, context)),
        ),
        basis=state_of(desk, plan.places, spans, context),
        undo=UNDO_MAILED if proposal.mailed else UNDO,
    )


def _near(each: Occurrence, first: Occurrence, context: Context) -> bool:
    return aware(each.start, context.zone) < aware(first.start, context.zone) + _LOOKED_AHEAD


def _heading(proposal: Proposal, title: str) -> str:
    match proposal.message.method:
        case Method.CANCEL:
            return f"Mark “{title}” as cancelled"
        case Method.REPLY:
            return f"Note an answer for “{title}”"
    return f"{'Add' if proposal.before is None else 'Update'} “{title}” as invited"


def _deed(proposal: Proposal) -> str:
    match proposal.message.method:
        case Method.CANCEL:
            return "cancels an event"
        case Method.REPLY:
            return "notes an answer"
    return "adds an event" if proposal.before is None else "changes one event"


def _done(proposal: Proposal) -> str:
    match proposal.message.method:
        case Method.CANCEL:
            return "Marked as cancelled."
        case Method.REPLY:
            return f"Noted: {clean_line(proposal.who, _SHOWN)} {_said(proposal)}."
    return "Added." if proposal.before is None else "Updated."


def _said(proposal: Proposal) -> str:
    return _ANSWERS.get(proposal.answer, "gives an answer of its own kind")


def _title_of(proposal: Proposal) -> str:
    return text(EventFile(proposal.before).only, "SUMMARY") if proposal.before else ""


def _fields(
    desk: Desk, proposal: Proposal, title: str, now: list[Occurrence], context: Context
) -> Iterator[Field]:
    yield Field("From", clean_line(proposal.lent.path or proposal.lent.name, _SHOWN), argument="invitation")
    before = proposal.occurrences(proposal.before, context)
    if proposal.who:
        yield Field("Answer", f"{clean_line(proposal.who, _SHOWN)} {_said(proposal)}")
    yield _changed("Title", title, title_of(before[0].title) if before else None)
    yield from _times(proposal, before, now, context)
    where = clean_line(now[0].where, _SHOWN) if now else ""
    was = clean_line(before[0].where, _SHOWN) if before else ""
    if where or was:
        yield _changed("Where", where, was if before else None)
    if proposal.message.method is not Method.REPLY:
        yield from _people(proposal.message)
        yield Field("Your answer", "none is sent")
    shown = desk.index.displayname(proposal.place.collection)
    made = proposal.made
    yield Field("Calendar", made.displayname if made else shown, "calendar", "a new one" if made else "")
    yield from mailed_fields(proposal.mailed)


def _times(
    proposal: Proposal, before: list[Occurrence], now: list[Occurrence], context: Context
) -> Iterator[Field]:
    was = range_of(before[0].start, before[0].end, context) if before else None
    if now:
        note = distance(now[0].start, local_now(context))
        yield _changed("When", range_of(now[0].start, now[0].end, context), was, note)
    elif was:
        yield Field("When", "cancelled", before=was)
    if proposal.identity is not None and proposal.before is not None:
        yield Field("Which", "only this one; all others stay as they are")
        return
    rule = rule_of(parse(proposal.after), proposal.message.series.uid, context)
    old = rule_of(parse(proposal.before), proposal.message.series.uid, context) if proposal.before else None
    if rule or old:
        yield _changed("Repeats", rule or "not at all", old, next_dates(now, context))


def _changed(label: str, value: str, before: str | None, note: str = "") -> Field:
    return Field(label, value, note=note, before=before if before != value else None)


def _people(message: Message) -> Iterator[Field]:
    if message.organizer:
        yield Field("Organiser", clean_line(message.organizer, _SHOWN))
    people = list(attendees(message.main))
    for each in people[:_MOST_PEOPLE]:
        yield Field("Invited", clean_line(each, _SHOWN))
    if len(people) > _MOST_PEOPLE:
        yield Field("Invited", f"and {len(people) - _MOST_PEOPLE} more")


def _clashes(
    desk: Desk, proposal: Proposal, spans: tuple[tuple[Moment, Moment], ...], context: Context
) -> tuple[Field, ...]:
    if proposal.message.method is Method.REPLY:
        return ()
    apart = ((proposal.place, None), *((proposal.place, each.recurrence) for each in _all(proposal, context)))
    return clash_fields(beside(desk, spans, context, apart), desk, context)


def _all(proposal: Proposal, context: Context) -> list[Occurrence]:
    return [*proposal.occurrences(proposal.before, context), *proposal.occurrences(proposal.after, context)]


def _warnings(proposal: Proposal, now: list[Occurrence], context: Context) -> Iterator[str]:
    message = proposal.message
    yield from proposal.lent.warnings
    if proposal.before is not None and message.method is not Method.REPLY:
        known = address_of(EventFile(proposal.before).only, "ORGANIZER")
        if known and known != message.organizer:
            yield f"In the calendar the organiser is {clean_line(known, _SHOWN)}, another than in this."
    if proposal.lost:
        yield f"{count_of(proposal.lost, 'occurrence')} changed separately before will be as the series says."
    if now and message.method in (Method.REQUEST, Method.PUBLISH):
        rule = rule_of(parse(proposal.after), message.series.uid, context)
        yield from past_warning(now[0].start, now[0].end, rule, context)


def _resolved(proposal: Proposal, title: str) -> tuple[Resolved, ...]:
    event = Handle(EVENT, proposal.place)
    return (
        Resolved(Role.TARGET, "invitation", proposal.lent.handle, proposal.lent.name),
        Resolved(Role.TARGET, "", str(event) if proposal.before else spell(proposal.place), title),
    )
