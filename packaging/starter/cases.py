"""Goals to measure with: a generated set, hwu64's held-out fold, slurp, and first turns of smcalflow."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from data import answer, generated, kept_apart
from goals.hwu64 import fold_of, mapped, read
from goals.noise import copied
from goals.phrase import Example
from goals.real import plain, real_goals

from assistant.evals.corpora.mapping import said_in

ACTIONS = {
    "create": {"calendar.create_event", "calendar.add_task"},
    "list": {"calendar.list_events", "calendar.find_free_time", "calendar.list_tasks"},
    "change": {"calendar.change_event"},
    "delete": {"calendar.delete_event"},
}
BEYOND = ("weather", "place", "chat", "out_of_scope")
LABELLED = {
    "calendar set": {"calendar.create_event"},
    "calendar query": {"calendar.list_events", "calendar.find_free_time"},
    "calendar remove": {"calendar.delete_event"},
    "email sendemail": {"messaging.send", "messaging.draft", "messaging.reply"},
    "email query": {"messaging.search", "messaging.read"},
    "email addcontact": {"messaging.add_contact"},
    "email querycontact": {"messaging.find_contact"},
    "audio volume_up": {"settings.set"},
    "audio volume_down": {"settings.set"},
    "audio volume_mute": {"settings.set"},
    "lists createoradd": {"calendar.add_task"},
    "lists query": {"calendar.list_tasks"},
    "lists remove": {"calendar.complete_task"},
    "alarm set": {"calendar.create_event"},
    "alarm query": {"calendar.list_events"},
    "alarm remove": {"calendar.delete_event"},
}
"""What the first call may be for a row of this scenario and intent, whatever its words."""
DOUBTS = Path(__file__).with_name("doubted.jsonl")
MADE = 400


@dataclass(frozen=True, slots=True)
class Case:
    """One goal; `tools` is what the first call may be (none: no call), `wanted` the answer where it is known.

    `doubted` says that one of two careful readings held the label for wrong.
    """

    goal: str
    tools: frozenset[str]
    wanted: str | None = None
    turns: tuple[tuple[str, str], ...] = ()
    doubted: bool = False


def _case(made: Example) -> Case:
    return Case(made.goal, frozenset(call.tool for call in made.calls[:1]), answer(made.calls))


def _labelled(row: dict[str, str], *, doubted: bool = False) -> Case | None:
    made = mapped(row)
    spoken = answer(made.calls) if made and copied(made) else None
    tools = LABELLED.get(f"{row['scenario']} {row['intent']}")
    if tools is not None:
        both = tools | {call.tool for call in made.calls[:1]} if made else tools
        return Case(said_in(row).text.strip(), frozenset(both), spoken, doubted=doubted)
    return Case(made.goal, frozenset(), spoken, doubted=doubted) if made and not made.calls else None


def made_up(folder: Path) -> Iterator[Case]:
    """Goals like those trained on, made with another seed."""
    rng = random.Random(4711)
    beyond = real_goals(folder / "hwu64-train.jsonl", kept_apart(folder), 4711, ways=0).beyond
    for _ in range(MADE):
        turns, example = generated(rng, beyond)
        tools = frozenset(call.tool for call in example.calls[:1])
        yield Case(example.goal, tools, answer(example.calls), tuple(turns))


def held_out(folder: Path) -> Iterator[Case]:
    """hwu64's fold 0."""
    for row in read(folder / "hwu64-train.jsonl"):
        case = _labelled(row)
        if case and fold_of(row["normalised"]) == 0:
            yield case


def slurp(folder: Path) -> Iterator[Case]:
    """slurp's utterances that are no copy of one in hwu64; alarms are no part of what it measures."""
    seen = {plain(row["normalised"]) for row in read(folder / "hwu64-train.jsonl")}
    doubts = (
        {entry["row"] for entry in read(DOUBTS) if entry["set"] == "slurp-devel"}
        if DOUBTS.exists()
        else set()
    )
    for number, row in enumerate(read(folder / "slurp-devel.jsonl")):
        case = _labelled(row, doubted=number in doubts)
        if case and row["scenario"] != "alarm" and plain(row["text"]) not in seen:
            yield case


def smcalflow(folder: Path) -> Iterator[Case]:
    """First turns of smcalflow's dialogues."""
    with (folder / "smcalflow-dev.jsonl").open(encoding="utf-8") as lines:
        for dialogue in map(json.loads, lines):
            first = dialogue["turns"][0]
            if first["action"] in ACTIONS:
                yield Case(first["user"], frozenset(ACTIONS[first["action"]]))
            elif first["action"] in BEYOND:
                yield Case(first["user"], frozenset())


SETS: dict[str, Callable[[Path], Iterator[Case]]] = {
    "made": made_up,
    "hwu64": held_out,
    "slurp": slurp,
    "smcalflow": smcalflow,
}
DEVELOPMENT = ("made", "hwu64")
