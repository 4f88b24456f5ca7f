"""The files service: looks, shows, acts, and takes back, inside the folders a person named."""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs
from pydantic import ValidationError

from connectors.base import (
    Arguments,
    Call,
    Context,
    Effect,
    Needs,
    Notice,
    Outcome,
    Prepared,
    Question,
    Tool,
    failed,
)
from connectors.clean import clean_bytes, clean_line
from connectors.files.config import Config
from connectors.files.desk import Desk
from connectors.files.disk.jail import Jail
from connectors.files.disk.trash import Trash
from connectors.files.errors import Changed, Refused, Unsettled, refusal
from connectors.files.finding.find import Bounds, Finder
from connectors.files.index.index import Index
from connectors.files.lending import Lending
from connectors.files.places import Places, Root
from connectors.files.probe import look_for, marked
from connectors.files.records import Records
from connectors.files.taking import Taking
from connectors.files.tools import TOOLS
from connectors.files.verbs import delete, make_folder, move, read, search, undo, write
from connectors.files.verbs import list as list_
from connectors.lending import FileFinder, FileTaker


@dataclass(frozen=True, slots=True)
class _Verb:
    prepare: Callable[[Desk, Call, Any, Context], Prepared]
    perform: Callable[[Desk, Prepared], Outcome]


_VERBS: Mapping[str, _Verb] = {
    "files.search": _Verb(search.prepare, search.perform),
    "files.list": _Verb(list_.prepare, list_.perform),
    "files.read": _Verb(read.prepare, read.perform),
    "files.write": _Verb(write.prepare, write.perform),
    "files.move": _Verb(move.prepare, move.perform),
    "files.make_folder": _Verb(make_folder.prepare, make_folder.perform),
    "files.delete": _Verb(delete.prepare, delete.perform),
    "files.undo": _Verb(undo.prepare, undo.perform),
}

_SHOWN_UNREADABLE = 10


class FilesConnector:
    """Files in the given folders, with their index in `cache` and what undo needs in `state`.

    `trash` is the home trash (default: the desktop's), `home` what `~` stands for, `jail` how files are
    opened (default: the safest way the system has). `lending` gives files to another service,
    `taking` takes new ones from it.
    """

    name = "files"
    tools: Sequence[Tool] = TOOLS

    def __init__(
        self,
        roots: Sequence[Root],
        state: Path,
        config: Config,
        *,
        cache: Path | None = None,
        trash: Path | None = None,
        home: Path | None = None,
        jail: Jail | None = None,
    ) -> None:
        jail = jail or Jail()
        places = Places(roots, home or Path.home(), hidden=config.hidden)
        index = Index(
            cache or state / "index", places, jail, text_limit=config.index_limit, wanted=config.index
        )
        self._desk = Desk(
            places=places,
            jail=jail,
            finder=Finder(places, jail, index, Bounds()),
            index=index,
            trash=Trash(trash or platformdirs.user_data_path() / "Trash"),
            records=Records(state, config.keep_days),
            config=config,
        )
        self.lending: FileFinder = Lending(self._desk)
        self.taking: FileTaker = Taking(self._desk)

    def start(self) -> None:
        """Begin to build the index in the background; done by the first call too."""
        self._desk.index.start()

    def close(self) -> None:
        """Stop watching and writing the index. Waits for the thread's current step."""
        self._desk.index.stop()

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        """Look, never act: what exactly would happen, a question, or why it cannot."""
        return await asyncio.to_thread(self._prepare, call, context)

    async def perform(self, prepared: Prepared) -> Outcome:
        """Act on exactly what was prepared, or refuse when it has changed."""
        return await asyncio.to_thread(self._perform, prepared)

    async def probe(self, tool: str, mark: Arguments) -> Outcome | None:
        """Look whether a change was made, by how things are now."""
        return await asyncio.to_thread(self._probe, tool, mark)

    def notices(self) -> tuple[Notice, ...]:
        """Folders that are away, folders that cannot be read, and an index that does not work."""
        desk = self._desk
        found = [Notice(self.name, text) for text in desk.jail.away(desk.places.roots)]
        if places := desk.index.unreadable():
            details = tuple(place.shown for place in places[:_SHOWN_UNREADABLE])
            found.append(
                Notice(self.name, f"{len(places)} folder(s) could not be read, so not searched.", details)
            )
        if desk.config.index and desk.index.trouble:
            found.append(Notice(self.name, f"There is no index of the files: {desk.index.trouble}."))
        elif desk.index.complete and not desk.index.watched:
            why = f", as {desk.index.unheard}" if desk.index.unheard else ""
            text = (
                f"Changes in the folders are not heard of at once{why}; they are looked for at each question."
            )
            found.append(Notice(self.name, text))
        return tuple(found)

    def _prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        tool = next((tool for tool in TOOLS if tool.name == call.tool), None)
        if tool is None:
            return failed(Needs.UNSUPPORTED, f"Files know no “{clean_line(call.tool, 80)}”.")
        self.start()
        try:
            said = tool.arguments.model_validate(dict(call.arguments))
            return marked(self._desk, _VERBS[call.tool].prepare(self._desk, call, said, context))
        except Unsettled as unsettled:
            return unsettled.question
        except ValidationError as error:
            names = ", ".join(sorted({str(part) for one in error.errors() for part in one["loc"][:1]}))
            return failed(
                Needs.INVALID, f"{call.tool} cannot be done with these details: {clean_line(names, 200)}."
            )
        except (Refused, OSError) as error:
            return _failed(error)

    def _probe(self, tool: str, mark: Arguments) -> Outcome | None:
        try:
            return look_for(self._desk, tool, mark)
        except (Changed, Refused, OSError):
            return None

    def _perform(self, prepared: Prepared) -> Outcome:
        verb = _VERBS[prepared.call.tool]
        try:
            # Taking back must work on a full disk too, where a record is let go as the next is kept.
            if prepared.effects <= {Effect.READ} or verb is _VERBS["files.undo"]:
                return verb.perform(self._desk, prepared)
            with self._desk.records.room():
                return verb.perform(self._desk, prepared)
        except Changed:
            return failed(
                Needs.CONFLICT, "Something has changed since it was looked at, so nothing was done."
            )
        except (Refused, Unsettled, OSError) as error:
            return _failed(error)


def _failed(error: Refused | Unsettled | OSError) -> Outcome:
    match error:
        case Refused():
            return failed(error.needs, error.text)
        case Unsettled():
            return failed(Needs.CONFLICT, error.question.text)
        case OSError():
            shown = clean_bytes(os.fsencode(error.filename)) if error.filename else "a file"
            told = refusal(error, shown)
            return failed(told.needs, told.text)
