"""How much of a service a person lets be used."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol

from connectors.base import Effect


class Mode(StrEnum):
    """`mode` in a service's settings; with `draft-only` everything but what leaves the machine."""

    OFF = "off"
    READ_ONLY = "read-only"
    DRAFT_ONLY = "draft-only"
    FULL = "full"


EVERYTHING = frozenset(Effect)
CHANGES = EVERYTHING - {Effect.READ}
LEAVING = frozenset({Effect.SEND, Effect.SHARE})
_FORBIDDEN = {
    Mode.OFF: EVERYTHING,
    Mode.READ_ONLY: CHANGES,
    Mode.DRAFT_ONLY: LEAVING,
    Mode.FULL: frozenset[Effect](),
}


def forbidden(mode: str) -> frozenset[Effect]:
    """The effects that a mode rules out. Raises ValueError where there is no such mode."""
    return _FORBIDDEN[Mode(mode)]


class Account(Protocol):
    """An account as its settings have it."""

    @property
    def mode(self) -> str: ...

    @property
    def url(self) -> str: ...

    @property
    def user(self) -> str: ...


def narrowed(before: Mapping[str, Account], now: Mapping[str, Account]) -> frozenset[Effect]:
    """What a change of accounts rules out at once: all, where one is gone or is another by now.

    What holds for one account holds for all of the service: better too much is stopped for a while.
    """
    found = frozenset[Effect]()
    for name, account in before.items():
        other = now.get(name)
        if other is None or (other.url, other.user) != (account.url, account.user):
            return EVERYTHING
        if other.mode != account.mode:
            found |= forbidden(other.mode)
    return found
