"""What runs unasked says by which rule or permission, and what does not says why not."""

from datetime import timedelta

from permissions.gate import Ticket
from permissions.policy import Policy, Rule
from permissions.words import Limit, Refused, Scope, Verdict, Width
from tests.permissions.fakes import Bench, yes

MINE = Rule("mine", Verdict.ALLOW, "messaging", "write", limits=(Limit("thing", Width.IS, ("note:1",)),))
GOAL_TEXT = "write milk into note:1"


def rule_of_the_person(bench: Bench) -> None:
    bench.gate.policy = Policy((MINE,))
    bench.provenance.say(GOAL_TEXT)


async def test_a_call_without_a_plan_is_no_step_of_one(bench: Bench) -> None:
    request = bench.gate.request(
        await bench.prepare(bench.call("write", thing="note:1", text="milk")), bench.provenance, bench.goal
    )
    assert (request.step, request.steps) == (0, 0)
    (entry,) = bench.journal.entries()
    assert (entry.why.step, entry.why.steps, entry.why.policy) == (0, 0, bench.gate.policy.version)


async def test_what_a_rule_allows_runs_by_that_rule_and_without_a_permission(bench: Bench) -> None:
    rule_of_the_person(bench)
    request = await bench.ask(bench.call("write", thing="note:1", text="milk"))
    assert (request.ruling.verdict, request.ruling.rule) == (Verdict.ALLOW, "user.allow:mine")
    ticket = bench.gate.allowed(request)
    assert isinstance(ticket, Ticket)
    assert ticket.expires - ticket.issued == timedelta(seconds=120)
    (entry,) = bench.journal.entries()
    assert (entry.answer, entry.consent) == ("allowed by user.allow:mine", None)
    assert entry.why.policy == bench.gate.policy.version
    assert (await bench.gate.perform(ticket)).ok
    assert bench.service.things["note:1"] == "milk"


async def test_what_a_permission_covers_runs_by_that_permission_and_uses_it(bench: Bench) -> None:
    bench.provenance.say(GOAL_TEXT)
    asked = await bench.ask(bench.call("write", thing="note:1", text="milk"))
    offer = next(offer for offer in asked.offers if offer.grant.scope is Scope.GOAL)
    number = asked.offers.index(offer)
    assert isinstance(bench.gate.settle(asked, yes(asked, grant=number)), Ticket)
    again = await bench.ask(bench.call("write", thing="note:1", text="eggs"))
    assert isinstance(bench.gate.allowed(again), Ticket)
    newest = bench.journal.entries()[0]
    assert newest.answer == "allowed by grant.goal"
    assert newest.consent is not None
    assert (newest.consent.scope, newest.consent.tool) == (Scope.GOAL, "messaging.write")
    assert [held.uses for held in bench.grants.held()] == [1]


async def test_what_lost_its_rule_meanwhile_is_not_allowed_any_more(bench: Bench) -> None:
    rule_of_the_person(bench)
    request = await bench.ask(bench.call("write", thing="note:1", text="milk"))
    bench.gate.policy = Policy()
    assert bench.gate.allowed(request) == Refused("no permission covers it", "gate.grant")
    assert bench.journal.entries()[0].answer == "refused: no permission covers it"
    assert bench.gate.allowed(request) == Refused("this question is not open any more", "gate.not_open")
