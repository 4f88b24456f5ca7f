"""Which hosts a domain names for a service in DNS (RFC 2782, RFC 6764 3 and 4, RFC 6186 3)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import dns.exception
import dns.name
import dns.rdatatype
import dns.resolver
from dns.rdtypes.IN.SRV import SRV

_SECONDS = 5.0
_MOST_HOSTS = 8
_HOST = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9])?")
_PATH = re.compile(r"/(?!/)[A-Za-z0-9._~!$&'()*+,;=:@%/-]{0,200}")
_PATH_KEY = "path="


class Answered(StrEnum):
    """What came of asking: hosts, no word of the service, that there is none (RFC 2782), or no answer."""

    NAMED = "named"
    NOT_NAMED = "not named"
    NOT_OFFERED = "not offered"
    NOT_ANSWERED = "not answered"


@dataclass(frozen=True, slots=True)
class Host:
    """A host and port, in ASCII and lower case."""

    name: str
    port: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What a domain says of a service: its hosts, the one to try first in front, and where on them to begin.

    DNS is not authenticated: before a secret goes to a host that is not `inside` the domain, the person has
    to be asked (RFC 6764 8).
    """

    answered: Answered
    hosts: tuple[Host, ...] = ()
    path: str = ""


class Lookup(Protocol):
    """Asks a domain for its hosts of a service."""

    def find(self, service: str, domain: str) -> Answer:
        """The hosts of a service such as `caldavs` or `imaps`; never raises."""
        ...


class Dns:
    """Asks by DNS over TCP services: the machine's own servers, or `nameservers` at `port`.

    One question takes `seconds` at most.
    """

    def __init__(self, nameservers: Sequence[str] = (), port: int = 53, seconds: float = _SECONDS) -> None:
        self._nameservers = nameservers
        self._port = port
        self._seconds = seconds

    def find(self, service: str, domain: str) -> Answer:
        try:
            name = dns.name.from_text(f"_{service}._tcp.{domain.strip().rstrip('.')}.")
            resolver = self._resolver()
            found = resolver.resolve(name, dns.rdatatype.SRV, lifetime=self._seconds)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return Answer(Answered.NOT_NAMED)
        # An answer that cannot be read, and a name that cannot be asked for, are said in many ways.
        except (dns.exception.DNSException, OSError, ValueError):
            return Answer(Answered.NOT_ANSWERED)
        if _refuses(found):
            return Answer(Answered.NOT_OFFERED)
        hosts = _hosts(found)
        return (
            Answer(Answered.NAMED, hosts, self._path(resolver, name)) if hosts else Answer(Answered.NOT_NAMED)
        )

    def _resolver(self) -> dns.resolver.Resolver:
        resolver = dns.resolver.Resolver(configure=not self._nameservers)
        if self._nameservers:
            resolver.nameservers = list(self._nameservers)
            resolver.port = self._port
        return resolver

    def _path(self, resolver: dns.resolver.Resolver, name: dns.name.Name) -> str:
        """Where to begin on the hosts (RFC 6764 4), empty where that is not said plainly."""
        try:
            found = resolver.resolve(name, dns.rdatatype.TXT, lifetime=self._seconds)
        except (dns.exception.DNSException, OSError):
            return ""
        said = [part.decode("ascii", "replace") for each in found for part in each.strings]
        paths = [each[len(_PATH_KEY) :] for each in said if each.lower().startswith(_PATH_KEY)]
        return paths[0] if len(paths) == 1 and _PATH.fullmatch(paths[0]) else ""


def inside(domain: str, host: str) -> bool:
    """True for a domain's own name and for every host below it."""
    wanted, found = (_ascii(each) for each in (domain, host))
    return wanted is not None and found is not None and found.is_subdomain(wanted)


def _ascii(name: str) -> dns.name.Name | None:
    bare = name.strip().rstrip(".")
    try:
        return dns.name.from_text(f"{bare}.") if bare else None
    except (dns.exception.DNSException, ValueError):
        return None


def _hosts(found: dns.resolver.Answer) -> tuple[Host, ...]:
    """The hosts by priority and weight, without those whose names no host can have."""
    hosts: dict[Host, None] = {}
    for each in found.rrset.processing_order() if found.rrset is not None else ():
        name = each.target.to_text(omit_final_dot=True).lower() if isinstance(each, SRV) else ""
        if isinstance(each, SRV) and each.port and _HOST.fullmatch(name):
            hosts[Host(name, each.port)] = None
    return tuple(hosts)[:_MOST_HOSTS]


def _refuses(found: dns.resolver.Answer) -> bool:
    """True where the only host is the root, which says that the service is not offered (RFC 2782)."""
    return all(isinstance(each, SRV) and each.target == dns.name.root for each in found)
