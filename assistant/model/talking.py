"""Talks with a model through its chat template: within its context, going on from its own words."""

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from functools import partial

from assistant.model.answering import Answering
from assistant.model.base import Cut, Goal, Loading, Piece, Remark, Turn, Wish
from assistant.model.dialects.base import Guard
from assistant.model.dialects.chat import ChatDialect
from assistant.model.dialects.choosing import CHOOSE, Choice, last_goal, too_many
from assistant.model.dialects.conversation import Conversation, Space
from assistant.model.dialects.fitting import guessed
from assistant.model.dialects.messages import text_of
from assistant.model.host.engine import Engine
from assistant.model.wire import Event, Ready
from connectors.base import Tool

CHOOSING = "choosing a service"
_MOST_CHARACTERS = 2_000_000
_MOST_ANSWERS = 3
# A prompt that was measured too short once is composed anew for less.
_TIGHTER = 0.8


class Talk:
    """One model and one conversation with it."""

    def __init__(
        self, title: str, engine: Engine, dialect: ChatDialect, heard: Callable[[Event], None] | None
    ) -> None:
        self._title = title
        self._engine = engine
        self._dialect = dialect
        self._heard = heard
        self._conversation = Conversation(dialect)
        self._lengths: dict[str, int] = {}
        self._openings: dict[tuple[str, ...], int] = {}
        self._choice: Choice | None = None
        self._goal: Goal | None = None
        self._pid: int | None = None

    async def answer(
        self, turns: Sequence[Turn], tools: Sequence[Tool], ready: Ready
    ) -> AsyncGenerator[Piece]:
        """The model's answer. If there are too many tools it picks services first. Raises ModelError."""
        ask = self._ask_by_service if await self._too_many(tools, ready) else self._ask
        async with aclosing(ask(turns, tools, ready)) as pieces:
            async for piece in pieces:
                yield piece

    async def _ask_by_service(
        self, turns: Sequence[Turn], tools: Sequence[Tool], ready: Ready
    ) -> AsyncGenerator[Piece]:
        """Ask which service is needed, if that is not known yet, and then for calls of its tools."""
        choice = self._choice_for(turns, tools)
        for left in reversed(range(_MOST_ANSWERS)):
            if not choice.picked:
                yield Loading(CHOOSING)
            chosen: list[Wish] = []
            done = False
            offered = choice.offered(again=left > 0)
            async with aclosing(self._ask(turns, offered, ready)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Wish) and piece.tool == CHOOSE:
                        chosen.append(piece)
                    else:
                        done = done or isinstance(piece, Wish)
                        yield piece
            if not chosen:
                return
            choice.pick(chosen)
            if done:
                return

    async def read_ahead(self, turns: Sequence[Turn], tools: Sequence[Tool], ready: Ready) -> None:
        """Let the model read what its next request will begin with. Raises ModelError."""
        offered = Choice(tools, "").offered(again=True) if await self._too_many(tools, ready) else tools
        guard = Guard(ready.marks)
        await self._measure(turns, offered, guard)
        space = self._space(ready, offered)
        await self._engine.prepare(self._conversation.ahead(turns, offered, guard, space))

    async def _ask(self, turns: Sequence[Turn], tools: Sequence[Tool], ready: Ready) -> AsyncGenerator[Piece]:
        guard = Guard(ready.marks)
        await self._measure(turns, tools, guard)
        for share in (1.0, _TIGHTER):
            space = self._space(ready, tools, share)
            alive = self._pid is not None and self._pid == self._engine.pid
            composed = self._conversation.compose(turns, tools, guard, space, alive=alive)
            if composed is None:
                yield Cut(self._too_long(ready, tools))
                return
            for notice in composed.notices:
                yield Remark(notice)
            answering, heard = Answering(self._engine, self._heard), list[Piece]()
            reader_for = partial(self._dialect.reader_of, composed.chat, tools)
            async with aclosing(answering.pieces(composed.request, reader_for)) as pieces:
                async for piece in pieces:
                    heard.append(piece)
                    yield piece
            if not answering.too_long:
                self._pid = self._engine.pid
                self._conversation.answered(heard, answering.tokens, whole=answering.whole)
                return
        yield Cut(self._too_long(ready, tools))

    def _too_long(self, ready: Ready, tools: Sequence[Tool]) -> str:
        fixed = self._openings[_names(tools)]
        if fixed < ready.context // 2:
            return f"This is longer than {self._title} can read at once."
        return (
            f"What {self._title} has to be told of its tools takes {fixed:,} of the {ready.context:,} tokens"
            " that it can read at once. It needs a larger context, or fewer services."
        )

    async def _too_many(self, tools: Sequence[Tool], ready: Ready) -> bool:
        await self._measure((), tools, Guard())
        return too_many(tools, self._openings[_names(tools)], ready.context)

    def _choice_for(self, turns: Sequence[Turn], tools: Sequence[Tool]) -> Choice:
        goal = last_goal(turns)
        if self._choice is None or goal is not self._goal:
            self._goal, self._choice = goal, Choice(tools, goal.text if goal else "")
        return self._choice

    def _space(self, ready: Ready, tools: Sequence[Tool], share: float = 1.0) -> Space:
        fixed = self._openings[_names(tools)]
        return Space(int(ready.context * share), fixed, lambda text: self._lengths.get(text, guessed(text)))

    async def _measure(self, turns: Iterable[Turn], tools: Sequence[Tool], guard: Guard) -> None:
        """Learn the lengths of all that will be told, of what is not known yet."""
        if sum(map(len, self._lengths)) > _MOST_CHARACTERS:
            self._lengths.clear()
        texts = [text for turn in turns if (text := text_of(turn, guard)) not in self._lengths]
        opening = [] if _names(tools) in self._openings else [self._conversation.opening(tools)]
        if not texts and not opening:
            return
        counted = await self._engine.count([*opening, *texts])
        if opening:
            self._openings[_names(tools)] = counted[0]
        self._lengths.update(zip(texts, counted[len(opening) :], strict=True))


def _names(tools: Sequence[Tool]) -> tuple[str, ...]:
    """What tells one list of tools from another; a chooser is told by what it chooses from."""
    return tuple(sorted(f"{tool.name} {tool.summary}" for tool in tools if tool.offered))
