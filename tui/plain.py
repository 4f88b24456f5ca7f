"""A request on a plain terminal: all that the prompt shows, as lines of text."""

import json
from collections.abc import Iterator, Sequence

from connectors.base import Field, Resolved, Role
from connectors.clean import clean, clean_line
from permissions.words import Ban, Key, Offer, Request, Scope
from tui.prompt import names, words


def drawn(request: Request) -> Iterator[str]:
    """What would happen, where each value is from, the whole text, why, and whether it can be undone."""
    preview = request.prepared.preview
    place = words.place(request)
    yield f"── {' · '.join(words.frame(request))} ── {' · '.join(filter(None, (words.mark(request), place)))}"
    yield preview.title
    yield from (f"  ▲ {flag}" for flag in words.flags(request, named=bool(request.carried)))
    for field in (*_unsaid(request), *preview.fields):
        yield from _field(field, request)
    yield from (f"  ▲ {warning}" for warning in preview.warnings)
    yield from (f"  ▲ carries words from a text that you did not name: {name}" for name in request.carried)
    yield from (f"  • {remark}" for remark in words.remarks(request))
    rest = [clean(thing.value) for thing in words.unshown(request)]
    for text in (preview.body, *rest, preview.diff):
        if text is not None:
            yield from (f"  ┃ {line}" for line in text.split("\n"))
    yield f"  Why        {request.ruling.reason}"
    yield f"  Undo       {words.undo(request)[0]}"


def keys(request: Request) -> str:
    """The answers that a request takes; a permission that a letter gives at once has a line of its own."""
    ruling = request.ruling
    yes = f"type “{ruling.word}” for yes" if ruling.key is Key.TYPED else f"{ruling.key.value} yes"
    offers = words.offers(request).items()
    listed = [_letter(scope) for scope, found in offers if words.opens(scope, len(found))]
    single = [
        f"  {words.SCOPES[scope][0]} yes to {found[0].words}"
        for scope, found in offers
        if not words.opens(scope, len(found))
    ]
    never = ["N never…"] if request.bans else []
    rest = ["e edit", "w why", "v exact values", "q stop"]
    return "\n".join(["  " + "   ".join([yes, "n no", "r REASON", *never, *listed, *rest]), *single])


def choices(items: Sequence[Offer | Ban]) -> Iterator[str]:
    """What may be picked, by number."""
    for number, item in enumerate(items, start=1):
        yield f"  {number} {item.words}"
        if isinstance(item, Offer) and (past := words.covered(item)):
            yield f"    {past}"


def why(request: Request) -> Iterator[str]:
    """Why this is asked: the rule, what was flagged, and where each value came from."""
    yield f"  Rule   {request.ruling.rule}"
    yield f"  Why    {request.ruling.reason}"
    yield from (f"  ▲      {warning}" for warning in words.warnings(request))
    yield f"  By     {words.asker(request) or 'the plan made from your words'}"
    for argument, origin in request.origins.items():
        yield f"  Origin {argument or 'Askfirst'}: {words.origin(origin)[0]}"


def exact(request: Request) -> Iterator[str]:
    """The call, what it would do and what it touches, in ASCII."""
    yield f"  {request.call.tool} {_ascii(dict(request.call.arguments))}"
    yield f"  runs {_ascii(dict(request.prepared.payload))}"
    for thing in request.prepared.resolved:
        yield f"  {thing.role.value} {_ascii(thing.value)}"


def _ascii(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, default=str)


def _letter(scope: Scope) -> str:
    key, name = words.SCOPES[scope]
    return f"{key} {name.removesuffix('…')}…"


def _unsaid(request: Request) -> list[Field]:
    """Destinations that no field names in full."""
    fields, resolved = request.prepared.preview.fields, request.prepared.resolved
    unsaid = [
        thing
        for thing in resolved
        if thing.role is Role.DESTINATION and not any(words.names(field, thing) for field in fields)
    ]
    return [Field("To", _address(thing), thing.argument) for thing in unsaid]


def _address(thing: Resolved) -> str:
    value = clean_line(thing.value)
    return thing.label if value in thing.label else f"{thing.label} <{value}>"


def _field(field: Field, request: Request) -> Iterator[str]:
    came, doubt = words.came(field, request)
    change = f"{field.before or '(nothing)'} → {field.value}" if field.before is not None else field.value
    note = f"  {field.note}" if field.note else ""
    origin = f"   [{'▲ ' if doubt else ''}{came}]" if came else ""
    yield f"  {field.label:<10} {change}{note}{origin}"
    for thing in request.prepared.resolved:
        if words.names(field, thing):
            for text, twice in names.remarks(thing, request):
                if text not in field.note:
                    yield f"  {'':<10} {'▲ ' if twice else ''}{clean_line(thing.value)}: {text}"
