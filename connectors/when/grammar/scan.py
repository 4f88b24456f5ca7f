"""Reads a phrase from left to right: at each place the rule that takes the most text wins."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from connectors.when.pieces import Piece

Build = Callable[[re.Match[str]], tuple[Piece, ...]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A form of speech and what it says; building nothing means that the text only looked like it."""

    pattern: str
    build: Build

    def match(self, text: str, at: int) -> re.Match[str] | None:
        """The form at this place of the text."""
        return _compiled(self.pattern).match(text, at)


@dataclass(frozen=True, slots=True)
class Unread:
    """A word that no rule knows."""

    text: str


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when first needed: together the forms take a tenth of a second, which start-up is spared."""
    return re.compile(pattern)


def rule(pattern: str, build: Build) -> Rule:
    """A rule whose match ends where a word ends."""
    return Rule(f"(?:{pattern})(?![a-z0-9_])", build)


def said(pattern: str, *pieces: Piece) -> Rule:
    """A rule for a fixed expression."""
    return rule(pattern, lambda _match: pieces)


def normalise(phrase: str) -> str:
    """The phrase in one spelling: lower case, plain dashes and quotes, no commas, dots only after digits."""
    text = unicodedata.normalize("NFKC", phrase).lower()
    text = re.sub("[\u2010-\u2015\u2212]", "-", text)
    text = re.sub("[\u2018\u2019\u02bc`]", "'", text)
    text = re.sub(r"(?<=[a-z])\.", "", text)
    text = re.sub(r"(?<![0-9.])([0-9]{1,2}):([0-9]{2})\.$", r"\1:\2", text)
    text = re.sub(r",(?![0-9])|[!?\"“”()]|[.;]+$(?<![0-9]\.)", " ", text)
    return " ".join(text.split()).removeprefix("- ")


def scan(text: str, rules: Iterable[Rule]) -> tuple[Piece | Unread, ...]:
    """The pieces of a normalised text, with the words that nothing reads in between."""
    rules = tuple(rules)
    found: list[Piece | Unread] = []
    at = 0
    while at < len(text):
        if text[at] == " ":
            at += 1
            continue
        best, end = _longest(text, at, rules)
        if end == at:
            end = text.find(" ", at) if " " in text[at:] else len(text)
            found.append(Unread(text[at:end]))
        else:
            found.extend(best)
        at = end
    return tuple(found)


def _longest(text: str, at: int, rules: tuple[Rule, ...]) -> tuple[tuple[Piece, ...], int]:
    best: tuple[Piece, ...] = ()
    end = at
    for each in rules:
        match = each.match(text, at)
        if match and match.end() > end:
            pieces = each.build(match)
            if pieces:
                best, end = pieces, match.end()
    return best, end
