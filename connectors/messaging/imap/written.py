"""A mail account as it stands in messaging.toml."""

from connectors.config import toml_string
from connectors.messaging.config import Account, Mode
from connectors.oauth.settings import OAuth


def lines_of(
    name: str, address: str, mode: Mode, imap: Account, smtp: Account | None, oauth: OAuth | None
) -> tuple[str, str]:
    """The settings: what stands first in the file, and the tables behind it."""
    head = (
        f"name = {toml_string(name)}\naddress = {toml_string(address)}\n"
        f'mode = "{mode.value}"  # off, read-only, draft-only or full\n'
    )
    tables = [_table("imap", imap)]
    if smtp:
        tables.append(_table("smtp", smtp))
    if oauth:
        tables.append(_oauth(oauth))
    return head, "\n".join(tables)


def _table(name: str, account: Account) -> str:
    lines = [f"[{name}]", f"host = {toml_string(account.host)}"]
    if account.port:
        lines.append(f"port = {account.port}")
    lines.append(f'security = "{account.security}"')
    if account.user:
        lines.append(f"user = {toml_string(account.user)}")
    if account.login != "password":
        lines.append(f'login = "{account.login}"')
    if account.keeps_copies:
        lines.append("keeps_copies = true  # the server itself puts what it sends into Sent")
    return "\n".join(lines) + "\n"


def _oauth(oauth: OAuth) -> str:
    lines = ["[oauth]"]
    for key in ("provider", "client_id", "authorize", "token", "device"):
        if value := getattr(oauth, key):
            lines.append(f"{key} = {toml_string(value)}")
    if oauth.client_secret is not None:
        lines.append("client_secret = {}  # it is kept with the passwords")
    if oauth.scopes:
        lines.append(f"scopes = [{', '.join(map(toml_string, oauth.scopes))}]")
    return "\n".join(lines) + "\n"
