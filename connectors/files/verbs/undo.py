"""Taking back a change to files by the record that was kept of it."""

from connectors.base import Call, Context, Effect, Outcome, Prepared, UndoArguments
from connectors.files.desk import Desk, target
from connectors.files.errors import Changed
from connectors.files.records import Record, broken
from connectors.files.undo.content import CONTENT
from connectors.files.undo.folder import FOLDER
from connectors.files.undo.gone import GONE
from connectors.files.undo.moved import MOVED
from connectors.files.undo.reversal import Reversal
from connectors.files.undo.trashed import TRASHED

_KINDS = {"content": CONTENT, "gone": GONE, "trashed": TRASHED, "moved": MOVED, "folder": FOLDER}


def prepare(desk: Desk, call: Call, said: UndoArguments, context: Context) -> Prepared:
    record = desk.records.load(said.record)
    look = _reversal(record).look(desk, record)
    touched = tuple(target("record", place) for place in look.places)
    payload = {"record": record.name}
    return Prepared(call, frozenset({Effect.WRITE}), touched, payload, look.preview, look.basis, look.undo)


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    record = desk.records.load(str(prepared.payload["record"]))
    reversal = _reversal(record)
    if reversal.look(desk, record).basis != prepared.basis:
        raise Changed
    outcome = reversal.act(desk, record, prepared.call)
    desk.records.forget(record.name)
    return outcome


def _reversal(record: Record) -> Reversal:
    if record.kind not in _KINDS:
        raise broken(record.name)
    return _KINDS[record.kind]
