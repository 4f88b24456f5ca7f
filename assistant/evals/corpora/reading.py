"""Reads a collection of goals: JSON lines as of hwu64, SLURP or SMCalFlow, told apart by their fields."""

import json
import random
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from assistant.evals.corpora.case import Case
from assistant.evals.corpora.mapping import BEYOND, mapped, typed_text


class CorpusError(Exception):
    """A collection that cannot be read; the text names the file and the line."""


class Form(StrEnum):
    """How a collection's rows are formed."""

    UTTERANCES = "utterances"
    DIALOGUES = "dialogues"


_LABEL = ("scenario", "intent")
_WORDS = ("annotated", "text", "normalised")
_INTENTS: Mapping[tuple[str, str], frozenset[str]] = {
    ("alarm", "set"): frozenset({"calendar.create_event"}),
    ("alarm", "query"): frozenset({"calendar.list_events"}),
    ("alarm", "remove"): frozenset({"calendar.delete_event"}),
    ("audio", "volume_up"): frozenset({"settings.set"}),
    ("audio", "volume_down"): frozenset({"settings.set"}),
    ("audio", "volume_mute"): frozenset({"settings.set"}),
    ("audio", "volume_other"): frozenset({"settings.set", "settings.get"}),
    ("calendar", "query"): frozenset({"calendar.list_events", "calendar.find_free_time"}),
    ("calendar", "remove"): frozenset({"calendar.delete_event"}),
    ("calendar", "set"): frozenset({"calendar.create_event", "calendar.add_task"}),
    ("email", "addcontact"): frozenset({"messaging.add_contact"}),
    ("email", "query"): frozenset({"messaging.search", "messaging.read"}),
    ("email", "querycontact"): frozenset({"messaging.find_contact"}),
    ("email", "sendemail"): frozenset({"messaging.send", "messaging.reply", "messaging.draft"}),
    ("lists", "createoradd"): frozenset({"calendar.add_task"}),
    ("lists", "query"): frozenset({"calendar.list_tasks"}),
    ("lists", "remove"): frozenset({"calendar.complete_task"}),
}
_ACTIONS: Mapping[str, frozenset[str]] = {
    "create": frozenset({"calendar.create_event", "calendar.add_task"}),
    "list": frozenset({"calendar.list_events", "calendar.find_free_time", "calendar.list_tasks"}),
    "change": frozenset({"calendar.change_event"}),
    "delete": frozenset({"calendar.delete_event"}),
}
_NO_ACTION = frozenset({"weather", "place", "chat", "out_of_scope"})
_NOT_WORDS = re.compile(r"[^\w]+")


def read_goals(path: Path, without: Collection[str] = frozenset()) -> tuple[Case, ...]:
    """The cases of a collection, but for those whose words (see `plain`) are among `without`.

    Of a dialogue only the first turn is taken. Raises CorpusError.
    """
    rows = tuple(_rows(path))
    cases = tuple(case for number, row in rows for case in _cases(path, number, row))
    if not cases:
        why = f": none of its {len(rows)} rows asks for something that is measured" if rows else ""
        raise CorpusError(f"{path}: there is no goal in it{why}.")
    return tuple(case for case in cases if plain(case.goal) not in without)


def words_of(path: Path) -> frozenset[str]:
    """The goals of a collection as they are compared. Raises CorpusError."""
    found = set()
    for number, row in _rows(path):
        if _form(path, number, row) is Form.UTTERANCES:
            found |= {plain(typed_text(row)), plain(str(row.get("normalised") or ""))}
        else:
            found |= {plain(turn["user"]) for turn in row["turns"]}
    return frozenset(found)


def sample(cases: Sequence[Case], limit: int | None, seed: int) -> tuple[Case, ...]:
    """At most `limit` cases that a tool fits and as many that none does, drawn with a seed."""
    if limit is None:
        return tuple(cases)
    drawn = random.Random(seed).sample(list(cases), len(cases))
    inside = [case for case in drawn if case.tools][:limit]
    return (*inside, *[case for case in drawn if not case.tools][:limit])


def plain(text: str) -> str:
    """A sentence as it is compared: lower case, no punctuation."""
    return _NOT_WORDS.sub(" ", text.lower()).strip()


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise CorpusError(f"{path} cannot be read ({error.strerror or error}).") from error
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path} cannot be read (it is not text in UTF-8).") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise CorpusError(f"{path}, line {number}: this is not JSON ({error}).") from error
        if not isinstance(row, dict):
            raise CorpusError(f"{path}, line {number}: this is not a JSON object.")
        yield number, row


def _form(path: Path, number: int, row: Mapping[str, Any]) -> Form:
    turns = row.get("turns")
    if isinstance(turns, list) and turns and all(_is_turn(turn) for turn in turns):
        return Form.DIALOGUES
    if all(isinstance(row.get(name), str) for name in _LABEL) and _is_worded(row):
        return Form.UTTERANCES
    wanted = "scenario, intent, and annotated or text, all of them texts, or turns with user and action"
    raise CorpusError(f"{path}, line {number}: this goal is in no known form; it needs {wanted}.")


def _is_worded(row: Mapping[str, Any]) -> bool:
    """True if the goal's words are there, and none of its forms is anything but a text."""
    found = [row[name] for name in _WORDS if row.get(name) is not None]
    return all(isinstance(words, str) for words in found) and bool(row.get("annotated") or row.get("text"))


def _is_turn(turn: object) -> bool:
    return isinstance(turn, dict) and all(isinstance(turn.get(name), str) for name in ("user", "action"))


def _cases(path: Path, number: int, row: dict[str, Any]) -> Iterator[Case]:
    if _form(path, number, row) is Form.DIALOGUES:
        first = row["turns"][0]
        if first["action"] in _ACTIONS or first["action"] in _NO_ACTION:
            tools = _ACTIONS.get(first["action"], frozenset())
            yield Case(first["user"], tools, first["action"])
        return
    intent = (row["scenario"], row["intent"])
    beyond = row["scenario"] in BEYOND
    if not beyond and intent not in _INTENTS:
        return
    found = mapped(row) if row.get("annotated") else None
    goal = found[0] if found else typed_text(row).strip()
    if not goal:
        return
    labels = found[1] if found else None
    tools = frozenset() if beyond else _INTENTS[intent]
    agreed = labels is not None and (not labels if beyond else labels[0].tool in tools)
    yield Case(goal, tools, "/".join(intent) if not beyond else row["scenario"], labels, agreed)
