"""Takes back a change: every file as it was, if nothing has changed it since."""

import contextlib

from connectors.base import (
    Call,
    Context,
    Effect,
    Field,
    Needs,
    Outcome,
    Prepared,
    Preview,
    Resolved,
    Role,
    UndoArguments,
    failed,
)
from connectors.calendar.desk import Desk
from connectors.calendar.expand import upcoming
from connectors.calendar.handles import EVENT, Handle
from connectors.calendar.ical import moment, text
from connectors.calendar.mailing import heard, mailed_fields, mailed_to
from connectors.calendar.moments import aware
from connectors.calendar.parse import Broken, parse
from connectors.calendar.records import FileChange, Record
from connectors.calendar.store import Collection, Place
from connectors.calendar.watch import state_of
from connectors.calendar.wording import range_of, rule_of, title_of
from connectors.calendar.write import UNDO, Plan, Told, carry_out, context_of, moment_of
from connectors.when import describe

_SINCE = "The calendar has changed since, so this cannot be taken back any more."
_NO_RECORD = "What was there before is not kept any more, so this cannot be taken back."
_ALREADY = "The calendar is as it was before already."
_NOWHERE = Place("", "")
_ABSENT = "not in the calendar"


def prepare(desk: Desk, call: Call, wanted: UndoArguments, context: Context) -> Prepared | Outcome:
    """What would be put back; refuses where a file is not as the change left it."""
    record = desk.records.find(wanted.record)
    if record is None:
        return failed(Needs.NOT_FOUND, _NO_RECORD)
    states = [(desk.store.read(each.place), each) for each in record.changes]
    if any(now not in (each.after, each.before) for now, each in states):
        return failed(Needs.CONFLICT, _SINCE)
    if all(now == each.before for now, each in states):
        return failed(Needs.CONFLICT, _ALREADY)
    plan = _plan(desk, record, context)
    mailed = heard(desk, plan.changes)
    return Prepared(
        call=call,
        effects=frozenset({Effect.WRITE, *((Effect.SEND,) if mailed else ())}),
        resolved=(
            *(
                Resolved(Role.TARGET, "record", str(Handle(EVENT, each.place)), _name(each))
                for each in record.changes
            ),
            *mailed_to(mailed),
        ),
        payload={"record": record.name, **moment_of(context)},
        preview=Preview(
            f"Take back: {record.title}",
            "takes back a change",
            (
                *(field for each in record.changes for field in _fields(each, context)),
                *mailed_fields(mailed),
            ),
        ),
        basis=state_of(desk, plan.places, (), context),
        undo=UNDO,
    )


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    """Put back every file, byte for byte."""
    record = desk.records.find(str(prepared.payload["record"]))
    if record is None:
        return failed(Needs.NOT_FOUND, _NO_RECORD)
    plan = _plan(desk, record, context_of(prepared.payload))
    outcome = carry_out(desk, prepared, plan, lambda: _told(record, plan.context))
    if outcome.ok and record.made:
        # The change is taken back all the same if the empty folder has to stay.
        with contextlib.suppress(OSError):
            desk.store.remove_collection(record.made.name, record.made.displayname)
    return outcome


def _plan(desk: Desk, record: Record, context: Context) -> Plan:
    present = {each.name for each in desk.index.collections}
    lost = next((each.place.collection for each in record.changes if each.before is not None), None)
    made = Collection(lost, desk.config.displayname) if lost is not None and lost not in present else None
    return Plan(context, tuple((each.place, each.before) for each in record.changes), made=made)


def _told(record: Record, context: Context) -> Told:
    states = "; ".join(_state(each.before, context) for each in record.changes)
    return Told(True, f"Taken back. Now: {states}.")


def _fields(change: FileChange, context: Context) -> tuple[Field, ...]:
    before, after = _state(change.after, context), _state(change.before, context)
    return (Field("Event", _name(change)), Field("Will be", after, before=before))


def _name(change: FileChange) -> str:
    """The title of what a change was about, as it is now or was."""
    for data in (change.before, change.after):
        try:
            parsed = parse(data) if data is not None else None
        except Broken:
            parsed = None
        for component in (*(each.components[0] for each in parsed.events), *parsed.tasks) if parsed else ():
            return title_of(text(component, "SUMMARY"))
    return str(change.place)


def _state(data: bytes | None, context: Context) -> str:
    """What a file says in one line: when its event is and how it repeats, or that there is none."""
    if data is None:
        return _ABSENT
    try:
        parsed = parse(data)
    except Broken:
        return "a file that cannot be read"
    for series in parsed.events:
        start = min((aware(each, context.zone) for each in series.starts), default=context.now)
        first = next(iter(upcoming(_NOWHERE, parsed, start, 1)), None)
        rule = rule_of(parsed, series.uid, context)
        when = range_of(first.start, first.end, context) if first else "no date"
        return f"{when}, repeating {rule}" if rule else when
    for task in parsed.tasks:
        due = moment(task, "DUE")
        return "a task" if due is None else f"a task due {describe(due, context.now)}"
    return "an empty file"
