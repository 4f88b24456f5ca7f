"""What only servers bring: finding the books, being away, being refused, and two who write at once."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from connectors.people import AddressBook
from connectors.people.accounts import Account, opened
from connectors.secrets.chain import Secrets
from connectors.stores import StoreError
from tests.connectors.faults import Fault, FaultProxy

BEN = ("FN:Ben Ito", "EMAIL:ben@example.org")


def failing(*methods: str, with_: Fault) -> Any:
    return lambda method, path: with_ if not methods or method in methods else Fault.NONE


# Finding them


@pytest.mark.parametrize("path", ["", "ana/", "ana/nothing/", ".well-known/carddav"])
def test_the_books_are_found_from_the_root_the_user_and_the_well_known_address(near: Any, path: str) -> None:
    near.again(url=near.server.url + path)
    assert near.people() == ["Ana Ruiz"]


def test_the_address_of_one_book_is_enough(near: Any) -> None:
    near.server.make_book("work", "Work")
    near.again(url=f"{near.server.home}friends/")
    assert near.people() == ["Ana Ruiz"]
    assert "address books: Friends;" in near.state().detail


def test_calendars_beside_the_books_are_left_alone(near: Any) -> None:
    near.server.make_calendar("home", "Home")
    assert near.people() == ["Ana Ruiz"]
    assert "address books: Friends;" in near.state().detail


def test_of_several_books_those_chosen_are_read_and_the_first_takes_new_contacts(near: Any) -> None:
    for slug, shown in (("aunts", "Aunts"), ("work", "Work")):
        near.server.make_book(slug, shown)
        card = f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{slug}\r\nN:;;;;\r\nFN:{shown} One\r\nEND:VCARD\r\n"
        near.server.ask("PUT", f"{slug}/one.vcf", card, {"Content-Type": "text/vcard"})
    assert near.people() == ["Ana Ruiz", "Aunts One", "Work One"]
    near.again(books=("Work", "friends"))
    assert near.people() == ["Ana Ruiz", "Work One"]
    assert near.book.takes == "Work (dav)"
    assert near.book.add("Dora", ("dora@example.org",)).book == "Work (dav)"
    assert len(near.server.names("work/")) == 2


# Only what changed is asked for


def test_one_new_card_among_many_is_all_that_is_fetched(far: Any, proxy: FaultProxy) -> None:
    for number in range(30):
        far.put(f"n{number}", f"FN:Nobody {number}")
    assert len(far.people()) == 31
    fetched: list[bytes] = []
    proxy.alter = lambda method, path, answer: fetched.append(answer) or answer
    far.put("ben", *BEN)
    assert "Ben Ito" in far.people()
    assert b"".join(fetched).count(b"BEGIN:VCARD") == 1


def test_where_nothing_changed_one_question_is_asked(far: Any, proxy: FaultProxy) -> None:
    far.people()
    proxy.seen.clear()
    assert far.people() == ["Ana Ruiz"]
    assert [method for method, _ in proxy.seen] == ["PROPFIND"]


def test_a_forgotten_token_leads_to_comparing_everything(far: Any, proxy: FaultProxy) -> None:
    far.people()
    far.put("ben", *BEN)
    refusal = b"HTTP/1.1 403 Forbidden\r\nContent-Type: text/xml\r\nConnection: close\r\n\r\n"
    body = b'<?xml version="1.0"?><error xmlns="DAV:"><valid-sync-token/></error>'
    seen: list[str] = []

    def forget(method: str, path: str, answer: bytes) -> bytes:
        seen.append(method)
        return refusal + body if method == "REPORT" and seen.count("REPORT") == 1 else answer

    proxy.alter = forget
    assert far.people() == ["Ana Ruiz", "Ben Ito"]


# Away, refused, broken


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault.NEVER_ARRIVES, "dav did not answer."),
        (Fault.SLOW, "dav did not answer."),
        (Fault.SIGN_IN, "dav does not accept the user and password; sign in again."),
        (Fault.TOO_MANY, "dav has too much to do and asks to come back in 7 seconds."),
        (Fault.BROKEN, "dav is not well (it answered 500)."),
        (Fault.LOGIN_PAGE, "dav answers with something that is not CardDAV."),
        (Fault.HALF_AN_ANSWER, "dav did not answer."),
    ],
)
def test_whatever_is_wrong_with_the_server_who_was_known_is_still_known(
    far: Any, proxy: FaultProxy, fault: Fault, said: str
) -> None:
    assert far.people() == ["Ana Ruiz"]
    proxy.choose = failing(with_=fault)
    assert far.people() == ["Ana Ruiz"]
    (doubt,) = far.book.doubts()
    assert doubt.startswith(f"{said} What is shown of it is from ")
    assert [notice.text for notice in far.book.notices()] == [said]
    assert far.state().word == "unavailable"


def test_after_a_restart_without_a_server_who_was_known_is_still_known(far: Any, proxy: FaultProxy) -> None:
    far.people()
    proxy.choose = failing(with_=Fault.NEVER_ARRIVES)
    far.again()
    assert far.people() == ["Ana Ruiz"]


def test_that_nothing_is_known_yet_is_said(far: Any, proxy: FaultProxy) -> None:
    proxy.choose = failing(with_=Fault.BROKEN)
    assert far.people() == []
    assert far.book.doubts() == ("dav is not well (it answered 500). Nothing of it is known yet.",)


def test_an_account_that_is_signed_out_hides_nobody_else(near: Any, tmp_path: Path) -> None:
    settings = {
        "old": Account(url=near.server.url, user="ana", password={"command": ("false",)}),
        "dav": Account(url=near.server.url, user="ana", password={"environment": "PASSWORD"}),
    }
    near.use(settings, tmp_path / "two")
    near.book.add("Zoe Here", ())
    assert near.people() == ["Ana Ruiz", "Zoe Here"]
    (doubt,) = near.book.doubts()
    assert doubt.startswith("old cannot be signed in to. The command false ended with the code 1.")


def test_a_card_that_cannot_be_read_is_told_and_hides_no_other(far: Any, proxy: FaultProxy) -> None:
    far.put("ben", *BEN)
    far.put("zoe", "FN:Zoe End")

    def damage(method: str, path: str, answer: bytes) -> bytes:
        head, end, body = answer.partition(b"\r\n\r\n")
        body = re.sub(rb"BEGIN:VCARD((?:(?!END:VCARD).)*?FN:Ben)", rb"BEGIN:NOTHING\1", body, flags=re.S)
        return re.sub(rb"(?i)(content-length: )\d+", rb"\g<1>%d" % len(body), head) + end + body

    proxy.alter = damage
    assert far.people() == ["Ana Ruiz", "Zoe End"]
    (notice,) = far.book.notices()
    assert notice.text == "One contact of dav cannot be read in full."
    assert notice.details == ("Friends (dav), ben.vcf: there is no vCard in it.",)


def test_with_another_user_nothing_of_the_one_before_is_shown(near: Any) -> None:
    near.people()
    near.again(user="ben", password={"command": ("echo", "other")})
    assert near.people() == []


def test_the_mail_domains_of_everybody_are_told_without_asking_the_server(
    far: Any, proxy: FaultProxy
) -> None:
    far.book.add("Ben Ito", ["ben@Here.example"])
    far.people()
    proxy.seen.clear()
    assert far.book.domains() == {"example.org", "here.example"}
    assert proxy.seen == []


def test_an_account_that_was_let_go_is_still_known_and_not_written_to(near: Any) -> None:
    near.people()
    near.close()
    assert near.people() == ["Ana Ruiz"]
    with pytest.raises(StoreError, match="is not connected to any more, so nothing was changed"):
        near.book.add("Dora Lind", ())
    assert list(near.files()) == ["ana"]


def test_a_password_goes_nowhere_unencrypted() -> None:
    with pytest.raises(ValueError, match="not encrypted"):
        Account(url="http://cards.example.org/")


def test_without_accounts_no_library_for_servers_is_loaded(tmp_path: Path) -> None:
    assert (
        opened({"off": Account(url="https://x.example/", mode="off")}, tmp_path, Secrets(tmp_path).find) == {}
    )
    assert AddressBook(tmp_path).takes == ""


def test_every_error_is_one_sentence(far: Any, proxy: FaultProxy) -> None:
    far.people()
    for fault in Fault:
        if fault is Fault.NONE:
            continue
        proxy.choose = failing("PUT", with_=fault)
        with suppress(StoreError):
            far.book.add("Dora Lind", ())
            continue
        with pytest.raises(StoreError, match=r"^[^\n<>]{10,200}\.$"):
            far.book.add("Dora Lind", ())
