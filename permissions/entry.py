"""One call as the journal has it, and how it reads."""

import json
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from sqlite3 import Row
from typing import Any

from connectors.base import Arguments, Call, Effect, Role
from permissions.stood import Stood, stood
from permissions.words import Asker, Flag, Key, Ruling, Scope, Verdict, Who


class State(StrEnum):
    """How far a call is. Nothing ran before STARTED; of UNKNOWN nobody knows if it was done.

    HELD waits to be done and can still be WITHDRAWN; DIVERGED did more than was shown; LEFT is unknown, and
    the person has said to leave it at that.
    """

    PLANNED = "planned"
    DENIED = "denied"
    EXPIRED = "expired"
    APPROVED = "approved"
    HELD = "held"
    WITHDRAWN = "withdrawn"
    STARTED = "started"
    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "unknown"
    DIVERGED = "diverged"
    RESOLVED_DONE = "resolved_done"
    RESOLVED_NOT = "resolved_not"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Touched:
    """One destination or target of a call, and who named it; `seen` is where the value was first seen."""

    role: Role
    argument: str
    value: str
    label: str
    who: Who
    seen: str = ""
    written_before: int | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """What a ruling was made from, beside the call: enough to tell how it came about from the record alone.

    `policy` is the version of the rules; `origins` has who wrote each argument; `tainted` says that foreign
    text had entered the model's context; `plan` is the sealed plan's digest; `offers` are the permissions
    that could have gone with a yes; `stood` is what else the decision needs to be made again.
    """

    policy: str = ""
    touched: tuple[Touched, ...] = ()
    origins: tuple[tuple[str, Who], ...] = ()
    tainted: bool = False
    step: int = 0
    steps: int = 0
    offers: tuple[str, ...] = ()
    plan: str = ""
    stood: Stood | None = None


@dataclass(frozen=True, slots=True)
class Consent:
    """What let a call run: the key that was pressed, or a permission given before.

    `scope`, `tool`, `given` and `things` are of the permission that went with the yes (then `words` has it in
    words), or that covered the call (then there is no key).
    """

    key: Key | None = None
    words: str = ""
    scope: Scope | None = None
    tool: str = ""
    given: datetime | None = None
    effects: frozenset[Effect] = frozenset()
    things: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One call as the journal has it.

    `at` is when it was asked for; `goal` what the person typed; `fields` and `things` what was shown, short,
    the things with who named them; `ruling` why it was asked; `answer` what the person said; `undo` the call
    that takes the deed back, `undone` if that was done; `ended` when its state became the last; `until` when
    a held one was to go out. `hash` is the fingerprint of all that was shown and approved; `why` and
    `consent` are what ruling and leave were made of; `mark` what a later look needs to tell if it was done.
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
    hash: str = ""
    why: Why = field(default_factory=Why)
    consent: Consent | None = None
    mark: Arguments = field(default_factory=dict)
    until: datetime | None = None

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


def entry(row: Row) -> Entry:
    """A row as it reads."""
    shown = json.loads(row["shown"])
    undo = json.loads(row["undo"]) if row["undo"] else None
    return Entry(
        id=row["id"],
        call_id=row["call_id"],
        at=datetime.fromisoformat(row["at"]),
        goal_id=row["goal_id"],
        goal=row["goal"],
        asker=Asker(row["asker"]),
        tool=row["tool"],
        effects=_effects(row["effects"]),
        title=row["title"],
        fields=tuple((label, value) for label, value in shown["fields"]),
        things=tuple((thing[0], thing[1]) for thing in shown["things"]),
        ruling=_ruling(row["rule"], json.loads(row["ruling"])),
        state=State(row["state"]),
        answer=row["answer"],
        outcome=row["outcome"],
        undo=Call(undo[2], undo[0], undo[1]) if undo else None,
        undone=bool(row["undone"]),
        ended=_moment(row["ended"]),
        hash=row["hash"],
        why=_why(json.loads(row["why"] or "{}"), shown["things"]),
        consent=_consent(json.loads(row["given"])) if row["given"] else None,
        mark=json.loads(row["mark"] or "{}"),
        until=_moment(row["until"]),
    )


def _effects(text: str) -> frozenset[Effect]:
    return frozenset(Effect(effect) for effect in text.split())


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _ruling(rule: str, kept: dict[str, Any]) -> Ruling:
    return Ruling(
        verdict=Verdict(kept["verdict"]),
        rule=rule,
        reason=kept["reason"],
        flags=frozenset(Flag(flag) for flag in kept["flags"]),
        key=Key(kept["key"]),
        word=kept["word"],
    )


def _why(kept: dict[str, Any], things: list[list[Any]]) -> Why:
    """What a ruling was made from; of a journal from before this was kept, nothing."""
    if not kept:
        return Why()
    return Why(
        policy=kept["policy"],
        touched=tuple(_touched(*thing) for thing in things),
        origins=tuple((name, Who[who.upper()]) for name, who in kept["origins"]),
        tainted=kept["tainted"],
        plan=kept.get("plan", ""),
        step=kept["step"],
        steps=kept["steps"],
        offers=tuple(kept["offers"]),
        stood=stood(kept["stood"]) if kept.get("stood") else None,
    )


def _touched(
    label: str, who: str, role: str, argument: str, value: str, seen: str, written: int | None
) -> Touched:
    return Touched(Role(role), argument, value, label, Who[who.upper()], seen, written)


def _consent(kept: dict[str, Any]) -> Consent:
    key = Key(kept["key"]) if kept["key"] else None
    grant = kept["grant"]
    if grant is None:
        return Consent(key)
    return Consent(
        key=key,
        words=kept["words"],
        scope=Scope(grant["scope"]),
        tool=grant["tool"],
        given=datetime.fromisoformat(grant["given"]),
        effects=_effects(grant["effects"]),
        things=tuple((argument, tuple(values)) for argument, values in grant["things"]),
    )
