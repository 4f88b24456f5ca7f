"""Measure an adapter on goals it never saw: hwu64's held-out fold, slurp, and first turns of smcalflow."""

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from data import answer, plain
from goals.hwu64 import fold_of, mapped, read
from goals.noise import copied
from goals.phrase import Example
from runtime import Runtime, load

ACTIONS = {
    "create": {"calendar.create_event", "calendar.add_task"},
    "list": {"calendar.list_events", "calendar.find_free_time", "calendar.list_tasks"},
    "change": {"calendar.change_event"},
    "delete": {"calendar.delete_event"},
}
BEYOND = ("weather", "place", "chat", "out_of_scope")


@dataclass(frozen=True, slots=True)
class Case:
    """One goal; `wanted` is the exact answer where it is known, `tools` what the first call may be."""

    goal: str
    tools: frozenset[str]
    wanted: str | None = None


@dataclass(slots=True)
class Score:
    """Counts over the cases of one set."""

    seen: int = 0
    tool: int = 0
    exact: int = 0
    hits: int = 0
    ours: int = 0
    theirs: int = 0
    called: int = 0
    beyond: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)

    def line(self, name: str) -> str:
        """The figures in one line."""
        inside, beyond = max(1, self.seen), max(1, self.beyond)
        line = f"{name}: {self.seen} in scope, right tool {self.tool / inside:.3f}"
        if self.theirs:
            f1 = 2 * self.hits / (self.ours + self.theirs)
            line += f", exact {self.exact / inside:.3f}, argument F1 {f1:.3f}"
        pace = self.seconds / max(1, self.seen + self.beyond)
        return f"{line}; {self.beyond} beyond, called {self.called / beyond:.3f}; {pace:.2f} s a goal"


def pairs(said: str) -> set[tuple[str, str]]:
    """The arguments of an answer's calls, as text."""
    found: set[tuple[str, str]] = set()
    for line in said.split("\n"):
        _, _, arguments = line.partition(" ")
        try:
            found |= {
                (name, json.dumps(value).lower()) for name, value in json.loads(arguments or "{}").items()
            }
        except (ValueError, AttributeError):
            continue
    return found


def tools(said: str) -> list[str]:
    """The tools an answer calls."""
    return [] if said.strip() == "none" else [line.split(" ")[0] for line in said.split("\n") if line.strip()]


def measure(runtime: Runtime, cases: list[Case]) -> Score:
    """Run the cases and count."""
    score = Score()
    for case in cases:
        started = time.perf_counter()
        said = runtime.answer(case.goal)
        score.seconds += time.perf_counter() - started
        called = tools(said)
        if not case.tools:
            score.beyond += 1
            score.called += bool(called)
            good = not called
        else:
            score.seen += 1
            good = bool(called) and called[0] in case.tools
            score.tool += good
        if case.wanted is not None and case.tools:
            ours, theirs = pairs(said), pairs(case.wanted)
            score.hits += len(ours & theirs)
            score.ours += len(ours)
            score.theirs += len(theirs)
            same = said.lower() == case.wanted.lower()
            score.exact += same
            good = good and same
        if not good:
            score.faults.append(
                f"{case.goal}\n    said   {said}\n    wanted {case.wanted or sorted(case.tools)}"
            )
    return score


def _case(made: Example) -> Case:
    return Case(made.goal, frozenset(call.tool for call in made.calls), answer(made.calls))


def held_out(folder: Path) -> Iterator[Case]:
    """hwu64's fold 0."""
    for row in read(folder / "hwu64-train.jsonl"):
        made = mapped(row)
        if made and copied(made) and fold_of(row["normalised"]) == 0:
            yield _case(made)


def slurp(folder: Path) -> Iterator[Case]:
    """slurp's utterances that are no copy of one in hwu64."""
    seen = {plain(row["normalised"]) for row in read(folder / "hwu64-train.jsonl")}
    for row in read(folder / "slurp-devel.jsonl"):
        made = mapped(row)
        if made and copied(made) and plain(row["text"]) not in seen:
            yield _case(made)


def smcalflow(folder: Path) -> Iterator[Case]:
    """First turns of smcalflow's dialogues."""
    with (folder / "smcalflow-dev.jsonl").open(encoding="utf-8") as lines:
        for dialogue in map(json.loads, lines):
            first = dialogue["turns"][0]
            if first["action"] in ACTIONS:
                yield Case(first["user"], frozenset(ACTIONS[first["action"]]))
            elif first["action"] in BEYOND[:3]:
                yield Case(first["user"], frozenset())


SETS: dict[str, Callable[[Path], Iterator[Case]]] = {
    "hwu64": held_out,
    "slurp": slurp,
    "smcalflow": smcalflow,
}


def sample(cases: list[Case], most: int) -> list[Case]:
    """At most so many cases in scope and so many beyond, the same ones every time."""
    rng = random.Random(0)
    rng.shuffle(cases)
    inside = [case for case in cases if case.tools][:most]
    return inside + [case for case in cases if not case.tools][:most]


def main() -> None:
    """Measure and write the faults down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, required=True, help="the exported adapter, GGUF")
    parser.add_argument("--goals", type=Path, required=True, help="folder of the goals' data")
    parser.add_argument("--most", type=int, default=10_000, help="cases in scope (and beyond) of each set")
    parser.add_argument("--faults", type=Path, help="where to write what went wrong")
    parser.add_argument("--only", choices=sorted(SETS))
    args = parser.parse_args()
    runtime = load(args.base, args.adapter)
    faults: list[str] = []
    for name, cases in SETS.items():
        if args.only in (None, name):
            score = measure(runtime, sample(list(cases(args.goals)), args.most))
            print(score.line(name), flush=True)
            faults += [f"== {name}", *score.faults]
    if args.faults:
        args.faults.write_text("\n".join(faults), encoding="utf-8")


if __name__ == "__main__":
    main()
