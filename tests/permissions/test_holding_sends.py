"""A send waits after the yes, can be taken back until its time has come, and no restart releases it."""

import asyncio
import stat
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import time, timedelta
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Call, Context, Effect, Needs, Outcome, Prepared, Preview, Question, failed
from permissions.entry import State
from permissions.gate import Ticket
from permissions.policy import Policy, Rule
from permissions.rules import Hours
from permissions.words import Verdict
from tests.permissions.fakes import ANA, NOW, Bench, FakeService, yes
from tests.permissions.held import HoldingBench, ripples

HELLO = Call("hello", "messaging.send", {"to": [ANA], "text": "hello"})


@pytest.fixture
async def bench(folder: Path) -> AsyncIterator[HoldingBench]:
    made = HoldingBench(folder)
    yield made
    await made.gate.outbox.close()
    made.journal.close()


def shelf(bench: Bench) -> list[Path]:
    return sorted(bench.folder.glob("journal.db.held/*"))


async def test_a_send_waits_and_it_is_said_so(bench: HoldingBench) -> None:
    outcome = await bench.run(HELLO)
    assert outcome == Outcome(
        ok=True, text="Held; goes out at 10:00:30 unless you undo it.", until=NOW + timedelta(seconds=30)
    )
    assert (bench.service.effects, bench.states()) == ([], ["held"])
    (entry,) = bench.journal.entries()
    assert (entry.until, entry.ended) == (NOW + timedelta(seconds=30), None)
    (held,) = bench.gate.outbox.waiting
    assert (held.title, bench.gate.outbox.left(held)) == ("Send something", 30)


async def test_it_goes_out_once_when_its_time_has_come(bench: HoldingBench) -> None:
    await bench.run(HELLO)
    await bench.steady.pass_(29.9)
    assert bench.service.effects == []
    await bench.steady.pass_(0.1)
    assert bench.service.effects == [("send", "hello")]
    assert bench.states() == ["done"]
    (released,) = bench.released
    assert (released.call.id, released.outcome) == ("hello", Outcome(ok=True, text="Done: send."))
    await bench.steady.pass_(1000)
    assert len(bench.service.effects) == 1
    assert bench.gate.outbox.waiting == ()


@pytest.mark.parametrize("after", [0, 15, 29.9])
async def test_it_can_be_taken_back_until_then(bench: HoldingBench, after: float) -> None:
    await bench.run(HELLO)
    await bench.steady.pass_(after)
    (held,) = bench.gate.outbox.waiting
    assert bench.gate.outbox.withdraw(held.id)
    await bench.steady.pass_(1000)
    assert (bench.service.effects, bench.states()) == ([], ["withdrawn"])
    assert bench.journal.entries()[0].outcome == "Not sent: you took it back."
    assert not bench.gate.outbox.withdraw(held.id)
    assert [released.outcome for released in bench.released] == [None]


async def test_what_has_gone_out_cannot_be_taken_back(bench: HoldingBench) -> None:
    await bench.run(HELLO)
    (held,) = bench.gate.outbox.waiting
    await bench.steady.pass_(30)
    assert not bench.gate.outbox.withdraw(held.id)
    assert bench.states() == ["done"]


@pytest.mark.parametrize("jump", [timedelta(days=1), timedelta(days=-1), timedelta(seconds=31)])
async def test_setting_the_clock_neither_shortens_nor_lengthens_the_wait(
    bench: HoldingBench, jump: timedelta
) -> None:
    await bench.run(HELLO)
    bench.clock.now += jump
    await bench.steady.startle()
    await bench.steady.pass_(29.9)
    assert bench.service.effects == []
    await bench.steady.pass_(0.2)
    assert bench.service.effects == [("send", "hello")]


async def test_the_goal_goes_on_while_a_send_waits(bench: HoldingBench) -> None:
    await bench.run(HELLO)
    assert (await bench.run(bench.call("write", thing="note:1", text="milk"))).ok
    assert (await bench.run(bench.call("read", thing="note:1"))).content == "milk"
    assert bench.gate.outbox.waiting


