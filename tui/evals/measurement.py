"""One measurement: models against scenarios and goals, with what is known so far at any time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from assistant.evals.agents import KEYWORDS
from assistant.evals.checking import check
from assistant.evals.contestants import ANCHORS, Contestant
from assistant.evals.corpora.case import Case
from assistant.evals.corpora.measure import measure
from assistant.evals.corpora.score import Answered, by_group, confusion, score
from assistant.evals.library import Entry
from assistant.evals.summary import summaries
from assistant.evals.tables import confusion_table, fault_lines, goal_table, scenario_table
from assistant.evals.trial import Course, Trial, run_all
from assistant.evals.world import Worlds
from assistant.evals.worldspec import WorldSpec
from tui.output import progress

Report = dict[str, Any]
One = TypeVar("One")
Collections = Mapping[Path, Sequence[Case]]


@dataclass(frozen=True, slots=True)
class Task:
    """What is measured: the models named, whether the anchors stand beside them, and how often each runs."""

    names: Sequence[str]
    anchors: bool
    entries: Sequence[Entry]
    collections: Collections
    runs: int
    faults: bool

    @property
    def contestants(self) -> tuple[str, ...]:
        """All that take part, the anchors last."""
        return tuple(dict.fromkeys([*self.names, *(ANCHORS if self.anchors else ())]))


@dataclass(slots=True)
class Measurement:
    """Runs a task; `trials` and `answers` grow while it runs, so that a report can be made of a part."""

    task: Task
    worlds: Worlds
    open_model: Callable[[str], Contestant]
    trials: dict[str, list[Trial]] = field(default_factory=dict)
    answers: dict[Path, dict[str, list[Answered]]] = field(default_factory=dict)

    async def run(self) -> None:
        """Measure every model. Raises ModelError or ScenarioError."""
        course = Course(self.worlds)
        async with self.worlds.open(WorldSpec()) as world:
            tools = world.gate.tools
        check(self.task.entries, tools)
        for name in self.task.contestants:
            model = self.open_model(name)
            try:
                for path, cases in self._collections(name).items():
                    said = self.answers.setdefault(path, {}).setdefault(name, [])
                    told = _counted(f"{name}: goals", len(cases), said)
                    await measure(model.for_goals(), cases, tools, told)
                if self.task.entries:
                    await self._scenarios(course, model)
            finally:
                await model.close()

    def report(self) -> Report:
        """All that is known, as JSON values."""
        faults = self.task.faults
        return {
            "goals": {
                str(path): {name: _answers(said, faults) for name, said in found.items()}
                for path, found in self.answers.items()
            },
            "scenarios": {name: _trials(trials) for name, trials in self.trials.items()},
        }

    def lines(self) -> Iterator[str]:
        """All that is known, as tables."""
        for name, trials in self.trials.items():
            yield from (*scenario_table(name, summaries(trials)), "")
            yield from fault_lines(trials) if self.task.faults else ()
        for path, found in self.answers.items():
            yield from (*goal_table(path.name, {name: score(said) for name, said in found.items()}), "")
            for name, said in found.items():
                yield from (*confusion_table(name, said), "")

    async def _scenarios(self, course: Course, model: Contestant) -> None:
        runs = self.task.runs if model.name in self.task.names else 1
        done = self.trials.setdefault(model.name, [])
        told = _counted(f"{model.name}: scenarios", len(self.task.entries) * runs, done)
        await run_all(course, self.task.entries, model.for_scenario, runs, told)

    def _collections(self, name: str) -> Collections:
        """Of the anchors only the rules can be asked goals that nobody asked for by name."""
        return self.task.collections if name in self.task.names or name == KEYWORDS else {}


def _counted(what: str, total: int, found: list[One]) -> Callable[[One], None]:
    def told(one: One) -> None:
        found.append(one)
        progress(what, len(found) / total)

    return told


def _trials(trials: Sequence[Trial]) -> Report:
    runs = [
        {
            "name": trial.name,
            "half": trial.half.value,
            "passed": trial.passed,
            "faults": trial.faults,
            "strays": trial.strays,
            "seconds": trial.count.seconds,
            "tokens": trial.count.tokens,
        }
        for trial in trials
    ]
    return {"summary": [asdict(one) for one in summaries(trials)], "runs": runs}


def _answers(answers: Sequence[Answered], with_faults: bool) -> Report:
    report: Report = {
        "score": asdict(score(answers)),
        "groups": {group: asdict(one) for group, one in by_group(answers).items()},
        "confusion": [[group, tool, n] for (group, tool), n in sorted(confusion(answers).items())],
    }
    if with_faults:
        report["faults"] = [
            {"goal": a.case.goal, "group": a.case.group, "wanted": sorted(a.case.tools), "said": a.calls}
            for a in answers
            if not a.right
        ]
    return report
