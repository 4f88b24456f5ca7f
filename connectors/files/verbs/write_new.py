"""Making a new file with a text."""

from connectors.base import Call, Effect, Field, Outcome, Prepared, Preview, Resolved, Role
from connectors.clean import clean, shorten
from connectors.files import show
from connectors.files.desk import (
    Desk,
    check_new_names,
    conflict,
    finished,
    folders_field,
    real_path_note,
    target,
)
from connectors.files.disk.jail import make_folders, missing_folders
from connectors.files.disk.survey import survey
from connectors.files.disk.versions import digest
from connectors.files.disk.write import create
from connectors.files.edit import encoded
from connectors.files.errors import refusal
from connectors.files.places import Place
from connectors.files.text import Text


def prepare(desk: Desk, call: Call, text: str, place: Place, *, note: str) -> Prepared:
    whole = text.replace("\r\n", "\n") + "\n"
    data = encoded(whole, Text(), place.label)
    folders = missing_folders(desk.jail, place.parent)
    check_new_names(desk, place, *folders)
    fields = (
        Field("New file", place.shown, "file", note),
        *folders_field(folders),
        *(() if folders else real_path_note(desk, place.parent)),
        Field("Size", show.size(len(data))),
    )
    content = Resolved(Role.CONTENT, "text", text, shorten(clean(text), 80))
    return Prepared(
        call,
        frozenset({Effect.WRITE}),
        (target("file", place), content),
        {"file": place.handle, "new": True, "text": whole},
        Preview(f"Make a new file {place.shown}", "makes a file", fields, body=clean(whole)),
        _basis(desk, place),
        "the new file is put in the trash",
    )


def perform(desk: Desk, prepared: Prepared, place: Place) -> Outcome:
    if desk.jail.find(place) is not None or _basis(desk, place) != prepared.basis:
        raise conflict(place)
    data = encoded(str(prepared.payload["text"]), Text(), place.label)
    made = make_folders(desk.jail, place.parent)
    try:
        with desk.jail.parent(place) as folder:
            create(folder, place.name, data)
    except OSError as error:
        raise refusal(error, place.shown) from error
    desk.index.touched(*made, place)
    whole = survey(desk.jail, place, 1)
    facts = {"place": place.handle, "seen": whole.digest, "made": [folder.handle for folder in made]}
    return finished(desk, prepared.call, f"Made {place.shown}, {show.size(whole.size)}.", "gone", facts)


def _basis(desk: Desk, place: Place) -> str:
    folders = missing_folders(desk.jail, place.parent)
    return digest(place.handle, *(folder.handle for folder in folders))
