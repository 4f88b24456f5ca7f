"""A request as lines of a given width: a pure function of it, so that what is seen is what runs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from textual.content import Content

from connectors.base import Field, Resolved, Role
from permissions.words import Origin, Request
from tui.prompt import words
from tui.text import counted, hanging, literal, one_line, quoted

MUTED = "$muted"
STRONG = "bold"
ALARM = "bold $text-warning"

Lines = tuple[Content, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A request drawn: `decision` is what it acts on, `quoted` the whole text, `terms` why and how long."""

    decision: Lines
    quoted: Lines
    terms: Lines


def draw(request: Request, width: int) -> Drawn:
    """Draw a request; every value is there in full."""
    return Drawn(
        decision=tuple(_decision(request, width)),
        quoted=tuple(_quoted(request, width)),
        terms=tuple(_terms(request, width)),
    )


def _decision(request: Request, width: int) -> list[Content]:
    preview = request.prepared.preview
    goes_to = [thing for thing in request.prepared.resolved if thing.role is Role.DESTINATION]
    fields = [field for field in preview.fields if not _is_destination(field, goes_to)]
    column = _column([field.label for field in fields], width)
    lines = literal(preview.title, STRONG).wrap(width)
    for thing in goes_to:
        lines += _destination(thing, request.origins, width, column)
    for field in fields:
        lines += _field(field, request.origins, width, column)
    for warning in words.warnings(request):
        lines += hanging(literal("▲", ALARM), literal(warning, ALARM), width, 2)
    return lines


def _column(labels: list[str], width: int) -> int:
    longest = max((len(label) for label in labels), default=0)
    return max(6, min(longest, width // 4)) + 2


def _is_destination(field: Field, goes_to: list[Resolved]) -> bool:
    """True if a field says no more than the lines of the destinations do."""
    same = [thing for thing in goes_to if thing.argument == field.argument]
    named = {name for thing in same for name in (thing.value, thing.label, f"{thing.label} <{thing.value}>")}
    return field.before is None and not field.note and set(field.value.split(", ")) <= named


def _destination(thing: Resolved, origins: Mapping[str, Origin], width: int, column: int) -> list[Content]:
    known = thing.value in thing.label
    value = one_line(thing.label if known else f"{thing.label} <{thing.value}>", STRONG)
    came, doubt = words.origin(origins.get(thing.argument), thing.argument)
    written = words.written(thing)
    note = one_line(written, ALARM if thing.written_before == 0 else MUTED)
    lines = value.wrap(width - column) + _sides(note, _came(came, doubt), width - column)
    return hanging(Content("To"), Content("\n").join(lines), width, column)


def _field(field: Field, origins: Mapping[str, Origin], width: int, column: int) -> list[Content]:
    room = width - column
    value = _value(field, room)
    came, doubt = words.origin(origins.get(field.argument), field.argument)
    right = _came(came, doubt)
    lines = value[:-1]
    if field.note:
        lines += value[-1:] + _sides(one_line(field.note, MUTED), right, room)
    else:
        lines += _sides(value[-1], right, room)
    return hanging(one_line(field.label), Content("\n").join(lines), width, column)


def _value(field: Field, room: int) -> list[Content]:
    now = literal(field.value, STRONG)
    if field.before is None:
        return now.wrap(room) or [Content("")]
    before = literal(field.before or "(nothing)", MUTED)
    change = Content.assemble(before, "  →  ", now)
    if change.cell_length <= room and "\n" not in change.plain:
        return [change]
    return [*before.wrap(room), *hanging(Content("→"), now, room, 2)]


def _came(came: str, doubt: bool) -> Content:
    return one_line(f"▲ {came}", ALARM) if doubt else one_line(came, MUTED)


def _sides(left: Content, right: Content, width: int) -> list[Content]:
    """Two texts on one line, at its two ends, or on lines of their own where they do not fit."""
    if left.cell_length + 2 + right.cell_length <= width:
        return [left.pad_right(width - left.cell_length - right.cell_length) + right]
    under = [part.pad_left(width - part.cell_length) for part in right.wrap(width)]
    return [*(left.wrap(width) if left.plain else []), *under]


def _quoted(request: Request, width: int) -> list[Content]:
    preview = request.prepared.preview
    lines: list[Content] = []
    if preview.body is not None:
        lines.append(Content(f"Text, {counted(len(preview.body), 'character')}, all of it:").stylize(MUTED))
        lines += quoted(preview.body, width)
    if preview.diff is not None:
        lines.append(Content("Changes:").stylize(MUTED))
        for line in preview.diff.rstrip("\n").split("\n"):
            lines += quoted(line, width, _DIFF_STYLES.get(line[:1], ""))
    return lines


_DIFF_STYLES = {"+": "$text-success", "-": "$text-error", "@": MUTED}


def _terms(request: Request, width: int) -> list[Content]:
    lines: list[Content] = []
    if request.prepared.undo:
        lines += hanging(Content("Undo"), literal(request.prepared.undo, MUTED), width, 8)
    lines += hanging(Content("Why"), literal(request.ruling.reason, MUTED), width, 8)
    for scope, offer in words.offers(request).items():
        key, name = words.SCOPES[scope]
        lines += hanging(Content(f"{key} {name}"), literal(offer.words), width, 16)
    return lines


def why(request: Request, width: int) -> list[Content]:
    """Why this is asked: the rule, what was flagged, and where each value came from."""
    lines = literal("Why this is asked", STRONG).wrap(width)
    lines += hanging(Content("Rule"), literal(request.ruling.rule), width, 8)
    lines += hanging(Content("Reason"), literal(request.ruling.reason), width, 8)
    for warning in words.warnings(request):
        lines += hanging(Content("▲"), literal(warning), width, 8)
    for argument, origin in request.origins.items():
        came, doubt = words.origin(origin, argument)
        lines += hanging(Content("Origin"), literal(argument) + ": " + _came(came, doubt), width, 8)
    return lines


def exact(request: Request, width: int) -> list[Content]:
    """The exact values: the call as it will run, what it touches, and the version of what was looked at."""
    prepared = request.prepared
    arguments = json.dumps(dict(prepared.call.arguments), ensure_ascii=False, default=str)
    payload = json.dumps(dict(prepared.payload), ensure_ascii=False, default=str)
    lines = literal("Exact values", STRONG).wrap(width)
    pairs = [
        ("Call", f"{prepared.call.tool} {prepared.call.id}"),
        ("Asked", arguments),
        ("Runs", payload),
        ("Effects", ", ".join(sorted(prepared.effects))),
        *(
            (thing.role.value.capitalize(), f"{thing.argument or '(Askfirst)'}: {thing.value}")
            for thing in prepared.resolved
        ),
        ("Basis", prepared.basis),
    ]
    column = max(len(label) for label, _ in pairs) + 2
    for label, text in pairs:
        lines += hanging(Content(label), one_line(text), width, column)
    return lines
