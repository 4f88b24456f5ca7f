"""Sets up a mail account by a few questions: finds the servers and signs in at both."""

from dataclasses import dataclass

from connectors.asking import Asker, GivenUp, need
from connectors.clean import clean_line
from connectors.discovery import inside
from connectors.messaging.config import Account, Config, Mode
from connectors.messaging.credentials import REFRESH, client_of
from connectors.messaging.imap.trying import Known, tried, try_imap, try_smtp
from connectors.messaging.imap.written import lines_of
from connectors.messaging.providers import Provider, provider_at, provider_of
from connectors.messaging.servers.find import ServerFinder
from connectors.messaging.servers.offer import FindServers, Offer, Offers, Said
from connectors.oauth.browser import Browser
from connectors.oauth.settings import OAuth
from connectors.oauth.sign_in import ask_for_client, signed_in
from connectors.people import is_address
from connectors.secrets.base import Secret
from connectors.secrets.settings import FindSecret

_SHOWN = 100
_STRANGE = "It is not of your domain, and what was found about it can be forged."


@dataclass(frozen=True, slots=True)
class Connected:
    """An account that works: what is said first in the settings, the tables behind it, and the secret.

    The secret is the password, or with `name` messaging/oauth the token that renews others; `app` is that of
    the person's app at the provider.
    """

    head: str
    tables: str
    secret: Secret
    name: str = "messaging/imap"
    app: Secret | None = None


@dataclass(frozen=True, slots=True)
class _SignIn:
    """How a person signs in: what is kept, where it is had, and what gives a secret each time."""

    known: Known
    kept: Secret
    oauth: OAuth | None = None
    app: Secret | None = None

    @property
    def name(self) -> str:
        return REFRESH if self.oauth else "messaging/imap"


def connect(
    person: Asker, before: Config, finder: FindServers | None = None, browser: Browser | None = None
) -> Connected:
    """Ask until an account works; `browser` opens pages of this machine's browser. Raises GivenUp."""
    address = _address(person, before.address)
    name = need(person.ask("Your name, as others will see it:", before.name))
    person.say(f"Looking for the servers of {clean_line(address.rpartition('@')[2], _SHOWN)} …")
    offers = (finder or ServerFinder()).find(address)
    for note in offers.notes:
        person.say(note)
    imap, sign_in = _mailbox(person, address, offers, browser)
    smtp = _way_out(person, offers, sign_in.known)
    head, tables = lines_of(name, address, _mode(person), imap, smtp, sign_in.oauth)
    return Connected(head, tables, sign_in.kept, sign_in.name, sign_in.app)


def sign_in_again(person: Asker, oauth: OAuth, find: FindSecret, browser: Browser | None = None) -> Secret:
    """A new token for an account that is set up. Raises GivenUp."""
    return Secret(signed_in(person, client_of(oauth, find), browser).refresh)


def _address(person: Asker, usual: str) -> str:
    while True:
        address = need(person.ask("Your mail address:", usual))
        if is_address(address):
            return address
        person.say("That is no mail address, such as you@example.org.")


def _mailbox(person: Asker, address: str, offers: Offers, browser: Browser | None) -> tuple[Account, _SignIn]:
    """The server where the mailbox is, and the sign-in that it took."""
    usual = offers.mailbox.typed if offers.mailbox else ""
    sign_in: _SignIn | None = None
    while True:
        host = _host(person, "Server of the mailbox (IMAP):", usual, offers.mailbox, address)
        provider = provider_at(host.partition(":")[0])
        told = offers.mailbox.user if offers.mailbox and host == offers.mailbox.typed else ""
        user = need(person.ask("User:", told or address))
        if provider and provider.sign_in and provider is not provider_of(address):
            person.say(provider.sign_in)
        if sign_in is None or sign_in.oauth is None:
            sign_in = _secret(person, address, provider, browser)
        more = {"user": user} if user != address else {}
        if account := tried(person, host, sign_in.known, try_imap, more):
            return account, sign_in
        usual = host


def _secret(person: Asker, address: str, provider: Provider | None, browser: Browser | None) -> _SignIn:
    """A password, or a token where the provider gives one and the person wants it."""
    if provider and provider.oauth and _by_provider(person, provider):
        oauth, app = ask_for_client(person, provider.oauth)
        tokens = signed_in(person, client_of(oauth, lambda name, source: app or Secret("")), browser)
        return _SignIn(Known(address, lambda: tokens.access, "oauth"), Secret(tokens.refresh), oauth, app)
    secret = person.ask_secret("Password (not shown): ")
    if secret is None:
        raise GivenUp
    return _SignIn(Known(address, secret.reveal), secret)


def _by_provider(person: Asker, provider: Provider) -> bool:
    usual = "page" if provider.oauth == "microsoft" else "password"
    question = f"Sign in with a password, or on the page of {provider.oauth}? (password, or page)"
    return need(person.ask(question, usual)).lower().startswith("page")


def _way_out(person: Asker, offers: Offers, known: Known) -> Account | None:
    usual = offers.sending.typed if offers.sending else ""
    while True:
        question = "Server for sending (SMTP), or - for none:"
        host = _host(person, question, usual, offers.sending, known.address)
        if host == "-":
            return None
        provider = provider_at(host.partition(":")[0])
        more = {"keeps_copies": True} if provider and provider.keeps_copies else {}
        if account := tried(person, host, known, try_smtp, more):
            return account
        usual = host


def _host(person: Asker, question: str, usual: str, offer: Offer | None, address: str) -> str:
    """A server that the person agrees to; of one outside their domain that was only found they are asked."""
    while True:
        host = need(person.ask(question, usual))
        if offer is None or host != offer.typed or not _strange(offer, address):
            return host
        asked = person.ask(f"{_STRANGE} Send your password to {clean_line(host, _SHOWN)}? (yes, or no)", "no")
        if need(asked).lower().startswith("y"):
            return host
        usual = ""


def _strange(offer: Offer, address: str) -> bool:
    return offer.said is not Said.KNOWN and not inside(address.rpartition("@")[2], offer.host)


def _mode(person: Asker) -> Mode:
    choices = ", ".join(mode.value for mode in Mode)
    while True:
        said = need(person.ask(f"What may be done when you say yes? ({choices})", Mode.FULL.value))
        if said in list(Mode):
            return Mode(said)
