"""An account on a CalDAV server as it stands in calendar.toml."""

from collections.abc import Sequence

from connectors.asking import Asker
from connectors.calendar.caldav.kind import CALENDARS
from connectors.config import toml_string
from connectors.dav import connect as wizard
from connectors.dav.connect import Connected, lines_of, shown
from connectors.discovery import Lookup


def connect(person: Asker, taken: Sequence[str], lookup: Lookup | None = None) -> Connected:
    """Ask until an account works. Raises GivenUp."""
    return wizard.connect(person, taken, CALENDARS, lookup)


def toml_of(connected: Connected, source: str) -> str:
    """The account with what may be changed said beside it; `source` is the line on where the password is."""
    title = connected.profile.called(CALENDARS.protocol)
    lines = [
        f"# {title}, with the calendars: {shown(connected.folders)}",
        *(f"# It {note}." for note in connected.profile.notes),
        *lines_of(connected, "accounts", source),
    ]
    if connected.chosen:
        lines.append(
            f"calendars = [{', '.join(map(toml_string, connected.chosen))}]  # without this line: all"
        )
    if connected.profile.mails:
        lines.append('notify = "ask"  # or "never": do not let the server mail people newly invited')
    return "\n".join(lines) + "\n"
