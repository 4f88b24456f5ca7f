"""How an account of a service is doing, as everybody who shows it sees it."""

from typing import Protocol


class AccountState(Protocol):
    """How one account of a service is doing: its name, one word, and one line.

    `mode` is how much of it is used, `synced` when it was last in step (ISO, empty: never), `server` what it
    is on, and `notes` what was found to be peculiar there.
    """

    @property
    def name(self) -> str: ...

    @property
    def word(self) -> str: ...

    @property
    def detail(self) -> str: ...

    @property
    def mode(self) -> str: ...

    @property
    def synced(self) -> str: ...

    @property
    def server(self) -> str: ...

    @property
    def notes(self) -> tuple[str, ...]: ...
