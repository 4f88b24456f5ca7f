"""How a call is written down in the journal: labels and decisions, never bodies, payloads or arguments."""

import re
from datetime import datetime

from pydantic import JsonValue

from connectors.base import Arguments, Call, Resolved, Role
from permissions.canonical import canonical
from permissions.case import Case
from permissions.redact import brief, redact
from permissions.stood import LINE, MOST, kept_stood
from permissions.words import Decision, GoalRef, Grant, Origin, Request, Ruling

Columns = dict[str, JsonValue]

_LINE = LINE
_VALUE = 80
_WORDS = 500
_MOST = MOST
_MOST_UNDO = 4000
_MOST_MARK = 2000
_BY_CODE = re.compile(r"[0-9a-f]{32,64}|<[0-9a-f]{16,64}@[\w.-]+>")


def planned(
    request: Request,
    goal: GoalRef,
    fingerprint: str,
    owner: str,
    at: datetime,
    policy: str = "",
    case: Case | None = None,
) -> Columns:
    """The columns of a call that is asked for, judged as this case by the rules of the version `policy`."""
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
        "ruling": _ruling(ruling),
        "rule": ruling.rule,
        "state": "planned",
        "answer": "",
        "outcome": "",
        "undo": "",
        "undone": 0,
        "ended": "",
        "why": _why(request, policy, case),
        "given": "",
        "mark": kept_mark(prepared.mark),
        "until": "",
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


def kept_mark(mark: Arguments) -> str:
    """What a later look needs, or nothing where it is too large, or holds what looks like a secret."""
    if not mark or any(_secret(value) for value in mark.values()):
        return ""
    text = _json(dict(mark))
    return text if len(text) <= _MOST_MARK else ""


def kept_yes(request: Request, decision: Decision) -> str:
    """The key that said yes, or the one that was asked for, and the permission that went with it."""
    key, grant = decision.key or request.ruling.key, decision.grant
    words = next((offer.words for offer in request.offers if offer.grant == grant), "")
    kept = _grant(grant) if grant else None
    return _json({"key": key.value, "words": brief(words, _LINE), "grant": kept})


def kept_cover(grant: Grant | None) -> str:
    """The permission that let a call run unasked."""
    return _json({"key": "", "words": "", "grant": _grant(grant)}) if grant else ""


def _secret(value: JsonValue) -> bool:
    text = value if isinstance(value, str) else _json(value)
    return not _BY_CODE.fullmatch(text) and redact(text) != text


def _grant(grant: Grant) -> dict[str, JsonValue]:
    things: list[JsonValue] = [
        [argument, [brief(value, _VALUE) for value in values[:_MOST]]] for argument, values in grant.things
    ]
    return {
        "tool": grant.tool,
        "scope": grant.scope.value,
        "given": grant.given.isoformat(),
        "effects": " ".join(sorted(grant.effects)),
        "things": things,
    }


def _ruling(ruling: Ruling) -> str:
    return _json(
        {
            "verdict": ruling.verdict,
            "reason": brief(ruling.reason, _WORDS),
            "flags": sorted(ruling.flags),
            "key": ruling.key,
            "word": ruling.word,
        }
    )


def _why(request: Request, policy: str, case: Case | None) -> str:
    """What the ruling was made from, beside the call: who wrote each argument, and under which rules."""
    more = {"stood": kept_stood(case)} if case else {}
    return _json(
        {
            **more,
            "policy": policy,
            "origins": [[name, origin.who.name.lower()] for name, origin in request.origins.items()],
            "tainted": request.tainted,
            "plan": request.plan,
            "step": request.step,
            "steps": request.steps,
            "offers": [brief(offer.words, _LINE) for offer in request.offers],
        }
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
    """What the call touches: the label, who named it, and all that its part in the ruling hangs on."""
    kept: list[JsonValue] = []
    for thing, origin in list(zip(request.prepared.resolved, request.traced, strict=False))[:_MOST]:
        if thing.role in (Role.DESTINATION, Role.TARGET):
            kept.append(_thing(thing, origin))
    return kept


def _thing(thing: Resolved, origin: Origin) -> list[JsonValue]:
    return [
        brief(thing.label, _LINE),
        origin.who.name.lower(),
        thing.role.value,
        thing.argument,
        brief(thing.value, _LINE),
        brief(origin.seen, _VALUE),
        thing.written_before,
    ]


def _json(value: object) -> str:
    return canonical(value).decode("ascii")
