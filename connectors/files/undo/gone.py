"""Taking away again what was made or brought back: it goes to the trash, never further."""

from connectors.base import Call, Field, Outcome, Preview
from connectors.files import show
from connectors.files.desk import Desk, conflict, finished
from connectors.files.disk.survey import Survey, survey
from connectors.files.disk.versions import digest
from connectors.files.moving import remove_empty
from connectors.files.places import Place
from connectors.files.records import Record
from connectors.files.undo.reversal import Look, Reversal
from connectors.files.verbs.delete import discard, trashed_facts


def look(desk: Desk, record: Record) -> Look:
    place, whole = _now(desk, record)
    what = whole.holds if whole.kind == "folder" else show.size(whole.size)
    fields = (Field(whole.kind.capitalize(), place.shown), Field("Holds", what))
    preview = Preview(f"Put {place.shown} in the trash", f"removes a {whole.kind}", fields)
    return Look((place,), preview, digest(record.name, whole.digest), "it can be restored from the trash")


def act(desk: Desk, record: Record, call: Call) -> Outcome:
    place, whole = _now(desk, record)
    trashed = discard(desk, place, whole)
    remove_empty(desk, tuple(desk.places.at(handle) for handle in record.texts("made")))
    text = f"{place.shown} is in the trash."
    return finished(desk, call, text, "trashed", trashed_facts(place, trashed, whole))


def _now(desk: Desk, record: Record) -> tuple[Place, Survey]:
    place = desk.places.at(record.text("place"))
    whole = survey(desk.jail, place, desk.config.bulk_limit)
    if whole.digest != record.text("seen"):
        raise conflict(place)
    return place, whole


GONE = Reversal(look, act)
