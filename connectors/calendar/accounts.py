"""What a person may say of an account on a CalDAV server."""

from typing import Literal

from connectors.dav import accounts


class Account(accounts.Account):
    """One account, `[accounts.<name>]` in calendar.toml; see `connectors.dav.accounts.Account`.

    `address` is the person's own, where the server does not say it; `calendars` picks calendars by name, path
    or displayed name (none: all); `notify` says whether a server that can mail invitations may.
    """

    address: str = ""
    calendars: tuple[str, ...] = ()
    notify: Literal["ask", "never"] = "ask"

    @property
    def chosen(self) -> tuple[str, ...]:
        return self.calendars
