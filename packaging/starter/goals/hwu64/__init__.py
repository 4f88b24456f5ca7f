"""Utterances of hwu64 (CC BY 4.0) mapped to Askfirst's tools; a label is always a copy of the words."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from goals.hwu64 import calendar, others
from goals.hwu64.said import SPAN, Said, parse, relocate
from goals.phrase import Call, Example

IN_SCOPE_WORDS = re.compile(
    r"remind|calendar|meeting|alarm|e-?mail|schedule|\bnotes?\b|others.volume|wi-?fi|bluetooth|\bfiles?\b|appointment|\blists?\b|contacts?\b|\bmute|loud|brightness",
    re.I,
)
OUT = (
    "cooking",
    "iot",
    "datetime",
    "weather",
    "play",
    "music",
    "news",
    "qa",
    "transport",
    "takeaway",
    "recommendation",
    "social",
    "general",
)
FOLDS = 10
MAPPERS: dict[tuple[str, str], Callable[[Said], tuple[Call, ...] | None]] = {
    ("alarm", "set"): calendar.alarm_set,
    ("alarm", "query"): calendar.alarm_query,
    ("alarm", "remove"): calendar.alarm_remove,
    ("audio", "volume_up"): lambda said: others.volume(said, "up"),
    ("audio", "volume_down"): lambda said: others.volume(said, "down"),
    ("audio", "volume_mute"): others.mute,
    ("calendar", "query"): calendar.calendar_query,
    ("calendar", "remove"): calendar.calendar_remove,
    ("calendar", "set"): calendar.calendar_set,
    ("email", "addcontact"): others.add_contact,
    ("email", "query"): others.email_query,
    ("email", "querycontact"): others.find_contact,
    ("email", "sendemail"): others.send_email,
    ("lists", "createoradd"): calendar.add_item,
    ("lists", "query"): calendar.list_query,
    ("lists", "remove"): calendar.remove_item,
}


def fold_of(text: str) -> int:
    """The fold an utterance belongs to; fold 0 is never trained on."""
    return hashlib.sha256(re.sub(r"\W+", " ", text.lower()).strip().encode()).digest()[0] % FOLDS


def mapped(row: dict[str, str], *, typed: bool = True) -> Example | None:
    """The row as a goal with its calls; None where the words or the label cannot be trusted."""
    said = parse(row["annotated"])
    text = SPAN.sub(r"\2", row.get("text") or "")
    if text in ("", "null") or text.startswith("<"):
        text = said.text
    at = relocate(said, text) if typed else None
    at = at or said
    if row["scenario"] in OUT:
        return None if IN_SCOPE_WORDS.search(at.text) else Example(at.text.strip(), ())
    mapper = MAPPERS.get((row["scenario"], row["intent"]))
    calls = mapper(at) if mapper else None
    return Example(at.text.strip(), calls) if calls else None


def read(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a JSON lines file."""
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)
