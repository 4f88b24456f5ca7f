"""One call as the journal has it: how it is written down, and how it reads."""

import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from sqlite3 import Row

from pydantic import JsonValue

from connectors.base import Call, Effect, Role
from permissions.canonical import canonical
from permissions.redact import brief
from permissions.words import Asker, Flag, GoalRef, Key, Request, Ruling, Verdict

_LINE = 200
_VALUE = 80
_WORDS = 500
_MOST = 50
_MOST_UNDO = 4000


class State(StrEnum):
    """How far a call is. Nothing ran before STARTED; of UNKNOWN nobody knows if it was done."""

    PLANNED = "planned"
    DENIED = "denied"
    EXPIRED = "expired"
    APPROVED = "approved"
    STARTED = "started"
    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "unknown"
    RESOLVED_DONE = "resolved_done"
    RESOLVED_NOT = "resolved_not"


@dataclass(frozen=True, slots=True)
class Entry:
    """One call as the journal has it.

    `at` is when it was asked for; `goal` what the person typed; `fields` and `things` what was shown, short,
    the things with who named them; `ruling` why it was asked; `answer` what the person said; `undo` the call
    that takes the deed back, `undone` if that was done; `ended` when its state became the last.
    """

    id: str
    call_id: str
    at: datetime
    goal_id: str
    goal: str
    asker: Asker
    tool: str
    effects: frozenset[Effect]
    title: str
    fields: tuple[tuple[str, str], ...]
    things: tuple[tuple[str, str], ...]
    ruling: Ruling
    state: State
    answer: str
    outcome: str
    undo: Call | None
    undone: bool
    ended: datetime | None

    @property
    def rule(self) -> str:
        """The name of the rule that decided."""
        return self.ruling.rule

    @property
    def verdict(self) -> Verdict:
        return self.ruling.verdict

    @property
    def reason(self) -> str:
        """Why it was ruled so, in words."""
        return self.ruling.reason

    @property
    def flags(self) -> tuple[str, ...]:
        """What there was to look at twice, by name."""
        return tuple(sorted(self.ruling.flags))


Columns = dict[str, JsonValue]


def planned(request: Request, goal: GoalRef, fingerprint: str, owner: str, at: datetime) -> Columns:
    """The columns of a call that is asked for: labels and decisions, never bodies, payloads or arguments."""
    prepared, ruling = request.prepared, request.ruling
    return {
        "id": request.id,
        "call_id": prepared.call.id,
        "owner": owner,
        "hash": fingerprint,
        "at": at.isoformat(),
        "goal_id": goal.id,
        "goal": brief(goal.text, _WORDS),
        "asker": request.asker.value,
        "tool": prepared.call.tool,
        "effects": " ".join(sorted(effect.value for effect in prepared.effects)),
        "title": brief(prepared.preview.title, _LINE),
        "shown": _json({"fields": _fields(request), "things": _things(request)}),
        "ruling": _json(
            {
                "verdict": ruling.verdict,
                "reason": ruling.reason,
                "flags": sorted(ruling.flags),
                "key": ruling.key,
                "word": ruling.word,
            }
        ),
        "rule": ruling.rule,
        "state": State.PLANNED.value,
        "answer": "",
        "outcome": "",
        "undo": "",
        "undone": 0,
        "ended": "",
    }


def kept_undo(undo: Call | None) -> str:
    """An undo call as it is kept, or nothing where it is too large to be one."""
    if undo is None:
        return ""
    text = f"{undo_start(undo)}{_json(undo.id)}]"
    return text if len(text) <= _MOST_UNDO else ""


def undo_start(undo: Call) -> str:
    """What the kept forms of all undo calls that do the same begin with."""
    return f"[{_json(undo.tool)},{_json(dict(undo.arguments))},"


def kept_text(text: str) -> str:
    """Words for keeping: one line, short, without secrets."""
    return brief(text, _WORDS)


def entry(row: Row) -> Entry:
    """A row as it reads."""
    shown, ruling = json.loads(row["shown"]), json.loads(row["ruling"])
    undo = json.loads(row["undo"]) if row["undo"] else None
    return Entry(
        id=row["id"],
        call_id=row["call_id"],
        at=datetime.fromisoformat(row["at"]),
        goal_id=row["goal_id"],
        goal=row["goal"],
        asker=Asker(row["asker"]),
        tool=row["tool"],
        effects=frozenset(Effect(effect) for effect in row["effects"].split()),
        title=row["title"],
        fields=tuple((label, value) for label, value in shown["fields"]),
        things=tuple((label, origin) for label, origin in shown["things"]),
        ruling=Ruling(
            verdict=Verdict(ruling["verdict"]),
            rule=row["rule"],
            reason=ruling["reason"],
            flags=frozenset(Flag(flag) for flag in ruling["flags"]),
            key=Key(ruling["key"]),
            word=ruling["word"],
        ),
        state=State(row["state"]),
        answer=row["answer"],
        outcome=row["outcome"],
        undo=Call(undo[2], undo[0], undo[1]) if undo else None,
        undone=bool(row["undone"]),
        ended=datetime.fromisoformat(row["ended"]) if row["ended"] else None,
    )


def _fields(request: Request) -> list[JsonValue]:
    """The preview's fields, short; of long ones, and of those that carry content at length, only the size."""
    long = {thing.argument for thing in request.prepared.resolved if thing.role is Role.CONTENT}
    kept: list[JsonValue] = []
    for field in request.prepared.preview.fields[:_MOST]:
        bulky = len(field.value) > _VALUE and field.argument in long
        value = f"({len(field.value)} characters)" if bulky else brief(field.value, _VALUE)
        kept.append([brief(field.label, _VALUE), value])
    return kept


def _things(request: Request) -> list[JsonValue]:
    """What the call touches, by label, with who named it."""
    kept: list[JsonValue] = []
    for thing, origin in list(zip(request.prepared.resolved, request.traced, strict=False))[:_MOST]:
        if thing.role in (Role.DESTINATION, Role.TARGET):
            kept.append([brief(thing.label, _LINE), origin.who.name.lower()])
    return kept


def _json(value: object) -> str:
    return canonical(value).decode("ascii")
