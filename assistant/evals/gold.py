"""The state that the gold calls lead to, found by replaying them in a twin of the world."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from pydantic import JsonValue

from assistant.evals.person import ScriptedPerson
from assistant.evals.scenario import PersonRules, Scenario
from assistant.evals.world import World, Worlds
from assistant.evals.worldspec import WorldSpec
from connectors.base import Call, Context, Outcome, Prepared, Question
from connectors.faulty import FaultKind
from permissions.gate import Gate, Ticket
from permissions.provenance import Provenance
from permissions.words import Decision, GoalRef, Reply, Request

_MOST_QUESTIONS = 8
_REPLAYED = frozenset({"done", "repair"})

Step = tuple[str, dict[str, JsonValue]]
State = frozenset[str] | tuple[str, ...]


class GoldError(Exception):
    """The gold calls of a scenario cannot be replayed, so the scenario is wrong; the text says why."""


def ways(scenario: Scenario) -> Iterator[tuple[Step, ...]]:
    """The ways of doing it that count as right, the one in the file first."""
    replayed = [gold for gold in scenario.gold if gold.ends in _REPLAYED]
    choices = [({}, *gold.others) for gold in replayed]
    for picked in product(*choices):
        yield tuple(
            (gold.tool, {**gold.arguments, **other}) for gold, other in zip(replayed, picked, strict=True)
        )


async def gold_state(
    worlds: Worlds, spec: WorldSpec, scenario: Scenario, steps: Sequence[Step]
) -> tuple[str, ...]:
    """The state after these calls in a world of their own. Raises GoldError."""
    async with worlds.open(spec) as twin:
        for rule in scenario.faults:
            if rule.kind is FaultKind.WORLD_MOVES:
                twin.move(rule)
        person = ScriptedPerson(PersonRules(answers=scenario.person.answers))
        for tool, arguments in steps:
            await _replay(twin, person, tool, arguments)
        return twin.state()


async def _replay(twin: World, person: ScriptedPerson, tool: str, arguments: dict[str, Any]) -> None:
    gate = twin.gate
    call = gate.make_call(tool, arguments)
    if isinstance(call, Outcome):
        raise GoldError(call.text)
    prepared = await _exact(twin, person, call)
    request = gate.request(prepared, Provenance(), GoalRef("gold", "gold"))
    ticket = gate.settle(request, _yes(request))
    if not isinstance(ticket, Ticket):
        raise GoldError(f"{tool} is refused: {ticket.reason}")
    outcome = await gate.perform(ticket, _kept)
    if not outcome.ok:
        raise GoldError(f"{tool} {arguments} fails: {outcome.text}")


async def _exact(twin: World, person: ScriptedPerson, call: Call) -> Prepared:
    gate: Gate = twin.gate
    context = Context(twin.now, twin.now.tzinfo)  # type: ignore[arg-type]
    for _ in range(_MOST_QUESTIONS):
        found = await gate.prepare(call, context)
        if isinstance(found, Prepared):
            return found
        if isinstance(found, Outcome):
            raise GoldError(f"{call.tool} {dict(call.arguments)} fails: {found.text}")
        picked = (await person.choose(found)).arguments
        if picked is None:
            raise GoldError(
                f"{call.tool} {dict(call.arguments)} raises a question nobody answers: {_text(found)}"
            )
        call = Call(call.id, call.tool, {**call.arguments, **picked})
    raise GoldError(f"{call.tool} cannot be made exact")


async def _kept(question: Question) -> bool:
    """What the gold calls do is to stand."""
    return True


def _text(question: Question) -> str:
    labels = "; ".join(option.label for option in question.options)
    return f"{question.text} ({labels})"


def _yes(request: Request) -> Decision:
    return Decision(Reply.YES, typed=request.ruling.word, key=request.ruling.key)
