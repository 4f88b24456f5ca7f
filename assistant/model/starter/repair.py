"""Puts right what a small model miscopied: a near match of the person's words becomes those words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from pydantic import JsonValue

from assistant.model.shapes import Kind, ToolShape

_WORD = re.compile(r"[^\s]+")
_WORDS = re.compile(r"\w+")
_SWITCHED = frozenset({"on", "off", "up", "down"})
"""Words that other words may mean: "mute" is to turn it on, "speak louder" to turn it up."""
_ENDINGS = ("", "'s", "’s", "s", "s'", "s’")
"""What a copy may leave off a word: "boss" of "boss's", "alarm" of "alarms"."""
_WHOLE = frozenset({"body", "text", "notes"})
"""Texts that are copied in one piece; others may leave out what stands between their pieces."""
_JOINING = frozenset(
    {"at", "in", "on", "the", "of", "from", "to", "for", "and", "until", "till", "by", "this"}
)
"""Words that belong to the pieces they stand between."""
_NAMED = frozenset({"title", "event", "search", "task"})
"""What names a thing, without an article."""
_PEOPLE = frozenset({"to", "sender", "name", "invite"})
_ARTICLE = re.compile(r"(?:the|a|an|my|our) (?=\S)")
_MINE = re.compile(r"(?:my|our|MY|OUR) (?=\S)")  # "My" begins a name
_LOUDER = re.compile(r"\b(?:(?:a (?:little )?bit|a little|much) )?(?:louder|quieter|softer)\b", re.I)
_EDGE = ".,;:!?\"'()[]{}<>“”‘’«»…"
_NEAR = 0.84
_CLEARLY = 0.04
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class _Token:
    folded: str
    goal: str
    start: int
    end: int


_Run = Sequence[_Token]


def repair(arguments: dict[str, JsonValue], tool: ToolShape, goals: Sequence[str]) -> dict[str, JsonValue]:
    """The arguments with every free text as `copied` leaves it, and without those that nobody said.

    A text that shares no word with any goal is the model's own invention; left out, it is asked for.
    """
    free = {argument.name for argument in tool.arguments if argument.kind in (Kind.TEXT, Kind.TEXTS)}
    words = {word for goal in goals for word in _WORDS.findall(goal.casefold())}
    said = _SWITCHED | words | {word.removesuffix("s") for word in words}
    mended = {
        name: _mend(value, goals, name not in _WHOLE) if name in free else value
        for name, value in arguments.items()
    }
    kept = {
        name: _without_inventions(value, said) if name in free else value for name, value in mended.items()
    }
    bare = {name: _bare(name, value) for name, value in kept.items() if value not in (None, [])}
    return _as_compared(bare, goals)


def copied(text: str, goals: Sequence[str], in_pieces: bool = False) -> str:
    """The text, or the run of a goal's words that it clearly is a miscopy of.

    A text that occurs in a goal as whole words, in any case and with or without an 's, is left alone; so is
    one that is near to nothing, or about as near to two places that say different things. `in_pieces` says
    that its words may stand apart in the goal: prepositions between them are put back in, other words not.
    """
    wanted, said = _tokens(text), [_tokens(goal) for goal in goals]
    if not wanted or len(text) > _LONGEST or any(_occurs(wanted, words) for words in said):
        return text
    if in_pieces and (spread := next(filter(None, (_spread(wanted, words) for words in said)), None)):
        left_out = [token for token in spread if not any(_is_copy(word, token) for word in wanted)]
        joined = all(token.folded in _JOINING for token in left_out)
        return spread[0].goal[spread[0].start : spread[-1].end] if joined else text
    runs = [found for words in said for found in _near_runs(wanted, words)]
    if not runs:
        return text
    best, run = max(runs, key=lambda found: found[0])
    if any(best - ratio < _CLEARLY and _says_otherwise(other, run) for ratio, other in runs):
        return text
    return run[0].goal[run[0].start : run[-1].end]


def _mend(value: JsonValue, goals: Sequence[str], in_pieces: bool) -> JsonValue:
    if isinstance(value, str):
        way, _, rest = value.partition(" ")
        head = f"{way} " if rest and way in _SWITCHED else ""  # "up 10 %" of "raise it by 10 %"
        return head + copied(value.removeprefix(head), goals, in_pieces)
    if isinstance(value, list):
        return [_mend(item, goals, in_pieces) for item in value]
    return value


def _bare(name: str, value: JsonValue) -> JsonValue:
    """Names of things without an article, people without "my"."""
    if isinstance(value, list):
        return [_bare(name, one) for one in value]
    leading = _ARTICLE if name in _NAMED else _MINE if name in _PEOPLE else None
    found = leading.match(value) if leading and isinstance(value, str) else None
    return value[found.end() :] if found and isinstance(value, str) else value


def _as_compared(arguments: dict[str, JsonValue], goals: Sequence[str]) -> dict[str, JsonValue]:
    """The volume "a bit quieter" where that was said and the model says "down"."""
    said = _LOUDER.findall(goals[-1]) if goals else []
    if arguments.get("setting") != "volume" or arguments.get("value") not in ("up", "down") or len(said) != 1:
        return arguments
    return {**arguments, "value": said[0]}


def _spread(wanted: _Run, words: _Run) -> _Run | None:
    """The shortest run of words that holds all that is wanted in its order, or None."""
    found: list[_Run] = []
    for start, word in enumerate(words):
        if not _is_copy(wanted[0], word):
            continue
        at, seen = start, 1
        while seen < len(wanted) and at + 1 < len(words):
            at += 1
            seen += _is_copy(wanted[seen], words[at])
        if seen == len(wanted):
            found.append(words[start : at + 1])
    return min(found, key=len, default=None)


def _without_inventions(value: JsonValue, said: frozenset[str]) -> JsonValue:
    if isinstance(value, list):
        return [item for item in value if _without_inventions(item, said) is not None]
    if isinstance(value, str):
        return value if said.intersection(_WORDS.findall(value.casefold())) else None
    return value


def _says_otherwise(one: _Run, other: _Run) -> bool:
    apart = one[0].goal != other[0].goal or one[-1].end <= other[0].start or other[-1].end <= one[0].start
    return apart and _folded(one) != _folded(other)


def _near_runs(wanted: _Run, words: _Run) -> list[tuple[float, _Run]]:
    found: list[tuple[float, _Run]] = []
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(_folded(wanted))
    for size in range(max(len(wanted) - 1, 1), len(wanted) + 2):
        for start in range(len(words) - size + 1):
            run = words[start : start + size]
            matcher.set_seq1(_folded(run))
            if matcher.real_quick_ratio() >= _NEAR and matcher.quick_ratio() >= _NEAR:
                ratio = matcher.ratio()
                if ratio >= _NEAR:
                    found.append((ratio, run))
    return found


def _tokens(text: str) -> list[_Token]:
    found = []
    for match in _WORD.finditer(text):
        inner = match.group().strip(_EDGE)
        if inner:
            start = match.start() + match.group().index(inner)
            found.append(_Token(inner.casefold(), text, start, start + len(inner)))
    return found


def _folded(run: _Run) -> str:
    return " ".join(token.folded for token in run)


def _occurs(wanted: _Run, words: _Run) -> bool:
    size = len(wanted)
    runs = (words[at : at + size] for at in range(len(words) - size + 1))
    return any(all(map(_is_copy, wanted, run)) for run in runs)


def _is_copy(wanted: _Token, word: _Token) -> bool:
    return word.folded.startswith(wanted.folded) and word.folded[len(wanted.folded) :] in _ENDINGS
