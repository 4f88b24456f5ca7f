"""A request as lines of a given width: a pure function of it, so that what is seen is what runs."""

import json
from dataclasses import dataclass

from textual.content import Content

from connectors.base import Field, Resolved, Role
from connectors.clean import clean_line
from permissions.words import Request
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
    unsaid = [thing for thing in goes_to if not any(words.names(field, thing) for field in preview.fields)]
    fields = (*(_as_field(thing) for thing in unsaid), *preview.fields)
    column = _column([field.label for field in fields], width)
    lines = literal(preview.title, STRONG).wrap(width)
    for field in fields:
        lines += _field(field, request, width, column)
    for warning in words.warnings(request):
        lines += hanging(literal("▲", ALARM), literal(warning, ALARM), width, 2)
    if asker := words.asker(request):
        lines += hanging(Content("•"), literal(asker), width, 2)
    return lines


def _column(labels: list[str], width: int) -> int:
    longest = max((len(label) for label in labels), default=0)
    return max(6, min(longest, width // 4)) + 2


def _as_field(thing: Resolved) -> Field:
    """A destination that the preview does not name, as a line of its own."""
    value = clean_line(thing.value)
    shown = thing.label if value in thing.label else f"{thing.label} <{value}>"
    return Field("To", shown, thing.argument, words.written(thing))


def _field(field: Field, request: Request, width: int, column: int) -> list[Content]:
    room = width - column
    value = _value(field, room)
    came = _came(*words.came(field, request))
    named = [thing for thing in request.prepared.resolved if words.names(field, thing)]
    new = any(thing.written_before == 0 for thing in named)
    note = field.note or next(filter(None, map(words.written, named)), "")
    lines = value[:-1]
    if note:
        lines += value[-1:] + _sides(one_line(note, ALARM if new else MUTED), came, room)
    else:
        lines += _sides(value[-1], came, room)
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
    if not right:
        return left.wrap(width) or [left]
    if left.cell_length + 2 + right.cell_length <= width:
        return [left.pad_right(width - left.cell_length - right.cell_length) + right]
    under = [part.pad_left(width - part.cell_length) for part in right.wrap(width)]
    return [*(left.wrap(width) if left.plain else []), *under]


def _quoted(request: Request, width: int) -> list[Content]:
    preview = request.prepared.preview
    lines: list[Content] = []
    if preview.body is not None:
        count = literal(f"Text, {counted(len(preview.body), 'character')}, all of it:", MUTED)
        lines += _sides(count, _came(*words.came_body(request)), width)
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
        came = _came(*words.origin(origin))
        lines += hanging(Content("Origin"), literal(argument or "Askfirst") + ": " + came, width, 8)
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
