"""A service, a clock and ready-made calls for trying the gate: small, but every part really does its work."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from connectors.base import (
    Call,
    Context,
    Effect,
    Needs,
    Outcome,
    Prepared,
    Preview,
    Question,
    Resolved,
    Role,
    Tool,
    ToolArguments,
    UndoArguments,
    failed,
)
from permissions.gate import Gate, Patience
from permissions.grants import GrantBook
from permissions.journal import Journal
from permissions.policy import Policy
from permissions.provenance import Provenance
from permissions.words import Asker, Decision, GoalRef, Key, Refused, Reply, Request

ZONE = ZoneInfo("Europe/Copenhagen")
NOW = datetime(2026, 11, 30, 10, tzinfo=ZONE)
GOAL = GoalRef("goal-1", "send hello to ana@acme.com")
ANA, EVE = "ana@acme.com", "eve@evil.example"


class Clock:
    """A clock that moves only when told."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def pass_(self, **span: float) -> None:
        self.now += timedelta(**span)


class Anything(ToolArguments):
    to: tuple[str, ...] = ()
    thing: str | None = None
    text: str | None = None
    loud: bool = False


VERBS = {
    "read": Effect.READ,
    "write": Effect.WRITE,
    "set": Effect.CONFIGURE,
    "delete": Effect.DELETE,
    "share": Effect.SHARE,
    "send": Effect.SEND,
}


@dataclass
class FakeService:
    """A service of one-line things that can be read, written, deleted, shared and sent.

    `effects` lists what really happened, in order; `before` and `after` may fail, wait or kill around it.
    """

    name: str = "messaging"
    things: dict[str, str] = field(default_factory=lambda: {"note:1": "Shopping", "note:2": "Dentist"})
    correspondents: dict[str, int] = field(default_factory=lambda: {ANA: 3})
    effects: list[tuple[str, str]] = field(default_factory=list)
    before: Callable[[Prepared], Awaitable[None]] | None = None
    after: Callable[[Prepared], Awaitable[None]] | None = None
    trash: dict[str, tuple[str, str]] = field(default_factory=dict)
    running: int = 0

    @property
    def tools(self) -> Sequence[Tool]:
        offered = [Tool(f"{self.name}.{verb}", verb, Anything, effect) for verb, effect in VERBS.items()]
        return (*offered, Tool(f"{self.name}.undo", "undo", UndoArguments, Effect.WRITE, offered=False))

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        verb = call.tool.partition(".")[2]
        if verb == "undo":
            record = str(call.arguments["record"])
            resolved: tuple[Resolved, ...] = (Resolved(Role.TARGET, "record", record, record),)
            return self._prepared(call, frozenset({Effect.WRITE}), resolved, f"Take back {record}")
        resolved = self._resolved(call)
        if not resolved and VERBS[verb] is not Effect.READ:
            return Question("Which one?", argument="thing")
        return self._prepared(call, frozenset({VERBS[verb]}), resolved, f"{verb.capitalize()} something")

    async def perform(self, prepared: Prepared) -> Outcome:
        if self.before:
            await self.before(prepared)
        if prepared.basis != self.basis:
            return failed(Needs.CONFLICT, "It has changed.")
        outcome = self._do(prepared)
        if self.after:
            await self.after(prepared)
        return outcome

    @property
    def basis(self) -> str:
        return repr(sorted(self.things.items()))

    def _do(self, prepared: Prepared) -> Outcome:
        verb = prepared.call.tool.partition(".")[2]
        target = str(prepared.payload["thing"])
        self.effects.append((verb, prepared.call.id))
        match verb:
            case "read":
                return Outcome(ok=True, text="Here it is.", content=self.things.get(target, ""))
            case "write":
                old = self.things.get(target, "")
                self.things[target] = str(prepared.payload["text"])
                return self._undoable(prepared, target, old)
            case "delete":
                return self._undoable(prepared, target, self.things.pop(target, ""))
            case "undo":
                name, old = self.trash.pop(str(prepared.payload["record"]))
                self.things[name] = old
        return Outcome(ok=True, text=f"Done: {verb}.")

    def _undoable(self, prepared: Prepared, target: str, old: str) -> Outcome:
        record = f"record-{len(self.trash)}"
        self.trash[record] = (target, old)
        undo = Call(f"undo-{prepared.call.id}", f"{self.name}.undo", {"record": record})
        return Outcome(ok=True, text="Done.", undo=undo)

    def _resolved(self, call: Call) -> tuple[Resolved, ...]:
        found = []
        to = call.arguments.get("to")
        for address in to if isinstance(to, list) else []:
            written = self.correspondents.get(str(address), 0)
            found.append(Resolved(Role.DESTINATION, "to", str(address), str(address), written))
        if thing := call.arguments.get("thing"):
            label = self.things.get(str(thing), str(thing))
            found.append(Resolved(Role.TARGET, "thing", str(thing), label))
        if text := call.arguments.get("text"):
            found.append(Resolved(Role.CONTENT, "text", str(text), str(text)[:60]))
        return tuple(found)

    def _prepared(
        self, call: Call, effects: frozenset[Effect], resolved: tuple[Resolved, ...], title: str
    ) -> Prepared:
        payload: dict[str, JsonValue] = {
            "thing": call.arguments.get("thing"),
            "text": call.arguments.get("text"),
            "record": call.arguments.get("record"),
        }
        undo = "it can be put back" if effects & {Effect.WRITE, Effect.DELETE, Effect.CONFIGURE} else None
        preview = Preview(title, "does something", body=str(call.arguments.get("text") or ""))
        return Prepared(call, effects, resolved, payload, preview, self.basis, undo)


