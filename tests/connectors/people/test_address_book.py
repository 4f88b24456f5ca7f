"""The address book reads what phones and desktops write, finds people, and loses nothing."""

import contextlib
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.people import AddressBook, Contact, is_address
from connectors.people.vcard import VCardError, read_cards, write_card

ANA = b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana Ruiz\r\nN:Ruiz;Ana;;;\r\nEMAIL:ana@example.org\r\nEND:VCARD\r\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def put(folder: Path, name: str, *lines: str) -> None:
    text = "\r\n".join(["BEGIN:VCARD", "VERSION:4.0", *lines, "END:VCARD", ""])
    (folder / f"{name}.vcf").write_bytes(text.encode())


def names(contacts: tuple[Contact, ...]) -> list[str]:
    return [contact.name for contact in contacts]


def test_a_folder_that_does_not_exist_is_an_empty_book(folder: Path) -> None:
    book = AddressBook(folder / "nowhere")
    assert book.contacts() == ()
    assert book.notices() == ()


def test_a_contact_has_the_file_as_handle_and_its_addresses_and_phones(folder: Path) -> None:
    put(folder, "ana", "FN:Ana Ruiz", "EMAIL:ana@example.org", "TEL;VALUE=uri:tel:+34-600-1")
    assert AddressBook(folder).contacts() == (
        Contact("contact:ana", "Ana Ruiz", ("ana@example.org",), ("+34-600-1",)),
    )


def test_folded_lines_groups_escapes_and_quoted_parameters_are_read() -> None:
    raw = (
        b"BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ruiz\\, Ana\\; the se\r\n cond\r\n"
        b'item1.EMAIL;TYPE="home:x;y";PREF=2:'
        b"mailto:b@example.org\r\nitem2.email;PREF=1:a@exam\r\n\tple.org\r\nitem2.X-ABLABEL:_$!<Work>!$_\r\nEND:VCARD"
    )
    (card,) = read_cards(raw)
    assert card.name == "Ruiz, Ana; the second"
    assert card.addresses == ("a@example.org", "b@example.org")


def test_an_old_phones_quoted_printable_and_bare_types_are_read() -> None:
    raw = (
        b"BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Garc=C3=ADa;Jos=C3=A9=\r\n"
        b"=20Mar=C3=ADa;;;\r\nTEL;CELL;PREF:+34 600\r\nEMAIL;INTERNET:jose@example.org\r\nEND:VCARD\r\n"
    )
    (card,) = read_cards(raw)
    assert (card.name, card.addresses, card.phones) == (
        "José María García",
        ("jose@example.org",),
        ("+34 600",),
    )


def test_latin_1_and_a_byte_order_mark_are_read() -> None:
    assert read_cards(b"\xef\xbb\xbf" + ANA)[0].name == "Ana Ruiz"
    assert read_cards(ANA.replace(b"Ana Ruiz", b"J\xf6rg"))[0].name == "Jörg"


def test_a_card_inside_a_card_does_not_leak_out() -> None:
    raw = ANA.replace(
        b"EMAIL:", b"AGENT:\r\nBEGIN:VCARD\r\nFN:Other\r\nEMAIL:other@example.org\r\nEND:VCARD\r\nEMAIL:"
    )
    (card,) = read_cards(raw)
    assert (card.name, card.addresses) == ("Ana Ruiz", ("ana@example.org",))


def test_several_cards_in_a_file_are_several_contacts(folder: Path) -> None:
    (folder / "all.vcf").write_bytes(ANA + ANA.replace(b"Ana", b"Bo").replace(b"ana@", b"bo@"))
    book = AddressBook(folder)
    assert [contact.handle for contact in book.contacts()] == ["contact:all", "contact:all#2"]
    with pytest.raises(ValueError, match="2 contacts"):
        book.remove("contact:all")


@pytest.mark.parametrize(
    "broken",
    [b"", b"<html>", b"BEGIN:VCARD\r\nFN:No end", b"BEGIN:VCARD\r\nFN:\0\r\nEND:VCARD", b"\xff\xfeB\0"],
)
def test_a_broken_file_hides_no_other_and_is_named(folder: Path, broken: bytes) -> None:
    (folder / "bad.vcf").write_bytes(broken)
    (folder / "ana.vcf").write_bytes(ANA)
    book = AddressBook(folder)
    assert names(book.contacts()) == ["Ana Ruiz"]
    (notice,) = book.notices()
    assert notice.details[0].startswith("bad.vcf: ")


def test_a_folder_named_like_a_card_and_a_dangling_link_hide_no_other(folder: Path) -> None:
    (folder / "dir.vcf").mkdir()
    (folder / "link.vcf").symlink_to(folder / "gone")
    os.mkfifo(folder / "pipe.vcf")
    (folder / "ana.vcf").write_bytes(ANA)
    assert names(AddressBook(folder).contacts()) == ["Ana Ruiz"]


def test_an_address_that_is_none_is_left_out_and_told(folder: Path) -> None:
    put(folder, "ana", "FN:Ana Ruiz", "EMAIL:ana@exam ple.org", "EMAIL:ana@example.org")
    book = AddressBook(folder)
    assert book.contacts()[0].addresses == ("ana@example.org",)
    assert "ana@exam ple.org" in book.notices()[0].details[0]


def test_a_name_that_hides_characters_shows_them(folder: Path) -> None:
    put(folder, "evil", "FN:Ana\u202eRuiz\x1b[31m")
    assert AddressBook(folder).contacts()[0].name == "Ana⟨U+202E⟩Ruiz⟨U+001B⟩[31m"


