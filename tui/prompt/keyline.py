"""The line of keys at the foot of a prompt."""

from collections.abc import Sequence

from textual.content import Content

from permissions.words import Key, Offer, Request, Scope
from tui.prompt import words
from tui.text import flowing, literal

_Pair = tuple[str, str]


def key_line(request: Request, width: int, *, awake: bool, chosen: Offer | None) -> list[Content]:
    """The keys that answer this request, in as few lines as fit; dim while they do not count yet."""
    grants = [_grant(scope, len(choices)) for scope, choices in words.offers(request).items()]
    never = [("N", "never…")] if request.bans else []
    pairs = [_yes(request, chosen), ("n", "no"), ("r", "no, because"), *never, ("e", "edit"), *grants]
    return pair_lines([*pairs, ("?", "more")], width, awake=awake)


def pair_lines(pairs: Sequence[_Pair], width: int, *, awake: bool) -> list[Content]:
    """Keys and what they say, in as few lines as fit."""
    style = "" if awake else "dim"
    parts = [Content.assemble((key, f"bold {style}"), " ", (name, style)) for key, name in pairs]
    return flowing(parts, width, gap=2)


def _yes(request: Request, chosen: Offer | None) -> _Pair:
    verb = words.yes_verb(request)
    if request.ruling.key is Key.TYPED:
        verb = f"type {request.ruling.word} to {verb}"
    if chosen is not None:
        verb = f"{verb}, with this"
    return words.yes_key(request), verb


def _grant(scope: Scope, count: int) -> _Pair:
    key, name = words.SCOPES[scope]
    return key, name if not words.opens(scope, count) else f"{name.removesuffix('…')}…"


def covering(chosen: Offer, width: int) -> list[Content]:
    """What the chosen grant covers, in words, while it waits for the yes."""
    return literal(f"With this yes: {chosen.words}", "bold").wrap(width)
