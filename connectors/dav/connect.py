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
from connectors.dav.faults import Elsewhere, Unreachable
from connectors.dav.kind import Kind
from connectors.dav.quirks import PROFILES, Profile
from connectors.dav.server import Server
from connectors.dav.start import Start, look_up
from connectors.discovery import Dns, Lookup
from connectors.secrets.base import Secret, SecretError
from connectors.stores import StoreError

_SHOWN = 100
_MOST_HOPS = 2
_AGAIN = " Try again; to give up changes nothing."
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
    person: Asker,
    taken: Sequence[str],
    kind: Kind,
    lookup: Lookup | None = None,
    server_of: Callable[..., Server] = Server,
) -> Connected:
    """Ask until an account works; a domain's servers are looked up in DNS, or by `lookup`. Raises GivenUp."""
    while True:
        address = need(person.ask("Your mail address, the server's address, or one of " + _known(kind) + ":"))
        start = look_up(address, kind, lookup or Dns())
        if start.said:
            person.say(start.said)
        urls = _agreed(person, start)
        url = need(person.ask(f"Address of the {kind.folders}:", urls[0] if urls else ""))
        user = need(person.ask("User:", start.user))
        if start.profile and start.profile.sign_in:
            person.say(start.profile.sign_in)
        secret = person.ask_secret("Password (not shown): ")
        if secret is None:
            raise GivenUp
        attempt = _Attempt(person, user, secret, start.profile, lambda *given: server_of(*given, kind))
        found = attempt.first_of(urls if url in urls[:1] else (url,))
        if found is not None:
            break
    kept = _choose(person, found.remotes)
    every = len(kept) == len(found.remotes)
    chosen = () if every else tuple(each.name.partition("~")[2] for each in kept)
    settings = Account.model_validate({**found.settings, "mode": _mode(person)})
    name = _free_name(settings.url, taken)
    return Connected(name, settings, secret, found.home.profile, tuple(kept), chosen)


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


@dataclass(frozen=True, slots=True)
class _Found:
    """An account that works."""

    home: Home
    remotes: list[Remote]
    settings: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A person's user and password, tried where they agreed to."""

    person: Asker
    user: str
    secret: Secret
    profile: Profile | None
    server_of: Callable[..., Server]

    def first_of(self, urls: Sequence[str]) -> _Found | None:
        """What is found at the first address that can be reached; what is wrong is said."""
        for place, url in enumerate(urls, start=1):
            try:
                return self._at(url, _MOST_HOPS)
            except Unreachable as error:
                more = f" {urlsplit(urls[place]).hostname} is tried next." if urls[place:] else _AGAIN
                self.person.say(f"{error}{more}")
            except (StoreError, SecretError) as error:
                self.person.say(f"{error}{_AGAIN}")
                return None
        return None

    def _at(self, url: str, hops: int) -> _Found | None:
        settings: dict[str, object] = {"url": url, "user": self.user}
        if self.profile is not None and self.profile.name == "google":
            settings["auth"] = "bearer"
        try:
            account = Account.model_validate(settings)
            server = self.server_of(urlsplit(url).hostname or "the server", account, self.secret)
        except ValidationError as error:
            said = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
            self.person.say(f"That cannot be used: {clean_line(said, _SHOWN)}.")
            return None
        try:
            home = find_home(server, account)
            remotes = list_folders(server, home, account)
        except Elsewhere as error:
            if hops and _may_send(self.person, error.url, str(error)):
                return self._at(error.url, hops - 1)
            return None
        finally:
            server.close()
        title, number = home.profile.called(server.kind.protocol), _counted(len(remotes), server.kind)
        self.person.say(f"Found {title} at {home.urls[0]}, with {number}.")
        return _Found(home, remotes, settings)


def _agreed(person: Asker, start: Start) -> tuple[str, ...]:
    """The addresses that a password may go to: of hosts outside the domain only those the person says."""
    why = "It is not of your domain, and what DNS says can be forged."
    return tuple(url for url in start.urls if not start.strange(url) or _may_send(person, url, why))


def _may_send(person: Asker, url: str, why: str) -> bool:
    host = clean_line(urlsplit(url).netloc, _SHOWN)
    answer = person.ask(f"{why} Send your password to {host}? (yes, or no)", "no")
    return need(answer).lower().startswith("y")


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
