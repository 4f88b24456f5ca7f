"""The servers of an address are what is known, else what DNS names, the domain's settings, or a guess."""

import http.server
import ssl
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
import trustme

from connectors.messaging.servers.config_file import NotSettings, offers_in
from connectors.messaging.servers.find import ServerFinder
from connectors.messaging.servers.offer import Offer, Offers, Said, Use
from connectors.messaging.servers.reach import Network, guesses
from connectors.messaging.servers.web import Web
from connectors.trust import tls
from tests.connectors.dns_server import DnsServer, dns_server
from tests.connectors.messaging.dovecot import dovecot
from tests.connectors.messaging.post_office import free_port, post_office

pytestmark = [
    pytest.mark.timeout(60),
    pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS"),
]
ADDRESS = "robin@home.example"
SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<clientConfig version="1.1"><emailProvider id="home.example">
  <domain>home.example</domain><displayName>Home</displayName>
  <incomingServer type="pop3"><hostname>pop.home.example</hostname><port>995</port>
    <socketType>SSL</socketType><username>%EMAILADDRESS%</username></incomingServer>
  <incomingServer type="imap"><hostname>old.home.example</hostname><port>143</port>
    <socketType>plain</socketType><username>%EMAILADDRESS%</username></incomingServer>
  <incomingServer type="imap"><hostname>IMAP.home.example</hostname><port>993</port>
    <socketType>SSL</socketType><username>%EMAILLOCALPART%</username>
    <authentication>password-cleartext</authentication></incomingServer>
  <outgoingServer type="smtp"><hostname>smtp.home.example</hostname><port>587</port>
    <socketType>STARTTLS</socketType><username>%EMAILADDRESS%</username></outgoingServer>
</emailProvider></clientConfig>"""
IMAP = Offer(Use.MAILBOX, "imap.home.example", 993, "tls", Said.SETTINGS, "robin")
SMTP = Offer(Use.SENDING, "smtp.home.example", 587, "starttls", Said.SETTINGS, ADDRESS)


@dataclass
class Told:
    """The settings of a domain, and who asked for them."""

    found: Sequence[bytes] = ()
    asked: list[str] = field(default_factory=list)

    def files(self, address: str) -> Sequence[bytes]:
        self.asked.append(address)
        return self.found


@dataclass
class There:
    """The hosts and ports behind which there is a server."""

    hosts: frozenset[tuple[str, int]] = frozenset()
    asked: list[Offer] = field(default_factory=list)

    def first(self, offers: Sequence[Offer]) -> Offer | None:
        self.asked += offers
        return next((each for each in offers if (each.host, each.port) in self.hosts), None)


@pytest.fixture
def dns() -> Iterator[DnsServer]:
    with dns_server() as server:
        yield server


# The file of settings


def test_the_servers_with_encryption_are_read_in_their_order() -> None:
    assert offers_in(SETTINGS.encode(), ADDRESS) == (IMAP, SMTP)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<html><body>Not here<br></body></html>",
        b"\xff\xfe\x00 no text",
        b'<?xml version="1.0"?><!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]><c>&x;</c>',
        b'<!DOCTYPE c [<!ENTITY a "aa"><!ENTITY b "&a;&a;&a;&a;">]><c>&b;</c>',
        b'<!DOCTYPE c SYSTEM "http://evil.example/x.dtd"><c/>',
        b"<c>&unknown;</c>",
        b'<?xml version="1.0" encoding="no-such-thing"?><c/>',
        b"<a>" * 40 + b"</a>" * 40,
    ],
)
def test_what_is_no_such_file_is_refused_whole(data: bytes) -> None:
    with pytest.raises(NotSettings):
        offers_in(data, ADDRESS)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<port>993</port>", "<port>0</port>"),
        ("<port>993</port>", "<port>993000</port>"),
        ("<port>993</port>", "<port>٩٩٣</port>"),
        ("<port>993</port>", ""),
        ("IMAP.home.example", "imap home.example"),
        ("IMAP.home.example", "imap.home.example/../x"),
        ("IMAP.home.example", "-imap"),
        ('type="imap"><hostname>IMAP', 'type="jmap"><hostname>IMAP'),
        ("<socketType>SSL</socketType><username>%EMAILLOCALPART%", "<username>%EMAILLOCALPART%"),
    ],
)
def test_a_server_that_cannot_be_used_is_passed_over(old: str, new: str) -> None:
    assert old in SETTINGS
    assert offers_in(SETTINGS.replace(old, new).encode(), ADDRESS) == (SMTP,)


@pytest.mark.parametrize("template", ["%REALHOSTNAME%", "a\u202eb", "a\nb", ""])
def test_a_user_that_cannot_be_told_is_left_to_the_person(template: str) -> None:
    (mailbox, _) = offers_in(SETTINGS.replace("%EMAILLOCALPART%", template).encode(), ADDRESS)
    assert mailbox.user == ""


# Fetching it


@contextmanager
def website(authority: trustme.CA, pages: dict[str, tuple[int, bytes]]) -> Iterator[int]:
    """A web server with TLS on this machine; yields its port. A page with the code 302 is where it leads."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            code, body = pages.get(self.path.partition("?")[0], (404, b"no"))
            self.send_response(code)
            if code == 302:
                self.send_header("Location", body.decode())
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = tls()
    authority.configure_trust(context)
    return context


