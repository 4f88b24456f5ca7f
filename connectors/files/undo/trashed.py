"""Bringing something back from the trash."""

from connectors.base import Call, Field, Needs, Outcome, Preview
from connectors.clean import clean_bytes
from connectors.files.desk import Desk, finished, folders_field
from connectors.files.disk.jail import make_folders, missing_folders
from connectors.files.disk.survey import survey
from connectors.files.disk.trash import Trashed
from connectors.files.disk.versions import digest, identity
from connectors.files.errors import Refused, refusal
from connectors.files.places import Place
from connectors.files.records import Record
from connectors.files.undo.reversal import Look, Reversal


def look(desk: Desk, record: Record) -> Look:
    place, trashed, seen = _now(desk, record)
    folders = missing_folders(desk.jail, place.parent)
    fields = (
        Field(record.text("what").capitalize(), place.shown),
        *folders_field(folders),
        Field("Trash", clean_bytes(trashed.trash)),
    )
    preview = Preview(f"Bring back {place.shown} from the trash", f"restores a {record.text('what')}", fields)
    names = (folder.handle for folder in folders)
    return Look((place,), preview, digest(record.name, seen, *names), "it can be put in the trash again")


def act(desk: Desk, record: Record, call: Call) -> Outcome:
    place, trashed, _ = _now(desk, record)
    made = make_folders(desk.jail, place.parent)
    try:
        with desk.jail.parent(place) as folder:
            desk.trash.restore(trashed, folder, place.name)
    except OSError as error:
        raise refusal(error, place.shown) from error
    desk.index.touched(*made, place)
    whole = survey(desk.jail, place, desk.config.bulk_limit)
    facts = {"place": place.handle, "seen": whole.digest, "made": [folder.handle for folder in made]}
    return finished(desk, call, f"{place.shown} is back.", "gone", facts)


def _now(desk: Desk, record: Record) -> tuple[Place, Trashed, str]:
    place = desk.places.at(record.text("place"))
    trashed = Trashed(bytes.fromhex(record.text("trash")), bytes.fromhex(record.text("name")))
    status = desk.trash.status(trashed)
    if status is None:
        raise Refused(Needs.NOT_FOUND, f"“{place.shown}” is no longer in the trash.")
    if desk.jail.find(place) is not None:
        raise Refused(
            Needs.CONFLICT, f"There is another “{place.shown}” now, so the old one stays in the trash."
        )
    return place, trashed, identity(status)


TRASHED = Reversal(look, act)
