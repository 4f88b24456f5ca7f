"""Contacts carry where they can be reached on Matrix, as vCards write it."""

from pathlib import Path

import pytest

from connectors.people import AddressBook, is_matrix_id
from connectors.people.matrix_ids import is_matrix_room, matrix_id_of, matrix_uri

_CARD = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ana Ruiz\r\nEMAIL:ana@post.example\r\n{line}\r\nEND:VCARD\r\n"


@pytest.mark.parametrize(
    "line",
    [
        "IMPP:matrix:u/ana:post.example",
        "IMPP;PREF=1:matrix:u/ana:post.example?action=chat",
        "IMPP;TYPE=home:matrix:@ana:post.example",
        "item1.IMPP;X-SERVICE-TYPE=Matrix:matrix:%40ana:post.example",
        "IMPP;X-SERVICE-TYPE=matrix:@ana:post.example",
        "IMPP:https://matrix.to/#/@ana:post.example",
        "X-MATRIX:@ana:post.example",
    ],
)
def test_every_way_to_write_an_id_is_read(tmp_path: Path, line: str) -> None:
    (tmp_path / "ana.vcf").write_text(_CARD.format(line=line), newline="")
    (ana,) = AddressBook(tmp_path).find("ana")
    assert ana.matrix == ("@ana:post.example",)
    assert ana.everywhere == ("ana@post.example", "@ana:post.example")


@pytest.mark.parametrize("line", ["IMPP:xmpp:ana@post.example", "IMPP:im:ana@post.example", "X-MATRIX:ana"])
def test_other_messengers_are_not_taken_for_matrix(tmp_path: Path, line: str) -> None:
    (tmp_path / "ana.vcf").write_text(_CARD.format(line=line), newline="")
    (ana,) = AddressBook(tmp_path).find("ana")
    assert ana.matrix == ()


def test_somebody_is_found_by_the_id_and_kept_with_it(tmp_path: Path) -> None:
    book = AddressBook(tmp_path)
    added = book.add("Ana Ruiz", ("ana@post.example", "@ana:post.example"))
    assert added.matrix == ("@ana:post.example",)
    (file,) = tmp_path.glob("*.vcf")
    assert "IMPP:matrix:u/ana:post.example" in file.read_text()
    assert AddressBook(tmp_path).find("@ANA:post.example".lower()) == (added,)


def test_the_servers_of_ids_are_known_to_look_out_for_lookalikes(tmp_path: Path) -> None:
    book = AddressBook(tmp_path)
    book.add("Ana Ruiz", ("@ana:post.example",))
    assert book.domains() == {"ana:post.example"}


@pytest.mark.parametrize(
    "text",
    [
        "@ana:post.example",
        "@ana.r=x/y+1:post.example:8448",
        "@a:127.0.0.1:8008",
        "@a:[::1]:8008",
        "@a:localhost",
    ],
)
def test_ids_of_users(text: str) -> None:
    assert is_matrix_id(text)
    assert matrix_id_of(matrix_uri(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "@:post.example",
        "ana@post.example",
        "@Ana:post.example",
        "@ana",
        "@ana:",
        "@аna:post.example",
        "@ana:post.example\n",
        "@ana:pöst.example",
        "@ana:post.example:99999999",
        "@" + "a" * 250 + ":post.example",
        "!room:post.example",
    ],
)
def test_what_is_no_id_of_a_user(text: str) -> None:
    assert not is_matrix_id(text)


def test_rooms_have_ids_with_and_without_a_server() -> None:
    assert is_matrix_room("!AbCd:post.example")
    assert is_matrix_room("!31hneApxJ_1o-63DmFrpeqnkFfWppnzWso1JvH3ogLM")
    assert not is_matrix_room("#lake:post.example")
