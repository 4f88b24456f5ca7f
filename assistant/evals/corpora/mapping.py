"""Utterances annotated as in hwu64 and SLURP, mapped to Askfirst's tools; a label is a copy of the words."""

import re
from collections.abc import Callable, Mapping

from assistant.evals.corpora import calendar, others
from assistant.evals.corpora.label import Label
from assistant.evals.corpora.said import SPAN, Said, parse, relocate

Labels = tuple[Label, ...]

BEYOND = (
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
"""The scenarios that no tool of Askfirst is for."""

_IN_SCOPE = re.compile(
    r"remind|calendar|meeting|alarm|e-?mail|schedule|\bnotes?\b|others.volume|wi-?fi|bluetooth|\bfiles?\b"
    r"|appointment|\blists?\b|contacts?\b|\bmute|loud|brightness",
    re.I,
)
_MAPPERS: Mapping[tuple[str, str], Callable[[Said], Labels | None]] = {
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


def typed_text(row: Mapping[str, str]) -> str:
    """The utterance as it was typed, without the marks of its annotation."""
    text = SPAN.sub(r"\2", row.get("text") or "")
    annotated = row.get("annotated")
    return parse(annotated).text if annotated and (text in ("", "null") or text.startswith("<")) else text


def said_in(row: Mapping[str, str], *, typed: bool = True) -> Said:
    """The utterance with its spans, as typed where they can be found there, else as normalised."""
    said = parse(row["annotated"])
    return (relocate(said, typed_text(row)) if typed else None) or said


def mapped(row: Mapping[str, str], *, typed: bool = True) -> tuple[str, Labels] | None:
    """The goal and the calls it means (none: no tool fits), or None where the label cannot be trusted."""
    said = said_in(row, typed=typed)
    if row["scenario"] in BEYOND:
        return None if _IN_SCOPE.search(said.text) else (said.text.strip(), ())
    mapper = _MAPPERS.get((row["scenario"], row["intent"]))
    calls = mapper(said) if mapper else None
    return (said.text.strip(), calls) if calls else None
