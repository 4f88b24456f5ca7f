"""Goals made of hwu64: as they are, varied, as a choice of the tool alone, and beyond every tool."""

import random
import re
from dataclasses import dataclass
from pathlib import Path

from assistant.evals.corpora.mapping import typed_text
from goals.hints import hinted
from goals.hwu64 import fold_of, mapped, read
from goals.noise import copied, lowered
from goals.phrase import Example
from goals.varied import varied

EITHER_WAY = re.compile(
    r"(?:\W|olly|hey|so|please|tell me)*"
    r"(?:what(?:'s|s| is| are| am i)? (?:happening|going on|doing|up|coming up|on)"
    r"|(?:what|which|any) events (?:are )?(?:happening|there|on|going on))"
    r"(?: (?:today|tonight|tomorrow|now|right now|this \w+|next \w+|(?:on )?\w+day))*\W*",
    re.I,
)
"""Labelled as news or as what is on in town, but to one's own assistant as likely about one's own day."""


def plain(text: str) -> str:
    """A sentence as it is compared: lower case, no punctuation."""
    return re.sub(r"[^\w]+", " ", text.lower()).strip()


def texts(row: dict[str, str]) -> tuple[str, str]:
    """A row of hwu64 as normalised and as typed."""
    return row["normalised"], typed_text(row)


@dataclass(frozen=True, slots=True)
class Real:
    """Goals made of hwu64: with calls, with the tool alone, with other words, and beyond every tool."""

    inside: list[Example]
    hinted: list[Example]
    varied: list[Example]
    beyond: list[Example]


def real_goals(path: Path, banned: set[str], seed: int, ways: int = 3) -> Real:
    """hwu64 without the held-out fold, in a shuffled order; `ways` is how often each row is varied."""
    rng = random.Random(seed)
    found = Real([], [], [], [])
    held = {plain(text) for row in read(path) if fold_of(row["normalised"]) == 0 for text in texts(row)}
    banned = banned | held

    def keep(made: Example | None, kind: list[Example], share: float = 0.2) -> None:
        if made is not None and copied(made) and plain(made.goal) and plain(made.goal) not in banned:
            kind.append(lowered(made) if rng.random() < share else made)

    for row in read(path):
        if fold_of(row["normalised"]) == 0:
            continue
        made = mapped(row, typed=rng.random() < 0.5)
        if made is None:
            keep(hinted(row), found.hinted)
        elif not made.calls:
            keep(None if EITHER_WAY.fullmatch(made.goal) else made, found.beyond)
        else:
            keep(made, found.inside)
            for _ in range(ways):
                other = varied(row, rng)
                if other["annotated"] != row["annotated"]:
                    keep(mapped(other), found.varied, 0.45)
    for kind in (found.inside, found.hinted, found.varied, found.beyond):
        rng.shuffle(kind)
    return found
