"""One field of a preview as lines: its label, its value in full, and where that came from."""

from collections.abc import Iterable

from textual.content import Content

from connectors.base import Field, Resolved
from connectors.clean import clean_line
from permissions.words import Request
from tui.prompt import names, words
from tui.text import hanging, literal, one_line

MUTED = "$muted"
STRONG = "bold"
ALARM = "bold $text-warning"


def column(labels: Iterable[str], width: int) -> int:
    """How wide the labels' column is."""
    return max(6, min(max(map(len, labels), default=0), width // 4)) + 2


def as_field(thing: Resolved, label: str) -> Field:
    """A thing that the preview does not name, as a field of its own."""
    value = clean_line(thing.value)
    shown = thing.label if value in thing.label else f"{thing.label} <{value}>"
    return Field(label, shown, thing.argument)


def field_lines(field: Field, request: Request, width: int, indent: int) -> list[Content]:
    """A field with all that is said of its value; nothing of it is ever cut."""
    room = width - indent
    value = _value(field, room)
    came = origin(*words.came(field, request))
    notes = _notes(field, request)
    lines = value[:-1]
    if notes:
        first, *rest = notes
        lines += [*value[-1:], *sides(first, came, room)]
        lines += [part for note in rest for part in note.wrap(room)]
    else:
        lines += sides(value[-1], came, room)
    return hanging(one_line(field.label), Content("\n").join(lines), width, indent)


def origin(came: str, doubt: bool) -> Content:
    """Where a value came from; a sign and a word say that it should be looked at twice."""
    return one_line(f"▲ {came}", ALARM) if doubt else one_line(came, MUTED)


def sides(left: Content, right: Content, width: int) -> list[Content]:
    """Two texts on one line, at its two ends, or on lines of their own where they do not fit."""
    if not right:
        return left.wrap(width) or [left]
    if left.cell_length + 2 + right.cell_length <= width:
        return [left.pad_right(width - left.cell_length - right.cell_length) + right]
    under = [part.pad_left(width - part.cell_length) for part in right.wrap(width)]
    return [*(left.wrap(width) if left.plain else []), *under]


def _notes(field: Field, request: Request) -> list[Content]:
    named = [thing for thing in request.prepared.resolved if words.names(field, thing)]
    remarks = [(thing, *remark) for thing in named for remark in names.remarks(thing, request)]
    told = "written to" in field.note
    new = any(thing.written_before == 0 for thing in named)
    notes = [one_line(field.note, ALARM if new else MUTED)] if field.note else []
    for thing, text, doubt in remarks:
        if told and text == names.written(thing):
            continue
        whose = f"{clean_line(thing.value)}: " if len(named) > 1 else ""
        notes.append(one_line(f"{'▲ ' if doubt else ''}{whose}{text}", ALARM if doubt else MUTED))
    return notes


def _value(field: Field, room: int) -> list[Content]:
    now = literal(field.value, STRONG)
    if field.before is None:
        return now.wrap(room) or [Content("")]
    before = literal(field.before or "(nothing)", MUTED)
    change = Content.assemble(before, "  →  ", now)
    if change.cell_length <= room and "\n" not in change.plain:
        return [change]
    return [*before.wrap(room), *hanging(Content("→"), now, room, 2)]
