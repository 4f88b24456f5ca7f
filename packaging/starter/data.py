"""Write training rows, as tokens of the base model: generated goals, follow-ups, joined goals, and hwu64."""

import argparse
import json
import random
import re
from dataclasses import replace
from pathlib import Path

from goals.fillers import FILLERS
from goals.followups import follow
from goals.hwu64 import read
from goals.noise import copied, ends_free, typed
from goals.phrase import BEYOND, Call, Example, choose, read_rules, realise, rule
from goals.real import plain, real_goals
from llama_cpp import Llama
from runtime import prompt

from connectors.calendar.tools import TOOLS as CALENDAR
from connectors.files.tools import TOOLS as FILES
from connectors.messaging.tools import TOOLS as MESSAGING
from connectors.settings.tools import TOOLS as SETTINGS

RARER = (*read_rules("rarer.txt"), *read_rules("shorter.txt"))
SPOKEN = read_rules("spoken.txt")
ATTACHED = read_rules("attached.txt")
SERVICES = (
    (read_rules("calendar.txt"), 0.26),
    (read_rules("planning.txt"), 0.2),
    (read_rules("asking.txt"), 0.2),
    (read_rules("messaging.txt"), 0.16),
    (read_rules("files.txt"), 0.12),
    (read_rules("settings.txt"), 0.06),
    (tuple(entry for entry in RARER if entry.tool), 0.9),
    (tuple(entry for entry in SPOKEN if entry.tool), 1.1),
    (tuple(entry for entry in ATTACHED if entry.tool), 0.2),
)
CHANGES = tuple(entry for entry in read_rules("calendar.txt") if entry.tool == "calendar.change_event")
OUTSIDE = (*read_rules("outside.txt"), *(entry for entry in (*RARER, *SPOKEN, *ATTACHED) if not entry.tool))
ORDER = {
    t.name: list(t.arguments.model_fields) for t in (*CALENDAR, *MESSAGING, *FILES, *SETTINGS) if t.offered
}
JOINERS = (" and ", " and ", " and ", " and then ", ", then ", ", and ", " then ", ", ", " and also ", ". ")
TRAVEL = re.compile(
    r"\b(book|need|arrange|organise|got|enter)\b"
    r".*\b(flight|train to|trip to|delivery|babysitter|plumber|tickets|vacation)",
    re.I,
)
GENERIC = frozenset({"meeting", "appointment", "event", "meetings", "appointments", "plan", "plans"})
DEFINITE = re.compile(r"(?i)(?:when|where|what time|what day|how long|who)\b")
ROUGHENED = 0.35  # how many real sentences get the marks of typing and of politeness
TOLD = 0.3  # how many joined goals end in "and tell Ana"
END = "<|im_end|>"
Turn = tuple[str, str]
Row = tuple[list[Turn], Example]


def answer(calls: tuple[Call, ...]) -> str:
    """The calls as the model writes them, arguments in the order of the tools' models."""
    if not calls:
        return BEYOND
    lines = []
    for call in calls:
        names = sorted(call.arguments, key=ORDER[call.tool].index)
        lines.append(f"{call.tool} {json.dumps({n: call.arguments[n] for n in names}, ensure_ascii=False)}")
    return "\n".join(lines)


def kept_apart(folder: Path) -> set[str]:
    """The sentences that are for measuring only."""
    found = {plain(row["text"]) for row in read(folder / "slurp-devel.jsonl")}
    with (folder / "smcalflow-dev.jsonl").open(encoding="utf-8") as lines:
        for dialogue in map(json.loads, lines):
            found |= {plain(turn["user"]) for turn in dialogue["turns"]}
    return found


def understood(made: Example) -> Example:
    """Asked about "a meeting" on a day, all events of that day are shown: the word narrows nothing down."""
    call = made.calls[0]
    search = str(call.arguments.get("search", "")).lower()
    if call.tool == "calendar.list_events" and search in GENERIC and not DEFINITE.match(made.goal):
        kept = {name: value for name, value in call.arguments.items() if name != "search"}
        return replace(made, calls=(replace(call, arguments=kept),))
    return made


def single(rng: random.Random) -> Example:
    """One generated request that a tool can do, not yet roughened."""
    while True:
        rules = rng.choices([s[0] for s in SERVICES], [s[1] for s in SERVICES])[0]
        made = realise(choose(rules, rng), FILLERS, rng)
        if copied(made) and not TRAVEL.search(made.goal):
            return understood(made)


def briefly_told(rng: random.Random) -> Example:
    """Word to somebody, without the words."""
    surface, people = FILLERS["people"](rng)
    verb = rng.choice(
        (
            "tell {}",
            "tell {}",
            "let {} know",
            "tell {} about it",
            "email {}",
            "text {}",
            "message {}",
            "inform {}",
        )
    )
    return Example(verb.format(surface), (Call("messaging.send", {"to": people}),))


MOVED = rule(
    "calendar.change_event",
    "(move|reschedule|change|shift|push|postpone) <event:my_event> to <when:to_point>",
    "(move|reschedule|change|shift) <event:my_event> to <when:bare_day> at <when:clock>",
    "(move|reschedule|change) <event:my_short_event> to <when:bare_day> <when:clock>",
)


def moved_and_told(rng: random.Random) -> Example:
    """An event moved, and somebody told of it: the new time is no time that the event is on."""
    moved = realise(MOVED, FILLERS, rng)
    after = briefly_told(rng) if rng.random() < 0.7 else single(rng)
    return Example(moved.goal + rng.choice(JOINERS) + after.goal, (*moved.calls, *after.calls))


