"""Sets up an account by a few questions: finds the server, tests the password, lists the calendars."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import ValidationError

from connectors.asking import Asker, GivenUp, need
from connectors.calendar.accounts import Account
from connectors.calendar.caldav.discovery import Home, Remote, find_home, list_calendars
from connectors.calendar.caldav.quirks import PROFILES, Profile, profile_named
from connectors.calendar.caldav.server import Server
from connectors.calendar.store import StoreError
from connectors.clean import clean_line
from connectors.config import toml_string
from connectors.secrets.base import Secret, SecretError

_SHOWN = 100
_NAME = re.compile(r"[^a-z0-9]+")
_NAMES_LENGTH = 20


@dataclass(frozen=True, slots=True)
class Connected:
    """An account that works: its name, its settings, the password to be kept, and what was found there."""

    name: str
    account: Account
    secret: Secret
    profile: Profile
    calendars: tuple[Remote, ...]


def connect(person: Asker, taken: Sequence[str], server_of: Callable[..., Server] = Server) -> Connected:
    """Ask until an account works. Raises GivenUp."""
    while True:
        address = need(person.ask("Your mail address, the server's address, or one of " + _known() + ":"))
        url, user, profile = start_of(address)
        url = need(person.ask("Address of the calendars:", url))
        user = need(person.ask("User:", user))
        if profile and profile.sign_in:
            person.say(profile.sign_in)
        secret = person.ask_secret("Password (not shown): ")
        if secret is None:
            raise GivenUp
        found = _try(person, url, user, secret, profile, server_of)
        if found is not None:
            home, remotes, account = found
            break
    kept = _choose(person, remotes)
    name = _free_name(url, taken)
    settings = {
        **account,
        "mode": _mode(person),
        "calendars": [] if len(kept) == len(remotes) else [each.name.partition("~")[2] for each in kept],
    }
    return Connected(name, Account.model_validate(settings), secret, home.profile, tuple(kept))


def start_of(address: str) -> tuple[str, str, Profile | None]:
    """Where to begin looking for what a person typed: an address, a mail address or a provider's name."""
    said = address.strip()
    profile = profile_named(said.lower())
    if profile is not None and profile.start:
        return profile.start, "", profile
    if said.startswith(("http://", "https://")):
        return said, "", None
    user, at, domain = said.rpartition("@")
    for each in PROFILES:
        if each.start and any(domain == end or domain.endswith(f".{end}") for end in each.hosts):
            return each.start, said if at else "", each
    host = domain or user
    return f"https://{host}/.well-known/caldav" if host else "", said if at else "", None


def toml_of(connected: Connected, source: str) -> str:
    """The account as it stands in calendar.toml, with what may be changed said beside it.

    `source` is the line that says where the password is, or a comment.
    """
    account = connected.account
    found = ", ".join(clean_line(each.displayname, _SHOWN) for each in connected.calendars)
    lines = [
        f"# {connected.profile.title}, with the calendars: {found}",
        *(f"# It {note}." for note in connected.profile.notes),
        f"[accounts.{connected.name}]",
        f"url = {toml_string(account.url)}",
        f"user = {toml_string(account.user)}",
        source,
        f'mode = "{account.mode.value}"  # off, read-only or full',
    ]
    if account.calendars:
        lines.append(
            f"calendars = [{', '.join(map(toml_string, account.calendars))}]  # without this line: all"
        )
    if connected.profile.mails:
        lines.append('notify = "ask"  # or "never": do not let the server mail people newly invited')
    return "\n".join(lines) + "\n"


def _try(
    person: Asker,
    url: str,
    user: str,
    secret: Secret,
    profile: Profile | None,
    server_of: Callable[..., Server],
) -> tuple[Home, list[Remote], Mapping[str, object]] | None:
    settings: dict[str, object] = {"url": url, "user": user}
    if profile is not None and profile.name == "google":
        settings["auth"] = "bearer"
    try:
        account = Account.model_validate(settings)
        server = server_of(urlsplit(url).hostname or "the server", account, secret)
    except ValidationError as error:
        said = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
        person.say(f"That cannot be used: {clean_line(said, _SHOWN)}.")
        return None
    try:
        home = find_home(server, account)
        remotes = list_calendars(server, home, account)
    except (StoreError, SecretError) as error:
        person.say(f"{error} Try again, or end with Ctrl+D.")
        return None
    finally:
        server.close()
    person.say(f"Found {home.profile.title} at {home.urls[0]}, with {len(remotes)} calendars.")
    return home, remotes, settings


def _choose(person: Asker, remotes: list[Remote]) -> list[Remote]:
    if len(remotes) < 2:
        return remotes
    shown = [each.displayname + (" (read-only)" if each.read_only else "") for each in remotes]
    picked = person.pick("Which of them? Numbers, or nothing for all:", shown)
    if picked is None:
        raise GivenUp
    return [remotes[place] for place in picked] or remotes


def _mode(person: Asker) -> str:
    said = need(person.ask("May Askfirst change them when you say yes? (yes, or no: only read)", "yes"))
    return "full" if said.strip().lower().startswith("y") else "read-only"


def _known() -> str:
    return ", ".join(each.name for each in PROFILES if each.start)


def _free_name(url: str, taken: Sequence[str]) -> str:
    """A short name that no account has: the host's own name, with a number if need be."""
    labels = (urlsplit(url).hostname or "").split(".")
    own = labels[-2] if len(labels) > 1 and not labels[-1].isdigit() else "home"
    base = _NAME.sub("-", own.lower()).strip("-")[:_NAMES_LENGTH] or "home"
    name, number = base, 2
    while name in taken:
        name, number = f"{base}-{number}", number + 1
    return name
