"""Putting a file or a folder in the trash."""

from connectors.base import Call, Context, Effect, Field, Needs, Outcome, Prepared, Preview
from connectors.clean import clean_bytes
from connectors.files import show
from connectors.files.desk import Desk, ask, conflict, finished, link_warnings, target
from connectors.files.disk.crawl import ANY
from connectors.files.disk.survey import Survey, survey
from connectors.files.disk.trash import Trashed
from connectors.files.disk.versions import digest, identity
from connectors.files.errors import Refused, refusal
from connectors.files.places import Place
from connectors.files.tools import Delete


def prepare(desk: Desk, call: Call, said: Delete, context: Context) -> Prepared:
    if not said.file:
        raise ask("Which file should be put in the trash?", "file")
    place = desk.finder.one(said.file, ANY, "file", context.zone)
    if not place.relative:
        raise Refused(
            Needs.INVALID, f"“{place.shown}” is one of the folders themselves, so it is not deleted."
        )
    status = desk.jail.status(place)
    whole = survey(desk.jail, place, desk.config.bulk_limit)
    if whole.cut or whole.files > desk.config.bulk_limit:
        limit = show.count(desk.config.bulk_limit, "file")
        raise Refused(
            Needs.INVALID, f"“{place.shown}” holds more than {limit}; that many are never deleted in one go."
        )
    trash = clean_bytes(desk.trash.folder_for(place, status.st_dev))
    return Prepared(
        call,
        frozenset({Effect.DELETE}),
        (target("file", place),),
        {"file": place.handle, "size": whole.size},
        Preview(
            f"Put {place.shown} in the trash",
            f"deletes a {whole.kind}",
            (Field(whole.kind.capitalize(), place.shown, "file"), *_content(whole), Field("Trash", trash)),
            warnings=(*link_warnings(place, status), *_trouble(whole)),
        ),
        digest(place.handle, whole.digest),
        "it can be restored from the trash",
    )


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    place = desk.places.at(str(prepared.payload["file"]))
    whole = survey(desk.jail, place, desk.config.bulk_limit)
    if digest(place.handle, whole.digest) != prepared.basis:
        raise conflict(place)
    trashed = discard(desk, place, whole)
    facts = trashed_facts(place, trashed, whole)
    what = whole.holds if whole.kind == "folder" else show.size(whole.size)
    return finished(desk, prepared.call, f"Put {place.shown} ({what}) in the trash.", "trashed", facts)


def discard(desk: Desk, place: Place, whole: Survey) -> Trashed:
    """Move something to the trash. Raises Refused, and then it is still where it was."""
    try:
        with desk.jail.parent(place) as folder:
            trashed = desk.trash.put(folder, place, whole.size)
            _put_back_another(desk, trashed, folder, place, whole)
    except OSError as error:
        raise refusal(error, place.shown) from error
    desk.index.touched(place)
    return trashed


def _put_back_another(desk: Desk, trashed: Trashed, folder: int, place: Place, whole: Survey) -> None:
    """Put back what took the name between the look and the deed. Raises Refused where something did."""
    status = desk.trash.status(trashed)
    if status is None or identity(status) == whole.identity:
        return
    try:
        desk.trash.restore(trashed, folder, place.name)
    except FileExistsError:
        raise Refused(
            Needs.CONFLICT,
            f"Others changed “{place.shown}” meanwhile: one of them is in the trash, another is there.",
        ) from None
    raise conflict(place)


def trashed_facts(place: Place, trashed: Trashed, whole: Survey) -> dict[str, str]:
    """What is to be known for restoring it: names in the trash are bytes, kept as hexadecimal."""
    return {
        "place": place.handle,
        "trash": trashed.trash.hex(),
        "name": trashed.name.hex(),
        "what": whole.kind,
    }


def _content(whole: Survey) -> tuple[Field, ...]:
    if whole.kind != "folder":
        return (Field("Size", show.size(whole.size)),)
    shown = ", ".join(whole.sample)
    if whole.files > len(whole.sample):
        shown += f" and {whole.files - len(whole.sample)} more"
    return (Field("Holds", whole.holds), *((Field("Files", shown),) if shown else ()))


def _trouble(whole: Survey) -> tuple[str, ...]:
    return ("Some folders inside could not be read, so the numbers are too low.",) if whole.troubled else ()
