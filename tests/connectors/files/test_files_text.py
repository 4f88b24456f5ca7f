"""Which text a file's bytes are, and what a changed file's bytes become."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.files.edit import difference, edited
from connectors.files.errors import Refused
from connectors.files.text import decode, kind_of


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        (b"", "utf-8", ""),
        (b"plain", "utf-8", "plain"),
        ("Über €5 日本".encode(), "utf-8", "Über €5 日本"),
        (b"\xef\xbb\xbfwith a mark", "utf-8", "with a mark"),
        ("Über".encode("utf-16"), "utf-16-le", "Über"),
        (b"\xfe\xff" + "Über".encode("utf-16-be"), "utf-16-be", "Über"),
        (b"\xff\xfe\0\0" + "Ü".encode("utf-32-le"), "utf-32-le", "Ü"),
        ("price: €5".encode("cp1252"), "cp1252", "price: €5"),
        ("Über".encode("cp1252"), "cp1252", "Über"),
        ("naïve\r\n\x1a".encode("cp1252"), "cp1252", "naïve\r\n\x1a"),
    ],
)
def test_text_is_told_by_a_fixed_order(data: bytes, encoding: str, text: str) -> None:
    read = decode(data)
    assert read is not None
    assert (read.encoding, read.text) == (encoding, text)


@pytest.mark.parametrize(
    "data",
    [
        b"zero\0byte",
        b"\x89PNG\r\n\x1a\n\0\0",
        b"\xff\xd8\xff\xe0 JFIF",
        b"\x81 is no letter of Windows-1252",
        b"\xff\xfea",
        b"\xe9 with \x02 a control",
    ],
)
def test_what_is_no_text_is_not_guessed_to_be(data: bytes) -> None:
    assert decode(data) is None


def test_a_cut_in_the_middle_of_a_character_does_no_harm() -> None:
    whole = "Übergröße €".encode()
    for end in range(len(whole)):
        read = decode(whole[:end], cut=True)
        assert read is not None
        assert read.encoding == "utf-8"


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"%PDF-1.7", b"a.pdf", "a PDF document"),
        (b"PK\x03\x04", b"a.docx", "a Word document"),
        (b"PK\x03\x04", b"a", "a ZIP archive"),
        (b"\0\1\2", b"a.bin", "a binary file"),
    ],
)
def test_a_binary_file_is_named_by_its_first_bytes(data: bytes, name: bytes, words: str) -> None:
    assert kind_of(data, name) == words


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"", b"more\nlines\n"),
        (b"one\n", b"one\nmore\nlines\n"),
        (b"one", b"one\nmore\nlines\n"),
        (b"one\r\ntwo\r\n", b"one\r\ntwo\r\nmore\r\nlines\r\n"),
        (b"one\r\ntwo", b"one\r\ntwo\r\nmore\r\nlines\r\n"),
        (b"one\rtwo\r", b"one\rtwo\rmore\rlines\r"),
        ("Übel".encode("cp1252"), "Übel\nmore\nlines\n".encode("cp1252")),
        (b"\xef\xbb\xbfone\n", b"\xef\xbb\xbfone\nmore\nlines\n"),
        ("Ü\r\n".encode("utf-16"), "Ü\r\nmore\r\nlines\r\n".encode("utf-16")),
    ],
)
def test_adding_keeps_the_file_as_it_was_and_follows_its_ways(old: bytes, new: bytes) -> None:
    change = edited(old, "more\nlines", add=True, shown="x")
    assert change.data == new


@settings(deadline=None)
@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=200), st.booleans()
)
def test_a_changed_file_reads_as_what_was_shown(text: str, add: bool) -> None:
    old = "first\r\nsecond"
    change = edited(old.encode(), text, add=add, shown="x")
    read = decode(change.data)
    if read is not None and not read.mark:
        assert read.text == change.after


def test_replacing_keeps_encoding_mark_and_line_ends() -> None:
    old = b"\xff\xfe" + "old\r\nold".encode("utf-16-le")
    assert edited(old, "new\nnew", add=False, shown="x").data == b"\xff\xfe" + "new\r\nnew\r\n".encode(
        "utf-16-le"
    )


def test_a_character_the_encoding_lacks_is_named() -> None:
    with pytest.raises(Refused, match="Windows-1252, which has no “日”"):
        edited("Übel".encode("cp1252"), "日本", add=True, shown="x")


def test_a_zero_byte_is_never_written() -> None:
    with pytest.raises(Refused, match="zero byte"):
        edited(b"", "a\0b", add=False, shown="x")


def test_a_diff_is_clean_and_marks_a_missing_line_end() -> None:
    shown = difference("one\r\ntwo", "one\r\n\x1b[2J[/b]\r\n", "x.txt")
    assert shown == (
        "--- x.txt (now)\n+++ x.txt (after)\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n"
        "+⟨U+001B⟩[2J[/b]\n"
    )
