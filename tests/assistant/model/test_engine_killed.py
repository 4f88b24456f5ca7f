"""The model's process is killed at random, again and again: nothing hangs, is lost, or is done twice.

$ASKFIRST_KILLS sets how many goals there are for each model; the toys' noise, held to the tools, makes calls.
"""

import asyncio
import logging
import os
import random
import signal
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest

from assistant.events import CallFinished, Ending, Event, TextStreamed, TurnEnded
from assistant.history import unanswered
from assistant.model.base import Goal, Model, Proposal, Result, Turn
from assistant.model.dialects.base import Guard
from assistant.model.dialects.chat import ChatDialect
from assistant.model.dialects.starter import StarterDialect
from assistant.model.host.engine import Engine
from assistant.model.local import LocalModel
from assistant.model.wire import Generate, Sampling
from assistant.session import Session
from connectors.base import (
    Call,
    Context,
    Effect,
    Outcome,
    Prepared,
    Preview,
    Question,
    Resolved,
    Role,
    Tool,
    ToolArguments,
)
from permissions.gate import Gate
from permissions.grants import GrantBook
from permissions.provenance import Provenance
from permissions.words import Decision, Request
from tests.assistant.bench import Bench
from tests.assistant.fakes import NOW, ZONE, Person
from tests.assistant.model.chats import spec
from tests.assistant.model.toy import build_llama

GOALS = int(os.environ.get("ASKFIRST_KILLS", "10"))
SENTENCES = ("tell Ben I am late", "put keys in the trash", "read keys", "turn wifi on and write to Ben")
# No goal takes a tenth of this, however often its model must be started.
SECONDS = 120


@dataclass
class Killer:
    """Kills the model's process after so many beats, a beat being anything that is heard or shown."""

    engine: Engine
    left: int = -1
    kills: int = 0

    def beat(self, *_: object) -> None:
        self.left -= 1
        if self.left == 0 and self.engine.pid:
            os.kill(self.engine.pid, signal.SIGKILL)
            self.kills += 1


class Ring(ToolArguments):
    how: Literal["once", "twice", "softly"] = "once"


class Bell:
    """A service that even noise can use, as its arguments are words to choose from; counts what is done."""

    name = "messaging"
    tools = tuple(
        Tool(f"messaging.{verb}", f"{verb} a bell", Ring, Effect.SEND) for verb in ("ring", "sound", "delete")
    )

    def __init__(self) -> None:
        self.done: Counter[str] = Counter()

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        how = str(call.arguments["how"])
        where = Resolved(Role.DESTINATION, "how", how, how, written_before=1)
        preview = Preview(call.tool, "makes noise")
        return Prepared(call, frozenset({Effect.SEND}), (where,), {"how": how}, preview, "basis", None)

    async def perform(self, prepared: Prepared) -> Outcome:
        self.done[prepared.call.id] += 1
        return Outcome(True, "It rang.")


class Yes(Person):
    """Says yes to all, in the company of the killer."""

    def __init__(self, killer: Killer) -> None:
        super().__init__()
        self._killer = killer

    async def show(self, event: Event) -> None:
        self._killer.beat()
        await super().show(event)

    async def answer(self, request: Request) -> Decision:
        self._killer.beat()
        return await super().answer(request)


@dataclass
class Story:
    """One conversation whose model dies at random."""

    bench: Bench
    model: Model
    killer: Killer
    bell: Bell
    chance: random.Random = field(default_factory=lambda: random.Random(6))
    endings: Counter[Ending] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        gate = Gate([self.bell], self.bench.journal, GrantBook(), lambda: NOW)
        self.session = Session(self.model, gate, self.bench.history, Provenance(), lambda: NOW, ZONE)

    async def tell(self, goal: str, *, killed: bool) -> Yes:
        """Carry out a goal; the process is killed after some beats, or after some time, or not at all."""
        person = Yes(self.killer)
        self.killer.left = self.chance.choice((1, 2, 3, 5, 8, 13, 21)) if killed else -1
        timer = asyncio.get_running_loop().call_later(self.chance.uniform(0, 1), self._kill_late, killed)
        try:
            async with asyncio.timeout(SECONDS):
                await self.session.run(goal, person)
        finally:
            timer.cancel()
        self.endings[person.ended.ending] += 1
        return person

    def _kill_late(self, killed: bool) -> None:
        if killed and self.killer.left > 0:
            self.killer.left = 1
            self.killer.beat()


