"""An account on a CardDAV server as it stands in messaging.toml."""

from collections.abc import Sequence

from connectors.asking import Asker
from connectors.config import toml_string
from connectors.dav import connect as wizard
from connectors.dav.connect import Connected, lines_of, shown
from connectors.discovery import Lookup
from connectors.people.carddav.kind import ADDRESS_BOOKS


def connect(person: Asker, taken: Sequence[str], lookup: Lookup | None = None) -> Connected:
    """Ask until an account works. Raises GivenUp."""
    return wizard.connect(person, taken, ADDRESS_BOOKS, lookup)


def toml_of(connected: Connected, source: str) -> str:
    """The account with what may be changed said beside it; `source` is the line on where the password is."""
    title = connected.profile.called(ADDRESS_BOOKS.protocol)
    lines = [
        f"# {title}, with the address books: {shown(connected.folders)}",
        *lines_of(connected, "contacts", source),
    ]
    if connected.chosen:
        books = ", ".join(map(toml_string, connected.chosen))
        lines.append(f"books = [{books}]  # without this line: all; new contacts go to the first")
    return "\n".join(lines) + "\n"