@pytest.mark.parametrize("verb", ["read", "write", "set", "delete", "share"])
async def test_only_what_is_sent_waits(bench: HoldingBench, verb: str) -> None:
    outcome = await bench.run(bench.call(verb, to=[ANA], thing="note:1", text="x"))
    assert (outcome.ok, outcome.until, bench.states()) == (True, None, ["done"])


async def test_nothing_waits_where_that_is_not_wanted(folder: Path) -> None:
    bench = HoldingBench(folder, hold=0)
    assert (await bench.run(HELLO)).until is None
    assert bench.service.effects == [("send", "hello")]
    bench.journal.close()


class MovingService(FakeService):
    """Says something else when it is asked to look again."""

    def __init__(self, second: Any) -> None:
        super().__init__()
        self._second = second
        self._looks = 0

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        self._looks += 1
        if self._looks == 2:
            if isinstance(self._second, Exception):
                raise self._second
            if self._second is not None:
                return self._second
            found = await super().prepare(call, context)
            assert isinstance(found, Prepared)
            return replace(found, preview=Preview("Send something else", "does something"))
        return await super().prepare(call, context)


OFFLINE = failed(Needs.OFFLINE, "Wi-Fi is off.")


@pytest.mark.parametrize(
    ("second", "needs", "text"),
    [
        (OFFLINE, Needs.OFFLINE, "Wi-Fi is off."),
        (None, Needs.CONFLICT, "It changed since you were asked; nothing was sent."),
        (Question("Which?"), Needs.CONFLICT, "It changed since you were asked; nothing was sent."),
        (Outcome(ok=True, text="?"), Needs.CONFLICT, "It changed since you were asked; nothing was sent."),
    ],
)
async def test_what_stands_in_the_way_is_told_before_anything_waits(
    folder: Path, second: Any, needs: Needs, text: str
) -> None:
    bench = HoldingBench(folder)
    bench.service = MovingService(second)
    bench.hold_for(30, bench.gate.outbox._outbox)
    outcome = await bench.run(HELLO)
    assert (outcome.ok, outcome.needs, outcome.text) == (False, needs, text)
    assert (bench.gate.outbox.waiting, shelf(bench), bench.states()) == ((), [], ["failed"])
    assert bench.journal.entries()[0].outcome == text
    bench.journal.close()


async def test_what_a_new_look_chooses_anew_is_no_change(folder: Path) -> None:
    bench = HoldingBench(folder)
    request = await bench.ask(HELLO)
    ticket = bench.gate.settle(request, yes(request))
    assert isinstance(ticket, Ticket)
    before, bench.service.things["note:9"] = bench.service.basis, "another"
    assert bench.service.basis != before
    assert (await bench.gate.perform(ticket)).until is not None
    bench.journal.close()


async def test_what_could_not_be_done_is_not_held_unchanged_until_a_repair(folder: Path) -> None:
    bench = HoldingBench(folder)
    bench.service = MovingService(OFFLINE)
    bench.hold_for(30, bench.gate.outbox._outbox)
    await bench.run(HELLO)
    assert (await bench.ask(HELLO)).ruling.rule == "floor.repeated"
    bench.journal.close()


async def test_stopping_while_it_looks_ahead_sends_and_holds_nothing(bench: HoldingBench) -> None:
    request = await bench.ask(HELLO)
    ticket = bench.gate.settle(request, yes(request))
    assert isinstance(ticket, Ticket)
    reached = asyncio.Event()

    async def for_ever(call: Call, context: Context) -> Any:
        reached.set()
        await asyncio.Event().wait()

    bench.service.prepare = for_ever
    task = asyncio.create_task(bench.gate.perform(ticket))
    await reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (bench.states(), bench.service.effects, shelf(bench)) == (["failed"], [], [])
    assert bench.journal.entries()[0].outcome == "It was stopped before it began."