class Restless(StarterDialect):
    """Asks for more calls after each result, as models do that plan step by step."""

    def request(
        self, transcript: Sequence[Turn], tools: Sequence[Tool], guard: Guard, skip: int = 0
    ) -> Generate | None:
        done = sum(isinstance(turn, Result) for turn in transcript)
        return super().request([*transcript, Goal(f"and then {done}")], tools, guard, skip)


def chatting(path: Path, engine: Engine, killer: Killer) -> LocalModel:
    drawn = Sampling(temperature=1.0, top_k=40)
    dialect = ChatDialect(lambda: NOW, drawn, thinking=False, most_tokens=40)
    return LocalModel(spec(path, context=16384), engine, dialect, killer.beat)


def calling(path: Path, engine: Engine, killer: Killer) -> LocalModel:
    return LocalModel(spec(path), engine, Restless(doubt=0.0), killer.beat)


@pytest.mark.timeout(SECONDS + GOALS * 20)
async def test_killed_at_random_in_a_conversation_nothing_hangs_and_nothing_is_lost(
    toy_qwen: Path, tmp_path: Path
) -> None:
    engine = Engine(spec(toy_qwen, context=16384), states=tmp_path / "states")
    killer = Killer(engine)
    story = Story(Bench(tmp_path), chatting(toy_qwen, engine, killer), killer, Bell())
    last = await told_to_the_end(story)
    assert any(isinstance(event, TextStreamed) for event in last.events)


@pytest.mark.timeout(SECONDS + GOALS * 20)
async def test_killed_at_random_between_its_calls_nothing_is_done_twice(tmp_path: Path) -> None:
    caller = build_llama(tmp_path / "caller.gguf", seed=5)
    engine = Engine(spec(caller))
    killer = Killer(engine)
    story = Story(Bench(tmp_path), calling(caller, engine, killer), killer, Bell())
    await told_to_the_end(story)
    assert len(story.bell.done) > GOALS // 4


async def told_to_the_end(story: Story) -> Person:
    """Many goals during which the model is killed, and one during which it is not."""
    goals = [f"{SENTENCES[number % len(SENTENCES)]} ({number})" for number in range(GOALS)]
    for goal in goals:
        check(await story.tell(goal, killed=True), story)
    last = await story.tell("read keys", killed=False)
    check(last, story)
    check_turns(story.bench, [*goals, "read keys"])
    logging.getLogger(__name__).info(
        "%s goals, %s kills, %s deeds, %s", GOALS, story.killer.kills, len(story.bell.done), story.endings
    )
    assert story.killer.kills > GOALS // 4
    await story.session.close()
    story.bench.close()
    return last


def check(person: Person, story: Story) -> None:
    """The turn ended once, and what was done is what was asked for, each call once."""
    assert isinstance(person.ended, TurnEnded)
    assert set(story.bell.done.values()) <= {1}
    finished = [event.call.id for event in person.events if isinstance(event, CallFinished)]
    assert len(finished) == len(set(finished))
    done = [event for event in person.events if isinstance(event, CallFinished) and event.outcome.ok]
    assert len(done) <= len(person.asked)


def check_turns(bench: Bench, goals: list[str]) -> None:
    """All goals are in the history, and each call in it has one answer."""
    session = bench.history.latest()
    assert session
    turns = bench.history.turns(session)
    assert [turn.text for turn in turns if isinstance(turn, Goal)] == goals
    assert unanswered(turns) == ()
    calls = Counter(turn.call.id for turn in turns if isinstance(turn, Proposal))
    answers = Counter(turn.call_id for turn in turns if isinstance(turn, Result) and turn.call_id)
    assert calls == answers
    assert set(calls.values()) <= {1}
    done = [entry.id for entry in bench.journal.entries(10_000) if entry.state.value == "done"]
    assert len(done) == len(set(done))
