"""What lets a call run unasked is kept whole, and a word counts only as it is asked for."""

import pytest

from connectors.base import Effect, Resolved, Role
from permissions.entry import Consent
from permissions.gate import Ticket
from permissions.policy import Policy, Rule
from permissions.words import Decision, Key, Limit, Refused, Reply, Scope, Verdict, Width
from tests.permissions.fakes import ANA, NOW, Bench, prepared_for, yes

SEND, WRITE = frozenset({Effect.SEND}), frozenset({Effect.WRITE})
SHOPPING = Limit("thing", Width.IS, ("note:1",))


async def test_the_permission_that_let_a_call_run_is_in_the_journal(bench: Bench) -> None:
    request = await bench.ask(bench.call("send", to=[ANA], text="hello"))
    assert isinstance(bench.gate.settle(request, yes(request, grant=0)), Ticket)
    again = await bench.ask(bench.call("send", to=[ANA], text="hello"))
    assert isinstance(bench.gate.allowed(again), Ticket)
    assert bench.journal.entries()[0].consent == Consent(
        None, "", Scope.GOAL, "messaging.send", NOW, SEND, (("to", (ANA,)),)
    )


async def test_where_a_rule_let_it_run_there_is_none(bench: Bench) -> None:
    bench.gate.policy = Policy((Rule("fine", Verdict.ALLOW, effect=Effect.WRITE, limits=(SHOPPING,)),))
    bench.provenance.say("put milk into Shopping")
    request = await bench.ask(bench.call("write", thing="note:1", text="milk"))
    assert isinstance(bench.gate.allowed(request), Ticket)
    (entry,) = bench.journal.entries()
    assert (entry.answer, entry.consent) == ("allowed by user.allow:fine", None)


@pytest.mark.parametrize(
    ("typed", "runs"),
    [("hauptstraße", True), (" HauptSTRAßE ", True), ("hauptstrasse", False), ("HAUPTSTRASSE", False)],
)
def test_a_word_is_not_typed_by_another_that_has_the_same_capitals(
    bench: Bench, typed: str, runs: bool
) -> None:
    bench.gate.policy = Policy((Rule("careful", Verdict.ASK_TYPED, effect=Effect.WRITE),))
    place = Resolved(Role.DESTINATION, "to", "Hauptstraße", "Hauptstraße")
    prepared = prepared_for("messaging.write", WRITE, (place,), {"to": ["Hauptstraße"]})
    request = bench.gate.request(prepared, bench.provenance, bench.goal)
    assert request.ruling.word == "hauptstraße"
    found = bench.gate.settle(request, Decision(Reply.YES, typed=typed, key=Key.TYPED))
    assert isinstance(found, Ticket if runs else Refused)
