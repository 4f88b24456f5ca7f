"""A request as lines of a given width: a pure function of it, so that what is seen is what runs."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from connectors.base import Field, Resolved, Role
from connectors.clean import clean
from permissions.words import Request, Scope
from tui.prompt import words
from tui.prompt.fields import ALARM, MUTED, STRONG, as_field, column, field_lines, origin, sides
from tui.text import counted, hanging, literal, quoted

Lines = tuple[Content, ...]

_HIDDEN = "⟨U+"
_OFFERED = 16
_TERM = 8


@dataclass(frozen=True, slots=True)
class Drawn:
    """A request drawn: `decision` is what it acts on, `quoted` the whole text, `terms` why and how long."""

    decision: Lines
    quoted: Lines
    terms: Lines


def draw(request: Request, width: int) -> Drawn:
    """Draw a request; every value is there in full."""
    decision, text = _decision(request, width), _quoted(request, width)
    hidden = sum(line.plain.count(_HIDDEN) for line in (*decision, *text))
    if hidden:
        decision += _alarms([f"{counted(hidden, 'hidden character')} made visible as {_HIDDEN}…⟩"], width)
    return Drawn(tuple(decision), tuple(text), tuple(terms(request, width)))


def _decision(request: Request, width: int) -> list[Content]:
    preview = request.prepared.preview
    fields = (*_unsaid(request), *preview.fields)
    indent = column((field.label for field in fields), width)
    lines = literal(preview.title, STRONG).wrap(width)
    lines += _alarms(words.flags(request, named=bool(request.carried)), width)
    for field in fields:
        lines += field_lines(field, request, width, indent)
    lines += _alarms(preview.warnings, width)
    lines += _carried(request.carried, width)
    for remark in words.remarks(request):
        lines += hanging(Content("•"), literal(remark), width, 2)
    return lines


def _unsaid(request: Request) -> list[Field]:
    """What the call goes to or acts on and the preview's fields do not name."""
    preview, resolved = request.prepared.preview, request.prepared.resolved

    def said(thing: Resolved) -> bool:
        return any(words.names(field, thing) for field in preview.fields)

    goes_to = [
        as_field(thing, "To") for thing in resolved if thing.role is Role.DESTINATION and not said(thing)
    ]
    acts_on = [
        Field("On", thing.label, thing.argument)
        for thing in resolved
        if thing.role is Role.TARGET and not words.reads(request) and not words.told(thing, preview)
    ]
    return [*goes_to, *acts_on]


def _alarms(texts: Sequence[str], width: int) -> list[Content]:
    return [line for text in texts for line in hanging(literal("▲", ALARM), literal(text, ALARM), width, 2)]


def _carried(names: Sequence[str], width: int) -> list[Content]:
    """The texts that were read, were not named, and go out in part with this one: by name, and counted."""
    if not names:
        return []
    head = f"Carries words from {counted(len(names), 'text')} that you did not name:"
    lines = _alarms([head], width)
    for name in names:
        lines += hanging(Content("   -"), literal(name, STRONG), width, 5)
    return lines


def _quoted(request: Request, width: int) -> list[Content]:
    preview = request.prepared.preview
    lines: list[Content] = []
    if preview.body is not None:
        count = literal(f"Text, {counted(len(preview.body), 'character')}, all of it:", MUTED)
        lines += sides(count, origin(*words.came_body(request)), width)
        lines += quoted(preview.body, width)
    for thing in words.unshown(request):
        text = clean(thing.value)
        head = f"{thing.argument or 'Text'}, {counted(len(text), 'character')}, all of it:".capitalize()
        lines += sides(literal(head, MUTED), Content(""), width)
        lines += quoted(text, width)
    if preview.diff is not None:
        lines.append(Content("Changes:").stylize(MUTED))
        for line in preview.diff.rstrip("\n").split("\n"):
            lines += quoted(line, width, _DIFF_STYLES.get(line[:1], ""))
    return lines


_DIFF_STYLES = {"+": "$text-success", "-": "$text-error", "@": MUTED}


def terms(request: Request, width: int, *, offers: bool = True) -> list[Content]:
    """Whether it can be taken back, why it is asked, the person's own words, and what may go with a yes."""
    lines: list[Content] = []
    if not words.reads(request):
        undo, doubt = words.undo(request)
        lines += hanging(Content("Undo"), literal(undo, ALARM if doubt else MUTED), width, _TERM)
    lines += hanging(Content("Why"), literal(request.ruling.reason, MUTED), width, _TERM)
    for scope, choices in words.offers(request).items() if offers else ():
        lines += _offer(scope, [choice.words for choice in choices], width)
    return lines


def _offer(scope: Scope, choices: Sequence[str], width: int) -> list[Content]:
    key, name = words.SCOPES[scope]
    if words.opens(scope, len(choices)):
        return []
    return hanging(Content(f"{key} {name}"), literal(choices[0]), width, _OFFERED)
