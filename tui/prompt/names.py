"""Addresses in words: how often written to, what else they look like, and what a coded domain reads."""

import unicodedata
from collections.abc import Iterator

from connectors.base import Resolved, Role
from connectors.clean import clean_line
from permissions.words import Request

_CODED = "xn--"


def remarks(thing: Resolved, request: Request) -> Iterator[tuple[str, bool]]:
    """All there is to say of a destination, each with whether it is a reason to look twice."""
    if thing.role is not Role.DESTINATION and thing.written_before is None:
        return
    if times := written(thing):
        yield times, thing.written_before == 0
    for value, known in request.resembles:
        if value == thing.value:
            yield f"looks like {clean_line(known)}, which you know, but is not it", True
    if reads := decoded(thing.value):
        yield reads, True


def written(destination: Resolved) -> str:
    """How often a destination was written to before."""
    match destination.written_before:
        case None:
            return ""
        case 0:
            return "NEW: never written to before"
        case number:
            return f"written to before: {number}"


def decoded(address: str) -> str:
    """What the domain of an address reads where it is written in code (RFC 3492), or would be in code."""
    domain = address.rpartition("@")[2]
    labels = domain.split(".")
    if not domain.isascii():
        coded = ".".join(label if label.isascii() else _coded(label) for label in labels)
        return f"not plain letters{_scripts(domain)}: in code {coded}"
    if not any(label.lower().startswith(_CODED) for label in labels):
        return ""
    plain = ".".join(_plain(label) for label in labels)
    if plain == domain:
        return "a domain in code that cannot be read"
    return f"code for “{clean_line(plain)}”{_scripts(plain)}"


def _plain(label: str) -> str:
    if not label.lower().startswith(_CODED):
        return label
    try:
        return label[len(_CODED) :].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError):
        return label


def _coded(label: str) -> str:
    try:
        return _CODED + label.encode("punycode").decode("ascii")
    except UnicodeError:
        return clean_line(label)


def _scripts(text: str) -> str:
    """The scripts of the letters that are not ASCII, in brackets."""
    others = (character for character in text if not character.isascii())
    names = dict.fromkeys(unicodedata.name(character, "UNKNOWN").split()[0].title() for character in others)
    return f" ({', '.join(names)} letters)" if names else ""