def several(rng: random.Random) -> Example:
    """Two or three requests in one goal."""
    count = 2 if rng.random() < 0.8 else 3
    parts = [realise(choose(CHANGES, rng), FILLERS, rng)] if rng.random() < 0.3 else list[Example]()
    if parts and ends_free(parts[0]):
        parts = []
    while len(parts) < count:
        made = single(rng)
        if len(parts) < count - 1 and ends_free(made):
            continue
        parts.append(made)
    if rng.random() < TOLD and not ends_free(parts[-2]):
        parts[-1] = briefly_told(rng)
    goal = parts[0].goal
    for part in parts[1:]:
        goal += rng.choice(JOINERS) + part.goal
    return Example(goal, tuple(call for part in parts for call in part.calls))


def beyond(rng: random.Random) -> Example:
    """A request that no tool can do."""
    return replace(realise(choose(OUTSIDE, rng), FILLERS, rng), calls=())


def roughened(real: Example, rng: random.Random) -> Example:
    """A real sentence, now and then with the marks that made ones get."""
    made = typed(real, rng) if rng.random() < ROUGHENED else real
    return made if copied(made) else real


def told(rng: random.Random, told_of: Example) -> Example:
    """A message whose text is somebody's real sentence."""
    text = (single(rng) if rng.random() < 0.3 else told_of).goal.strip(" .?!")
    who = FILLERS["people"](rng)
    head = rng.choice(
        (
            "tell {}",
            "tell {} that",
            "text {}:",
            "send {} a message saying",
            "let {} know that",
            "email {} saying",
            "message {}:",
        )
    )
    return Example(f"{head.format(who[0])} {text}", (Call("messaging.send", {"to": who[1], "body": text}),))


def conversation(rng: random.Random) -> Row:
    """Earlier turns, and a goal that mostly leans on the last of them."""
    first = typed(single(rng), rng)
    while (second := follow(first, rng)) is None:
        first = typed(single(rng), rng)
    if rng.random() < 0.35:
        second = single(rng) if rng.random() < 0.7 else beyond(rng)
    turns = [(first.goal, answer(first.calls))]
    if rng.random() < 0.25:
        before = typed(single(rng) if rng.random() < 0.8 else beyond(rng), rng)
        turns.insert(0, (before.goal, answer(before.calls)))
    goal = second.goal
    if rng.random() < 0.45:
        goal = goal[0].upper() + goal[1:]
    if rng.random() < 0.25:
        goal += rng.choice((".", "!", " please", "?"))
    return turns, replace(second, goal=goal)


def generated(rng: random.Random, real: list[Example]) -> Row:
    """One generated conversation of any kind."""
    kind = rng.random()
    if kind < 0.57:
        return [], typed(single(rng), rng)
    if kind < 0.61:
        return [], typed(told(rng, rng.choice(real)), rng)
    if kind < 0.72:
        return [], typed(several(rng), rng)
    if kind < 0.76:
        return [], typed(moved_and_told(rng), rng)
    if kind < 0.85:
        return conversation(rng)
    return [], typed(beyond(rng), rng)


def rows(args: argparse.Namespace) -> list[Row]:
    """Everything one stage of training reads, in a shuffled order."""
    banned = kept_apart(args.goals)
    real = real_goals(args.goals / "hwu64-train.jsonl", banned, args.seed, args.ways)
    rng = random.Random(args.seed)
    taken = (
        *real.inside[: args.real],
        *real.beyond[: args.none],
        *real.varied[: args.varied],
        *real.hinted[: args.hinted],
    )
    made: list[Row] = [([], roughened(example, rng)) for example in taken]
    made = [row for row in made if plain(row[1].goal) not in banned]
    wanted = len(made) + args.generated
    while len(made) < wanted:
        turns, example = generated(rng, real.beyond)
        if all(plain(goal) not in banned for goal in (example.goal, *(goal for goal, _ in turns))):
            made.append((turns, example))
    rng.shuffle(made)
    return made


def main() -> None:
    """Write the rows of one stage."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True, help="the base model, GGUF")
    parser.add_argument("--goals", type=Path, required=True, help="folder of the goals' data")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--generated", type=int, default=6500)
    parser.add_argument("--real", type=int, default=1300, help="rows of hwu64 with calls")
    parser.add_argument("--varied", type=int, default=0, help="rows of hwu64 with other words in their slots")
    parser.add_argument("--ways", type=int, default=3, help="how often a row of hwu64 is varied")
    parser.add_argument(
        "--hinted", type=int, default=0, help="rows of hwu64 of which the tool alone is known"
    )
    parser.add_argument("--none", type=int, default=2200, help="rows of hwu64 that no tool can do")
    args = parser.parse_args()
    vocabulary = Llama(str(args.base), vocab_only=True, verbose=False)
    with args.out.open("w", encoding="utf-8") as out:
        for turns, example in rows(args):
            asked = vocabulary.tokenize(prompt(example.goal, turns).encode(), add_bos=False, special=True)
            said = example.calls[0].tool if example.tool_only else answer(example.calls)
            end = "" if example.tool_only else END
            tail = vocabulary.tokenize(f"{said}{end}".encode(), add_bos=False, special=True)
            row = {
                "turns": turns,
                "goal": example.goal,
                "answer": said,
                "start": len(asked),
                "tokens": asked + tail,
            }
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
