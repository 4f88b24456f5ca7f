"""Held sends under any order of asking, waiting, setting the clock, taking back and restarting."""

import asyncio
import shutil
import tempfile
from collections import Counter
from collections.abc import Awaitable
from datetime import timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from connectors.base import Call, Effect
from permissions.entry import State
from permissions.policy import Policy, Rule
from permissions.words import Verdict
from tests.permissions.fakes import ANA
from tests.permissions.held import HoldingBench

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
HOLD = 30


class HeldSends(RuleBasedStateMachine):
    sends = Bundle("sends")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=MEMORY))
        self.loop = asyncio.new_event_loop()
        self.bench = HoldingBench(self.folder, HOLD)
        self.number = 0
        self.since: dict[str, float] = {}
        self.stopped: set[str] = set()
        self.happened: Counter[str] = Counter()

    def teardown(self) -> None:
        self.await_(self.bench.gate.outbox.close())
        self.loop.close()
        self.bench.journal.close()
        shutil.rmtree(self.folder)

    def await_(self, work: Awaitable[Any]) -> Any:
        async def waited() -> Any:
            return await work

        return self.loop.run_until_complete(waited())

    @rule(target=sends)
    def send(self) -> str:
        self.number += 1
        id = f"send-{self.number}"
        outcome = self.await_(self.bench.run(Call(id, "messaging.send", {"to": [ANA], "text": id})))
        if outcome.ok:
            assert outcome.until is not None
            self.since[id] = self.bench.steady.now
        return id

    @rule(seconds=st.sampled_from([0.5, 5, 14, 29, 30, 100]))
    def time_passes(self, seconds: float) -> None:
        self.await_(self.bench.steady.pass_(seconds))

    @rule()
    def it_wakes_too_early(self) -> None:
        self.await_(self.bench.steady.startle())

    @rule(days=st.integers(-400, 400))
    def the_clock_is_set(self, days: int) -> None:
        self.bench.clock.now += timedelta(days=days)

    @rule(call=sends)
    def take_back(self, call: str) -> None:
        found = [held for held in self.bench.gate.outbox.waiting if self.call_of(held.id) == call]
        for held in found:
            assert self.bench.gate.outbox.withdraw(held.id)
            assert not self.bench.gate.outbox.withdraw(held.id)
            self.stopped.add(call)

    @rule(forbid=st.booleans())
    def a_rule_comes_or_goes(self, forbid: bool) -> None:
        rules = (Rule("quiet", Verdict.REFUSE, effect=Effect.SEND),) if forbid else ()
        self.bench.gate.policy = self.bench.policy = Policy(rules)

    @rule()
    def it_is_restarted(self) -> None:
        self.stopped |= {self.call_of(held.id) for held in self.bench.gate.outbox.waiting}
        self.await_(self.bench.gate.outbox.close())
        self.bench.journal.close()
        old, self.bench = self.bench, HoldingBench(self.folder, HOLD)
        self.count(old)
        self.bench.clock.now, self.bench.steady.now = old.clock.now, old.steady.now
        assert self.bench.journal.unfinished() == ()

    @rule()
    def the_person_lets_go_of_what_was_held(self) -> None:
        for entry in self.bench.journal.unclear():
            assert entry.state is State.HELD
            assert entry.call_id in self.stopped
            self.bench.gate.drop(entry)

    @invariant()
    def each_went_out_once_at_most_and_in_its_time(self) -> None:
        went = self.happened + Counter(id for _, id in self.bench.service.effects)
        assert set(went.values()) <= {1}
        assert not set(went) & self.stopped
        for id in went:
            assert self.bench.steady.now >= self.since[id] + HOLD

    @invariant()
    def what_is_told_is_what_is_so(self) -> None:
        went = self.happened + Counter(id for _, id in self.bench.service.effects)
        waiting = {self.call_of(held.id) for held in self.bench.gate.outbox.waiting}
        for entry in self.bench.journal.entries(1000):
            if entry.call_id in went:
                assert entry.state is State.DONE
            elif entry.state is State.HELD:
                assert entry.call_id in waiting | self.stopped
            else:
                assert entry.state in {State.WITHDRAWN, State.DENIED}
        assert self.bench.journal.verify() == ()

    @invariant()
    def only_what_is_held_is_on_the_shelf(self) -> None:
        held = {entry.id for entry in self.bench.journal.entries(1000) if entry.state is State.HELD}
        assert {path.stem for path in self.folder.glob("journal.db.held/*")} == held

    def call_of(self, id: str) -> str:
        entry = self.bench.journal.entry(id)
        assert entry is not None
        return entry.call_id

    def count(self, bench: HoldingBench) -> None:
        self.happened += Counter(id for _, id in bench.service.effects)


TestHeldSends = HeldSends.TestCase
TestHeldSends.settings = settings(
    max_examples=25,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