@pytest.mark.parametrize(
    "rule",
    [
        Rule("quiet", Verdict.REFUSE, effect=Effect.SEND),
        Rule("by day", Verdict.REFUSE, hours=Hours(time(9), time(18))),
    ],
)
async def test_a_rule_that_comes_meanwhile_stops_it(bench: HoldingBench, rule: Rule) -> None:
    await bench.run(HELLO)
    bench.gate.policy = Policy((rule,))
    await bench.steady.pass_(30)
    assert (bench.service.effects, bench.states()) == ([], ["withdrawn"])
    (released,) = bench.released
    assert released.outcome == failed(
        Needs.CONFLICT, "A rule about it changed while it waited; it was not sent."
    )


@pytest.mark.parametrize(
    "rule",
    [
        Rule("careful", Verdict.REFUSE, effect=Effect.DELETE),
        Rule("by night", Verdict.REFUSE, hours=Hours(time(22), time(7))),
    ],
)
async def test_a_rule_about_something_else_lets_it_go(bench: HoldingBench, rule: Rule) -> None:
    await bench.run(HELLO)
    bench.gate.policy = Policy((rule,))
    await bench.steady.pass_(30)
    assert bench.service.effects == [("send", "hello")]


async def test_what_was_approved_is_what_goes_out_or_nothing(bench: HoldingBench) -> None:
    request = await bench.ask(HELLO)
    ticket = bench.gate.settle(request, yes(request))
    assert isinstance(ticket, Ticket)
    await bench.gate.perform(ticket)
    request.prepared.payload["text"] = "poison"
    await bench.steady.pass_(30)
    assert (bench.service.effects, bench.states()) == ([], ["withdrawn"])


async def test_a_send_that_fails_when_its_time_has_come_is_told_as_failed(bench: HoldingBench) -> None:
    await bench.run(HELLO)
    bench.service.things["note:2"] = "moved"
    await bench.steady.pass_(30)
    assert bench.states() == ["failed"]
    assert bench.released[0].outcome == failed(Needs.CONFLICT, "It has changed.")
    assert shelf(bench) == []


async def test_what_is_held_is_kept_whole_and_private_and_only_so_long(bench: HoldingBench) -> None:
    await bench.run(HELLO)
    (kept,) = shelf(bench)
    assert (stat.S_IMODE(kept.stat().st_mode), stat.S_IMODE(kept.parent.stat().st_mode)) == (0o600, 0o700)
    (entry,) = bench.journal.entries()
    again = bench.journal.shelf.call(entry.id)
    assert again is not None
    assert (again.tool, again.arguments) == (HELLO.tool, HELLO.arguments)
    assert again.id != HELLO.id
    await bench.steady.pass_(30)
    assert shelf(bench) == []


async def test_a_send_that_cannot_be_kept_is_not_held_and_not_sent(bench: HoldingBench) -> None:
    (bench.folder / "journal.db.held").write_text("in the way")
    outcome = await bench.run(HELLO)
    assert (outcome.ok, outcome.needs) == (False, Needs.UNAVAILABLE)
    assert outcome.text.endswith("Nothing was done.")
    await bench.steady.pass_(60)
    assert (bench.service.effects, bench.states()) == ([], ["denied"])


async def test_a_restart_releases_nothing_and_tells_of_what_was_held(folder: Path) -> None:
    first = HoldingBench(folder)
    await first.run(HELLO)
    await first.gate.outbox.close()
    first.journal.close()
    second = HoldingBench(folder)
    assert second.journal.unfinished() == ()
    await second.steady.pass_(10_000)
    (entry,) = second.journal.unclear()
    assert (entry.state, entry.call_id) == (State.HELD, "hello")
    assert (first.service.effects, second.service.effects) == ([], [])
    twin = await second.run(HELLO)
    assert not twin.ok, "the very same call cannot be held twice"
    second.gate.drop(entry)
    assert second.journal.unclear() == ()
    dropped = second.journal.entry(entry.id)
    assert dropped is not None
    assert (dropped.state, dropped.outcome) == (State.WITHDRAWN, "Not sent: you let it go.")
    assert shelf(second) == []
    second.journal.close()


