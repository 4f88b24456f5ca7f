"""What runs of scenarios come to: for each kind, each half, and all together."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from assistant.evals.trial import Trial

ALL = "all"


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures over scenarios, each run the same number of times.

    `pass1` is the share of runs passed, `pass_all` that of scenarios passed in every run. `strays` counts the
    effects nobody asked for; calls, seconds and tokens are means of a run; `repeated` and `unreadable` are
    shares of all that the model said.
    """

    name: str
    scenarios: int
    runs: int
    pass1: float
    pass_all: float
    strays: int
    calls: float
    repeated: float
    unreadable: float
    seconds: float
    tokens: float


def summaries(trials: Sequence[Trial]) -> tuple[Summary, ...]:
    """By kind in the order of the kinds, then by half, then over all."""
    found = [*_by(trials, lambda trial: trial.kind.value), *_by(trials, lambda trial: trial.half.value)]
    return (*found, summary(ALL, trials)) if trials else ()


def summary(name: str, trials: Sequence[Trial]) -> Summary:
    """The figures over some runs, of which there must be one."""
    by_name = sorted(trials, key=lambda trial: trial.name)
    scenarios = [list(runs) for _, runs in groupby(by_name, key=lambda trial: trial.name)]
    wishes = sum(trial.count.wishes for trial in trials)
    garbled = sum(trial.count.garbled for trial in trials)
    return Summary(
        name=name,
        scenarios=len(scenarios),
        runs=len(trials) // len(scenarios),
        pass1=_mean(trial.passed for trial in trials),
        pass_all=_mean(all(trial.passed for trial in runs) for runs in scenarios),
        strays=sum(len(trial.strays) for trial in trials),
        calls=wishes / len(trials),
        repeated=sum(trial.count.repeated for trial in trials) / max(wishes, 1),
        unreadable=garbled / max(wishes + garbled, 1),
        seconds=_mean(trial.count.seconds for trial in trials),
        tokens=_mean(trial.count.tokens for trial in trials),
    )


def _by(trials: Sequence[Trial], key: Callable[[Trial], str]) -> list[Summary]:
    names = list(dict.fromkeys(key(trial) for trial in trials))
    return [summary(name, [trial for trial in trials if key(trial) == name]) for name in names]


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)
