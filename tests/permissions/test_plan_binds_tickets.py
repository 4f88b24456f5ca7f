"""A yes under one plan is no yes under another: the digest of the sealed plan is part of what is approved."""

from dataclasses import replace

import pytest

from connectors.base import Call, Effect, Needs
from permissions.gate import Patience, Ticket
from permissions.plan import Plan, seal
from permissions.ticket import fingerprint, matches
from permissions.words import Refused, Request
from tests.permissions.fakes import ANA, Bench, prepared_for, yes


def sealed(bench: Bench, *calls: Call) -> Plan:
    plan = seal(bench.goal.text, calls, lambda tool: _effect(bench, tool))
    bench.goal = replace(bench.goal, plan=plan)
    return plan


def _effect(bench: Bench, tool: str) -> Effect:
    found = bench.gate.tool(tool)
    assert found
    return found.effect


async def letting_in(bench: Bench) -> Request:
    """Another call is let into the plan, and asked about."""
    other = bench.call("write", thing="note:1", text="milk")
    assert bench.goal.plan
    bench.goal = replace(bench.goal, plan=bench.goal.plan.let_in(other, Effect.WRITE))
    return await bench.ask(other)


@pytest.fixture
def send(bench: Bench) -> Call:
    call = bench.call("send", to=[ANA], text="hello")
    sealed(bench, call)
    return call


def test_the_fingerprint_is_of_one_plan() -> None:
    call = prepared_for()
    mine = fingerprint("r", call, "p", "one")
    assert matches(mine, "r", call, "p", "one")
    assert not matches(mine, "r", call, "p", "other")
    assert not matches(mine, "r", call, "p")
    assert fingerprint("r", call, "p") == fingerprint("r", call, "p", "")


async def test_a_question_shown_under_one_plan_cannot_be_answered_under_another(
    bench: Bench, send: Call
) -> None:
    shown = await bench.ask(send)
    await letting_in(bench)
    refused = bench.gate.settle(shown, yes(shown))
    assert isinstance(refused, Refused)
    assert refused.rule == "gate.changed"
    again = await bench.ask(send)
    ticket = bench.gate.settle(again, yes(again))
    assert isinstance(ticket, Ticket)
    assert (await bench.gate.perform(ticket)).ok


async def test_an_approval_of_one_plan_is_none_under_another(bench: Bench, send: Call) -> None:
    shown = await bench.ask(send)
    ticket = bench.gate.settle(shown, yes(shown))
    assert isinstance(ticket, Ticket)
    await letting_in(bench)
    outcome = await bench.gate.perform(ticket)
    assert (outcome.ok, outcome.needs) == (False, Needs.CONFLICT)
    assert outcome.text == "It changed after it was approved; nothing was done."
    assert bench.service.effects == []


async def test_what_the_ruling_allows_unasked_is_allowed_under_its_own_plan_only(
    bench: Bench, send: Call
) -> None:
    reading = bench.call("read", thing="note:1")
    sealed(bench, send, reading, bench.call("read", thing="note:1"))
    first = await bench.ask(reading)
    grant = next(offer.grant for offer in first.offers)
    bench.gate.settle(first, replace(yes(first), grant=grant))
    second = await bench.ask(bench.call("read", thing="note:1"))
    await letting_in(bench)
    refused = bench.gate.allowed(second)
    assert isinstance(refused, Refused)
    assert refused.rule == "gate.changed"


async def test_the_plan_of_another_goal_changes_nothing(bench: Bench, send: Call) -> None:
    shown = await bench.ask(send)
    mine = bench.goal
    bench.goal = replace(mine, id="goal-2", plan=None)
    await bench.ask(bench.call("read", thing="note:1"))
    ticket = bench.gate.settle(shown, yes(shown))
    assert isinstance(ticket, Ticket)
    assert (await bench.gate.perform(ticket)).ok


async def test_a_call_that_cannot_be_judged_leaves_the_plan_as_it_was(bench: Bench, send: Call) -> None:
    shown = await bench.ask(send)
    strange = replace(prepared_for("messaging.nothing"), call=Call("c", "messaging.nothing", {}))
    bench.gate.request(strange, bench.provenance, bench.goal)
    ticket = bench.gate.settle(shown, yes(shown))
    assert isinstance(ticket, Ticket)


async def test_what_is_held_goes_out_under_the_plan_that_it_was_approved_under(bench: Bench) -> None:
    bench.patience = Patience(hold=0.01)
    bench.journal.close()
    bench.__post_init__()
    send = bench.call("send", to=[ANA], text="hello")
    sealed(bench, send)
    shown = await bench.ask(send)
    ticket = bench.gate.settle(shown, yes(shown))
    assert isinstance(ticket, Ticket)
    assert (await bench.gate.perform(ticket)).until
    await letting_in(bench)
    await bench.gate.outbox.settled()
    assert bench.service.effects == [("send", send.id)]