@dataclass
class Bench:
    """A gate over one fake service and a real journal, with a person who typed one goal."""

    folder: Path
    service: FakeService = field(default_factory=FakeService)
    clock: Clock = field(default_factory=Clock)
    grants: GrantBook = field(default_factory=GrantBook)
    provenance: Provenance = field(default_factory=Provenance)
    policy: Policy = field(default_factory=Policy)
    patience: Patience = field(default_factory=Patience)
    goal: GoalRef = GOAL

    def __post_init__(self) -> None:
        self.journal = Journal(self.folder / "journal.db", self.clock)
        self.gate = Gate([self.service], self.journal, self.grants, self.clock, self.policy, self.patience)
        self.provenance.say(self.goal.text)

    def call(self, verb: str, **arguments: JsonValue) -> Call:
        made = self.gate.make_call(f"{self.service.name}.{verb}", arguments)
        assert isinstance(made, Call), made
        return made

    async def prepare(self, call: Call) -> Prepared:
        prepared = await self.gate.prepare(call, Context(self.clock(), ZONE))
        assert isinstance(prepared, Prepared), prepared
        return prepared

    async def ask(self, call: Call, asker: Asker = Asker.PLAN) -> Request:
        return self.gate.request(await self.prepare(call), self.provenance, self.goal, asker)

    async def run(self, call: Call, decision: Decision | None = None, asker: Asker = Asker.PLAN) -> Outcome:
        """The whole way of a call, as the conversation walks it; the person says yes unless told."""
        request = await self.ask(call, asker)
        ticket = self.gate.settle(request, decision or yes(request))
        if isinstance(ticket, Refused):
            return Outcome(ok=False, text=ticket.reason)
        return await self.gate.perform(ticket)

    def states(self) -> list[str]:
        return [entry.state.value for entry in self.journal.entries()]


def yes(request: Request, grant: int | None = None) -> Decision:
    """The right yes to a request, with one of its offers if wanted."""
    offer = request.offers[grant].grant if grant is not None else None
    return Decision(Reply.YES, grant=offer, typed=request.ruling.word, key=request.ruling.key)


NO = Decision(Reply.NO, reason="too late")
PLAIN_YES = Decision(Reply.YES, key=Key.SMALL)


def prepared_for(
    tool: str = "messaging.send",
    effects: frozenset[Effect] = frozenset({Effect.SEND}),
    resolved: tuple[Resolved, ...] = (Resolved(Role.DESTINATION, "to", ANA, "Ana", 3),),
    arguments: Mapping[str, JsonValue] | None = None,
    *,
    undo: str | None = None,
) -> Prepared:
    """A prepared call without a service behind it."""
    call = Call("call-1", tool, arguments if arguments is not None else {"to": [ANA]})
    return Prepared(call, effects, resolved, {}, Preview("Do it", "does it"), "basis", undo)


def tool_for(prepared: Prepared, effect: Effect) -> Tool:
    return Tool(prepared.call.tool, "", Anything, effect)


async def for_ever(prepared: Prepared) -> None:
    await asyncio.Event().wait()
