"""What is learnt from a call that was done: what was read, what was made, whose word an address is."""

from collections.abc import Iterator
from dataclasses import dataclass

from connectors.base import Effect, Outcome, Prepared, Role
from permissions.tokens import addresses, spoken
from permissions.values import spelled

_SERVICES = {"calendar": "the calendar", "messaging": "the mailbox", "files": "your files"}
_LOOKING = frozenset({Effect.READ, Effect.MARK})
_CHANGING = frozenset({Effect.WRITE, Effect.CONFIGURE})


@dataclass(frozen=True, slots=True)
class Read:
    """A foreign text that the model has read, what a person would call it, and whether they named it."""

    name: str
    text: str
    named: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """The values and names of what was made or renamed: they do not name anything for the person."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Doubt:
    """An address that was kept although a text or the model wrote it; `seen` is where it came from."""

    address: str
    seen: str = ""


Fact = Read | Made | Doubt


def reading(prepared: Prepared, outcome: Outcome, *, named: bool) -> Read | None:
    """The foreign text that a call has shown, if it has shown any."""
    if outcome.content is None and not outcome.items:
        return None
    listed = "\n".join(f"{item.label}\n{item.detail}" for item in outcome.items)
    return Read(_source(prepared), f"{outcome.content or ''}\n{listed}", named)


def making(prepared: Prepared, outcome: Outcome) -> Made | None:
    """What a call has made or renamed, if it has."""
    if not outcome.ok or not prepared.effects & _CHANGING:
        return None
    return Made(tuple(dict.fromkeys(_changed(prepared, outcome))))


def kept_addresses(prepared: Prepared, outcome: Outcome) -> frozenset[str]:
    """The addresses in what a call has written down."""
    if not outcome.ok or Effect.WRITE not in prepared.effects:
        return frozenset()
    texts = (thing.value for thing in prepared.resolved if thing.role is Role.CONTENT)
    return frozenset().union(*map(addresses, texts))


def _changed(prepared: Prepared, outcome: Outcome) -> Iterator[str]:
    """All that may be the value or name of what a deed made or renamed: what it touched, listed, was told."""
    for thing in prepared.resolved:
        if thing.role is not Role.DESTINATION or "@" not in thing.value:
            yield from (thing.value, spoken(thing.label))
    for item in outcome.items:
        yield from (item.handle, spoken(item.label))
    for value in prepared.call.arguments.values():
        yield from (spoken(item) for item in spelled(value) if "@" not in item)


def _source(prepared: Prepared) -> str:
    """What a text that was read is called: the one thing that was read, else the service."""
    targets = [thing.label for thing in prepared.resolved if thing.role is Role.TARGET]
    service = prepared.call.tool.partition(".")[0]
    if prepared.effects <= _LOOKING and len(targets) == 1:
        return f"“{targets[0]}”"
    return _SERVICES.get(service, service)
