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


class Unreachable(StoreError, needs=Needs.OFFLINE):
    """No connection could be made, so nothing was sent."""


class NoAnswer(StoreError, needs=Needs.TIMEOUT):
    """The request was sent and no whole answer came."""


class SignedOut(StoreError, needs=Needs.SIGNED_OUT):
    """The server does not accept the user and password, or there is none."""


class Forbidden(StoreError, needs=Needs.READ_ONLY):
    """The server does not let this user do that."""


class Gone(StoreError, needs=Needs.NOT_FOUND):
    """There is nothing at an address."""


class Busy(StoreError):
    """The server asks to come back later."""

    def __init__(self, text: str, seconds: float = 0) -> None:
        super().__init__(text)
        self.seconds = seconds


class Unwell(Busy):
    """The server ran into an error of its own."""


class Full(StoreError, needs=Needs.NO_SPACE):
    """The account has no room left."""


class Refused(StoreError, needs=Needs.UNSUPPORTED):
    """The server does not take what was sent."""


class NotDav(StoreError, needs=Needs.ACCOUNT):
    """What answers does not keep what is looked for, such as a login page."""


class Elsewhere(NotDav):
    """The way leads on to `url`, on another site, where nothing was sent."""

    def __init__(self, text: str, url: str) -> None:
        super().__init__(text)
        self.url = url


class Unencrypted(StoreError, needs=Needs.ACCOUNT):
    """The way leads over a connection that is not encrypted, and was not allowed by name."""


class TokenTooOld(StoreError):
    """The server has forgotten what a sync token stands for, so everything has to be compared."""
