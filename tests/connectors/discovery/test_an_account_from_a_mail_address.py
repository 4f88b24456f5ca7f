"""A calendar is found from a mail address alone, and no password goes where the person did not agree to."""

import ssl
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import trustme

from connectors.asking import GivenUp
from connectors.calendar.caldav.kind import CALENDARS
from connectors.dav.connect import Connected, connect
from connectors.dav.server import Server
from tests.connectors.calendar_servers import PASSWORD, USER, CalendarServer
from tests.connectors.dns_server import DnsServer, dns_server
from tests.connectors.faults import FaultProxy, fault_proxy
from tests.connectors.people_asked import Person

Setting = Callable[..., Connected]
REDIRECT = b"HTTP/1.1 301 Moved\r\nLocation: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


@pytest.fixture
def dns() -> Iterator[DnsServer]:
    with dns_server() as server:
        yield server


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def https(radicale: CalendarServer, authority: trustme.CA) -> Iterator[FaultProxy]:
    """Radicale with a calendar, behind TLS for two names of this machine, which are two sites."""
    radicale.clear()
    radicale.make_calendar("work", "Work")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost", "127.0.0.1").configure_cert(context)
    parts = urlsplit(radicale.url)
    assert parts.hostname
    assert parts.port
    with fault_proxy(parts.hostname, parts.port, context) as proxy:
        yield proxy


@pytest.fixture
def set_up(dns: DnsServer, authority: trustme.CA, tmp_path: Path) -> Setting:
    """The questions to a person, whose machine trusts the authority and asks the DNS server here."""
    file = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(file)

    def ask(person: Person) -> Connected:
        return connect(
            person,
            (),
            CALENDARS,
            dns.lookup,
            lambda name, account, *rest: Server(name, account.model_copy(update={"authority": file}), *rest),
        )

    return ask


def test_the_domain_names_its_host_and_the_host_its_calendars(
    dns: DnsServer, https: FaultProxy, set_up: Setting
) -> None:
    dns.name("caldavs", "localhost", f"0 0 {https.port} localhost.")
    person = Person("ana@localhost", "", USER, PASSWORD, "")
    found = set_up(person)
    assert found.account.url == f"https://localhost:{https.port}/.well-known/caldav"
    assert [each.displayname for each in found.folders] == ["Work"]
    assert "localhost names localhost for calendars." in person.said
    assert person.answers == []


def test_the_path_of_the_text_record_is_taken_and_the_well_known_one_not_asked(
    dns: DnsServer, https: FaultProxy, set_up: Setting
) -> None:
    dns.name("caldavs", "localhost", f"0 0 {https.port} localhost.", path=f"/{USER}/")
    found = set_up(Person("ana@localhost", "", USER, PASSWORD, ""))
    assert found.account.url == f"https://localhost:{https.port}/{USER}/"
    assert not [path for _, path in https.seen if "well-known" in path]


def test_where_the_first_host_cannot_be_reached_the_next_is_tried(
    dns: DnsServer, https: FaultProxy, set_up: Setting
) -> None:
    dns.name("caldavs", "localhost", "0 0 1 localhost.", f"1 0 {https.port} localhost.")
    person = Person("ana@localhost", "", USER, PASSWORD, "")
    assert set_up(person).account.url.startswith(f"https://localhost:{https.port}/")
    assert "localhost cannot be reached. localhost is tried next." in person.said


def test_nothing_is_sent_to_a_host_outside_the_domain_unless_the_person_says_yes(
    dns: DnsServer, https: FaultProxy, set_up: Setting
) -> None:
    dns.name("caldavs", "example.org", f"0 0 {https.port} localhost.")
    person = Person("ana@example.org", "", None)
    with pytest.raises(GivenUp):
        set_up(person)
    assert https.seen == []
    assert person.said[1:3] == [
        "example.org names localhost for calendars.",
        "It is not of your domain, and what DNS says can be forged. "
        f"Send your password to localhost:{https.port}? (yes, or no)",
    ]


def test_with_a_yes_a_host_outside_the_domain_is_used(
    dns: DnsServer, https: FaultProxy, set_up: Setting
) -> None:
    dns.name("caldavs", "example.org", f"0 0 {https.port} localhost.")
    found = set_up(Person("ana@example.org", "yes", "", USER, PASSWORD, ""))
    assert found.account.url.startswith(f"https://localhost:{https.port}/")


