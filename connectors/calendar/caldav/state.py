"""How an account is doing, for a person to read."""

from dataclasses import dataclass
from datetime import datetime

from connectors.calendar.accounts import Mode


@dataclass(frozen=True, slots=True)
class AccountState:
    """One account: where it is, what was found there, when it was last in step (ISO, empty: never)."""

    name: str
    address: str
    server: str
    mode: Mode
    calendars: tuple[str, ...]
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
            f"calendars: {', '.join(self.calendars)}" if self.calendars else "no calendars known yet",
            f"in step since {when}" if when else "never read yet",
            *self.notes,
            *((self.problem,) if self.problem else ()),
        ]
        return "; ".join(parts)