async def test_what_another_running_askfirst_holds_is_its_own(folder: Path) -> None:
    first, second = HoldingBench(folder), HoldingBench(folder)
    await first.run(HELLO)
    assert second.journal.unfinished() == ()
    assert second.journal.unclear() == ()
    assert len(shelf(second)) == 1
    await first.gate.outbox.close()
    first.journal.close()
    second.journal.close()


async def test_ending_waits_for_what_is_on_its_way_and_keeps_the_rest_held(bench: HoldingBench) -> None:
    go_on = asyncio.Event()

    async def slow(prepared: Prepared) -> None:
        await go_on.wait()

    bench.service.after = slow
    await bench.run(HELLO)
    await bench.steady.pass_(10)
    await bench.run(Call("later", "messaging.send", {"to": [ANA], "text": "later"}))
    await bench.steady.pass_(20)
    closing = asyncio.create_task(bench.gate.outbox.close())
    await ripples()
    assert not closing.done()
    go_on.set()
    await closing
    assert bench.states() == ["held", "done"]


async def test_several_wait_side_by_side_and_all_can_be_taken_back_at_once(bench: HoldingBench) -> None:
    for number in range(3):
        await bench.run(Call(f"c{number}", "messaging.send", {"to": [ANA], "text": str(number)}))
        await bench.steady.pass_(1)
    assert [bench.gate.outbox.left(held) for held in bench.gate.outbox.waiting] == [27, 28, 29]
    assert bench.gate.outbox.withdraw_all("the panic key") == 3
    await bench.steady.pass_(60)
    assert (bench.service.effects, set(bench.states())) == ([], {"withdrawn"})
    assert bench.journal.entries()[0].outcome == "Not sent: the panic key."


async def test_whoever_looks_on_cannot_stop_it(bench: HoldingBench) -> None:
    def broken(released: object) -> None:
        raise RuntimeError("drawing failed")

    bench.gate.outbox.watchers.insert(0, broken)
    assert (await bench.run(HELLO)).ok
    await bench.steady.pass_(30)
    assert (bench.states(), len(bench.released)) == (["done"], 1)


async def test_settled_comes_when_nothing_waits_any_more(bench: HoldingBench) -> None:
    await bench.gate.outbox.settled()
    await bench.run(HELLO)
    settled = asyncio.create_task(bench.gate.outbox.settled())
    await ripples()
    assert not settled.done()
    await bench.steady.pass_(30)
    assert settled.done()


async def test_a_shelf_takes_no_name_but_an_id_and_forgets_what_nobody_needs(bench: HoldingBench) -> None:
    with pytest.raises(OSError, match="no id"):
        bench.journal.shelf.keep("../outside", HELLO)
    bench.journal.shelf.keep("0" * 32, HELLO)
    assert bench.journal.shelf.call("1" * 32) is None
    (bench.folder / "journal.db.held" / ("2" * 32 + ".json")).write_text("[]")
    assert bench.journal.shelf.call("2" * 32) is None
    bench.journal.unfinished()
    assert shelf(bench) == []


async def test_the_question_says_how_long_a_send_will_wait(bench: HoldingBench) -> None:
    assert (await bench.ask(bench.call("send", to=[ANA]))).hold == 30
    assert (await bench.ask(bench.call("write", thing="note:1", text="x"))).hold == 0


async def test_a_start_leaves_alone_what_another_askfirst_is_about_to_hold(bench: HoldingBench) -> None:
    request = await bench.ask(HELLO)
    assert isinstance(bench.gate.settle(request, yes(request)), Ticket)
    bench.journal.shelf.keep(request.id, HELLO)
    other = HoldingBench(bench.folder)
    other.journal.unfinished()
    assert len(shelf(bench)) == 1
    other.journal.close()
