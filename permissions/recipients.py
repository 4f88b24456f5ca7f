"""Whom a goal names, and who of those that a call goes to is known to the person but was not meant."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from connectors.base import Prepared, Resolved, Role
from permissions.said import Said
from permissions.tokens import addresses, is_kind, sounds
from permissions.values import spelled
from permissions.words import Origin, Who

_SHORTEST = 3
_BACK = frozenset(
    (
        *("again", "also", "both", "everybody", "everyone", "he", "her", "him", "his", "same"),
        *("she", "their", "them", "they", "those", "too", "us", "we"),
    )
)


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """Somebody whom the person knows, by name and addresses; `oneself` is the person."""

    name: str
    addresses: tuple[str, ...]
    oneself: bool = False


def unmeant(
    prepared: Prepared, traced: Sequence[Origin], said: Said, people: Iterable[Acquaintance]
) -> tuple[Resolved, ...]:
    """The known people whom a call goes to, although the goal names others and not them.

    A goal that names nobody, whom a message to be answered is from, and who was picked are no reason to ask.
    """
    things = list(zip(prepared.resolved, traced, strict=True))
    drawn = {thing.argument for thing, _ in things if thing.role is Role.TARGET} | {""}
    known = [
        thing
        for thing, origin in things
        if thing.role is Role.DESTINATION
        and "@" in thing.value
        and origin.who <= Who.WRITTEN_TO
        and thing.argument not in drawn
        and not _picked(prepared, thing, said)
    ]
    if not known:
        return ()
    people = tuple(people)
    meant = named(_lines(said), people)
    own = {address.lower() for each in people if each.oneself for address in each.addresses}
    return tuple(thing for thing in known if meant and thing.value.lower() not in meant | own)


def named(lines: Iterable[str], people: Iterable[Acquaintance]) -> frozenset[str]:
    """The addresses, in small letters, of all whom the lines name: by their first, last or whole name, or by
    an address. Somebody's ("Ben's") names a thing of theirs, and not whom it goes to.
    """
    lines = tuple(lines)
    found = set().union(*map(addresses, lines))
    spoken = [[_plain(word) for word in sounds(line)] for line in lines]
    for each in people:
        if any(_has(line, name) for line in spoken for name in _names(each.name)):
            found |= {address.lower() for address in each.addresses}
    return frozenset(found)


def _lines(said: Said) -> list[str]:
    """The goal at hand, and the lines before it where it refers back."""
    goal = said.lines[-1:]
    back = any(not _BACK.isdisjoint(sounds(line)) for line in goal)
    return said.lines if back else goal


def _picked(prepared: Prepared, thing: Resolved, said: Said) -> bool:
    given = list(spelled(prepared.call.arguments.get(thing.argument)))
    values = [thing.value, *given] if len(given) == 1 else [thing.value]
    return any(said.picked(prepared.call, thing.argument, value) for value in values)


def _names(name: str) -> list[list[str]]:
    """A person's names: the whole, and if they can stand alone the first and the last."""
    parts = [_plain(word) for word in sounds(name)]
    single = [
        [part] for part in (*parts[:1], *parts[1:][-1:]) if len(part) >= _SHORTEST and not is_kind(part)
    ]
    return [parts, *single] if parts else []


def _has(line: list[str], name: list[str]) -> bool:
    return any(line[at : at + len(name)] == name for at in range(len(line)))


def _plain(word: str) -> str:
    """A word without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
