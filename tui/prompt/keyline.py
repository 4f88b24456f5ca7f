"""The line of keys at the foot of a prompt."""

from textual.content import Content

from permissions.words import Key, Offer, Request, Scope
from tui.prompt import words
from tui.text import flowing, literal


def key_line(request: Request, width: int, *, awake: bool, chosen: Offer | None) -> list[Content]:
    """The keys that answer this request, in as few lines as fit; dim while they do not count yet."""
    grants = [words.SCOPES[scope] for scope in words.offers(request)]
    pairs = [
        _yes(request, chosen),
        ("n", "no"),
        ("r", "no, because"),
        ("e", "edit"),
        *grants,
        ("?", "more"),
    ]
    style = "" if awake else "dim"
    parts = [Content.assemble((key, f"bold {style}"), " ", (name, style)) for key, name in pairs]
    return flowing(parts, width, gap=2)


def _yes(request: Request, chosen: Offer | None) -> tuple[str, str]:
    verb = words.yes_verb(request)
    if request.ruling.key is Key.TYPED:
        verb = f"type {request.ruling.word} to {verb}"
    if chosen is not None:
        verb = f"{verb}, for {words.SCOPES[chosen.grant.scope][1]}"
    return words.yes_key(request), verb


def covering(chosen: Offer, width: int) -> list[Content]:
    """What the chosen grant covers, in words, while it waits for the yes."""
    scope = words.SCOPES[Scope(chosen.grant.scope)][1]
    return literal(f"With this yes, for {scope}: {chosen.words}", "bold").wrap(width)
