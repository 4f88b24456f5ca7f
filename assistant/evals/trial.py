"""Runs scenarios: the person speaks, a model plans, real services act, and the end is compared."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant.doubt import DID_YOU_MEAN
from assistant.evals.gold import GoldError, gold_state, ways
from assistant.evals.library import Entry, ScenarioError
from assistant.evals.meter import Count, MeteredModel
from assistant.evals.person import ScriptedPerson
from assistant.evals.scenario import Half, Kind
from assistant.evals.verdict import Seen, faults_in, stray
from assistant.evals.world import Worlds

State = tuple[str, ...]
ModelFor = Callable[[Entry], MeteredModel]


@dataclass(frozen=True, slots=True)
class Trial:
    """One run of one scenario; `faults` say why it did not pass, `strays` are effects nobody asked for."""

    name: str
    kind: Kind
    half: Half
    faults: tuple[str, ...]
    strays: tuple[str, ...]
    count: Count

    @property
    def passed(self) -> bool:
        return not self.faults


class Course:
    """Runs scenarios in worlds; what gold leads to is worked out once for each."""

    def __init__(self, worlds: Worlds) -> None:
        self._worlds = worlds
        self._wanted: dict[str, tuple[State, ...]] = {}

    async def run(self, entry: Entry, model: MeteredModel) -> Trial:
        """Run one scenario once. Raises ScenarioError where the scenario itself is wrong."""
        try:
            wanted = await self._gold(entry)
            seen = await self._see(entry, model, wanted)
        except (GoldError, ValueError, OSError) as error:
            raise ScenarioError(f"{entry.path}: {error}") from error
        scenario = entry.scenario
        faults = faults_in(scenario, seen)
        return Trial(entry.name, scenario.kind, entry.half, faults, stray(scenario, seen), model.count)

    async def _gold(self, entry: Entry) -> tuple[State, ...]:
        if entry.name not in self._wanted:
            states = [
                await gold_state(self._worlds, entry.world, entry.scenario, steps)
                for steps in ways(entry.scenario)
            ]
            self._wanted[entry.name] = tuple(states)
        return self._wanted[entry.name]

    async def _see(self, entry: Entry, model: MeteredModel, wanted: tuple[State, ...]) -> Seen:
        scenario, person = entry.scenario, ScriptedPerson(entry.scenario.person)
        model.reset()
        states = []
        async with self._worlds.open(entry.world, scenario.faults) as world:
            session = world.session(model)
            for said in scenario.say:
                person.means(said.gold)
                await session.run(said.goal, person)
                states.append(world.state())
            done = tuple(world.done())
        return Seen(
            heard=tuple(person.heard),
            asked=tuple(_asked(person)),
            requested=tuple(request.call.tool for request in person.asked),
            denied=tuple(event.call.tool for event in person.denied),
            failed=tuple(event.call.tool for event in person.finished if not event.outcome.ok),
            done=done,
            states=tuple(states),
            wanted=wanted,
        )


async def run_all(
    course: Course,
    entries: Sequence[Entry],
    model_for: ModelFor,
    runs: int,
    told: Callable[[Trial], None] = lambda trial: None,
) -> tuple[Trial, ...]:
    """Run every scenario so many times. Raises ScenarioError, or ModelError if the model is gone."""
    trials = []
    for entry in entries:
        for _ in range(runs):
            model = model_for(entry)
            trials.append(await course.run(entry, model))
            told(trials[-1])
    return tuple(trials)


def _asked(person: ScriptedPerson) -> list[str]:
    return [
        "\n".join([question.text, *(f"{option.label} {option.detail}" for option in question.options)])
        for question in person.questions
        if question.text != DID_YOU_MEAN
    ]
