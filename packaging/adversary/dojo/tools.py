"""AgentDojo's workspace tools as Askfirst's: what each would do, whom it would reach, what it would touch."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from agentdojo.default_suites.v1.workspace.task_suite import WorkspaceEnvironment
from agentdojo.functions_runtime import Function
from pydantic import JsonValue, create_model

from connectors.base import Arguments, Effect, Resolved, Role, Tool, ToolArguments
from connectors.clean import clean_line

READ, MARK, WRITE, SHARE, SEND, DELETE = (
    Effect.READ,
    Effect.MARK,
    Effect.WRITE,
    Effect.SHARE,
    Effect.SEND,
    Effect.DELETE,
)


@dataclass(frozen=True, slots=True)
class Verb:
    """What a tool does at the worst, in a few words and in effects; `undo` says how it is taken back."""

    service: str
    effect: Effect
    deed: str
    undo: str | None = None


VERBS: Mapping[str, Verb] = {
    "send_email": Verb("messaging", SEND, "sends a message"),
    "delete_email": Verb("messaging", DELETE, "puts a message in the trash", "it stays in the trash"),
    "get_unread_emails": Verb("messaging", READ, "shows unread mail, marking it read"),
    "get_sent_emails": Verb("messaging", READ, "shows sent mail"),
    "get_received_emails": Verb("messaging", READ, "shows received mail"),
    "get_draft_emails": Verb("messaging", READ, "shows drafts"),
    "search_emails": Verb("messaging", READ, "searches mail"),
    "search_contacts_by_name": Verb("messaging", READ, "looks up a contact"),
    "search_contacts_by_email": Verb("messaging", READ, "looks up a contact"),
    "get_current_day": Verb("calendar", READ, "says what day it is"),
    "search_calendar_events": Verb("calendar", READ, "searches the calendar"),
    "get_day_calendar_events": Verb("calendar", READ, "shows a day"),
    "create_calendar_event": Verb("calendar", WRITE, "adds an event"),
    "cancel_calendar_event": Verb("calendar", DELETE, "cancels an event"),
    "reschedule_calendar_event": Verb("calendar", WRITE, "moves an event"),
    "add_calendar_event_participants": Verb("calendar", SEND, "invites people to an event"),
    "append_to_file": Verb("files", WRITE, "adds to a file"),
    "create_file": Verb("files", WRITE, "makes a file"),
    "delete_file": Verb("files", DELETE, "deletes a file for good"),
    "share_file": Verb("files", SHARE, "shares a file"),
    "search_files_by_filename": Verb("files", READ, "searches files"),
    "get_file_by_id": Verb("files", READ, "shows a file"),
    "list_files": Verb("files", READ, "lists files"),
    "search_files": Verb("files", READ, "searches files"),
}

HARMLESS_READ = frozenset({READ, MARK})

_CONTENT = ("subject", "body", "title", "description", "location", "content", "filename")
_BOUND = ("start_time", "end_time", "new_start_time", "new_end_time", "permission")


# A model points at the files to attach; what the drive wants instead is written by code.
_KINDS: Mapping[str, Any] = {"attachments": list[str] | None}


def tools_of(functions: Sequence[Function], service: str) -> tuple[Tool, ...]:
    """The tools of one service, with the arguments that AgentDojo declares."""
    return tuple(
        Tool(tool_name(each.name), clean_line(each.description), _arguments(each), VERBS[each.name].effect)
        for each in functions
        if VERBS[each.name].service == service
    )


def tool_name(function: str) -> str:
    return f"{VERBS[function].service}.{function}"


def function_name(tool: str) -> str:
    return tool.partition(".")[2]


def pointed(arguments: Mapping[str, Any]) -> dict[str, JsonValue]:
    """AgentDojo's arguments as a model writes them here."""
    return {
        name: [each["file_id"] for each in value] if name == "attachments" else value
        for name, value in arguments.items()
        if value is not None
    }


def written_out(arguments: Arguments) -> dict[str, Any]:
    """A call's arguments as AgentDojo wants them."""
    attached = arguments.get("attachments")
    files = [{"type": "file", "file_id": each} for each in attached] if isinstance(attached, list) else []
    return {**arguments, **({"attachments": files} if files else {})}


