"""What can go wrong with a server, each as a plain sentence and a code that a repair can be found for."""

from connectors.base import Needs
from connectors.stores import Moved, StoreError, Uncertain

__all__ = [
    "Busy",
    "Elsewhere",
    "Forbidden",
    "Full",
    "Gone",
    "Moved",
    "NoAnswer",
    "NotDav",
    "Refused",
    "SignedOut",
    "TokenTooOld",
    "Uncertain",
    "Unencrypted",
    "Unreachable",
    "Unwell",
]


class Unreachable(StoreError):
    """No connection could be made, so nothing was sent."""

    needs = Needs.OFFLINE


class NoAnswer(StoreError):
    """The request was sent and no whole answer came."""

    needs = Needs.TIMEOUT


class SignedOut(StoreError):
    """The server does not accept the user and password, or there is none."""

    needs = Needs.SIGNED_OUT


class Forbidden(StoreError):
    """The server does not let this user do that."""

    needs = Needs.READ_ONLY


class Gone(StoreError):
    """There is nothing at an address."""

    needs = Needs.NOT_FOUND


class Busy(StoreError):
    """The server asks to come back later."""

    def __init__(self, text: str, seconds: float = 0) -> None:
        super().__init__(text)
        self.seconds = seconds


class Unwell(Busy):
    """The server ran into an error of its own."""


class Full(StoreError):
    """The account has no room left."""

    needs = Needs.NO_SPACE


class Refused(StoreError):
    """The server does not take what was sent."""

    needs = Needs.UNSUPPORTED


class NotDav(StoreError):
    """What answers does not keep what is looked for, such as a login page."""

    needs = Needs.ACCOUNT


class Elsewhere(NotDav):
    """The way leads on to `url`, on another site, where nothing was sent."""

    def __init__(self, text: str, url: str) -> None:
        super().__init__(text)
        self.url = url


class Unencrypted(StoreError):
    """The way leads over a connection that is not encrypted, and was not allowed by name."""

    needs = Needs.ACCOUNT


class TokenTooOld(StoreError):
    """The server has forgotten what a sync token stands for, so everything has to be compared."""
