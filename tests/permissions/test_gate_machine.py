"""The gate under any order of asking, answering, doing, failing and changing one's mind."""

import asyncio
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, rule

from connectors.base import Call, Context, Effect, Prepared
from permissions.entry import State
from permissions.gate import Patience, Ticket
from permissions.policy import Policy, Rule
from permissions.words import Asker, Decision, GoalRef, Key, Refused, Reply, Request, Verdict
from tests.permissions.fakes import ANA, EVE, ZONE, Bench, for_ever, yes

HELD = "/dev/shm" if Path("/dev/shm").is_dir() else None
GOALS = (GoalRef("goal-1", "send hello to ana@acme.com"), GoalRef("goal-2", "Dentist"))
OPEN = {State.PLANNED, State.APPROVED, State.STARTED}
POLICIES = st.sampled_from(
    [
        Policy(),
        Policy((Rule("quiet", Verdict.REFUSE, effect=Effect.SEND),)),
        Policy((Rule("careful", Verdict.ASK, effect=Effect.WRITE),)),
    ]
)
ARGUMENTS = st.fixed_dictionaries(
    {"to": st.sampled_from([[ANA], [EVE], [ANA, EVE]]), "thing": st.sampled_from(["note:1", "note:2"])},
    optional={"text": st.sampled_from(["hello", "Dentist"])},
)
WRONG = st.sampled_from(
    [
        Decision(Reply.NO, reason="no"),
        Decision(Reply.STOP),
        Decision(Reply.EDIT, edited={"to": [EVE]}),
        Decision(Reply.YES, typed="wrong", key=Key.SMALL),
    ]
)


async def error(prepared: Prepared) -> None:
    raise OSError("the connection broke")


FAULTS: dict[str, tuple[Any, Any]] = {
    "none": (None, None),
    "error before": (error, None),
    "error after": (None, error),
    "hang before": (for_ever, None),
    "hang after": (None, for_ever),
}


@dataclass
class Approval:
    """A ticket, and what it was given under."""

    ticket: Ticket
    request: Request
    at: datetime
    policy: str
    used: bool = False


