"""A service that says it did more than was shown is believed: the goal is over, and it is told as it is."""

from dataclasses import replace

import pytest

from connectors.base import Call, Effect, Outcome, Prepared
from permissions.entry import State
from permissions.report import beyond
from permissions.words import GoalRef, Verdict
from tests.permissions.fakes import ANA, EVE, Bench, prepared_for

UNDO = Call("u", "messaging.undo", {"record": "r"})


def telling(bench: Bench, monkeypatch: pytest.MonkeyPatch, outcome: Outcome) -> None:
    async def perform(prepared: Prepared) -> Outcome:
        return outcome

    monkeypatch.setattr(bench.service, "perform", perform)


@pytest.mark.parametrize(
    ("outcome", "more"),
    [
        (Outcome(ok=True, text=""), ""),
        (Outcome(ok=True, text="", effects=frozenset({Effect.SEND}), touched=(ANA,)), ""),
        (Outcome(ok=True, text="", effects=frozenset(), touched=()), ""),
        (Outcome(ok=True, text="", effects=frozenset({Effect.SEND, Effect.DELETE})), "delete"),
        (Outcome(ok=True, text="", touched=(ANA, EVE)), EVE),
        (Outcome(ok=False, text="", effects=frozenset({Effect.WRITE}), touched=("a\nb",)), "write, a⏎b"),
        (Outcome(ok=True, text="", touched=tuple("123456")), "1, 2, 3, 4, 5"),
    ],
)
def test_what_goes_beyond_is_named(outcome: Outcome, more: str) -> None:
    assert beyond(prepared_for(), outcome) == more


@pytest.mark.parametrize("ok", [True, False])
async def test_doing_more_than_was_shown_is_no_success_and_ends_the_goal(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, ok: bool
) -> None:
    telling(bench, monkeypatch, Outcome(ok=ok, text="Sent.", touched=(ANA, EVE), undo=UNDO))
    outcome = await bench.run(bench.call("send", to=[ANA]))
    assert (outcome.ok, outcome.text) == (False, f"messaging did more than was shown: {EVE}. Sent.")
    (entry,) = bench.journal.entries()
    assert (entry.state, entry.outcome, entry.undo) == (State.DIVERGED, outcome.text, UNDO)
    assert bench.journal.last_undoable() == entry
    for verb in ("read", "send"):
        request = await bench.ask(bench.call(verb, to=[ANA], thing="note:1"))
        assert (request.ruling.verdict, request.ruling.rule) == (Verdict.REFUSE, "floor.diverged")
        assert request.offers == ()
    assert bench.states()[:2] == ["denied", "denied"]
    bench.goal = GoalRef("goal-2", "another goal")
    assert (await bench.ask(bench.call("read", thing="note:1"))).ruling.verdict is not Verdict.REFUSE


async def test_doing_less_than_was_shown_is_no_fault(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = Outcome(ok=True, text="Sent.", effects=frozenset({Effect.SEND}), touched=())
    telling(bench, monkeypatch, outcome)
    assert await bench.run(bench.call("send", to=[ANA, EVE])) == replace(outcome, undo=None)
    assert bench.states() == ["done"]
