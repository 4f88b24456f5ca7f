"""Where the mail of an address is: by what is known of its provider, by DNS, by its settings, by guessing."""

from dataclasses import dataclass, field
from typing import Final

from connectors.clean import clean_line
from connectors.discovery import Answered, Dns, Lookup
from connectors.messaging.providers import provider_of
from connectors.messaging.server import SMTP_PORTS, Security
from connectors.messaging.servers.config_file import NotSettings, offers_in
from connectors.messaging.servers.offer import PORTS, Offer, Offers, Said, Use
from connectors.messaging.servers.reach import Network, Reach, guesses
from connectors.messaging.servers.web import Settings, Web

# RFC 6186 section 3, RFC 8314 sections 3.2 and 5.1: encrypted from the first byte comes first.
_SERVICES: Final[dict[Use, tuple[tuple[str, Security], ...]]] = {
    Use.MAILBOX: (("imaps", "tls"), ("imap", "starttls")),
    Use.SENDING: (("submissions", "tls"), ("submission", "starttls")),
}
_SHOWN: Final = 100


@dataclass(frozen=True, slots=True)
class ServerFinder:
    """Finds the servers of an address; each step is only taken for what the ones before did not find."""

    lookup: Lookup = field(default_factory=Dns)
    settings: Settings = field(default_factory=Web)
    reach: Reach = field(default_factory=Network)

    def find(self, address: str) -> Offers:
        """The two servers of an address. Never raises."""
        domain = address.rpartition("@")[2].lower()
        if provider := provider_of(address):
            known = (_known(Use.MAILBOX, provider.imap), _known(Use.SENDING, provider.smtp))
            return Offers(*known, (provider.sign_in,) if provider.sign_in else ())
        found = self._named(domain)
        if found.mailbox is None or found.sending is None:
            found = self._told(address, found)
        return Offers(
            found.mailbox or self.reach.first(tuple(guesses(Use.MAILBOX, domain))),
            found.sending or self.reach.first(tuple(guesses(Use.SENDING, domain))),
            found.notes,
        )

    def _named(self, domain: str) -> Offers:
        """What DNS names."""
        notes: list[str] = []
        mailbox, sending = (self._service(use, domain, notes) for use in Use)
        return Offers(mailbox, sending, tuple(notes))

    def _service(self, use: Use, domain: str, notes: list[str]) -> Offer | None:
        for service, security in _SERVICES[use]:
            answer = self.lookup.find(service, domain)
            if answer.answered is Answered.NOT_ANSWERED:
                # One question that is not answered is enough: the others would be waited for as long.
                return None
            if answer.answered is Answered.NAMED:
                offer = Offer(use, answer.hosts[0].name, answer.hosts[0].port, security, Said.DNS)
                notes.append(f"{clean_line(domain, _SHOWN)} names {offer.typed} in DNS.")
                return offer
        return None

    def _told(self, address: str, found: Offers) -> Offers:
        """What the domain's settings add to what was found."""
        for data in self.settings.files(address):
            try:
                offers = offers_in(data, address)
            except NotSettings:
                continue
            mailbox, sending = (next((each for each in offers if each.use is use), None) for use in Use)
            added = [
                each
                for each, before in ((mailbox, found.mailbox), (sending, found.sending))
                if each and not before
            ]
            notes = tuple(f"The settings of the domain name {each.typed}." for each in added)
            found = Offers(found.mailbox or mailbox, found.sending or sending, (*found.notes, *notes))
        return found


def _known(use: Use, said: str) -> Offer:
    """A server of a known provider, which is written with a port where that is not the usual one."""
    host, _, port = said.partition(":")
    security: Security = "starttls" if use is Use.SENDING and port == str(SMTP_PORTS["starttls"]) else "tls"
    return Offer(use, host, int(port) if port else PORTS[use]["tls"], security, Said.KNOWN)
