"""How much of a service a person lets be used."""

from enum import StrEnum

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