def _arguments(function: Function) -> type[ToolArguments]:
    fields: dict[str, Any] = {
        name: (_KINDS.get(name, info.annotation), ... if info.is_required() else None)
        for name, info in function.parameters.model_fields.items()
    }
    return create_model(function.name, __base__=ToolArguments, **fields)


def effects_of(function: str, things: Sequence[Resolved]) -> frozenset[Effect]:
    """All that a call may do: whoever is told of a change is sent something."""
    effects = {VERBS[function].effect}
    if function == "get_unread_emails":
        effects.add(MARK)
    if function == "add_calendar_event_participants":
        effects.add(WRITE)
    if VERBS[function].service == "calendar" and any(t.role is Role.DESTINATION for t in things):
        effects.add(SEND)
    return frozenset(effects)


class Things:
    """Finds the exact things that a call's arguments stand for in an environment."""

    def __init__(self, env: WorkspaceEnvironment) -> None:
        self._env = env

    def resolved(self, function: str, arguments: Arguments) -> tuple[Resolved, ...]:
        """Everything a call would reach, touch or carry. Raises KeyError where something is not there."""
        named = [*self._destinations(function, arguments), *self._targets(function, arguments)]
        named += [
            Resolved(Role.CONTENT, name, str(arguments[name]), clean_line(str(arguments[name]), 60))
            for name in _CONTENT
            if arguments.get(name)
        ]
        named += [
            Resolved(Role.BOUND, name, str(arguments[name]), str(arguments[name]))
            for name in _BOUND
            if arguments.get(name)
        ]
        return tuple(named)

    def state(self, function: str, arguments: Arguments) -> str:
        """A digest of the things a call would touch, as they stand; empty where one is not there any more."""
        try:
            named = list(self._targets(function, arguments))
        except KeyError:
            return ""
        env = self._env
        held = {
            "mail": env.inbox.emails,
            "event": env.calendar.events,
            "file": env.cloud_drive.files,
        }
        kinds = ((held.get(kind, {}), id) for kind, _, id in (t.value.partition(":") for t in named))
        dumped = [things[id].model_dump_json() for things, id in kinds if id in things]
        return sha256("\0".join(dumped).encode()).hexdigest()

    def _destinations(self, function: str, arguments: Arguments) -> Iterator[Resolved]:
        for name in ("recipients", "cc", "bcc", "participants", "email"):
            value = arguments.get(name)
            for address in [value] if isinstance(value, str) else value or ():
                if function != "create_calendar_event" or address != self._env.inbox.account_email:
                    yield self._destination(name, str(address))
        if function in ("cancel_calendar_event", "reschedule_calendar_event"):
            event = self._env.calendar.events[str(arguments["event_id"])]
            for address in event.participants:
                if address != self._env.inbox.account_email:
                    yield self._destination("event_id", address)

    def _destination(self, argument: str, address: str) -> Resolved:
        sent = self._env.inbox.sent
        before = sum(address in (*mail.recipients, *mail.cc, *mail.bcc) for mail in sent)
        return Resolved(Role.DESTINATION, argument, address, address, before)

    def _targets(self, function: str, arguments: Arguments) -> Iterator[Resolved]:
        env = self._env
        if "email_id" in arguments:
            mail = env.inbox.emails[str(arguments["email_id"])]
            yield Resolved(Role.TARGET, "email_id", f"mail:{mail.id_}", f"{mail.sender}: {mail.subject}")
        if "event_id" in arguments:
            event = env.calendar.events[str(arguments["event_id"])]
            yield Resolved(Role.TARGET, "event_id", f"event:{event.id_}", event.title)
        if "file_id" in arguments:
            yield self._file("file_id", str(arguments["file_id"]))
        attached = arguments.get("attachments")
        for each in attached if isinstance(attached, list) else ():
            yield self._file("attachments", str(each))
        if function == "create_file":
            yield Resolved(Role.TARGET, "filename", str(arguments["filename"]), str(arguments["filename"]))
        if function == "create_calendar_event" or VERBS[function].effect is READ:
            service = VERBS[function].service
            yield Resolved(Role.TARGET, "", service, service)

    def _file(self, argument: str, file_id: str) -> Resolved:
        file = self._env.cloud_drive.files[file_id]
        return Resolved(Role.TARGET, argument, f"file:{file.id_}", file.filename)
