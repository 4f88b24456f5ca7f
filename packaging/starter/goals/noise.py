"""Make a generated goal look typed: politeness, case, punctuation, slips; labels stay copies of the text."""

import random
from dataclasses import replace

from goals.phrase import Call, Example, Value
from goals.words import WORDS
from goals.wrapped import wrapped

VERBS = frozenset(WORDS["VERBS"])
ASKING = (
    "would you please ",
    "would you ",
    "can u ",
    "i need to ",
    "hi, i need to ",
    "hello, can you ",
    "please can you ",
    "i'd like you to please ",
    "i want you to please ",
    "now ",
    "ok, ",
    "please ",
    "please ",
    "could you please ",
    "can you ",
    "could you ",
    "can you please ",
    "would you ",
    "i want you to ",
    "i'd like you to ",
    "i'd like to ",
    "i want to ",
    "i need to ",
    "let's ",
    "hey, ",
    "hi, can you ",
    "pls ",
    "hello, please ",
    "i need you to ",
    "go ahead and ",
    "kindly ",
    "would you mind to ",
    "hey can you ",
)
CALLING = (
    "hey ",
    "hi, ",
    "ok ",
    "hello ",
    "askfirst, ",
    "so ",
    "um ",
    "please ",
    "okay, ",
    "hey assistant, ",
)
ENDINGS = (" please", ", please", " thanks", ", thanks", " for me", " pls", " now", " asap", " thank you")
FINAL = (".", ".", ".", "!", "?", "..", " ")
QUESTIONS = (
    "what",
    "when",
    "who",
    "where",
    "how",
    "is",
    "am",
    "do",
    "does",
    "did",
    "can",
    "could",
    "would",
    "any",
    "has",
    "have",
    "which",
    "why",
    "are",
)
FREE_TEXT = frozenset({"body", "text", "notes"})
WRITERS = frozenset({"messaging.send", "messaging.draft", "messaging.reply"})  # "tell Ana thanks" has a text
WRAPPED = 0.14
CODED = frozenset({"setting", "series"})


def strings(call: Call) -> list[str]:
    """All copied words of a call, argument by argument."""
    found: list[str] = []
    for name, value in call.arguments.items():
        if name in CODED:
            continue
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list):
            found += value
    return found


def copied(example: Example) -> bool:
    """Whether every word of every label stands in the goal."""
    return all(
        piece in example.goal
        for call in example.calls
        if not call.tool.startswith("settings.")
        for text in strings(call)
        for piece in text.split()
    )


def _map_value(name: str, value: Value, change: dict[str, str] | None) -> Value:
    def one(text: str) -> str:
        if change is None:
            return text.lower()
        for old, new in change.items():
            text = text.replace(old, new)
        return text

    if name in CODED or isinstance(value, bool):
        return value
    return one(value) if isinstance(value, str) else [one(text) for text in value]


def _map_calls(calls: tuple[Call, ...], change: dict[str, str] | None) -> tuple[Call, ...]:
    return tuple(
        replace(c, arguments={n: _map_value(n, v, change) for n, v in c.arguments.items()}) for c in calls
    )


def lowered(example: Example) -> Example:
    """All in lower case."""
    return replace(example, goal=example.goal.lower(), calls=_map_calls(example.calls, None))


def _curly(example: Example) -> Example:
    return replace(example, goal=example.goal.replace("'", "’"), calls=_map_calls(example.calls, {"'": "’"}))


def ends_free(example: Example) -> bool:
    """Whether the goal ends in words of the person's own (nothing may be put after them)."""
    if not example.calls:
        return False
    last = example.calls[-1]
    return any(
        isinstance(value, str)
        and example.goal.rstrip().endswith(value)
        and (name in FREE_TEXT or (name in ("title", "task")))
        for name, value in last.arguments.items()
    )


def _writes(call: Call) -> bool:
    return call.tool in WRITERS or not FREE_TEXT.isdisjoint(call.arguments)


def polite(example: Example, rng: random.Random) -> Example:
    """A word of address before, or of thanks after."""
    goal = example.goal
    first = goal.split(" ")[0].lower()
    kind = rng.random()
    if kind < 0.34 and first in VERBS:
        goal = rng.choice(ASKING) + goal
    elif kind < 0.42:
        goal = rng.choice(CALLING) + goal
    if rng.random() < 0.1 and not any(_writes(call) for call in example.calls):
        goal += rng.choice(ENDINGS)
    return replace(example, goal=goal)


def _slip(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word) - 1)
    kind = rng.random()
    if kind < 0.4:
        return word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
    return word[:at] + word[at + 1 :] if kind < 0.75 else word[:at] + word[at] + word[at:]


def _typo(example: Example, rng: random.Random) -> Example:
    kept = {piece for call in example.calls for text in strings(call) for piece in text.split()}
    parts = example.goal.split(" ")
    free = [
        i
        for i, part in enumerate(parts)
        if len(part) > 4 and part.isalpha() and not any(piece in part for piece in kept)
    ]
    if not free:
        return example
    at = rng.choice(free)
    parts[at] = _slip(parts[at], rng)
    return replace(example, goal=" ".join(parts))


def slipped_value(example: Example, rng: random.Random) -> Example:
    """A slip within a copied word, which is copied with its slip."""
    words = [
        piece
        for call in example.calls
        if not call.tool.startswith("settings.")
        for text in strings(call)
        for piece in text.split()
        if len(piece) > 4 and piece.isalpha() and example.goal.count(piece) == 1
    ]
    if not words:
        return example
    old = rng.choice(words)
    new = _slip(old, rng)
    return replace(example, goal=example.goal.replace(old, new), calls=_map_calls(example.calls, {old: new}))


def _cased(example: Example, rng: random.Random) -> Example:
    kind = rng.random()
    if kind < 0.38:
        return lowered(example)
    if kind < 0.75 and example.goal:
        changed = replace(example, goal=example.goal[0].upper() + example.goal[1:])
        return changed if copied(changed) else example
    return example


def _punctuated(example: Example, rng: random.Random) -> Example:
    goal = example.goal
    if rng.random() < 0.4:
        asks = goal.split(" ")[0].lower().rstrip("s'") in QUESTIONS or goal.lower().startswith("what")
        goal += "?" if asks and rng.random() < 0.8 else rng.choice(FINAL)
    return replace(example, goal=goal)


def typed(example: Example, rng: random.Random) -> Example:
    """The goal with the marks of typing."""
    made = wrapped(example, rng) if rng.random() < WRAPPED else example
    made = polite(made, rng) if made is example else made
    before = made
    if rng.random() < 0.1:
        made = _typo(made, rng)
    if rng.random() < (0.3 if made is not before else 0.06):
        made = slipped_value(made, rng)
    made = _punctuated(_cased(made, rng), rng)
    return _curly(made) if rng.random() < 0.06 else made
