"""Sets up an account by a few questions: finds the server, tests the password, lists the folders."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import ValidationError

from connectors.asking import Asker, GivenUp, need
from connectors.clean import clean_line
from connectors.config import toml_string
from connectors.dav.accounts import Account
from connectors.dav.discovery import Home, Remote, find_home, list_folders
from connectors.dav.kind import Kind
from connectors.dav.quirks import PROFILES, Profile, profile_named
from connectors.dav.server import Server
from connectors.secrets.base import Secret, SecretError
from connectors.stores import StoreError

_SHOWN = 100
_NAME = re.compile(r"[^a-z0-9]+")
_NAMES_LENGTH = 20


@dataclass(frozen=True, slots=True)
class Connected:
    """An account that works: its name, its settings, the password to be kept, and what was found there.

    `chosen` names the folders that were picked, if not all were.
    """

    name: str
    account: Account
    secret: Secret
    profile: Profile
    folders: tuple[Remote, ...]
    chosen: tuple[str, ...]


def connect(
    person: Asker, taken: Sequence[str], kind: Kind, server_of: Callable[..., Server] = Server
) -> Connected:
    """Ask until an account works. Raises GivenUp."""
    while True:
        address = need(person.ask("Your mail address, the server's address, or one of " + _known(kind) + ":"))
        url, user, profile = start_of(address, kind)
        url = need(person.ask(f"Address of the {kind.folders}:", url))
        user = need(person.ask("User:", user))
        if profile and profile.sign_in:
            person.say(profile.sign_in)
        secret = person.ask_secret("Password (not shown): ")
        if secret is None:
            raise GivenUp
        found = _try(person, url, user, secret, profile, lambda *given: server_of(*given, kind))
        if found is not None:
            home, remotes, account = found
            break
    kept = _choose(person, remotes)
    chosen = () if len(kept) == len(remotes) else tuple(each.name.partition("~")[2] for each in kept)
    settings = Account.model_validate({**account, "mode": _mode(person)})
    return Connected(_free_name(url, taken), settings, secret, home.profile, tuple(kept), chosen)


def start_of(address: str, kind: Kind) -> tuple[str, str, Profile | None]:
    """Where to begin looking for what a person typed: an address, a mail address or a provider's name."""
    said = address.strip()
    profile = profile_named(said.lower())
    if profile is not None and profile.start(kind.well_known):
        return profile.start(kind.well_known), "", profile
    if said.startswith(("http://", "https://")):
        return said, "", None
    user, at, domain = said.rpartition("@")
    for each in PROFILES:
        start = each.start(kind.well_known)
        if start and any(domain == end or domain.endswith(f".{end}") for end in each.hosts):
            return start, said if at else "", each
    host = domain or user
    return f"https://{host}/.well-known/{kind.well_known}" if host else "", said if at else "", None


def lines_of(connected: Connected, table: str, source: str) -> list[str]:
    """The beginning of an account as it stands in a file of settings, with what may be changed beside it.

    `source` is the line that says where the password is, or a comment.
    """
    account = connected.account
    return [
        f"[{table}.{connected.name}]",
        f"url = {toml_string(account.url)}",
        f"user = {toml_string(account.user)}",
        source,
        f'mode = "{account.mode.value}"  # off, read-only or full',
    ]


def shown(folders: Sequence[Remote]) -> str:
    """The folders' displayed names in a row."""
    return ", ".join(clean_line(each.displayname, _SHOWN) for each in folders)


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
        remotes = list_folders(server, home, account)
    except (StoreError, SecretError) as error:
        person.say(f"{error} Try again; to give up changes nothing.")
        return None
    finally:
        server.close()
    title, number = home.profile.called(server.kind.protocol), _counted(len(remotes), server.kind)
    person.say(f"Found {title} at {home.urls[0]}, with {number}.")
    return home, remotes, settings


def _choose(person: Asker, remotes: list[Remote]) -> list[Remote]:
    if len(remotes) < 2:
        return remotes
    remotes = sorted(remotes, key=lambda each: each.displayname.casefold())
    shown = [each.displayname + (" (read-only)" if each.read_only else "") for each in remotes]
    picked = person.pick("Which of them? Numbers, or nothing for all:", shown)
    if picked is None:
        raise GivenUp
    return [remotes[place] for place in picked] or remotes


def _mode(person: Asker) -> str:
    said = need(person.ask("May Askfirst change them when you say yes? (yes, or no: only read)", "yes"))
    return "full" if said.strip().lower().startswith("y") else "read-only"


def _known(kind: Kind) -> str:
    return ", ".join(each.name for each in PROFILES if each.start(kind.well_known))


def _counted(number: int, kind: Kind) -> str:
    return f"{number} {kind.folder if number == 1 else kind.folders}"


def _free_name(url: str, taken: Sequence[str]) -> str:
    """A short name that no account has: the host's own name, with a number if need be."""
    labels = (urlsplit(url).hostname or "").split(".")
    own = labels[-2] if len(labels) > 1 and not labels[-1].isdigit() else "home"
    base = _NAME.sub("-", own.lower()).strip("-")[:_NAMES_LENGTH] or "home"
    name, number = base, 2
    while name in taken:
        name, number = f"{base}-{number}", number + 1
    return name
