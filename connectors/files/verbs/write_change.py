"""Replacing what a file says, or adding to it."""

import os
import stat

from connectors.base import Call, Effect, Field, Needs, Outcome, Prepared, Preview, Resolved, Role
from connectors.clean import clean, shorten
from connectors.files import show
from connectors.files.desk import Desk, conflict, link_warnings, real_path_note, target, undo_call
from connectors.files.disk.versions import digest, identity, read_up_to, sha256
from connectors.files.disk.write import replace
from connectors.files.edit import difference, edited
from connectors.files.errors import Changed, Refused, refusal
from connectors.files.places import Place
from connectors.files.records import Facts


def prepare(desk: Desk, call: Call, text: str, place: Place, *, add: bool) -> Prepared:
    status, old = look(desk, place)
    change = edited(old, text, add=add, shown=place.label)
    if change.data == old:
        raise Refused(Needs.INVALID, f"“{place.shown}” says exactly that already.")
    fields = (
        Field("File", place.shown, "file"),
        *real_path_note(desk, place),
        Field("Size", show.size(len(change.data)), before=show.size(len(old))),
        *((Field("Encoding", change.before.encoding_name),) if change.before.encoding != "utf-8" else ()),
    )
    verb, deed = ("Add to", "adds to a file") if add else ("Replace what is in", "changes a file")
    preview = Preview(
        f"{verb} {place.shown}",
        deed,
        fields,
        diff=difference(change.before.text, change.after, place.label),
        warnings=link_warnings(place, status),
    )
    content = Resolved(Role.CONTENT, "text", text, shorten(clean(text), 80))
    return Prepared(
        call,
        frozenset({Effect.WRITE}),
        (target("file", place), content),
        {"file": place.handle, "new": False, "text": text, "add": add},
        preview,
        digest(place.handle, identity(status), sha256(old)),
        f"the text as it is now is kept for {show.count(desk.config.keep_days, 'day')}",
    )


def perform(desk: Desk, prepared: Prepared, place: Place) -> Outcome:
    add = bool(prepared.payload["add"])
    status, old = look(desk, place)
    if digest(place.handle, identity(status), sha256(old)) != prepared.basis:
        raise conflict(place)
    change = edited(old, str(prepared.payload["text"]), add=add, shown=place.label)
    record = put(desk, place, old, change.data)
    said = f"Added to {place.shown}" if add else f"Changed {place.shown}"
    now = show.size(desk.jail.status(place).st_size)
    return Outcome(True, f"{said}; it is {now} now.", undo=undo_call(prepared.call, record))


def look(desk: Desk, place: Place) -> tuple[os.stat_result, bytes]:
    """The whole of a file that is to be changed. Raises Refused for a link, a folder, or one too large."""
    status = desk.jail.status(place)
    if stat.S_ISLNK(status.st_mode):
        raise Refused(Needs.INVALID, f"“{place.shown}” is a link; name the file it leads to.")
    if status.st_size > desk.config.size_limit:
        limit = show.size(desk.config.size_limit)
        raise Refused(Needs.INVALID, f"“{place.shown}” is larger than {limit}, too large to be changed here.")
    with desk.jail.file(place) as descriptor:
        return os.fstat(descriptor), read_up_to(descriptor, desk.config.size_limit + 1)


def put(desk: Desk, place: Place, old: bytes, new: bytes) -> str:
    """Put other bytes in a file, keeping the old ones first; the name of the record. Raises Refused."""
    facts: Facts = {"place": place.handle, "seen": sha256(new)}
    try:
        record = desk.records.keep("content", facts, before=old)
        try:
            with desk.jail.parent(place) as folder:
                replace(folder, place.name, new, seen=sha256(old))
        except BaseException:
            desk.records.forget(record)
            raise
    except Changed:
        raise conflict(place) from None
    except OSError as error:
        raise refusal(error, place.shown) from error
    desk.index.touched(place)
    return record
