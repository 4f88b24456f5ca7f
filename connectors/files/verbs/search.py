"""Searching the folders by words in names and texts."""

import os
import stat

from connectors.base import (
    Call,
    Context,
    Effect,
    Field,
    Item,
    Needs,
    Outcome,
    Prepared,
    Preview,
    Resolved,
    Role,
)
from connectors.clean import clean_line
from connectors.files import show
from connectors.files.desk import Desk, ask, zone_of
from connectors.files.disk.crawl import Entry, Kind
from connectors.files.disk.versions import digest, read_up_to
from connectors.files.errors import Refused
from connectors.files.finding.find import FOLDERS
from connectors.files.finding.words import readable, searchable
from connectors.files.index.lookup import Hits, query_words
from connectors.files.places import Place
from connectors.files.text import decode
from connectors.files.tools import Search

_MOST = 20
_SPARE = 20
_WALKED_TEXT = 65_536


def prepare(desk: Desk, call: Call, said: Search, context: Context) -> Prepared:
    if not said.words:
        raise ask("Which words should be looked for?", "words")
    if not query_words(said.words):
        raise Refused(Needs.INVALID, f"“{clean_line(said.words, 80)}” holds no word to look for.")
    within = desk.finder.one(said.folder, FOLDERS, "folder", context.zone) if said.folder else None
    shown = clean_line(said.words, 200)
    where = within.shown if within else ", ".join(desk.places.names)
    bounds = (Resolved(Role.BOUND, "folder", within.handle, within.label),) if within else ()
    handle = within.handle if within else ""
    return Prepared(
        call,
        frozenset({Effect.READ}),
        bounds,
        {"words": said.words, "folder": handle, "zone": str(context.zone)},
        Preview(
            f"Search files for “{shown}”",
            "searches files",
            (Field("Words", shown, "words"), Field("In", where, "folder")),
        ),
        digest(said.words, handle),
    )


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    words = str(prepared.payload["words"])
    handle = str(prepared.payload["folder"])
    within = desk.places.at(handle) if handle else None
    if within is not None:
        desk.jail.status(within)
    # A folder that could not be searched is not the same as one in which nothing was found.
    away = desk.jail.away(desk.places.roots) if within is None else ()
    known = desk.index.search(words, within, _MOST + _SPARE)
    whole = known is not None and desk.index.complete
    hits = known if known is not None and (whole or not known.loose) else Hits()
    there = {place: status for place in hits.places if (status := desk.jail.find(place)) is not None}
    total, cut = hits.total - (len(hits.places) - len(there)), False
    if not whole:
        walked, cut = _walked(desk, words, within)
        there |= walked
        total = len(there)
    zone = zone_of(prepared)
    items = tuple(show.item(place, status, zone) for place, status in list(there.items())[:_MOST])
    noun = "file" if all(stat.S_ISREG(status.st_mode) for status in there.values()) else "file or folder"
    text = _said(words, items, show.count(total, noun), total, loose=hits.loose)
    if not whole:
        text += _unfinished(desk, cut=cut)
    elif desk.index.behind:
        text += " The folders are still being looked through for changes, so the latest may be missing."
    return Outcome(True, " ".join([text, *away]), items=items)


def _said(words: str, items: tuple[Item, ...], counted: str, total: int, *, loose: bool) -> str:
    shown = clean_line(words, 200)
    if not items:
        return f"Nothing with “{shown}” was found."
    more = f" Here are {len(items)}; {total - len(items):,} more." if total > len(items) else ""
    if loose:
        return f"Nothing has all of “{shown}”; {counted} with some of the words.{more}"
    return f"Found {counted} with “{shown}” in the name or text.{more}"


def _unfinished(desk: Desk, *, cut: bool) -> str:
    why = (
        "There is no index of the files"
        if desk.index.trouble
        else "The index of the files is still being built"
    )
    what = "only some of them were looked at" if cut else "they were looked through one by one"
    return f" {why}, so {what}."


def _walked(desk: Desk, words: str, within: Place | None) -> tuple[dict[Place, os.stat_result], bool]:
    """What a bounded walk finds, in place of an index that is not there yet; names before texts."""
    wanted = query_words(words)
    named: dict[Place, os.stat_result] = {}
    written: dict[Place, os.stat_result] = {}
    walk = desk.finder.walk(within)
    for place, entry in walk:
        path, name = searchable(readable(place.relative)), searchable(readable(entry.name))
        into = named if _has(path, wanted) and _has(name, wanted, some=True) else None
        if into is None and _has(own := name + "\n" + _text(desk, place, entry), wanted, some=True):
            into = written if _has(path + "\n" + own, wanted) else None
        if into is not None and (status := desk.jail.find(place)) is not None:
            into[place] = status
    return named | written, walk.cut


def _has(text: str, words: tuple[str, ...], *, some: bool = False) -> bool:
    plain = " ".join(text.split())
    return (any if some else all)(word in plain for word in words)


def _text(desk: Desk, place: Place, entry: Entry) -> str:
    if entry.kind is not Kind.FILE or not 0 < entry.size <= _WALKED_TEXT:
        return ""
    try:
        with desk.jail.file(place) as descriptor:
            text = decode(read_up_to(descriptor, _WALKED_TEXT))
    except (Refused, OSError):
        return ""
    return searchable(text.text) if text else ""
