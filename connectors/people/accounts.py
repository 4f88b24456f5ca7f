"""What a person may say of an account with address books, and how the accounts are opened."""

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from pydantic import Field

from connectors.dav import accounts
from connectors.people.book import Shelf
from connectors.secrets.settings import FindSecret


class Account(accounts.Account):
    """An account on a CardDAV server, `[contacts.<name>]`; see `connectors.dav.accounts.Account`.

    `books` picks address books by name, path or displayed name (none: all); new contacts go to the first of
    them that may be written to.
    """

    books: tuple[str, ...] = ()
    fresh: int = Field(60, ge=0, le=3600)

    @property
    def chosen(self) -> tuple[str, ...]:
        return self.books


def opened(settings: Mapping[str, Account], folder: Path, find: FindSecret) -> Mapping[str, Shelf]:
    """The accounts that are not off; `folder` keeps what was last seen of each. Nothing is asked yet."""
    used = {name: each for name, each in settings.items() if each.mode is not accounts.Mode.OFF}
    if not used:
        return {}
    # Loaded only by those who have an account: the libraries for it take longer to load than all of Askfirst.
    module = importlib.import_module("connectors.people.carddav.shelf")
    return {name: cast(Shelf, module.DavShelf(name, each, folder, find)) for name, each in used.items()}
