"""A small language of phrases: `(a|b)` is a choice, `[a]` may be left out, `<argument:kind>` is a slot.

Files of phrases hold words of their own (`NAME = ...`, used as `{NAME}`) and sections: `== tool weight
argument=value` above the phrases, one a line, that ask for the tool. `== none` is for what no tool can do.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

Value = str | bool | list[str]
Filler = Callable[[random.Random], tuple[str, Value]]
FOLDER = Path(__file__).parent
SLOT = re.compile(r"<(\w+):(\w+)>")
NAME = re.compile(r"\{(\w+)\}")
JOINING = (" ", " at ")
UNSEEN = "_"
LEFT_IN = 0.4
SECTION = "== "
BEYOND = "none"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the answer; the arguments are in the order they were found."""

    tool: str
    arguments: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Example:
    """One goal with the calls it means (none: no tool fits); `tool_only`: no more than the tool is known."""

    goal: str
    calls: tuple[Call, ...]
    tool_only: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """Ways to ask for one tool; `fixed` are arguments that come with these phrases."""

    tool: str
    phrases: tuple[str, ...]
    fixed: tuple[tuple[str, Value], ...] = ()
    weight: float = 1.0


def rule(tool: str, *phrases: str, weight: float = 1.0, **fixed: Value) -> Rule:
    """A rule, written shortly."""
    return Rule(tool, phrases, tuple(fixed.items()), weight)


def _lines(name: str) -> Iterator[str]:
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("# "):
            yield line


def read_words(name: str) -> dict[str, str]:
    """The named words of a file, with the words they are made of put in."""
    found: dict[str, str] = {}
    for line in _lines(name):
        key, sign, text = line.partition(" = ")
        if sign and key.isupper():
            found[key] = NAME.sub(lambda match: found[match[1]], text)
    return found


def read_rules(name: str) -> tuple[Rule, ...]:
    """The rules of a file of phrases."""
    words, rules, phrases = read_words(name), [], list[str]()
    for line in _lines(name):
        if line.startswith(SECTION):
            tool, weight, *fixed = line.removeprefix(SECTION).split()
            given = tuple(
                (key, True if text == "yes" else text) for key, _, text in (f.partition("=") for f in fixed)
            )
            phrases = []
            rules.append((tool.removesuffix(BEYOND), phrases, given, float(weight)))
        elif rules:
            phrases.append(NAME.sub(lambda match: words[match[1]], line))
    return tuple(Rule(tool, tuple(said), given, weight) for tool, said, given, weight in rules)


def _closing(text: str, at: int) -> int:
    depth = 0
    for i in range(at, len(text)):
        if text[i] in "([":
            depth += 1
        elif text[i] in ")]":
            depth -= 1
            if depth == 0:
                return i
    raise ValueError(f"unbalanced phrase: {text}")


def _choices(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for i, sign in enumerate(text):
        depth += (sign in "([") - (sign in ")]")
        if sign == "|" and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def expand(text: str, rng: random.Random) -> str:
    """One of the phrases that the text stands for, slots still in it."""
    out, i = [], 0
    while i < len(text):
        if text[i] not in "([":
            out.append(text[i])
            i += 1
            continue
        end = _closing(text, i)
        inner = text[i + 1 : end]
        if text[i] == "(" or rng.random() < LEFT_IN:
            out.append(expand(rng.choice(_choices(inner)), rng))
        i = end + 1
    return "".join(out)


def _merge(found: dict[str, Value], argument: str, value: Value, between: str = " ") -> None:
    before = found.get(argument)
    if isinstance(before, str) and isinstance(value, str):
        found[argument] = f"{before}{between}{value}"
    elif isinstance(before, list) and isinstance(value, list):
        found[argument] = [*before, *value]
    else:
        found[argument] = value


def realise(chosen: Rule, fillers: Mapping[str, Filler], rng: random.Random) -> Example:
    """One goal of this rule with its call.

    Slots of one argument are joined: as they stand where only a space or "at" is between them, else each cut
    to size.
    """
    text = expand(rng.choice(chosen.phrases), rng)
    found: dict[str, Value] = dict(chosen.fixed)
    before: re.Match[str] | None = None

    def fill(slot: re.Match[str]) -> str:
        nonlocal before
        surface, value = fillers[slot[2]](rng)
        between = text[before.end() : slot.start()] if before and before[1] == slot[1] else ""
        before = slot
        if slot[1] != UNSEEN and between in JOINING and isinstance(value, str):
            _merge(found, slot[1], surface, between)
        elif slot[1] != UNSEEN:
            _merge(found, slot[1], value)
        return surface

    goal = re.sub(r"\s+", " ", SLOT.sub(fill, text)).strip()
    return Example(goal, (Call(chosen.tool, found),) if chosen.tool else ())


def choose(rules: tuple[Rule, ...], rng: random.Random) -> Rule:
    """A rule, by weight."""
    return rng.choices(rules, [entry.weight for entry in rules])[0]
