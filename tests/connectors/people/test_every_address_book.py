"""What holds of every place that keeps contacts: the folder on this machine, and servers."""

import base64
from typing import Any

import pytest

from connectors.people.vcard import read_cards

ANA = ("FN:Ana Ruiz", "EMAIL:ana@example.org")


def test_an_empty_one_has_nobody_and_nothing_to_say(books: Any) -> None:
    assert books.book.contacts() == ()
    assert (books.book.notices(), books.book.doubts()) == ((), ())


def test_everybody_is_found_with_addresses_numbers_and_place(books: Any) -> None:
    books.put("ana", *ANA, "TEL:+34 600 1")
    books.put("ben", "FN:Ben Ito", "EMAIL:ben@example.org", "EMAIL:ito@example.org")
    ana, ben = books.book.contacts()
    assert (ana.name, ana.addresses, ana.phones, ana.book) == (
        "Ana Ruiz",
        ("ana@example.org",),
        ("+34 600 1",),
        books.place,
    )
    assert ben.addresses == ("ben@example.org", "ito@example.org")
    assert books.book.find("ana") == (ana,)
    assert books.book.get(f"{books.handle}ana") == ana


def test_what_others_change_is_seen_at_the_next_look(books: Any) -> None:
    books.put("ana", *ANA)
    assert books.people() == ["Ana Ruiz"]
    books.put("ana", "FN:Ana Ruiz Soto", "EMAIL:ana@example.org")
    books.put("ben", "FN:Ben Ito")
    assert books.people() == ["Ana Ruiz Soto", "Ben Ito"]
    books.remove("ana")
    assert books.people() == ["Ben Ito"]


def test_what_is_known_survives_a_restart(books: Any) -> None:
    books.put("ana", *ANA)
    before = books.book.contacts()
    books.again()
    assert books.book.contacts() == before


def test_a_new_contact_is_written_read_back_and_taken_away_again(books: Any) -> None:
    books.put("ana", *ANA)
    dora = books.book.add("Dora Lind", ("dora@example.org",), ("+45 1",))
    assert (dora.name, dora.addresses, dora.phones) == ("Dora Lind", ("dora@example.org",), ("+45 1",))
    assert books.book.get(dora.handle) == dora
    cards = [card for data in books.files().values() for card in read_cards(data)]
    assert sorted(card.name for card in cards) == ["Ana Ruiz", "Dora Lind"]
    books.again()
    assert books.book.get(dora.handle) == dora
    books.book.remove(dora.handle)
    assert books.people() == ["Ana Ruiz"]
    assert list(books.files()) == ["ana"]


def test_names_in_every_script_come_back_as_they_were_written(books: Any) -> None:
    for name in ("José García", "李雷", "Ærø, Søn; & Co", "O'Brien \\ Sons"):
        assert books.book.add(name, ("x@example.org",)).name == name
        books.again()
        assert name in books.people()


@pytest.mark.parametrize(
    ("name", "address"), [("", "a@example.org"), ("x" * 201, "a@example.org"), ("Eve", "eve at x")]
)
def test_what_cannot_be_a_contact_is_refused_and_nothing_written(books: Any, name: str, address: str) -> None:
    books.put("ana", *ANA)
    with pytest.raises(ValueError, match=r"characters|no mail address"):
        books.book.add(name, (address,))
    assert list(books.files()) == ["ana"]


def test_an_address_that_is_none_is_left_out_and_told(books: Any) -> None:
    books.put("ana", *ANA, "EMAIL:not an address")
    (ana,) = books.book.contacts()
    assert ana.addresses == ("ana@example.org",)
    (notice,) = books.book.notices()
    assert "“not an address” is no plain mail address and is left out." in notice.details[0]
    assert "ana.vcf" in notice.details[0]


def test_a_list_of_people_is_nobody(books: Any) -> None:
    books.put("ana", *ANA)
    books.put("family", "FN:Family", "X-ADDRESSBOOKSERVER-KIND:group")
    assert books.people() == ["Ana Ruiz"]


def test_control_characters_are_made_visible(books: Any) -> None:
    books.put("eve", "FN:Eve\u202emoc\u200b", "EMAIL:eve@example.org")
    assert books.people() == ["Eve⟨U+202E⟩moc⟨U+200B⟩"]


def test_a_large_picture_is_no_trouble_and_fills_no_message(books: Any) -> None:
    picture = base64.b64encode(bytes(range(256)) * 270).decode()
    books.put("ana", *ANA, f"PHOTO;ENCODING=b;TYPE=JPEG:{picture}", "EMAIL:not an address")
    (ana,) = books.book.contacts()
    assert ana.addresses == ("ana@example.org",)
    (notice,) = books.book.notices()
    assert max(map(len, (notice.text, *notice.details))) < 200


def test_nobody_is_removed_who_is_not_there(books: Any) -> None:
    with pytest.raises(KeyError):
        books.book.remove("contact:nobody")
