"""Where a call stood when it was judged, as the journal keeps it, so that it can be judged again."""

from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from connectors.base import Effect, Role
from permissions.case import Case
from permissions.coverage import touched
from permissions.redact import brief
from permissions.words import Flag, Who

LINE = 200
"""How much is kept of a value or a label."""
MOST = 50
"""How many of the things of a call are kept."""
_DEED = 80


@dataclass(frozen=True, slots=True)
class Stood:
    """What a ruling hung on beside the things touched: see `Case` for each.

    `tool` is the effect that the tool is declared to have, `flags` are those that only provenance sees,
    `carried` has the role, argument and author of what was carried or bounded, whose values are not kept.
    `pasted` says that some of the goal was, `whole` that every value and label of the things touched was
    kept to the letter.
    """

    tool: Effect
    in_plan: bool
    service_in_plan: bool
    sealed: bool
    repeated: bool
    undoable: bool
    flags: frozenset[Flag]
    carried: tuple[tuple[Role, str, Who], ...]
    deed: str
    whole: bool
    pasted: bool = False


def kept_stood(case: Case) -> dict[str, JsonValue]:
    """A case as it is kept, without any text that is carried; what is usual takes no room."""
    acted_on = touched(case.prepared)
    carried: list[JsonValue] = [
        [thing.role.value, thing.argument, origin.who.name.lower()]
        for thing, origin in zip(case.prepared.resolved, case.traced, strict=False)
        if thing not in acted_on
    ]
    kept: dict[str, JsonValue] = {
        "tool": case.tool.effect.value,
        "deed": brief(case.prepared.preview.deed, _DEED),
        "is": [name for name, holds in _marks(case).items() if holds],
        "flags": [flag.value for flag in sorted(case.flags)],
        "carried": carried[:MOST],
    }
    return {name: value for name, value in kept.items() if value}


def _marks(case: Case) -> dict[str, bool]:
    texts = (text for thing in touched(case.prepared) for text in (thing.value, thing.label))
    return {
        "in_plan": case.in_plan,
        "service": case.service_in_plan,
        "sealed": case.sealed,
        "repeated": case.repeated,
        "undoable": case.prepared.undo is not None,
        "pasted": bool(case.goal.pasted),
        "whole": len(case.prepared.resolved) <= MOST and all(brief(text, LINE) == text for text in texts),
    }


def stood(kept: dict[str, Any]) -> Stood:
    """A case as it reads."""
    marks = frozenset(kept.get("is", ()))
    return Stood(
        tool=Effect(kept["tool"]),
        in_plan="in_plan" in marks,
        service_in_plan="service" in marks,
        sealed="sealed" in marks,
        repeated="repeated" in marks,
        undoable="undoable" in marks,
        flags=frozenset(Flag(flag) for flag in kept.get("flags", ())),
        carried=tuple((Role(role), name, Who[who.upper()]) for role, name, who in kept.get("carried", ())),
        deed=kept.get("deed", ""),
        whole="whole" in marks,
        pasted="pasted" in marks,
    )
