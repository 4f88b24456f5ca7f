"""Where to begin looking for an account, from what a person typed: DNS, then the well-known address."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from connectors.clean import clean_line
from connectors.dav.kind import Kind
from connectors.dav.quirks import PROFILES, Profile, profile_named
from connectors.discovery import Answer, Answered, Host, Lookup, inside

_HTTPS = 443
_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Start:
    """The addresses to try, in order, as whom, and the server's kind if it is known.

    `domain` is the person's own where DNS named the hosts; `said` is what came of asking there.
    """

    urls: tuple[str, ...]
    user: str = ""
    profile: Profile | None = None
    domain: str = ""
    said: str = ""

    def strange(self, url: str) -> bool:
        """True for a host that only DNS, which can be forged, names, and that is not the domain's own."""
        return bool(self.domain) and not inside(self.domain, urlsplit(url).hostname or "")


def start_of(address: str, kind: Kind) -> Start:
    """Where to begin for an address, a mail address or a provider's name, without asking anybody."""
    said = address.strip()
    profile = profile_named(said.lower())
    if profile is not None and profile.start(kind.well_known):
        return Start((profile.start(kind.well_known),), profile=profile)
    if said.startswith(("http://", "https://")):
        return Start((said,))
    user, at, domain = said.rpartition("@")
    own = said if at else ""
    if known := _profile_of(domain, kind):
        return Start((known.start(kind.well_known),), own, known)
    host = domain or user
    return Start((_address(host, kind),) if host else (), own)


def look_up(address: str, kind: Kind, lookup: Lookup) -> Start:
    """The same, where a domain is asked in DNS which hosts it has (RFC 6764 6)."""
    start = start_of(address, kind)
    said = address.strip()
    if start.profile or not start.urls or start.urls[0] == said:
        return start
    domain = said.rpartition("@")[2]
    answer = lookup.find(f"{kind.well_known}s", domain)
    shown = clean_line(domain, _SHOWN)
    if answer.answered is not Answered.NAMED:
        return Start(start.urls, start.user, said=_unnamed(answer, shown, domain, kind, lookup))
    names = ", ".join(dict.fromkeys(each.name for each in answer.hosts))
    return Start(
        tuple(_addresses(answer, kind)),
        start.user,
        _profile_of(answer.hosts[0].name, kind),
        domain,
        f"{shown} names {names} for {kind.folders}.",
    )


def _unnamed(answer: Answer, shown: str, domain: str, kind: Kind, lookup: Lookup) -> str:
    match answer.answered:
        case Answered.NOT_OFFERED:
            return f"{shown} says that it has no server for {kind.folders}."
        case Answered.NOT_ANSWERED:
            return f"It could not be found out which server {shown} names for {kind.folders}."
    if lookup.find(kind.well_known, domain).answered is Answered.NAMED:
        return f"{shown} names a server for {kind.folders} only without encryption; that is not used."
    return ""


def _addresses(answer: Answer, kind: Kind) -> Iterator[str]:
    for host in answer.hosts:
        yield _at(host, answer.path) if answer.path else _address(_named(host), kind)


def _at(host: Host, path: str) -> str:
    return f"https://{_named(host)}{path}"


def _address(host: str, kind: Kind) -> str:
    return f"https://{host}/.well-known/{kind.well_known}"


def _named(host: Host) -> str:
    return host.name if host.port == _HTTPS else f"{host.name}:{host.port}"


def _profile_of(domain: str, kind: Kind) -> Profile | None:
    """The provider whose host or mail domain this is, if it is known where its servers are."""
    for each in PROFILES:
        if each.start(kind.well_known) and any(
            domain == end or domain.endswith(f".{end}") for end in each.hosts
        ):
            return each
    return None
