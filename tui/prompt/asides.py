"""What a prompt shows on demand: why it asks, and the exact values that will be used."""

import json

from textual.content import Content

from permissions.words import Request
from tui.prompt import words
from tui.prompt.fields import STRONG, origin
from tui.text import hanging, literal, one_line

_INDENT = 8


def why(request: Request, width: int) -> list[Content]:
    """Why this is asked: the rule, what was flagged, what was said, and where each value came from."""
    lines = literal("Why this is asked", STRONG).wrap(width)
    pairs = [
        ("Rule", request.ruling.rule),
        ("Reason", request.ruling.reason),
        *(("▲", warning) for warning in words.warnings(request)),
        *(("Carries", name) for name in request.carried),
        ("By", words.asker(request) or "the plan made from your words"),
        ("Said", f"“{request.said}”" if request.said else ""),
        ("Read", words.TAINTED if request.tainted else ""),
    ]
    for label, text in pairs:
        if text:
            lines += hanging(Content(label), literal(text), width, _INDENT)
    return lines + _origins(request, width)


def _origins(request: Request, width: int) -> list[Content]:
    """Where each exact thing came from, and each argument that became none."""
    traced = list(zip(request.prepared.resolved, request.traced, strict=False))
    named = {thing.argument for thing, _ in traced}
    pairs = [
        *((f"{thing.argument or 'Askfirst'} {thing.label}", where) for thing, where in traced),
        *(
            (argument or "Askfirst", where)
            for argument, where in request.origins.items()
            if argument not in named
        ),
    ]
    lines: list[Content] = []
    for name, where in pairs:
        came = origin(*words.origin(where))
        lines += hanging(Content("Origin"), one_line(name) + ": " + came, width, _INDENT)
    return lines


def exact(request: Request, width: int) -> list[Content]:
    """The exact values: the call as it will run, what it touches, and the version of what was looked at."""
    prepared = request.prepared
    lines = literal("Exact values", STRONG).wrap(width)
    pairs = [
        ("Call", f"{prepared.call.tool} {prepared.call.id}"),
        ("Mark", words.mark(request)),
        ("Asked", _json(prepared.call.arguments)),
        ("Runs", _json(prepared.payload)),
        ("Effects", ", ".join(sorted(prepared.effects))),
        *(
            (thing.role.value.capitalize(), f"{thing.argument or '(Askfirst)'}: {thing.value}")
            for thing in prepared.resolved
        ),
        ("Basis", prepared.basis),
        ("Plan", request.plan),
    ]
    column = max(len(label) for label, _ in pairs) + 2
    for label, text in pairs:
        if text:
            lines += hanging(Content(label), one_line(text), width, column)
    return lines


def _json(values: object) -> str:
    return json.dumps(dict(values), ensure_ascii=False, default=str)  # type: ignore[call-overload]
