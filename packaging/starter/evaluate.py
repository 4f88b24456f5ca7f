"""Measure an adapter, as the application runs it, on goals it never saw; the sets are in `cases.py`."""

import argparse
import asyncio
import json
import random
import time
from pathlib import Path

from cases import SETS, Case
from data import CALENDAR, FILES, MESSAGING, SETTINGS, Turn
from score import Reading, Score, calibration, canonical, count

from assistant.model.base import Goal, NoToolFits, Otherwise, Piece, Proposal, Wish
from assistant.model.base import Turn as Said
from assistant.model.dialects.starter import StarterDialect
from assistant.model.host.engine import Engine
from assistant.model.local import LocalModel
from assistant.model.spec import ModelSpec
from connectors.base import Call

TOOLS = (*CALENDAR, *MESSAGING, *FILES, *SETTINGS)
DOUBT = 0.9  # up to here second readings are asked for, to see what they are worth


class Starter:
    """The starter model with an adapter, in its own process, as the application runs it."""

    def __init__(self, base: Path, adapter: Path) -> None:
        spec = ModelSpec("starter", "starter", base, "starter", adapter=adapter)
        self._model = LocalModel(spec, Engine(spec, threads=1), StarterDialect(DOUBT))

    async def read(self, goal: str, turns: list[Turn]) -> Reading:
        """The answer to a goal after earlier ones."""
        began = time.perf_counter()
        pieces = [piece async for piece in self._model.respond(transcript(goal, turns), TOOLS)]
        return reading(pieces, time.perf_counter() - began)

    async def close(self) -> None:
        await self._model.close()


def transcript(goal: str, turns: list[Turn]) -> list[Said]:
    """Earlier goals with the calls made for them, and the goal."""
    said: list[Said] = []
    for earlier, answer in turns:
        said.append(Goal(earlier))
        for line in [] if answer == "none" else answer.split("\n"):
            tool, _, arguments = line.partition(" ")
            said.append(Proposal(Call("", tool, json.loads(arguments))))
    return [*said, Goal(goal)]


def reading(pieces: list[Piece], seconds: float) -> Reading:
    """The pieces of one answer put together."""
    calls = [piece for piece in pieces if isinstance(piece, Wish)]
    sure = [piece.confidence for piece in pieces if isinstance(piece, Wish | NoToolFits)]
    other = next((piece.wishes for piece in pieces if isinstance(piece, Otherwise)), None)
    return Reading(
        tuple(canonical(call.tool, call.arguments) for call in calls),
        min((value for value in sure if value is not None), default=0.0),
        None if other is None else tuple(canonical(call.tool, call.arguments) for call in other),
        seconds,
    )


async def measure(starter: Starter, name: str, cases: list[Case]) -> Score:
    """Run the cases and count."""
    score = Score(name)
    for case in cases:
        count(score, case, await starter.read(case.goal, list(case.turns)))
    return score


def sample(cases: list[Case], most: int) -> list[Case]:
    """At most so many cases in scope and so many beyond, the same ones every time."""
    rng = random.Random(0)
    rng.shuffle(cases)
    inside = [case for case in cases if case.tools][:most]
    return inside + [case for case in cases if not case.tools][:most]


async def run(args: argparse.Namespace) -> None:
    """Measure each set and write the faults down."""
    starter = Starter(args.base, args.adapter)
    scores: list[Score] = []
    for name, cases in SETS.items():
        if name in args.only:
            scores.append(await measure(starter, name, sample(list(cases(args.goals)), args.most)))
            print(scores[-1].lines(), flush=True)
            for (wanted, said), times in scores[-1].confusion.most_common(args.confusions):
                print(f"    {times:4d}  {wanted} taken for {said}")
    print(calibration(scores))
    if args.faults:
        args.faults.write_text(
            "\n".join(line for score in scores for line in (f"== {score.name}", *score.faults)),
            encoding="utf-8",
        )
    await starter.close()


def main() -> None:
    """Measure and write the faults down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, required=True, help="the exported adapter, GGUF")
    parser.add_argument("--goals", type=Path, required=True, help="folder of the goals' data")
    parser.add_argument("--most", type=int, default=10_000, help="cases in scope (and beyond) of each set")
    parser.add_argument("--faults", type=Path, help="where to write what went wrong")
    parser.add_argument("--confusions", type=int, default=12, help="how many confusions of tools to print")
    parser.add_argument("--only", nargs="*", choices=sorted(SETS), default=sorted(SETS))
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
