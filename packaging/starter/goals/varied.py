"""Real sentences with other words in their slots: a person's phrasing, not always the same names and days."""

import random
import re
from collections.abc import Callable

from assistant.evals.corpora.said import SPAN
from goals import dates, words
from goals.phrase import expand

KEPT = 0.2  # how many slots keep their words


def _date(old: str, rng: random.Random) -> str:
    low = old.lower()
    if any(word in low for word in ("today", "tomorrow", "tonight", "week", "month", "year")):
        return expand(dates.WORDS["WINDOW" if "week" in low or "month" in low else "FREE_DAY"], rng)
    return expand(dates.WORDS["DATED" if rng.random() < 0.5 else "NAMED_DAY"], rng)


def _time(old: str, rng: random.Random) -> str:
    return old if len(old.split()) > 2 else dates.clock(rng)


def _event(old: str, rng: random.Random) -> str:
    return old if old.lower().startswith(("event", "all ")) or old.endswith("s") else words.title(rng)


FILLED: dict[str, Callable[[str, random.Random], str]] = {
    "date": _date,
    "time": _time,
    "event_name": _event,
    "person": lambda old, rng: f"{words.person(rng)}'s" if old.endswith("'s") else words.person(rng),
    "relation": lambda old, rng: (
        f"{rng.choice(words.RELATIONS)}'s" if old.endswith("'s") else rng.choice(words.RELATIONS)
    ),
    "place_name": lambda old, rng: words.place(rng),
    "list_name": lambda old, rng: rng.choice(words.WORDS["LISTS"]),
    "email_address": lambda old, rng: words.address(rng),
    "general_frequency": lambda old, rng: (
        expand(dates.WORDS["REPEATED"], rng) if old.startswith("every") else old
    ),
}


def varied(row: dict[str, str], rng: random.Random) -> dict[str, str]:
    """The row with other words of the same kind in most of its slots."""

    def fill(slot: re.Match[str]) -> str:
        make = FILLED.get(slot[1])
        if make is None or rng.random() < KEPT:
            return slot[0]
        return f"[{slot[1]} : {make(slot[2], rng)}]"

    annotated = SPAN.sub(fill, row["annotated"])
    return {**row, "annotated": annotated, "text": SPAN.sub(r"\2", annotated)}
