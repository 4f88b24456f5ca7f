"""The calendar as a service: each tool's call goes to the module that prepares and performs it."""

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from connectors.account_state import AccountState
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
    ToolArguments,
    failed,
)
from connectors.calendar import change, create, delete, free, listing, open_tasks, task_writing, undo
from connectors.calendar.config import Config
from connectors.calendar.desk import Desk
from connectors.calendar.event_file import CannotChange
from connectors.calendar.index import Index
from connectors.calendar.invitations import verb as invitation
from connectors.calendar.parse import Broken
from connectors.calendar.probe import look_for, marked
from connectors.calendar.records import Records
from connectors.calendar.store import StoreError
from connectors.calendar.stores import Stores, open_store
from connectors.calendar.tools import ADD_INVITATION, TOOLS
from connectors.calendar.write import NotAPlan
from connectors.clean import clean_line
from connectors.lending import FileFinder
from connectors.people import AddressBook
from connectors.periodic import Periodic
from connectors.secrets.chain import Secrets

_EFFECTS = {tool.name: tool.effect for tool in TOOLS}
_SHOWN = 80
_PATIENCE = 3.0


@dataclass(frozen=True, slots=True)
class Verb:
    """How one tool is carried out; `prepare` takes the arguments as that tool's own model."""

    prepare: Callable[[Desk, Call, Any, Context], Prepared | Question | Outcome]
    perform: Callable[[Desk, Prepared], Outcome]


_VERBS: Mapping[str, Verb] = {
    "calendar.list_events": Verb(listing.prepare, listing.perform),
    "calendar.find_free_time": Verb(free.prepare, free.perform),
    "calendar.create_event": Verb(create.prepare, create.perform),
    "calendar.change_event": Verb(change.prepare, change.perform),
    "calendar.delete_event": Verb(delete.prepare, delete.perform),
    "calendar.list_tasks": Verb(open_tasks.prepare, open_tasks.perform),
    "calendar.add_task": Verb(task_writing.prepare_add, task_writing.perform),
    "calendar.complete_task": Verb(task_writing.prepare_complete, task_writing.perform),
    "calendar.add_invitation": Verb(invitation.prepare, invitation.perform),
    "calendar.undo": Verb(undo.prepare, undo.perform),
}


class CalendarConnector:
    """Events and tasks in a vdir folder and on CalDAV servers; see `connectors.base.Connector`.

    `folder` holds a folder for each calendar; `state` keeps what changes replaced, and what was last seen of
    each account; without `secrets` no account is used; `lenders` look for invitations. All work is done in a
    thread, one call at a time.
    """

    def __init__(
        self,
        folder: Path,
        state: Path,
        config: Config,
        book: AddressBook,
        secrets: Secrets | None = None,
        lenders: Sequence[FileFinder] = (),
    ) -> None:
        store = open_store(folder, state, config, secrets)
        self._stores = store if isinstance(store, Stores) else None
        self._desk = Desk(store, Index(store), Records(state / "undo"), config, book, tuple(lenders))
        self._tools = tuple(tool for tool in TOOLS if lenders or tool is not ADD_INVITATION)
        self._lock = threading.Lock()
        self._keeping_up = Periodic("the calendars", self._keep_up, config.sync_every)

    @property
    def name(self) -> str:
        return "calendar"

    @property
    def tools(self) -> Sequence[Tool]:
        return self._tools

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        """What a call would do, worked out from the files as they are now."""
        tool = next((tool for tool in self._tools if tool.name == call.tool), None)
        if tool is None:
            return failed(Needs.UNSUPPORTED, "The calendar cannot do that.")
        try:
            wanted = _read(tool, call)
        except ValidationError as error:
            return failed(Needs.INVALID, _complaint(error))
        return await asyncio.to_thread(self._prepare, call, wanted, context)

    async def perform(self, prepared: Prepared) -> Outcome:
        """Do what was prepared, or say why not."""
        if prepared.call.tool not in _VERBS:
            return failed(Needs.UNSUPPORTED, "The calendar cannot do that.")
        return await asyncio.to_thread(self._perform, prepared)

    async def probe(self, tool: str, mark: Arguments) -> Outcome | None:
        """Look whether a change was made, by the items as they are now."""
        return await asyncio.to_thread(self._probe, mark)

    @property
    def accounts(self) -> tuple[AccountState, ...]:
        """How each account is doing, as far as it is known without asking it."""
        return self._stores.states if self._stores else ()

    async def check(self) -> None:
        """Ask every account how it is doing, and wait a moment for what they say."""
        if self._stores:
            await asyncio.to_thread(self._stores.settle, _PATIENCE)

    def start(self) -> None:
        """Have the accounts read without waiting for them, now and then again."""
        if self._stores:
            with self._lock:
                self._stores.begin()
            self._keeping_up.start()

    def close(self) -> None:
        """Let go of the accounts' connections."""
        self._keeping_up.close()
        if self._stores:
            self._stores.close()

    def notices(self) -> tuple[Notice, ...]:
        """Files and folders of the calendar that cannot be read."""
        with self._lock:
            try:
                self._desk.index.look()
            except StoreError as error:
                return (Notice(self.name, str(error)),)
            problems = self._desk.index.doubtful()
            said = self._desk.store.notices()
        notices = []
        if problems:
            files = "1 calendar file" if len(problems) == 1 else f"{len(problems)} calendar files"
            notices.append(Notice(self.name, f"{files} could not be read in full.", problems))
        notices += [Notice(self.name, text) for text in said]
        return tuple(notices)

    def _keep_up(self) -> None:
        # A call that is under way looks at the accounts itself.
        if self._stores and self._lock.acquire(blocking=False):
            try:
                self._stores.keep_up()
            finally:
                self._lock.release()

    def _prepare(self, call: Call, wanted: ToolArguments, context: Context) -> Prepared | Question | Outcome:
        with self._lock:
            try:
                # What is to be changed is shown as it is now; reading may wait for the next look.
                self._desk.index.refresh(at_once=_EFFECTS[call.tool] is not Effect.READ)
                found = _VERBS[call.tool].prepare(self._desk, call, wanted, context)
                return marked(self._desk, found) if isinstance(found, Prepared) else found
            except StoreError as error:
                return failed(error.needs, str(error))
            except (Broken, CannotChange) as error:
                return failed(Needs.UNSUPPORTED, f"The event's file cannot be worked with: {error}.")

    def _probe(self, mark: Arguments) -> Outcome | None:
        with self._lock:
            try:
                return look_for(self._desk, mark)
            except (StoreError, OSError):
                return None

    def _perform(self, prepared: Prepared) -> Outcome:
        with self._lock:
            try:
                return _VERBS[prepared.call.tool].perform(self._desk, prepared)
            except StoreError as error:
                return failed(error.needs, str(error))
            except NotAPlan as error:
                return failed(Needs.INVALID, str(error))


def _read(tool: Tool, call: Call) -> ToolArguments:
    """A call's arguments as the tool's model; one name where several may be given stands for itself."""
    arguments = dict(call.arguments)
    if isinstance(arguments.get("invite"), str):
        arguments["invite"] = [arguments["invite"]]
    return tool.arguments.model_validate(arguments)


def _complaint(error: ValidationError) -> str:
    first = error.errors()[0]
    name = clean_line(".".join(str(part) for part in first["loc"]), _SHOWN) or "the call"
    return f"The calendar cannot use “{name}”: {clean_line(str(first['msg']), _SHOWN)}."
