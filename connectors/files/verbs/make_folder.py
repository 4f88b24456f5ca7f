"""Making a folder."""

from connectors.base import Call, Context, Effect, Field, Needs, Outcome, Prepared, Preview
from connectors.files.desk import Desk, ask, check_new_names, conflict, finished, target
from connectors.files.disk.jail import make_folders, missing_folders
from connectors.files.disk.versions import digest
from connectors.files.errors import Refused
from connectors.files.finding.naming import new_place
from connectors.files.places import Place
from connectors.files.tools import MakeFolder


def prepare(desk: Desk, call: Call, said: MakeFolder, context: Context) -> Prepared:
    if not said.folder:
        raise ask("What should the new folder be called?", "folder")
    place = new_place(desk, said.folder, "folder")
    folders = missing_folders(desk.jail, place)
    if not folders:
        raise Refused(Needs.CONFLICT, f"There is already a folder “{place.shown}”.")
    check_new_names(desk, *folders)
    above = ", ".join(folder.shown for folder in folders[:-1])
    fields = (
        Field("New folder", place.shown, "folder"),
        *((Field("Made on the way", above),) if above else ()),
    )
    return Prepared(
        call,
        frozenset({Effect.WRITE}),
        (target("folder", place),),
        {"folder": place.handle},
        Preview(f"Make a folder {place.shown}", "makes a folder", fields),
        _basis(place, folders),
        "the folder is removed again if nothing has been put in it",
    )


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    place = desk.places.at(str(prepared.payload["folder"]))
    if _basis(place, missing_folders(desk.jail, place)) != prepared.basis:
        raise conflict(place)
    made = make_folders(desk.jail, place)
    desk.index.touched(*made)
    facts = {"made": [folder.handle for folder in made]}
    return finished(desk, prepared.call, f"Made the folder {place.shown}.", "folder", facts)


def _basis(place: Place, folders: tuple[Place, ...]) -> str:
    return digest(place.handle, *(folder.handle for folder in folders))
