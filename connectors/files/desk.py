"""What every verb of the files service works with, and the small steps that several of them share."""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from connectors.base import (
    Call,
    Field,
    Needs,
    Outcome,
    Prepared,
    Question,
    Resolved,
    Role,
    UndoArguments,
)
from connectors.clean import clean_bytes, clean_line, shorten
from connectors.files.config import Config
from connectors.files.disk.jail import Jail
from connectors.files.disk.trash import Trash
from connectors.files.errors import Refused, Unsettled
from connectors.files.finding.find import Finder
from connectors.files.index.index import Index
from connectors.files.places import Place, Places
from connectors.files.records import Facts, Records

_LONGEST_NAME = 255


@dataclass(frozen=True, slots=True)
class Desk:
    """The folders, and the tools for working in them."""

    places: Places
    jail: Jail
    finder: Finder
    index: Index
    trash: Trash
    records: Records
    config: Config

    def default_folder(self) -> Place:
        """Where a new file goes when only its name was said. Raises Refused when no folder may be used."""
        name = self.config.new_files or next(iter(self.places.names), "")
        folder = self.places.named(name)
        if folder is None:
            raise Refused(
                Needs.UNAVAILABLE, f"There is no folder “{clean_line(name, 80)}” to keep new files in."
            )
        return folder


def ask(text: str, argument: str) -> Unsettled:
    """The question for a detail that was not said."""
    return Unsettled(Question(text, argument=argument))


def zone_of(prepared: Prepared) -> ZoneInfo:
    """The zone in which the person reads times, as kept in a payload."""
    return ZoneInfo(str(prepared.payload["zone"]))


def target(argument: str, place: Place, role: Role = Role.TARGET) -> Resolved:
    """A file or folder as a thing that a call touches."""
    return Resolved(role, argument, place.handle, place.label)


def undo_call(call: Call, record: str) -> Call:
    """The call that takes a deed back."""
    return Call(f"undo-{call.id}", "files.undo", UndoArguments(record=record).model_dump())


def conflict(place: Place) -> Refused:
    """The refusal to touch what is no longer as it was shown."""
    return Refused(
        Needs.CONFLICT, f"“{place.shown}” has changed since it was looked at, so it was left alone."
    )


def finished(desk: Desk, call: Call, text: str, kind: str, facts: Facts) -> Outcome:
    """The outcome of a deed that was done, with the call that takes it back where a record could be kept."""
    try:
        record = desk.records.keep(kind, facts)
    except OSError as error:
        return Outcome(
            True, f"{text} It cannot be taken back from here: {error.strerror or 'no record was kept'}."
        )
    return Outcome(True, text, undo=undo_call(call, record))


def folders_field(folders: Iterable[Place]) -> tuple[Field, ...]:
    """The preview's line about folders that will be made on the way."""
    names = ", ".join(folder.shown for folder in folders)
    return (Field("New folder", names),) if names else ()


def link_warnings(place: Place, status: os.stat_result) -> tuple[str, ...]:
    """What to know of a file that has other names."""
    if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
        others = "another name" if status.st_nlink == 2 else f"{status.st_nlink - 1} other names"
        return (f"{place.label} has {others} elsewhere on the disk (a hard link).",)
    return ()


def real_path_note(desk: Desk, place: Place) -> tuple[Field, ...]:
    """The preview's line about where a place really is, when links lead there."""
    try:
        with desk.jail.opened(place, os.O_RDONLY) as descriptor:
            real = os.readlink(b"/proc/self/fd/%d" % descriptor)
    except (Refused, OSError):
        return ()
    return (Field("Really at", clean_bytes(real)),) if real != place.absolute else ()


def check_new_names(desk: Desk, *places: Place) -> None:
    """Refuse names that should not be given to anything. Raises Refused."""
    for place in places:
        if place.label != os.fsdecode(place.name):
            raise Refused(Needs.INVALID, f"“{place.label}” holds unseen characters, so it is no good name.")
        if len(place.name) > _LONGEST_NAME:
            raise Refused(Needs.INVALID, f"“{shorten(place.label, 80)}” is too long for a name.")
