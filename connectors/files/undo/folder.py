"""Removing a folder that was made, if nothing has been put in it."""

import os

from connectors.base import Call, Field, Outcome, Preview
from connectors.files.desk import Desk, conflict
from connectors.files.disk.crawl import entries
from connectors.files.disk.versions import digest, identity
from connectors.files.errors import refusal
from connectors.files.places import Place
from connectors.files.records import Record
from connectors.files.tools import MakeFolder
from connectors.files.undo.reversal import Look, Reversal


def look(desk: Desk, record: Record) -> Look:
    folders = _now(desk, record)
    names = ", ".join(folder.shown for folder in folders)
    preview = Preview(
        f"Remove the empty folder {folders[-1].shown}", "removes a folder", (Field("Folder", names),)
    )
    seen = (identity(desk.jail.status(folder)) for folder in folders)
    return Look(folders, preview, digest(record.name, *seen), "it can be made again")


def act(desk: Desk, record: Record, call: Call) -> Outcome:
    folders = _now(desk, record)
    for folder in reversed(folders):
        try:
            with desk.jail.parent(folder) as above:
                os.rmdir(folder.name, dir_fd=above)
        except OSError as error:
            raise refusal(error, folder.shown) from error
    desk.index.touched(*folders)
    again = Call(f"undo-{call.id}", "files.make_folder", MakeFolder(folder=folders[-1].handle).model_dump())
    return Outcome(True, f"Removed the folder {folders[-1].shown}.", undo=again)


def _now(desk: Desk, record: Record) -> tuple[Place, ...]:
    """The folders that were made, outermost first, each holding nothing but the next."""
    folders = tuple(desk.places.at(handle) for handle in record.texts("made"))
    inner: tuple[bytes, ...] = ()
    for folder in reversed(folders):
        with desk.jail.folder(folder) as descriptor:
            if tuple(entry.name for entry in entries(descriptor, hidden=True)) != inner:
                raise conflict(folder)
        inner = (folder.name,)
    return folders


FOLDER = Reversal(look, act)
