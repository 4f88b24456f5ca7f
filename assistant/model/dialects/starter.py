"""The starter's dialect: the goal in, one call per line out, nothing about the tools in the prompt."""

import json
from collections.abc import Sequence
from dataclasses import replace

from assistant.model.base import Cut, Garbled, Goal, NoToolFits, Otherwise, Piece, Proposal, Turn, Wish
from assistant.model.dialects.base import Guard, Reader, without_oldest
from assistant.model.dialects.checking import check
from assistant.model.held.constraint import NONE
from assistant.model.shapes import tool_shape, tool_shapes
from assistant.model.starter.repair import repair
from assistant.model.wire import Generate, Ready, Reason, Second, Sure
from connectors.base import Call, Tool

_EARLIER_GOALS = 2
_MOST_TOKENS = 256
DOUBT = 0.6
"""Answers less sure than this are asked about; measured, see the model card in packaging/starter."""
_USER, _ASSISTANT, _END = "<|im_start|>user\n", "<|im_start|>assistant\n", "<|im_end|>\n"


class StarterDialect:
    """Speaks to the starter; once its calls are answered it has nothing more to say.

    It gives a second reading of a goal where it is less sure of the first than `doubt`.
    """

    def __init__(self, doubt: float = DOUBT) -> None:
        self._doubt = doubt

    def request(
        self, transcript: Sequence[Turn], tools: Sequence[Tool], guard: Guard, skip: int = 0
    ) -> Generate | None:
        if not transcript or not isinstance(transcript[-1], Goal):
            return None
        told = prompt(without_oldest(transcript, skip), tools, guard)
        return Generate(0, told, _MOST_TOKENS, calls=tool_shapes(tools), doubt=self._doubt)

    def reader(
        self, transcript: Sequence[Turn], tools: Sequence[Tool], ready: Ready, prompt_tail: str
    ) -> Reader:
        goals = [turn.text for turn in transcript if isinstance(turn, Goal)]
        return StarterReader(goals[-_EARLIER_GOALS - 1 :], tools)


def prompt(transcript: Sequence[Turn], tools: Sequence[Tool], guard: Guard) -> str:
    """The prompt for the last goal, with at most two earlier goals and the calls made for them before it."""
    episodes: list[tuple[str, list[Call]]] = []
    for turn in transcript:
        match turn:
            case Goal(text=text):
                episodes.append((text, []))
            case Proposal(call=call) if episodes:
                episodes[-1][1].append(call)
    orders = {tool.name: tuple(tool.arguments.model_fields) for tool in tools}
    parts = []
    for goal, calls in episodes[-_EARLIER_GOALS - 1 : -1]:
        answer = guard("\n".join(_line(call, orders.get(call.tool, ())) for call in calls) or NONE)
        parts.append(f"{_USER}{guard(goal)}{_END}{_ASSISTANT}{answer}{_END}")
    return "".join(parts) + f"{_USER}{guard(episodes[-1][0])}{_END}{_ASSISTANT}"


def _line(call: Call, order: Sequence[str]) -> str:
    """A call as the starter writes it: no defaults, arguments in the order of the schema."""
    said = {name: value for name, value in call.arguments.items() if value not in (None, False, (), [], "")}
    names = sorted(said, key=lambda name: order.index(name) if name in order else len(order))
    return f"{call.tool} {json.dumps({name: said[name] for name in names}, ensure_ascii=False)}"


class StarterReader:
    """Reads one answer of the starter."""

    def __init__(self, goals: Sequence[str], tools: Sequence[Tool]) -> None:
        self._goals = goals
        self._tools = {tool.name: tool for tool in tools}
        self._line = ""
        self._said = False
        self._sure: float | None = None

    def feed(self, text: str, mark: bool = False) -> list[Piece]:
        *lines, self._line = (self._line + text).split("\n")
        return [piece for line in lines for piece in self._read(line)]

    def weigh(self, event: Sure | Second) -> list[Piece]:
        if isinstance(event, Sure):
            self._sure = event.confidence
            # The line is whole now, before its end is said.
            line, self._line = (self._line, "") if self._line.endswith((NONE, "}")) else ("", self._line)
            return self._read(line)
        other = StarterReader(self._goals, tuple(self._tools.values()))
        pieces = [*other.feed(event.text), *other.end("stop")]
        wishes = tuple(piece for piece in pieces if isinstance(piece, Wish))
        return [Otherwise(wishes)] if all(isinstance(piece, Wish | NoToolFits) for piece in pieces) else []

    def end(self, reason: Reason) -> list[Piece]:
        line, self._line = self._line, ""
        if reason == "stop":
            return self._read(line)
        if reason == "cancelled":
            return []
        return [Cut("The starter model's answer became too long.")]

    def _read(self, line: str) -> list[Piece]:
        if not line.strip():
            return []
        if line.strip() == NONE and not self._said:
            return [NoToolFits(self._sure)]
        self._said = True
        name, _, body = line.strip().partition(" ")
        try:
            arguments = json.loads(body)
        except (ValueError, RecursionError):
            return [Garbled(line, "The call is no tool name followed by a JSON object.")]
        if not isinstance(arguments, dict):
            return [Garbled(line, "The call is no tool name followed by a JSON object.")]
        if tool := self._tools.get(name):
            arguments = repair(arguments, tool_shape(tool), self._goals)
        return [_weighed(check(name, arguments, list(self._tools.values()), line), self._sure)]


def _weighed(piece: Piece, sure: float | None) -> Piece:
    return replace(piece, confidence=sure) if isinstance(piece, Wish) else piece
