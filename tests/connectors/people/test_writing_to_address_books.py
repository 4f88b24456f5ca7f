"""New contacts on servers: never over another, never twice, and what is unknown is said to be."""

import re
from typing import Any

import pytest

from connectors.base import Needs
from connectors.dav.faults import Forbidden
from connectors.stores import Moved, Uncertain
from tests.connectors.faults import Fault, FaultProxy

BEN = ("FN:Ben Ito", "EMAIL:ben@example.org")


def failing(*methods: str, with_: Fault) -> Any:
    return lambda method, path: with_ if not methods or method in methods else Fault.NONE


def test_an_account_that_is_only_read_takes_no_contact_and_the_folder_does(near: Any) -> None:
    near.again(mode="read-only")
    assert near.book.takes == ""
    dora = near.book.add("Dora Lind", ())
    assert dora.book == ""
    assert near.people() == ["Ana Ruiz", "Dora Lind"]
    assert list(near.files()) == ["ana"]
    with pytest.raises(Forbidden):
        near.book.remove("contact:dav~friends/ana")


def test_a_book_that_its_server_keeps_from_being_written_takes_no_contact(
    far: Any, proxy: FaultProxy
) -> None:
    proxy.alter = lambda method, path, answer: _without_length(
        re.sub(rb"<privilege><(all|write|write-content|write-properties) ?/></privilege>", b"", answer)
    )
    assert far.people() == ["Ana Ruiz"]
    assert far.book.takes == ""


def _without_length(answer: bytes) -> bytes:
    return re.sub(rb"(?i)content-length: \d+\r\n", b"Connection: close\r\n", answer)


def test_what_another_changed_meanwhile_is_not_removed(far: Any, proxy: FaultProxy) -> None:
    far.people()
    proxy.choose = failing("PROPFIND", "REPORT", with_=Fault.BROKEN)
    far.put("ana", "FN:Ana Ruiz", "EMAIL:new@example.org")
    with pytest.raises(Moved) as caught:
        far.book.remove("contact:dav~friends/ana")
    assert caught.value.needs is Needs.CONFLICT
    assert b"new@example.org" in far.files()["ana"]


def test_a_new_contact_is_never_put_over_another(far: Any, proxy: FaultProxy) -> None:
    far.people()
    proxy.choose = failing("PUT", with_=Fault.CHANGED)
    with pytest.raises(Moved):
        far.book.add("Dora Lind", ())
    assert list(far.files()) == ["ana"]


def test_a_write_that_was_done_without_an_answer_is_found_and_not_repeated(
    far: Any, proxy: FaultProxy
) -> None:
    far.people()
    proxy.choose = failing("PUT", with_=Fault.NO_ANSWER)
    assert far.book.add("Dora Lind", ("dora@example.org",)).name == "Dora Lind"
    assert proxy.writes() == ["PUT"]
    assert len(far.files()) == 2


def test_a_write_that_never_arrived_is_said_to_be_unknown_and_not_repeated(
    far: Any, proxy: FaultProxy
) -> None:
    far.people()
    proxy.choose = failing("PUT", with_=Fault.NEVER_ARRIVES)
    with pytest.raises(Uncertain):
        far.book.add("Dora Lind", ())
    assert proxy.writes() == ["PUT"]
    assert list(far.files()) == ["ana"]


@pytest.mark.parametrize("write", [Fault.NONE, Fault.BROKEN_AFTER, Fault.GATEWAY])
def test_a_page_is_not_taken_for_what_was_written_nor_for_a_sign_that_it_was_not(
    far: Any, proxy: FaultProxy, write: Fault
) -> None:
    far.people()
    proxy.choose = lambda method, path: {"PUT": write, "GET": Fault.LOGIN_PAGE}.get(method, Fault.NONE)
    with pytest.raises(Uncertain):
        far.book.add("Dora Lind", ())
    proxy.choose = lambda method, path: Fault.NONE
    assert far.people() == ["Ana Ruiz", "Dora Lind"]
    assert far.book.notices() == ()


def test_where_what_is_kept_cannot_be_read_it_is_not_known_whether_it_was_written(
    far: Any, proxy: FaultProxy
) -> None:
    far.people()
    proxy.alter = lambda method, path, answer: (
        answer.replace(b"BEGIN:VCARD", b"BEGIN:NOTHING") if method == "GET" else answer
    )
    with pytest.raises(Uncertain, match="what it keeps now cannot be read"):
        far.book.add("Dora Lind", ())


def test_another_card_in_the_place_of_ours_says_nothing_of_whether_ours_was_written(
    far: Any, proxy: FaultProxy
) -> None:
    far.people()
    proxy.choose = failing("PUT", with_=Fault.BROKEN_AFTER)
    proxy.alter = lambda method, path, answer: answer.replace(b"Dora", b"Eve") if method == "GET" else answer
    with pytest.raises(Uncertain, match="Something else is there now"):
        far.book.add("Dora Lind", ())


def test_what_a_server_keeps_otherwise_than_it_was_told_is_returned_as_kept(
    near: Any, far: Any, proxy: FaultProxy
) -> None:
    """Two accounts at one server: what one adds, the other sees."""
    far.book.add("Dora Lind", ("dora@example.org",))
    assert [each.addresses for each in near.book.find("Dora")] == [("dora@example.org",)]
