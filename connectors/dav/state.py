"""How an account is doing, for a person to read."""

from dataclasses import dataclass
from datetime import datetime

from connectors.dav.accounts import Mode


@dataclass(frozen=True, slots=True)
class AccountState:
    """One account: where it is, what was found there, when it was last in step (ISO, empty: never).

    `kind` is what its folders are called.
    """

    name: str
    kind: str
    address: str
    server: str
    mode: Mode
    folders: tuple[str, ...]
    synced: str
    problem: str
    notes: tuple[str, ...]

    @property
    def word(self) -> str:
        """The state in one word."""
        if self.problem:
            return "unavailable"
        return self.mode.value if self.mode is not Mode.FULL else "ready"

    @property
    def detail(self) -> str:
        """The state in one line."""
        when = (
            datetime.fromisoformat(self.synced).astimezone().strftime("%a %-d %b %Y %H:%M")
            if self.synced
            else ""
        )
        parts = [
            self.server,
            self.address,
            f"{self.kind}: {', '.join(self.folders)}" if self.folders else f"no {self.kind} known yet",
            f"in step since {when}" if when else "never read yet",
            *self.notes,
            *((self.problem,) if self.problem else ()),
        ]
        return "; ".join(parts)
