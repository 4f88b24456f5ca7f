"""Reading what a file says."""

import os

from connectors.base import Call, Context, Effect, Field, Needs, Outcome, Prepared, Preview
from connectors.clean import clean, shorten
from connectors.files import show
from connectors.files.desk import Desk, ask, conflict, link_warnings, real_path_note, target, zone_of
from connectors.files.disk.versions import digest, identity, read_up_to
from connectors.files.documents.extract import Unreadable, extract
from connectors.files.documents.kinds import kind_by
from connectors.files.errors import Refused
from connectors.files.finding.find import FILES
from connectors.files.places import Place
from connectors.files.text import Text, decode, kind_of
from connectors.files.tools import Read


def prepare(desk: Desk, call: Call, said: Read, context: Context) -> Prepared:
    if not said.file:
        raise ask("Which file should be read?", "file")
    place = desk.finder.one(said.file, FILES, "file", context.zone)
    with desk.jail.file(place) as descriptor:
        status = os.fstat(descriptor)
    fields = (
        Field("File", place.shown, "file"),
        *real_path_note(desk, place),
        Field("Size", show.size(status.st_size)),
        Field("Changed", show.day(status.st_mtime, context.zone)),
    )
    return Prepared(
        call,
        frozenset({Effect.READ}),
        (target("file", place),),
        {"file": place.handle, "zone": str(context.zone)},
        Preview(f"Read {place.shown}", "reads a file", fields, warnings=link_warnings(place, status)),
        digest(place.handle, identity(status)),
    )


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    place = desk.places.at(str(prepared.payload["file"]))
    with desk.jail.file(place) as descriptor:
        status = os.fstat(descriptor)
        if digest(place.handle, identity(status)) != prepared.basis:
            raise conflict(place)
        data = read_up_to(descriptor, desk.config.size_limit)
        cut = status.st_size > len(data)
        text = decode(data, cut=cut)
        if text is None:
            return _document(desk, prepared, place, status, descriptor, data)
    content = shorten(clean(text.text), desk.config.show_limit)
    said = show.describe(place, status, zone_of(prepared)) + _remarks(desk, place, text, cut=cut)
    return Outcome(True, said, content=content)


def _document(
    desk: Desk, prepared: Prepared, place: Place, status: os.stat_result, descriptor: int, data: bytes
) -> Outcome:
    """The text of a document that is more than text. Raises Refused where there is none to be had."""
    kind = kind_by(place.name, data)
    if kind is None:
        words = f"“{place.label}” is {kind_of(data, place.name)} of {show.size(status.st_size)}, not text."
        raise Refused(Needs.UNSUPPORTED, words)
    try:
        text = extract(descriptor, kind, desk.config.show_limit + 1)
    except Unreadable as error:
        raise Refused(Needs.UNSUPPORTED, f"“{place.label}” {error}.") from error
    said = f"{show.describe(place, status, zone_of(prepared))}. It is {kind.words}; only its text is shown."
    if not text.strip():
        said += " It holds no text, only pictures perhaps."
    if len(text) > desk.config.show_limit:
        said += " The rest is left out."
    return Outcome(True, said, content=clean(text[: desk.config.show_limit]))


def _remarks(desk: Desk, place: Place, text: Text, *, cut: bool) -> str:
    remarks = "." if text.text else ". It is empty."
    if text.encoding != "utf-8":
        remarks += f" Read as {text.encoding_name}."
    if cut:
        remarks += f" Only the first {show.size(desk.config.size_limit)} were read."
    if len(text.text) > desk.config.show_limit:
        remarks += " The middle is left out."
    return remarks