def test_a_file_name_that_is_not_utf_8_still_gives_a_contact(folder: Path) -> None:
    Path(os.fsdecode(os.fsencode(folder) + b"/K\xf6nig.vcf")).write_bytes(ANA)
    book = AddressBook(folder)
    (contact,) = book.contacts()
    assert contact.handle == "contact:K\\xf6nig"
    assert book.get(contact.handle) == contact


def test_words_find_whole_words_in_any_case_and_accent(folder: Path) -> None:
    put(folder, "1", "FN:Ana Ruiz")
    put(folder, "2", "FN:Ána María Ruiz-Søvik")
    put(folder, "3", "FN:Anatol Ruizberg")
    book = AddressBook(folder)
    assert names(book.find("ana")) == ["Ana Ruiz", "Ána María Ruiz-Søvik"]
    assert names(book.find("sovik MARIA")) == ["Ána María Ruiz-Søvik"]
    assert names(book.find("an")) == []
    assert book.find("  ") == ()


def test_a_full_name_wins_over_longer_names_that_contain_it(folder: Path) -> None:
    put(folder, "1", "FN:Ana Ruiz")
    put(folder, "2", "FN:Ana Ruiz Vega")
    assert names(AddressBook(folder).find("ana ruíz")) == ["Ana Ruiz"]


def test_two_people_of_one_name_are_both_found(folder: Path) -> None:
    put(folder, "1", "FN:Ana Ruiz", "EMAIL:a@example.org")
    put(folder, "2", "FN:Ana Ruiz", "EMAIL:b@example.org")
    assert len(AddressBook(folder).find("Ana Ruiz")) == 2


def test_an_address_finds_only_who_has_exactly_that_address(folder: Path) -> None:
    put(folder, "1", "FN:Sarah", "EMAIL:sarah.connor@example.org")
    put(folder, "2", "FN:Con", "EMAIL:connor@example.org")
    assert names(AddressBook(folder).find("connor@example.org")) == ["Con"]


def test_what_is_added_is_read_back_found_by_others_and_can_be_removed(folder: Path) -> None:
    book = AddressBook(folder / "contacts")
    bo = book.add("Bo Åkerström; Jr, the 2nd " + "långt " * 12, ["bo@example.org"], ["+46 70 1"])
    (same,) = AddressBook(folder / "contacts").contacts()
    assert same == bo
    (file,) = (folder / "contacts").iterdir()
    assert all(len(line) <= 75 for line in file.read_bytes().split(b"\r\n"))
    assert file.name == f"{bo.handle.removeprefix('contact:')}.vcf"
    book.remove(bo.handle)
    assert book.contacts() == ()
    with pytest.raises(KeyError):
        book.remove(bo.handle)


def test_a_bad_address_or_an_empty_name_writes_nothing(folder: Path) -> None:
    book = AddressBook(folder)
    with pytest.raises(ValueError, match="no mail address"):
        book.add("Ana", ["ana@example.org\nBcc: eve@example.org"])
    with pytest.raises(ValueError, match="name"):
        book.add("  ", ["ana@example.org"])
    assert list(folder.iterdir()) == []


def test_a_change_on_disk_is_seen_at_the_next_look(folder: Path) -> None:
    book = AddressBook(folder)
    put(folder, "ana", "FN:Ana Ruiz")
    assert names(book.contacts()) == ["Ana Ruiz"]
    put(folder, "ana", "FN:Ana Ruiz Vega")
    assert names(book.contacts()) == ["Ana Ruiz Vega"]
    (folder / "ana.vcf").unlink()
    assert book.contacts() == ()


@pytest.mark.parametrize(
    "address", ["a@example.org", "o'neil+tag@sub.example.co.uk", "a@xn--bcher-kva.example"]
)
def test_plain_addresses_are_addresses(address: str) -> None:
    assert is_address(address)


@pytest.mark.parametrize(
    "text",
    [
        "", "ana", "@example.org", "ana@", "ana@example", "ana@example.org ", "Ana <ana@example.org>",
        "ana@exa_mple.org", "ana@-example.org", "ana@example..org", ".ana@example.org", "a..b@example.org",
        '"ana ruiz"@example.org', "ana@[127.0.0.1]", "ana@127.0.0.1", "ſarah@example.org", "ana@exämple.org",
        "ana@example.org\n", "a@b.org,c@d.org", "x" * 65 + "@example.org", "a@" + "x" * 250 + ".org",
    ],
)  # fmt: skip
def test_anything_else_is_not(text: str) -> None:
    assert not is_address(text)


@given(st.binary(max_size=300))
@settings(deadline=None)
def test_any_bytes_are_cards_or_an_error_that_says_so(data: bytes) -> None:
    with contextlib.suppress(VCardError):
        assert read_cards(b"BEGIN:VCARD\r\n" + data + b"\r\nEND:VCARD\r\n")


@given(
    st.text(st.characters(blacklist_categories=("Cc", "Cs")), min_size=1, max_size=80).filter(str.strip),
    st.lists(st.text("abc@.,;\\", min_size=1, max_size=30).filter(str.strip), max_size=3, unique=True),
)
@settings(deadline=None)
def test_what_is_written_reads_back_the_same(name: str, phones: list[str]) -> None:
    (card,) = read_cards(write_card("uid", name, [], phones))
    assert card.name == name.strip()
    assert card.phones == tuple(dict.fromkeys(phone.strip() for phone in phones))
