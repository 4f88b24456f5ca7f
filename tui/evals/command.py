"""The command `askfirst eval`: models against goals that people typed, and against scenarios."""

import argparse
import asyncio
import json
import sys
from datetime import datetime
from pathlib import Path

from assistant.evals.contestants import contestant
from assistant.evals.corpora.case import Case
from assistant.evals.corpora.reading import CorpusError, read_goals, sample, words_of
from assistant.evals.library import BUILT_IN, Entry, ScenarioError, chosen, read_folder
from assistant.evals.scenario import Half
from connectors.config import load
from tui.evals.measurement import Measurement, Task
from tui.evals.worlds import FolderWorlds
from tui.output import DONE, complain
from tui.places import Places
from tui.settings import Settings


def evaluate(options: argparse.Namespace, places: Places) -> int:
    """Measure what the options name and write it as tables or JSON. Raises ModelError or ConfigError.

    When it is ended with Ctrl+C, what is known by then is written.
    """
    settings = load(places.config / "config.toml", Settings)
    names = options.model or [settings.model]
    try:
        task = Task(
            names, not options.model, _entries(options), _collections(options), options.runs, options.faults
        )
        measurement = Measurement(
            task,
            FolderWorlds(places.cache),
            lambda name: contestant(name, places.cache, _now, settings.threads),
        )
        stopped = _stopped(measurement)
    except (ScenarioError, CorpusError) as error:
        return complain(str(error))
    text = json.dumps(measurement.report(), indent=1, ensure_ascii=False) if options.json else ""
    sys.stdout.write(f"{text or chr(10).join(measurement.lines())}\n")
    return complain("Stopped; this is what was measured by then.") if stopped else DONE


def _stopped(measurement: Measurement) -> bool:
    """Run it to the end, or until the person ends it."""
    try:
        asyncio.run(measurement.run())
    except KeyboardInterrupt:
        return True
    return False


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


def _now() -> datetime:
    return datetime.now().astimezone()
