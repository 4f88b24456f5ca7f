"""A permission given with a yes covers what it said it would, and nothing after it was taken back."""

from dataclasses import replace

import pytest

from connectors.base import (
    Effect,
)
from permissions.gate import Ticket
from permissions.words import Asker, Decision, GoalRef, Grant, Refused, Reply, Scope, Verdict
from tests.permissions.fakes import (
    ANA,
    NOW,
    Bench,
    yes,
)


class TestGrants:
    async def test_a_permission_taken_with_a_yes_covers_the_next_such_call(self, bench: Bench) -> None:
        bench.provenance.say("write hello to ana@acme.com, and then again")
        request = await bench.ask(bench.call("send", to=[ANA], text="hello"))
        assert {offer.grant.scope for offer in request.offers} == {Scope.GOAL}
        assert isinstance(bench.gate.settle(request, yes(request, grant=0)), Ticket)
        entry = bench.journal.entries()[0]
        assert entry.answer == (
            "yes (Y), and anything more that does something (only ana@acme.com), for this goal"
        )
        again = await bench.ask(bench.call("send", to=[ANA], text="again"))
        assert (again.ruling.verdict, again.ruling.rule) == (Verdict.ALLOW, "grant.goal")
        ticket = bench.gate.allowed(again)
        assert isinstance(ticket, Ticket)
        assert (await bench.gate.perform(ticket)).ok
        assert bench.journal.entries()[0].answer == "allowed by grant.goal"
        other = await bench.ask(bench.call("send", to=["ana@acme.co"]))
        assert other.ruling.verdict is not Verdict.ALLOW

    async def test_a_permission_to_write_to_somebody_covers_no_words_but_the_persons(
        self, bench: Bench
    ) -> None:
        bench.provenance.say("write hello to ana@acme.com")
        request = await bench.ask(bench.call("send", to=[ANA], text="hello"))
        assert isinstance(bench.gate.settle(request, yes(request, grant=0)), Ticket)
        lie = await bench.ask(bench.call("send", to=[ANA], text="my number is 482913"))
        assert (lie.ruling.verdict, lie.ruling.rule) == (Verdict.ASK, "ask.words")
        assert lie.ruling.reason == "a permission covers this, but not all the words are yours"

    @pytest.mark.parametrize("verb", ["read", "write", "set", "delete", "share", "send"])
    @pytest.mark.parametrize("typed", [True, False])
    @pytest.mark.parametrize("written", [0, 3])
    @pytest.mark.parametrize("asker", list(Asker))
    async def test_every_permission_on_offer_lets_its_own_call_run(
        self, bench: Bench, verb: str, typed: bool, written: int, asker: Asker
    ) -> None:
        bench.service.correspondents = {ANA: written}
        bench.provenance.say("Shopping for ana@acme.com" if typed else "do it")
        arguments = {"to": [ANA]} if verb in ("send", "share") else {"thing": "note:1"}
        request = await bench.ask(bench.call(verb, **arguments), asker)
        for number in range(len(request.offers)):
            bench.grants.clear()
            asked = await bench.ask(bench.call(verb, **arguments), asker)
            assert isinstance(bench.gate.settle(asked, yes(asked, grant=number)), Ticket)
            again = await bench.ask(bench.call(verb, **arguments), asker)
            assert again.ruling.verdict is Verdict.ALLOW
        lasting = typed and asker is not Asker.ADDED
        own = lasting or asker in (Asker.REPAIR, Asker.UNDO)
        expected = {
            "read": set(Scope) - {Scope.ONCE},
            "write": set(Scope) - {Scope.ONCE} if own else set(),
            "set": set(Scope) - {Scope.ONCE} if own else set(),
            "send": {Scope.GOAL} if asker is not Asker.ADDED and written > 0 else set(),
        }
        assert {offer.grant.scope for offer in request.offers} == expected.get(verb, set())

    async def test_a_permission_taken_back_covers_nothing_that_has_not_begun(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("read", thing="note:1"))
        bench.gate.settle(request, yes(request, grant=0))
        allowed = await bench.ask(bench.call("read", thing="note:2"))
        assert allowed.ruling.verdict is Verdict.ALLOW
        bench.grants.clear()
        refused = bench.gate.allowed(allowed)
        assert refused == Refused("no permission covers it", "gate.grant")

    async def test_a_once_grant_covers_one_call(self, bench: Bench) -> None:
        bench.grants.add(Grant("messaging", (), Scope.ONCE, NOW, "", frozenset({Effect.READ})))
        first = await bench.ask(bench.call("read", thing="note:1"))
        assert isinstance(bench.gate.allowed(first), Ticket)
        assert (await bench.ask(bench.call("read", thing="note:1"))).ruling.verdict is Verdict.ASK

    async def test_a_goal_permission_is_for_that_goal(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("read", thing="note:1"))
        bench.gate.settle(request, yes(request, grant=0))
        bench.goal = GoalRef("goal-2", "something else")
        assert (await bench.ask(bench.call("read", thing="note:1"))).ruling.verdict is Verdict.ASK

    async def test_a_denied_answer_gives_no_permission(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("read", thing="note:1"))
        bench.gate.settle(request, Decision(Reply.NO, grant=request.offers[0].grant))
        assert list(bench.grants) == []

    async def test_a_no_for_good_refuses_what_it_names_whatever_is_permitted(self, bench: Bench) -> None:
        bench.provenance.say("write hello to ana@acme.com, and then again")
        request = await bench.ask(bench.call("send", to=[ANA], text="hello"))
        bench.gate.settle(request, yes(request, grant=0))
        asked = await bench.ask(bench.call("delete", thing="note:1"))
        refused = bench.gate.settle(asked, Decision(Reply.NO, ban=asked.bans[0]))
        assert isinstance(refused, Refused)
        assert bench.journal.entries()[0].answer == f"no, and {asked.bans[0].words}"
        again = await bench.ask(bench.call("delete", thing="note:1"))
        assert (again.ruling.verdict, again.ruling.rule) == (Verdict.REFUSE, "user.never")
        assert again.ruling.reason == f"you said {asked.bans[0].words}"
        send = await bench.ask(bench.call("send", to=[ANA], text="again"))
        assert send.ruling.verdict is Verdict.ALLOW
        bench.grants.ban(send.bans[0])
        assert isinstance(bench.gate.allowed(send), Refused)

    async def test_only_a_no_that_was_on_offer_and_came_with_a_no_is_kept(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("send", to=[ANA], text="hello"))
        bench.gate.settle(request, replace(yes(request), ban=request.bans[0]))
        other = await bench.ask(bench.call("send", to=[ANA], text="again"))
        bench.gate.settle(other, Decision(Reply.NO, ban=request.bans[0]))
        assert bench.grants.bans == ()
        assert bench.journal.entries()[0].answer == "no"