def test_the_settings_are_fetched_over_tls_alone() -> None:
    authority = trustme.CA()
    pages = {
        "/mail/config-v1.1.xml": (200, SETTINGS.encode()),
        "/huge": (200, b"x" * 200_000),
        "/away": (302, b"http://localhost:1/plain"),
    }
    with website(authority, pages) as port:
        near = f"https://localhost:{port}"
        places = (
            f"{near}/mail/config-v1.1.xml?emailaddress={{address}}",
            f"{near}/gone",
            f"{near}/huge",
            f"{near}/away",
        )
        assert Web(places, trusting(authority)).files(ADDRESS) == [SETTINGS.encode()]
        assert Web(places).files(ADDRESS) == []
    assert Web(places, trusting(authority)).files(ADDRESS) == []


# The order


def test_a_known_provider_is_asked_for_nowhere(dns: DnsServer) -> None:
    told, there = Told(), There()
    found = ServerFinder(dns.lookup, told, there).find("robin@GMAIL.com")
    assert found.mailbox == Offer(Use.MAILBOX, "imap.gmail.com", 993, "tls", Said.KNOWN)
    assert (dns.asked, told.asked, there.asked) == ([], [], [])
    found = ServerFinder(dns.lookup, told, there).find("robin@me.com")
    assert found.sending == Offer(Use.SENDING, "smtp.mail.me.com", 587, "starttls", Said.KNOWN)


def test_dns_names_both_servers_and_nothing_else_is_asked(dns: DnsServer) -> None:
    dns.name("imaps", "home.example", "10 0 993 second.home.example.", "0 0 993 imap.home.example.")
    dns.name("submission", "home.example", "0 0 587 smtp.hosting.example.")
    told, there = Told(), There()
    found = ServerFinder(dns.lookup, told, there).find(ADDRESS)
    assert found == Offers(
        Offer(Use.MAILBOX, "imap.home.example", 993, "tls", Said.DNS),
        Offer(Use.SENDING, "smtp.hosting.example", 587, "starttls", Said.DNS),
        (
            "home.example names imap.home.example in DNS.",
            "home.example names smtp.hosting.example:587 in DNS.",
        ),
    )
    assert (told.asked, there.asked) == ([], [])


def test_what_dns_does_not_name_is_in_the_settings(dns: DnsServer) -> None:
    dns.name("imap", "home.example", "0 0 143 other.home.example.")
    found = ServerFinder(dns.lookup, Told((b"rubbish", SETTINGS.encode())), There()).find(ADDRESS)
    assert found.mailbox == Offer(Use.MAILBOX, "other.home.example", 143, "starttls", Said.DNS)
    assert found.sending == SMTP
    assert found.notes[-1] == "The settings of the domain name smtp.home.example:587."


@pytest.mark.parametrize("silent", [True, False])
def test_what_nobody_tells_is_guessed_and_tried(dns: DnsServer, silent: bool) -> None:
    dns.silent = silent
    there = There(frozenset({("mail.home.example", 993), ("smtp.home.example", 587)}))
    found = ServerFinder(dns.lookup, Told(), there).find(ADDRESS)
    assert found.mailbox == Offer(Use.MAILBOX, "mail.home.example", 993, "tls", Said.GUESSED)
    assert found.sending == Offer(Use.SENDING, "smtp.home.example", 587, "starttls", Said.GUESSED)
    assert len(dns.asked) == (2 if silent else 4)


def test_a_service_that_a_domain_says_it_does_not_have_is_not_named(dns: DnsServer) -> None:
    dns.name("imaps", "home.example", "0 0 0 .")
    assert ServerFinder(dns.lookup, Told(), There()).find(ADDRESS) == Offers()


def test_the_safest_guess_comes_first() -> None:
    assert [(each.host, each.port) for each in guesses(Use.MAILBOX, "x.org")] == [
        ("imap.x.org", 993),
        ("mail.x.org", 993),
        ("x.org", 993),
        ("imap.x.org", 143),
        ("mail.x.org", 143),
        ("x.org", 143),
    ]


def test_a_server_counts_only_if_it_answers_as_one_with_a_certificate_that_is_trusted() -> None:
    authority = trustme.CA()
    with post_office(authority) as office, dovecot() as server:
        good = Offer(Use.SENDING, "localhost", office.port, "tls", Said.GUESSED)
        greeting = Offer(Use.MAILBOX, "127.0.0.1", server.port, "starttls", Said.GUESSED)
        nothing = Offer(Use.SENDING, "127.0.0.1", free_port(), "tls", Said.GUESSED)
        wrong = Offer(Use.SENDING, "127.0.0.1", server.port, "starttls", Said.GUESSED)
        network = Network(trusting(authority), 5)
        assert network.first([nothing, wrong, good]) == good
        assert network.first([greeting]) == greeting
        assert network.first([nothing, wrong]) is None
        assert network.first([]) is None
        assert Network(seconds=5).first([good]) is None
