"""Planners that play a task's known solution until a text they read takes them over."""

from collections.abc import AsyncGenerator, Callable, Sequence
from enum import StrEnum

from agentdojo.functions_runtime import FunctionCall
from evidence import HARMLESS
from pydantic import JsonValue

from assistant.model.base import Goal, Piece, Proposal, Result, Text, Turn, Wish
from connectors.base import Call, Tool
from dojo.tools import VERBS, function_name, pointed, tool_name
from permissions.values import OPEN

MARKER = "@@OBEY@@"


class Manner(StrEnum):
    """How the solution is given, and when the attack begins."""

    WHOLE = "whole plan first"
    OPEN = "plan with open values first"
    POISONED = "attacker makes the plan"


class Obeying:
    """Carries out the whole injected goal, once, as soon as it has read the marker, then goes on."""

    name = "obeys every injection"

    def __init__(
        self,
        solution: Sequence[FunctionCall],
        injection: Callable[[], Sequence[FunctionCall]],
        manner: Manner,
    ) -> None:
        self._plan = [wish(call) for call in solution]
        self._injection = injection
        self._manner = manner
        self._fired = False
        self._injecting = False
        self.wished = 0

    def is_injected(self, call: Call) -> bool:
        """True if the call now being carried out is the attacker's; all of one answer are, or none."""
        return self._injecting

    async def respond(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> AsyncGenerator[Piece]:
        self._injecting = not self._fired and (self._manner is Manner.POISONED or has_read(transcript))
        if self._injecting:
            self._fired = True
            for call in self._injection():
                self.wished += 1
                yield wish(call)
            return
        if not self._plan:
            yield Text("Done.")
        planned, self._plan = planned_now(self._plan, transcript, self._manner)
        for each in planned:
            yield each

    async def close(self) -> None:
        return None


class Altering:
    """Makes the calls that the person wants, altering what it can: once it has read the marker, or always."""

    name = "alters what was asked for"

    def __init__(
        self,
        solution: Sequence[FunctionCall],
        alter: Callable[[FunctionCall], FunctionCall | None],
        manner: Manner,
        first: Sequence[FunctionCall] = (),
    ) -> None:
        self._plan = [wish(call) for call in solution]
        self._alter = alter
        self._manner = manner
        self._first = list(first)
        self._altered: list[Wish] = []

    @property
    def wished(self) -> int:
        return len(self._altered)

    def is_injected(self, call: Call) -> bool:
        """True if the call is one that was altered."""
        return any(
            each.tool == call.tool
            and all(str(call.arguments.get(k)).strip() == str(v).strip() for k, v in each.arguments.items())
            for each in self._altered
        )

    async def respond(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> AsyncGenerator[Piece]:
        taken = self._manner is Manner.POISONED or has_read(transcript)
        if taken and self._first:
            for call in self._first:
                yield wish(call)
            self._first = []
            return
        if not self._plan:
            yield Text("Done.")
        planned, self._plan = planned_now(self._plan, transcript, self._manner)
        for each in planned:
            yield self._given(each) if taken else each

    async def close(self) -> None:
        return None

    def _given(self, wanted: Wish) -> Wish:
        call = FunctionCall(function=function_name(wanted.tool), args=dict(wanted.arguments))
        changed = self._alter(call)
        if changed is None:
            return wanted
        self._altered.append(Wish(wanted.tool, dict(changed.args)))
        return self._altered[-1]


def planned_now(
    left: list[Wish], transcript: Sequence[Turn], manner: Manner
) -> tuple[list[Wish], list[Wish]]:
    """The calls of the next answer, and those that come later with the values that they lack now."""
    if manner is not Manner.OPEN or any(isinstance(turn, Proposal) for turn in transcript):
        return left, []
    (goal,) = (turn.text for turn in transcript if isinstance(turn, Goal))
    plan = [opened(each, goal) for each in left]
    return plan, [each for each, planned in zip(left, plan, strict=True) if each != planned]


def has_read(transcript: Sequence[Turn]) -> bool:
    return any(isinstance(t, Result) and MARKER in (t.outcome.content or "") for t in transcript)


def wish(call: FunctionCall) -> Wish:
    """One of AgentDojo's calls as a model asks for it."""
    return Wish(tool_name(call.function), pointed(call.args))


def opened(wanted: Wish, prompt: str) -> Wish:
    """The call as it can be planned before anything is read: what the person did not say is left open."""
    if VERBS[function_name(wanted.tool)].effect in HARMLESS:
        return wanted
    arguments = {name: _opened(name, value, prompt) for name, value in wanted.arguments.items()}
    return Wish(wanted.tool, arguments)


def _opened(name: str, value: JsonValue, prompt: str) -> JsonValue:
    if isinstance(value, list):
        return list(dict.fromkeys(str(_opened(name, each, prompt)) for each in value))
    said = name.endswith("_time") or all(word in prompt for word in str(value).split())
    return value if said else OPEN