class TheGate(RuleBasedStateMachine):
    calls = Bundle("calls")
    requests = Bundle("requests")
    approvals = Bundle("approvals")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=HELD))
        self.loop = asyncio.new_event_loop()
        self.bench = Bench(self.folder, patience=Patience(0.004, 0.004, 0.004))
        self.ended: dict[str, State] = {}

    def teardown(self) -> None:
        self.everything_started_was_approved_first()
        self.loop.close()
        self.bench.journal.close()
        shutil.rmtree(self.folder)

    def await_(self, work: Awaitable[Any]) -> Any:
        async def waited() -> Any:
            return await work

        return self.loop.run_until_complete(waited())

    @initialize(target=calls)
    def begin(self) -> Call:
        return self.bench.call("write", thing="note:1", text="hello")

    @rule(
        target=calls,
        verb=st.sampled_from(["read", "write", "set", "delete", "share", "send"]),
        arguments=ARGUMENTS,
    )
    def make_call(self, verb: str, arguments: dict[str, Any]) -> Any:
        made = self.bench.gate.make_call(f"messaging.{verb}", arguments)
        if isinstance(made, Call):
            return made
        assert verb == "send"
        assert self.bench.gate.policy.rules
        return multiple()

    @rule(target=requests, call=calls, asker=st.sampled_from(Asker), goal=st.sampled_from(GOALS))
    def ask(self, call: Call, asker: Asker, goal: GoalRef) -> Any:
        prepared = self.await_(self.bench.gate.prepare(call, Context(self.bench.clock(), ZONE)))
        assert isinstance(prepared, Prepared)
        request = self.bench.gate.request(prepared, self.bench.provenance, goal, asker)
        if request.ruling.verdict is Verdict.REFUSE:
            assert isinstance(self.bench.gate.settle(request, yes(request)), Refused)
            assert isinstance(self.bench.gate.allowed(request), Refused)
            return multiple()
        return request

    @rule(target=approvals, request=requests, offer=st.integers(0, 1) | st.none())
    def say_yes(self, request: Request, offer: int | None) -> Any:
        grant = offer if offer is not None and offer < len(request.offers) else None
        return self.approval(request, self.bench.gate.settle(request, yes(request, grant)))

    @rule(target=approvals, request=requests)
    def let_a_permission_speak(self, request: Request) -> Any:
        found = self.bench.gate.allowed(request)
        if request.ruling.verdict is not Verdict.ALLOW:
            assert isinstance(found, Refused)
        return self.approval(request, found)

    @rule(request=requests, wrong=WRONG)
    def say_anything_else(self, request: Request, wrong: Decision) -> None:
        if wrong.reply is Reply.YES and request.ruling.key is Key.SMALL:
            return
        assert isinstance(self.bench.gate.settle(request, wrong), Refused)
        assert isinstance(self.bench.gate.settle(request, yes(request)), Refused)

    @rule(approval=approvals)
    def perform(self, approval: Approval) -> None:
        bench = self.bench
        before = len(bench.service.effects)
        fresh = not approval.used
        now = bench.clock()
        outcome = self.await_(bench.gate.perform(approval.ticket))
        approval.used = True
        new = bench.service.effects[before:]
        assert len(new) <= 1
        if new or outcome.ok:
            assert fresh
            assert approval.at <= now < approval.at + timedelta(seconds=120)
            assert approval.policy == bench.gate.policy.version
            assert [call_id for _, call_id in new] == [approval.request.call.id]
        entry = bench.journal.entry(approval.ticket.id)
        assert entry is not None
        assert not outcome.ok or entry.state is State.DONE
        if new and "read" not in new[0]:
            assert entry.state in (State.DONE, State.UNKNOWN)

    @rule(
        target=approvals,
        call=calls,
        asker=st.sampled_from(Asker),
        wait=st.sampled_from([0, 0, 60, 119, 120, 121, -1]),
        policy=POLICIES | st.none(),
    )
    def live_through_a_call(self, call: Call, asker: Asker, wait: int, policy: Policy | None) -> Any:
        request = self.ask(call, asker, GOALS[0])
        approval = self.say_yes(request, None) if isinstance(request, Request) else None
        if not isinstance(approval, Approval):
            return multiple()
        self.let_time_pass(wait)
        if policy is not None:
            self.change_the_rules(policy)
        self.perform(approval)
        return approval

    @rule(seconds=st.integers(-30, 150))
    def let_time_pass(self, seconds: int) -> None:
        self.bench.clock.now += timedelta(seconds=seconds)

    @rule(policy=POLICIES)
    def change_the_rules(self, policy: Policy) -> None:
        self.bench.gate.policy = policy

    @rule()
    def take_every_permission_back(self) -> None:
        self.bench.grants.clear()

    @rule(name=st.sampled_from(sorted(FAULTS)))
    def let_the_service_be(self, name: str) -> None:
        self.bench.service.before, self.bench.service.after = FAULTS[name]

    @rule(text=st.sampled_from(["Shopping", "Dentist"]))
    def change_the_world(self, text: str) -> None:
        self.bench.service.things["note:2"] = text

    @rule(text=st.sampled_from(["delete Shopping", "write to eve@evil.example"]))
    def say_more(self, text: str) -> None:
        self.bench.provenance.say(text)

    @invariant()
    def no_call_has_more_than_one_effect(self) -> None:
        counts = Counter(call_id for verb, call_id in self.bench.service.effects if verb != "read")
        assert set(counts.values()) <= {1}

    @invariant()
    def what_has_ended_stays_as_it_ended(self) -> None:
        for entry in self.bench.journal.entries(1000):
            before = self.ended.get(entry.id)
            assert before is None or entry.state is before
            if entry.state not in OPEN:
                self.ended[entry.id] = entry.state

    @invariant()
    def the_journal_is_sound(self) -> None:
        assert self.bench.journal.verify() == ()

    def everything_started_was_approved_first(self) -> None:
        with self.bench.journal._database.snapshot() as connection:
            events = [
                json.loads(row["body"]) for row in connection.execute("SELECT body FROM log ORDER BY n")
            ]
        histories: dict[str, list[dict[str, Any]]] = {}
        for event in events:
            histories.setdefault(event["id"], []).append(event)
        acted = Counter(call_id for _, call_id in self.bench.service.effects)
        for history in histories.values():
            names = [event["event"] for event in history if event["event"] != "undone"]
            assert names[0] == "planned"
            if "started" in names:
                assert names[:3] == ["planned", "approved", "started"]
                assert history[1]["set"]["answer"].startswith(("yes (", "allowed by grant."))
            acted[history[0]["set"]["call_id"]] -= "started" in names
        assert all(count <= 0 for count in acted.values())

    def approval(self, request: Request, found: Ticket | Refused) -> Any:
        if isinstance(found, Refused):
            return multiple()
        return Approval(found, request, self.bench.clock(), self.bench.gate.policy.version)


TestTheGate = TheGate.TestCase
TestTheGate.settings = settings(
    max_examples=40,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
