"""The command `askfirst eval`: models against goals that people typed, and against scenarios."""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from assistant.evals.agents import KEYWORDS
from assistant.evals.contestants import ANCHORS, Contestant, contestant
from assistant.evals.corpora.case import Case
from assistant.evals.corpora.measure import measure
from assistant.evals.corpora.reading import CorpusError, read_goals, sample, words_of
from assistant.evals.corpora.score import Answered, by_group, confusion, score
from assistant.evals.library import BUILT_IN, Entry, ScenarioError, chosen, read_folder
from assistant.evals.scenario import Half
from assistant.evals.summary import summaries
from assistant.evals.tables import confusion_table, fault_lines, goal_table, scenario_table
from assistant.evals.trial import Course, Trial, run_all
from assistant.evals.worldspec import WorldSpec
from connectors.base import Tool
from connectors.config import load
from tui.evals.worlds import FolderWorlds
from tui.output import DONE, complain, progress
from tui.places import Places
from tui.settings import Settings

Report = dict[str, Any]


def evaluate(options: argparse.Namespace, places: Places) -> int:
    """Measure what the options name and write it as tables or JSON. Raises ModelError or ConfigError."""
    settings = load(places.config / "config.toml", Settings)
    names = options.model or [settings.model]
    try:
        report, lines = asyncio.run(_measured(options, places, names, settings.threads))
    except (ScenarioError, CorpusError) as error:
        return complain(str(error))
    sys.stdout.write(json.dumps(report, indent=1, ensure_ascii=False) if options.json else "\n".join(lines))
    sys.stdout.write("\n")
    return DONE


async def _measured(
    options: argparse.Namespace, places: Places, names: Sequence[str], threads: int | None
) -> tuple[Report, list[str]]:
    entries = _entries(options)
    collections = _collections(options)
    with_anchors = [*names, *(name for name in ANCHORS if not options.model and name not in names)]
    worlds = FolderWorlds(places.cache)
    course, tools = Course(worlds), await _tools(worlds)
    report: Report = {"goals": {}, "scenarios": {}}
    lines: list[str] = []
    answers: dict[Path, dict[str, tuple[Answered, ...]]] = {path: {} for path in collections}
    for name in with_anchors:
        model = contestant(name, places.cache, _now, threads)
        try:
            for path, cases in collections.items():
                if name in names or name == KEYWORDS:
                    answers[path][name] = await _ask(model, cases, tools)
            if entries:
                runs = options.runs if name in names else 1
                trials = await _run(course, entries, model, runs)
                report["scenarios"][name] = _trials(trials)
                lines += [*scenario_table(name, summaries(trials)), ""]
                lines += fault_lines(trials) if options.faults else []
        finally:
            await model.close()
    for path, found in answers.items():
        report["goals"][str(path)] = {name: _answers(said, options.faults) for name, said in found.items()}
        lines += [*goal_table(path.name, {name: score(said) for name, said in found.items()}), ""]
        for name, said in found.items():
            lines += [*confusion_table(name, said), ""]
    return report, lines


def _entries(options: argparse.Namespace) -> tuple[Entry, ...]:
    if options.goals and not options.scenarios:
        return ()
    half = Half(options.half) if options.half else None
    folder = Path(options.scenarios) if options.scenarios else BUILT_IN
    return chosen(read_folder(folder), half=half, kinds=options.kind or (), limit=options.limit)


def _collections(options: argparse.Namespace) -> dict[Path, tuple[Case, ...]]:
    without: frozenset[str] = frozenset()
    for path in options.without or ():
        without |= words_of(Path(path))
    paths = [Path(path) for path in options.goals or ()]
    return {path: sample(read_goals(path, without), options.limit, options.seed) for path in paths}


async def _tools(worlds: FolderWorlds) -> tuple[Tool, ...]:
    async with worlds.open(WorldSpec()) as world:
        return world.gate.tools


async def _ask(model: Contestant, cases: Sequence[Case], tools: Sequence[Tool]) -> tuple[Answered, ...]:
    count = _counter(f"{model.name}: goals", len(cases))
    return await measure(model.for_goals(), cases, tools, lambda _: count())


async def _run(course: Course, entries: Sequence[Entry], model: Contestant, runs: int) -> tuple[Trial, ...]:
    count = _counter(f"{model.name}: scenarios", len(entries) * runs)
    return await run_all(course, entries, model.for_scenario, runs, lambda _: count())


def _counter(what: str, total: int) -> Callable[[], None]:
    done = 0

    def count() -> None:
        nonlocal done
        done += 1
        progress(what, done / total)

    return count


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


def _now() -> datetime:
    return datetime.now().astimezone()
