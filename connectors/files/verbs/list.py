"""Showing what is in a folder."""

from zoneinfo import ZoneInfo

from connectors.base import Call, Context, Effect, Field, Item, Outcome, Prepared, Preview
from connectors.files import show
from connectors.files.desk import Desk, conflict, target, zone_of
from connectors.files.disk.crawl import Entry, Kind, entries
from connectors.files.disk.versions import digest, identity
from connectors.files.finding.find import FOLDERS
from connectors.files.places import Place, fold
from connectors.files.tools import List

_MOST = 50


def prepare(desk: Desk, call: Call, said: List, context: Context) -> Prepared:
    if said.folder:
        folder = desk.finder.one(said.folder, FOLDERS, "folder", context.zone)
    elif len(desk.places.names) == 1:
        folder = Place(desk.places.roots[0])
    else:
        return _prepare_all(desk, call, context)
    preview = Preview(
        f"List what is in {folder.shown}", "lists a folder", (Field("Folder", folder.shown, "folder"),)
    )
    return Prepared(
        call,
        frozenset({Effect.READ}),
        (target("folder", folder),),
        {"folder": folder.handle, "zone": str(context.zone)},
        preview,
        _basis(desk, folder),
    )


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    zone = zone_of(prepared)
    handle = str(prepared.payload["folder"])
    if not handle:
        return _all(desk, zone)
    folder = desk.places.at(handle)
    if _basis(desk, folder) != prepared.basis:
        raise conflict(folder)
    if _unmade(desk, folder):
        return Outcome(True, f"{folder.shown} is empty.")
    with desk.jail.folder(folder) as descriptor:
        found = sorted(entries(descriptor), key=_order)
    items = tuple(_item(desk, folder.child(entry.name), zone) for entry in found[:_MOST])
    return Outcome(True, _said(folder, found), items=items)


def _prepare_all(desk: Desk, call: Call, context: Context) -> Prepared:
    names = ", ".join(desk.places.names)
    preview = Preview(
        "List the folders that may be used", "lists folders", (Field("Folders", names, "folder"),)
    )
    payload = {"folder": "", "zone": str(context.zone)}
    return Prepared(call, frozenset({Effect.READ}), (), payload, preview, digest(names))


def _all(desk: Desk, zone: ZoneInfo) -> Outcome:
    folders = [place for name in desk.places.names if (place := desk.places.named(name)) is not None]
    items = tuple(_item(desk, folder, zone) for folder in folders)
    return Outcome(True, f"{show.count(len(items), 'folder')} may be used.", items=items)


def _item(desk: Desk, place: Place, zone: ZoneInfo) -> Item:
    status = desk.jail.find(place)
    return (
        show.item(place, status, zone)
        if status
        else Item(place.handle, place.label, f"{place.shown}, not there")
    )


def _basis(desk: Desk, folder: Place) -> str:
    return digest(folder.handle, "" if _unmade(desk, folder) else identity(desk.jail.status(folder)))


def _unmade(desk: Desk, folder: Place) -> bool:
    """Whether it is a folder of our own that is made only when something is kept in it."""
    return not folder.relative and folder.root.make and desk.jail.find(folder) is None


def _order(entry: Entry) -> tuple[bool, str]:
    return entry.kind is not Kind.FOLDER, fold(entry.name.decode("utf-8", "replace"))


def _said(folder: Place, found: list[Entry]) -> str:
    if not found:
        return f"{folder.shown} is empty."
    folders = sum(entry.kind is Kind.FOLDER for entry in found)
    counted = [(folders, "folder"), (len(found) - folders, "file")]
    holds = " and ".join(show.count(number, noun) for number, noun in counted if number)
    more = f" Here are {_MOST}; {len(found) - _MOST:,} more." if len(found) > _MOST else ""
    return f"{folder.shown} holds {holds}.{more}"
