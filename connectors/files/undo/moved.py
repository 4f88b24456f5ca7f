"""Moving something back to where it was."""

from connectors.base import Call, Field, Needs, Outcome, Preview
from connectors.files import show
from connectors.files.desk import Desk, conflict, finished, folders_field
from connectors.files.disk.jail import make_folders, missing_folders
from connectors.files.disk.versions import digest, identity
from connectors.files.errors import Refused
from connectors.files.moving import move, remove_empty
from connectors.files.places import Place
from connectors.files.records import Record
from connectors.files.undo.reversal import Look, Reversal


def look(desk: Desk, record: Record) -> Look:
    source, goal = _now(desk, record)
    folders = missing_folders(desk.jail, goal.parent)
    fields = (Field("From", source.shown), Field("To", goal.shown), *folders_field(folders))
    deed = f"moves a {show.kind(desk.jail.status(source))} back"
    preview = Preview(f"Move {source.shown} back to {goal.shown}", deed, fields)
    basis = digest(record.name, record.text("seen"), *(folder.handle for folder in folders))
    return Look((source, goal), preview, basis, "it can be moved again")


def act(desk: Desk, record: Record, call: Call) -> Outcome:
    source, goal = _now(desk, record)
    made = make_folders(desk.jail, goal.parent)
    after = move(desk, source, goal, record.text("seen"))
    remove_empty(desk, tuple(desk.places.at(handle) for handle in record.texts("made")))
    facts = {
        "from": source.handle,
        "to": goal.handle,
        "seen": after,
        "made": [folder.handle for folder in made],
    }
    return finished(desk, call, f"{goal.shown} is back where it was.", "moved", facts)


def _now(desk: Desk, record: Record) -> tuple[Place, Place]:
    source, goal = desk.places.at(record.text("to")), desk.places.at(record.text("from"))
    if identity(desk.jail.status(source)) != record.text("seen"):
        raise conflict(source)
    if desk.jail.find(goal) is not None:
        raise Refused(Needs.CONFLICT, f"There is another “{goal.shown}” now, so “{source.shown}” stays.")
    return source, goal


MOVED = Reversal(look, act)
