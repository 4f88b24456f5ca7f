"""Sets up an account on Matrix by a few questions: finds its server, signs in, and lets rooms be chosen."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from nio import (
    AsyncClient,
    DiscoveryInfoResponse,
    LoginInfoResponse,
    LoginResponse,
    SyncResponse,
    WhoamiResponse,
)

from connectors.asking import Asker, GivenUp, need
from connectors.base import Needs
from connectors.clean import clean_line
from connectors.config import toml_string
from connectors.messaging.errors import MailboxError
from connectors.messaging.matrix.config import Account
from connectors.messaging.matrix.session import BROKEN, Homeserver, asked, client_for
from connectors.mode import Mode
from connectors.secrets.base import Secret

_DEVICE: Final = "Askfirst"
_PASSWORD: Final = "m.login.password"
_PATIENCE: Final = 60.0
_MODES: Final = (Mode.OFF, Mode.READ_ONLY, Mode.FULL)


@dataclass(frozen=True, slots=True)
class Connected:
    """An account that works: its table in the settings, and the access token."""

    table: str
    token: Secret


def connect(person: Asker, user: str) -> Connected:
    """Ask until the account of this id works. Raises GivenUp."""
    account, token = _signed_in(person, user)
    rooms = _rooms(person, asyncio.run(_listed(account, token)))
    return Connected(_table(account, rooms, _mode(person)), token)


def sign_in_again(person: Asker, account: Account) -> Connected:
    """A new token for an account that is set up. Raises GivenUp."""
    while True:
        try:
            return Connected("", _token(person, account))
        except MailboxError as error:
            person.say(f"{error.text} Try again; to give up changes nothing.")


def _signed_in(person: Asker, user: str) -> tuple[Account, Secret]:
    domain = user.partition(":")[2]
    usual = asyncio.run(_discovered(domain))
    while True:
        url = need(person.ask("Homeserver:", usual)).rstrip("/")
        try:
            account = Account.model_validate(
                {"user": user, "homeserver": url if "://" in url else f"https://{url}"}
            )
        except ValueError:
            person.say(f"“{clean_line(url, 80)}” is no address of a homeserver, such as https://{domain}.")
            continue
        try:
            token = _token(person, account)
        except MailboxError as error:
            person.say(f"{error.text} Try again; to give up changes nothing.")
            usual = account.homeserver
            continue
        person.say(f"Signed in at {clean_line(urlsplit(account.homeserver).netloc, 80)}.")
        return account, token


def _token(person: Asker, account: Account) -> Secret:
    """What the server gives for a password, which is not kept; or a token that the person has."""
    if asyncio.run(_takes_passwords(account)):
        secret = person.ask_secret("Password (not shown; nothing to give an access token instead): ")
        if secret is None:
            raise GivenUp
        if secret.reveal():
            return asyncio.run(_by_password(account, secret))
    token = person.ask_secret("Access token (not shown): ")
    if token is None:
        raise GivenUp
    asyncio.run(_checked(account, token))
    return token


async def _discovered(domain: str) -> str:
    """Where the domain says that its server is (`/.well-known/matrix/client`), else the domain itself."""
    client = client_for(Homeserver(f"https://{domain}", "", 10.0))
    try:
        told = await client.discovery_info()
        if isinstance(told, DiscoveryInfoResponse) and urlsplit(told.homeserver_url).scheme == "https":
            return clean_line(told.homeserver_url, 200)
    except (*BROKEN, ValueError):
        pass
    finally:
        await client.close()
    return f"https://{domain}"


async def _takes_passwords(account: Account) -> bool:
    client = _client(account)
    try:
        told = await asked(client.login_info(), LoginInfoResponse, _host(account))
        return _PASSWORD in told.flows
    finally:
        await client.close()


async def _by_password(account: Account, password: Secret) -> Secret:
    client, host = _client(account), _host(account)
    try:
        given = client.login(password.reveal(), device_name=_DEVICE)
        told = await asked(given, LoginResponse, host)
        return Secret(str(told.access_token))
    except MailboxError as error:
        if error.needs is not Needs.READ_ONLY:
            raise
        text = f"{host} does not take this password for {account.user}."
        raise MailboxError(Needs.SIGNED_OUT, text) from error
    finally:
        await client.close()


async def _checked(account: Account, token: Secret) -> None:
    client = _client(account, token)
    try:
        who = await asked(client.whoami(), WhoamiResponse, _host(account))
    finally:
        await client.close()
    if who.user_id != account.user:
        text = f"This token is that of {clean_line(who.user_id, 80)}, not of {account.user}."
        raise MailboxError(Needs.SIGNED_OUT, text)


async def _listed(account: Account, token: Secret) -> list[tuple[str, str]]:
    """The ids and names of all rooms, none where they cannot be asked for now."""
    client = _client(account, token)
    try:
        async with asyncio.timeout(_PATIENCE):
            quick = {"room": {"timeline": {"limit": 1}}, "presence": {"types": []}}
            await asked(client.sync(full_state=True, sync_filter=quick), SyncResponse, _host(account))
        found = [(id, clean_line(room.display_name or id, 80)) for id, room in client.rooms.items()]
        return sorted(found, key=lambda each: each[1].casefold())
    except (MailboxError, TimeoutError):
        return []
    finally:
        await client.close()


def _rooms(person: Asker, found: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    if not found:
        return []
    picked = person.pick("Which rooms? (numbers, or nothing for all)", [name for _, name in found])
    if picked is None:
        raise GivenUp
    return [found[number] for number in picked]


def _mode(person: Asker) -> Mode:
    choices = ", ".join(each.value for each in _MODES)
    while True:
        said = need(person.ask(f"What may be done when you say yes? ({choices})", Mode.FULL.value))
        if said in _MODES:
            return Mode(said)


def _client(account: Account, token: Secret | None = None) -> AsyncClient:
    client = client_for(Homeserver(account.homeserver, account.user, account.timeout, account.authority))
    # Without it the client would count the person among the others in a room.
    client.user_id = account.user
    if token:
        client.access_token = token.reveal()
    return client


def _host(account: Account) -> str:
    return clean_line(urlsplit(account.homeserver).netloc, 80)


def _table(account: Account, rooms: Sequence[tuple[str, str]], mode: Mode) -> str:
    lines = [
        "[matrix]",
        f"user = {toml_string(account.user)}",
        f"homeserver = {toml_string(account.homeserver)}",
        f'mode = "{mode.value}"  # off, read-only or full',
    ]
    if rooms:
        lines.append("rooms = [  # without this: all")
        lines += [f"  {toml_string(id)},  # {name}" for id, name in rooms]
        lines.append("]")
    return "\n".join(lines) + "\n"
