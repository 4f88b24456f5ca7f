"""Which hosts a domain names for a service, asked of a DNS server on this machine."""

from collections.abc import Iterator

import pytest

from connectors.discovery import Answer, Answered, Host, inside
from tests.connectors.dns_server import DnsServer, dns_server


@pytest.fixture
def server() -> Iterator[DnsServer]:
    with dns_server() as server:
        yield server


def test_hosts_come_in_the_order_of_their_priority(server: DnsServer) -> None:
    server.name("imaps", "example.org", "20 0 993 spare.example.org.", "10 0 9933 Mail.Example.org.")
    assert server.lookup.find("imaps", "example.org") == Answer(
        Answered.NAMED, (Host("mail.example.org", 9933), Host("spare.example.org", 993))
    )


def test_the_path_of_the_text_record_goes_with_the_hosts(server: DnsServer) -> None:
    server.name("caldavs", "example.org", "0 0 443 dav.example.org.", path="/remote.php/dav")
    assert server.lookup.find("caldavs", "example.org").path == "/remote.php/dav"
    assert server.asked == [
        ("_caldavs._tcp.example.org", "SRV"),
        ("_caldavs._tcp.example.org", "TXT"),
    ]


@pytest.mark.parametrize(
    "said",
    [
        ('"path=//evil.example/x"',),
        ('"path=https://evil.example/"',),
        ('"path=/a b"',),
        ('"path=/\\027[2J"',),
        ('"path="',),
        ('"v=1"',),
        ('"path=/one"', '"path=/two"'),
    ],
)
def test_a_path_that_is_not_plainly_one_is_left_out(server: DnsServer, said: tuple[str, ...]) -> None:
    server.name("caldavs", "example.org", "0 0 443 dav.example.org.")
    server.records["_caldavs._tcp.example.org", "TXT"] = said
    answer = server.lookup.find("caldavs", "example.org")
    assert (answer.answered, answer.path) == (Answered.NAMED, "")


def test_the_key_of_the_path_may_be_in_capitals_and_stand_beside_others(server: DnsServer) -> None:
    server.name("caldavs", "example.org", "0 0 443 dav.example.org.")
    server.records["_caldavs._tcp.example.org", "TXT"] = ('"v=1" "PATH=/dav/"',)
    assert server.lookup.find("caldavs", "example.org").path == "/dav/"


def test_a_root_as_the_host_says_that_there_is_no_such_service(server: DnsServer) -> None:
    server.name("imap", "example.org", "0 0 0 .")
    assert server.lookup.find("imap", "example.org") == Answer(Answered.NOT_OFFERED)


def test_a_domain_that_says_nothing_of_a_service_does_not_name_it(server: DnsServer) -> None:
    server.name("imaps", "example.org", "0 0 993 mail.example.org.")
    server.records["_submission._tcp.example.org", "TXT"] = ('"x"',)
    assert server.lookup.find("caldavs", "example.org") == Answer(Answered.NOT_NAMED)
    assert server.lookup.find("submission", "example.org") == Answer(Answered.NOT_NAMED)


@pytest.mark.parametrize("fault", ["silent", "broken"])
def test_no_answer_is_told_apart_from_no_host(server: DnsServer, fault: str) -> None:
    server.name("imaps", "example.org", "0 0 993 mail.example.org.")
    setattr(server, fault, True)
    assert server.lookup.find("imaps", "example.org") == Answer(Answered.NOT_ANSWERED)


@pytest.mark.parametrize("domain", ["", "a..b", "x" * 64 + ".org", "x." * 130 + "org", "\udcff.org"])
def test_what_is_no_domain_is_answered_too(server: DnsServer, domain: str) -> None:
    assert server.lookup.find("imaps", domain).hosts == ()


def test_a_domain_in_other_letters_is_asked_for_in_ascii(server: DnsServer) -> None:
    server.name("imaps", "xn--bcher-kva.example", "0 0 993 mail.xn--bcher-kva.example.")
    assert server.lookup.find("imaps", "bücher.example").hosts == (Host("mail.xn--bcher-kva.example", 993),)


def test_names_that_no_host_can_have_are_left_out_and_many_are_cut(server: DnsServer) -> None:
    server.name("imaps", "example.org", "0 0 993 a\\032b.example.org.", "1 0 993 mail.example.org.")
    assert server.lookup.find("imaps", "example.org").hosts == (Host("mail.example.org", 993),)
    server.name("imaps", "example.org", "0 0 993 a\\032b.example.org.")
    assert server.lookup.find("imaps", "example.org").answered is Answered.NOT_NAMED
    server.name("imaps", "example.org", *(f"{n} 0 993 h{n}.example.org." for n in range(20)))
    assert [each.name for each in server.lookup.find("imaps", "example.org").hosts] == [
        f"h{n}.example.org" for n in range(8)
    ]


@pytest.mark.parametrize(
    ("host", "is_inside"),
    [
        ("example.org", True),
        ("Mail.EXAMPLE.org.", True),
        ("a.b.example.org", True),
        ("example.org.evil.net", False),
        ("notexample.org", False),
        ("org", False),
        ("", False),
        ("x" * 64 + ".example.org", False),
    ],
)
def test_inside_a_domain_is_its_name_and_what_is_below_it(host: str, is_inside: bool) -> None:
    assert inside("example.org", host) is is_inside


def test_a_domain_without_a_name_has_nothing_inside() -> None:
    assert not inside("", "example.org")
