"""A secret that does not show itself, and why one cannot be had."""

import hmac
from typing import NoReturn, Protocol


class SecretError(Exception):
    """A secret cannot be had; the text is a plain sentence that holds nothing of the secret."""


class Secret:
    """A password or token. Only `reveal` gives it; printing, logging, pickling and copying do not."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The secret itself, for the one call that needs it."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(hidden)"

    __str__ = __repr__

    def __format__(self, form: str) -> str:
        return repr(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(self._value.encode(), other._value.encode())

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not written anywhere")


class Keeper(Protocol):
    """One link of the chain: something that may hold the secret of a name such as `calendar/work`."""

    def find(self, name: str) -> Secret | None:
        """The secret, None where it holds none of that name. Raises SecretError where it cannot say."""
        ...


class Keyring(Keeper, Protocol):
    """A keeper that also takes secrets."""

    def keep(self, name: str, secret: Secret) -> None:
        """Keep a secret. Raises SecretError."""
        ...