def test_a_domain_kept_by_a_known_provider_is_told_what_that_wants(dns: DnsServer, set_up: Setting) -> None:
    dns.name("caldavs", "example.org", "0 0 443 caldav.fastmail.com.", path="/dav/")
    person = Person("ana@example.org", "yes", "", "", None)
    with pytest.raises(GivenUp):
        set_up(person)
    assert "Fastmail needs an app password." in person.said


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda dns: dns.name("caldav", "example.org", "0 0 80 cal.example.org."),
            "example.org names a server for calendars only without encryption; that is not used.",
        ),
        (
            lambda dns: dns.name("caldavs", "example.org", "0 0 0 ."),
            "example.org says that it has no server for calendars.",
        ),
        (
            lambda dns: setattr(dns, "broken", True),
            "It could not be found out which server example.org names for calendars.",
        ),
    ],
)
def test_what_else_dns_may_say_is_told_and_the_domain_itself_offered(
    dns: DnsServer, set_up: Setting, make: Callable[[DnsServer], None], said: str
) -> None:
    make(dns)
    person = Person("ana@example.org", "", None)
    with pytest.raises(GivenUp):
        set_up(person)
    assert said in person.said
    assert not [each for each in person.said if "Send your password" in each]


def leading_on(target: str) -> Callable[[str, str, bytes], bytes]:
    """Let the well-known address lead on to another."""
    return lambda method, path, answer: REDIRECT % target.encode() if "well-known" in path else answer


def test_a_host_that_sends_on_to_another_site_is_followed_only_with_a_yes(
    dns: DnsServer, https: FaultProxy, set_up: Setting
) -> None:
    dns.name("caldavs", "localhost", f"0 0 {https.port} localhost.")
    target = f"https://127.0.0.1:{https.port}/"
    https.alter = leading_on(target)
    person = Person("ana@localhost", "", USER, PASSWORD, "", None)
    with pytest.raises(GivenUp):
        set_up(person)
    assert len(https.seen) == 1
    assert any("sends on to 127.0.0.1, another site" in each for each in person.said)
    found = set_up(Person("ana@localhost", "", USER, PASSWORD, "yes", ""))
    assert found.account.url == target


def test_a_user_said_to_be_on_another_site_is_followed_only_with_a_yes(
    dns: DnsServer, https: FaultProxy, set_up: Setting
) -> None:
    dns.name("caldavs", "localhost", f"0 0 {https.port} localhost.", path="/")
    target = f"https://127.0.0.1:{https.port}/{USER}/"
    https.alter = lambda method, path, answer: (
        answer.replace(f">/{USER}/<".encode(), f">{target}<".encode()) if path == "/" else answer
    )
    person = Person("ana@localhost", "", USER, PASSWORD, "", None)
    with pytest.raises(GivenUp):
        set_up(person)
    assert {path for _, path in https.seen} == {"/"}
    assert set_up(Person("ana@localhost", "", USER, PASSWORD, "yes", "")).account.url == target


def test_a_host_that_leads_to_an_address_in_the_clear_is_not_followed(
    dns: DnsServer, https: FaultProxy, set_up: Setting
) -> None:
    dns.name("caldavs", "localhost", f"0 0 {https.port} localhost.")
    https.alter = leading_on("http://cal.example.org/")
    person = Person("ana@localhost", "", USER, PASSWORD, None)
    with pytest.raises(GivenUp):
        set_up(person)
    assert any("leads to cal.example.org unencrypted, so nothing was sent there" in x for x in person.said)


def test_a_host_with_the_certificate_of_another_is_not_spoken_to(
    dns: DnsServer, https: FaultProxy, authority: trustme.CA
) -> None:
    dns.name("caldavs", "localhost", f"0 0 {https.port} localhost.")
    person = Person("ana@localhost", "", USER, PASSWORD, None)
    with pytest.raises(GivenUp):
        connect(person, (), CALENDARS, dns.lookup)
    assert https.seen == []
    assert any("its certificate is not trusted" in each for each in person.said)
