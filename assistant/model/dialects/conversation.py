"""One conversation with a model: what is told of it in a finite context, and what it goes on from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.model.base import Goal, Piece, Result, Turn
from assistant.model.dialects.base import Guard
from assistant.model.dialects.chat import ChatDialect
from assistant.model.dialects.fitting import Fitted, fit, fit_earlier
from assistant.model.dialects.messages import Message, as_call, first_part, messages, shortened, text_of, told
from assistant.model.dialects.thread import WAITING, Said, Step, continued, said
from assistant.model.wire import Chat, Generate
from connectors.base import Tool

OVERHEAD = 24
"""Tokens that a template may put around each message."""

_MARGIN = 0.9

Size = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Space:
    """The model's context in tokens, what the system text and the tools take of it, and how texts measure."""

    context: int
    fixed: int
    size: Size


@dataclass(frozen=True, slots=True)
class Composed:
    """What to ask of the model, as a conversation too, and what the person should know about it."""

    request: Generate
    chat: Chat
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Told:
    """What was asked of the model last, and what it answered if that was read in whole."""

    turns: tuple[Turn, ...]
    chat: Chat
    fitted: Fitted
    answer: Said | None = None
    tokens: int = 0


class Conversation:
    """Composes one request after the other."""

    def __init__(self, dialect: ChatDialect) -> None:
        self._dialect = dialect
        self._told: _Told | None = None
        self._first: Turn | None = None
        self._dropped = 0
        self._noticed: set[object] = set()

    def opening(self, tools: Sequence[Tool]) -> Chat:
        """The system text and the tools, with the shortest goal there can be."""
        return self._dialect.chat(messages([Goal(".")], [None], Guard()), tools)

    def compose(
        self, turns: Sequence[Turn], tools: Sequence[Tool], guard: Guard, space: Space, *, alive: bool
    ) -> Composed | None:
        """The next request; None if the last goal is longer than the model can read at once.

        `alive` says that the model's process is the one that gave the last answer.
        """
        self._begin(turns)
        sizes = [space.size(text_of(turn, guard)) + OVERHEAD for turn in turns]
        room = space.context - space.fixed - min(self._dialect.most_tokens, space.context // 4)
        fitted = fit(turns, sizes, room, self._dropped)
        if fitted is None:
            self._told = None
            return None
        shares = _shares(fitted, sizes)
        chat = self._continued(turns, tools, guard, fitted, shares)
        if chat and not self._has_room(chat, space):
            chat = None
        chat = replace(chat, follows=alive) if chat else self._anew(turns, tools, guard, fitted, shares)
        self._told = _Told(tuple(turns), chat, fitted)
        self._dropped = fitted.dropped
        return Composed(self._dialect.generate(chat), chat, self._notices(turns, fitted, shares, guard))

    def answered(self, pieces: Sequence[Piece], tokens: int, *, whole: bool) -> None:
        """Keep what the model answered; `tokens` is the length of its prompt and its answer."""
        if self._told:
            self._told = replace(self._told, answer=said(pieces, whole=whole), tokens=tokens)

    def ahead(self, turns: Sequence[Turn], tools: Sequence[Tool], guard: Guard, space: Space) -> Chat:
        """What the next request will begin with, whatever its goal is, when all goals so far are over."""
        self._begin(turns)
        sizes = [space.size(text_of(turn, guard)) + OVERHEAD for turn in turns]
        room = space.context - space.fixed - min(self._dialect.most_tokens, space.context // 4)
        fitted = fit_earlier(turns, sizes, room, self._dropped)
        return self._anew(turns, tools, guard, fitted, {}, now=False)

    def _begin(self, turns: Sequence[Turn]) -> None:
        first = next((turn for turn in turns if isinstance(turn, Goal)), None)
        if first is not self._first:
            self._first, self._dropped, self._told = first, 0, None
            self._noticed.clear()

    def _anew(
        self,
        turns: Sequence[Turn],
        tools: Sequence[Tool],
        guard: Guard,
        fitted: Fitted,
        shares: Mapping[int, float],
        *,
        now: bool = True,
    ) -> Chat:
        starts = [at for at, turn in enumerate(turns) if isinstance(turn, Goal)]
        start = [*starts, len(turns)][fitted.dropped]
        moments = self._dialect.moments(turns, now=now)[fitted.dropped :]
        moved = {at - start: share for at, share in shares.items()}
        return self._dialect.chat(messages(turns[start:], moments, guard, fitted.earlier, moved), tools)

    def _continued(
        self,
        turns: Sequence[Turn],
        tools: Sequence[Tool],
        guard: Guard,
        fitted: Fitted,
        shares: Mapping[int, float],
    ) -> Chat | None:
        """The last request with its answer and what came of that, if the turns are just that."""
        last = self._told
        if last is None or last.answer is None or fitted.dropped != last.fitted.dropped:
            return None
        before = {at: cut for at, cut in fitted.cuts.items() if at < len(last.turns)}
        steps = continued(last.turns, last.answer, turns)
        chat = self._dialect.chat(last.chat.messages, tools)
        if steps is None or before != last.fitted.cuts or chat.tools != last.chat.tools:
            return None
        results = [_result(step, turns, shares, guard) for step in steps]
        return replace(chat, messages=(*chat.messages, _answer(last.answer, guard), *results))

    def _has_room(self, chat: Chat, space: Space) -> bool:
        assert self._told
        new = chat.messages[len(self._told.chat.messages) + 1 :]
        added = sum(space.size(str(message["content"])) + OVERHEAD for message in new)
        return self._told.tokens + added + min(self._dialect.most_tokens, space.context // 4) <= space.context

    def _notices(
        self, turns: Sequence[Turn], fitted: Fitted, shares: Mapping[int, float], guard: Guard
    ) -> tuple[str, ...]:
        found: dict[object, str] = {}
        if fitted.dropped:
            goals = "request" if fitted.dropped == 1 else f"{fitted.dropped} requests"
            found[fitted.dropped] = (
                f"To make room, the model is told of your first {goals} in this conversation only in short."
            )
        for at, share in shares.items():
            if isinstance(turn := turns[at], Result):
                text = told(turn.outcome, guard)
                found[turn.call_id, share] = (
                    "What was read is longer than the model can take in: it is told the first"
                    f" {len(first_part(text, share).split()):,} of {len(text.split()):,} words."
                )
        new = {key: text for key, text in found.items() if key not in self._noticed}
        self._noticed.update(new)
        return tuple(new.values())


def _shares(fitted: Fitted, sizes: Sequence[int]) -> dict[int, float]:
    """Which share of its text is told of each result that is cut, with some room to spare."""
    return {at: _MARGIN * max(cut - OVERHEAD, 1) / sizes[at] for at, cut in fitted.cuts.items()}


def _answer(answer: Said, guard: Guard) -> Message:
    message: Message = {"role": "assistant", "content": guard(answer.text)}
    message["tool_calls"] = [as_call(wish.tool, wish.arguments, guard) for wish in answer.wishes]
    return message


def _result(step: Step, turns: Sequence[Turn], shares: Mapping[int, float], guard: Guard) -> Message:
    if step.result is None:
        return {"role": "tool", "content": WAITING}
    share = shares.get(turns.index(step.result), 1.0)
    return {"role": "tool", "content": shortened(told(step.result.outcome, guard), share)}
