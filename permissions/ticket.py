"""An approval: bound to the exact bytes that were shown, good for one use and a short time."""

from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from connectors.base import Prepared, Preview
from permissions.canonical import canonical, digest

__all__ = ["LIFETIME", "Ticket", "canonical", "fingerprint", "frozen", "likeness", "matches"]

LIFETIME = timedelta(seconds=120)


@dataclass(frozen=True, slots=True)
class Ticket:
    """Leave to perform one prepared call once, until `expires`; only the gate makes one.

    `id` is that of the request it answers, `hash` the fingerprint of what was approved.
    """

    id: str
    prepared: Prepared
    hash: str
    issued: datetime
    expires: datetime

    def valid(self, now: datetime) -> bool:
        """True while it lives; a clock that was set back ends it too."""
        return self.issued <= now < self.expires


def fingerprint(request_id: str, prepared: Prepared, policy_version: str, plan: str = "") -> str:
    """The SHA-256 over all that an approval is about, in hex; ValueError if some of it has no exact form.

    The request's id is part of it, so that a yes to one call is none to its twin, and the digest of the
    sealed plan, so that a yes under one plan is none under another.
    """
    return digest(
        {
            "v": 2,
            "request": request_id,
            "policy": policy_version,
            "plan": plan,
            "call": prepared.call.id,
            **_body(prepared),
        }
    )


def matches(hash: str, request_id: str, prepared: Prepared, policy_version: str, plan: str = "") -> bool:
    """True if this call, now, still has the fingerprint that it had."""
    try:
        return fingerprint(request_id, prepared, policy_version, plan) == hash
    except ValueError:
        return False


def likeness(prepared: Prepared) -> str:
    """A digest that two calls share if they would do the very same thing to the very same state."""
    return digest(_body(prepared))


def frozen(prepared: Prepared) -> Prepared:
    """A copy that nobody else holds a piece of, so that what was approved cannot be changed from afar."""
    call = replace(prepared.call, arguments=_copied(dict(prepared.call.arguments)))
    return replace(prepared, call=call, payload=_copied(dict(prepared.payload)))


def _copied(value: Any) -> Any:
    """A copy all the way down, in little time for JSON values."""
    match value:
        case str() | int() | float() | None:
            return value
        case dict():
            return {key: _copied(each) for key, each in value.items()}
        case list():
            return [_copied(each) for each in value]
    return deepcopy(value)


def _body(prepared: Prepared) -> dict[str, object]:
    trial = prepared.trial
    promise = {"trial": [trial.back.tool, trial.back.arguments, trial.seconds]} if trial else {}
    return {
        **promise,
        "tool": prepared.call.tool,
        "arguments": prepared.call.arguments,
        "resolved": [
            [thing.role.value, thing.argument, thing.value, thing.label, thing.written_before]
            for thing in prepared.resolved
        ],
        "payload": prepared.payload,
        "effects": sorted(effect.value for effect in prepared.effects),
        "basis": prepared.basis,
        "undo": prepared.undo,
        "preview": _preview(prepared.preview),
    }


def _preview(preview: Preview) -> dict[str, object]:
    return {
        "title": preview.title,
        "deed": preview.deed,
        "fields": [[f.label, f.value, f.argument, f.note, f.before] for f in preview.fields],
        "body": preview.body,
        "diff": preview.diff,
        "warnings": preview.warnings,
    }
