"""Puts an invitation into the calendar, brings one up to date, or marks one as cancelled or answered."""

from dataclasses import dataclass

from connectors.base import Call, Context, Needs, Outcome, Prepared, Question, failed
from connectors.base import Option as Choice
from connectors.calendar.calendars import calendar_to_write, refuse_read_only
from connectors.calendar.create import new_place
from connectors.calendar.desk import Desk
from connectors.calendar.event_file import CannotChange
from connectors.calendar.invitations.merge import answered, cancelled, fresh, renewed
from connectors.calendar.invitations.message import LARGEST, Message, Method, NotTaken, read_message
from connectors.calendar.invitations.preview import Proposal, prepared_for
from connectors.calendar.mailing import settle
from connectors.calendar.parse import Broken
from connectors.calendar.readback import told_there
from connectors.calendar.store import Collection, Place
from connectors.calendar.tools import AddInvitation
from connectors.calendar.write import Told, carry_out, plan_of
from connectors.lending import FileFinder, Lent

ARGUMENT = "invitation"
_NOTHING = failed(Needs.UNAVAILABLE, "Neither messages nor files may be looked in for an invitation.")
_UNKNOWN = "The event it is about is not in your calendars, so there is nothing to change."
_SURE_LENGTH = 40
_ESCAPED = frozenset(",;\\")


@dataclass(frozen=True, slots=True)
class _Found:
    lent: Lent
    data: bytes


def prepare(desk: Desk, call: Call, wanted: AddInvitation, context: Context) -> Prepared | Question | Outcome:
    """What the invitation would change."""
    found = _look(desk, wanted.invitation or "", context)
    if not isinstance(found, _Found):
        return found
    try:
        message = read_message(found.data)
        proposal = _proposal(desk, message, found.lent, wanted)
    except (NotTaken, CannotChange) as error:
        return failed(Needs.INVALID, f"The invitation changes nothing. {error}")
    except Broken as error:
        return failed(Needs.INVALID, f"The invitation cannot be used: {error}.")
    return prepared_for(desk, call, proposal, context) if isinstance(proposal, Proposal) else proposal


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    """Write it and say what is in the calendar now."""
    plan = plan_of(prepared.payload)
    report = plan.report or {}

    def tell() -> Told:
        return (
            told_there(desk, report, plan.context) if report.get("start") else Told(True, str(report["done"]))
        )

    return carry_out(desk, prepared, plan, tell)


def _look(desk: Desk, said: str, context: Context) -> _Found | Question | Outcome:
    """The file that is meant, of the first service that has it."""
    missing: Outcome = _NOTHING
    for lender in desk.lenders:
        lent = lender.find(said, LARGEST, ARGUMENT, context.zone)
        if isinstance(lent, Question):
            return lent
        if isinstance(lent, Lent):
            return _read(lender, lent)
        if missing is _NOTHING:
            missing = lent
    return missing


def _read(lender: FileFinder, lent: Lent) -> _Found | Outcome:
    data = lender.read(lent)
    return data if isinstance(data, Outcome) else _Found(lent, data)


def _proposal(
    desk: Desk, message: Message, lent: Lent, wanted: AddInvitation
) -> Proposal | Question | Outcome:
    """The file that would be written, and what it is made of."""
    place = _stored(desk, message.series.uid, wanted.calendar)
    if isinstance(place, Question):
        return place
    if place is None and message.method in (Method.CANCEL, Method.REPLY):
        return failed(Needs.NOT_FOUND, _UNKNOWN)
    if place is None:
        return _new(desk, message, lent, wanted)
    if refused := refuse_read_only(desk, place.collection):
        return refused
    before = desk.store.read(place) or b""
    if message.method is Method.REPLY:
        merged, who, answer = answered(before, message)
        return _settled(desk, Proposal(message, lent, place, before, merged.data, who=who, answer=answer))
    merged = (cancelled if message.method is Method.CANCEL else renewed)(before, message)
    return _settled(desk, Proposal(message, lent, place, before, merged.data, merged.lost))


def _new(desk: Desk, message: Message, lent: Lent, wanted: AddInvitation) -> Proposal | Question | Outcome:
    calendar = calendar_to_write(desk, wanted.calendar)
    if not isinstance(calendar, Collection):
        return calendar
    data = fresh(message, quiet=calendar.schedules)
    made = None if desk.index.collections else calendar
    place = _place_for(desk, calendar.name, message.series.uid)
    return _settled(desk, Proposal(message, lent, place, None, data, made=made))


def _settled(desk: Desk, proposal: Proposal) -> Proposal | Question:
    """The proposal with everybody whom the calendar's server would mail."""
    mailing = settle(desk, ((proposal.place, proposal.after),), (), None)
    return mailing if isinstance(mailing, Question) else proposal.mailing(mailing.addresses)


def _place_for(desk: Desk, collection: str, uid: str) -> Place:
    """The name the server wants for this UID where that is a plain one, and one of our own where not."""
    name = desk.store.new_name(collection, uid)
    stem = name.rpartition(".")[0]
    plain = stem == uid and uid.isascii() and uid.replace("-", "").replace("@", "").replace("_", "").isalnum()
    place = Place(collection, name)
    return place if plain and desk.index.get(place) is None else new_place(desk, collection)[0]


def _stored(desk: Desk, uid: str, calendar: str | None) -> Place | Question | None:
    """Where the event of a UID is, None where it is nowhere."""
    places = [
        entry.place
        for entry in desk.index.entries
        if _start_of(uid) in entry.data and _holds(desk, entry.place, uid)
    ]
    here = [each for each in places if calendar == each.collection]
    found = here or places
    if len(found) < 2:
        return found[0] if found else None
    options = tuple(
        Choice(desk.index.displayname(each.collection), {"calendar": each.collection}) for each in found
    )
    return Question("That event is in more than one calendar. Which one is meant?", options)


def _start_of(uid: str) -> bytes:
    """The beginning of a UID as far as a file holds it in one piece, unfolded and unescaped."""
    plain = next((at for at, each in enumerate(uid) if each in _ESCAPED or not each.isascii()), len(uid))
    return uid[: min(plain, _SURE_LENGTH)].encode()


def _holds(desk: Desk, place: Place, uid: str) -> bool:
    entry = desk.index.get(place)
    try:
        return entry is not None and any(each.uid == uid for each in desk.index.parsed(entry).events)
    except Broken:
        return False
