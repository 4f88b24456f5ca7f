"""Messages of one's own: every text comes through, and nothing gets into a header that was not meant."""

import email
from dataclasses import replace
from datetime import datetime
from email import policy
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from connectors.messaging.mime.compose import ComposeError, Outgoing, answered, compose, message_id, thread
from connectors.messaging.mime.headers import Correspondent
from connectors.messaging.mime.letter import parse

NOTE = Outgoing(
    sender=Correspondent("Robin Vale", "robin@home.example"),
    recipients=(Correspondent("Ana Ruiz", "ana@post.example"),),
    subject="Friday",
    body="At noon?",
    message_id=message_id("0123", "robin@home.example"),
    date=datetime(2026, 11, 30, 10, tzinfo=ZoneInfo("Europe/Copenhagen")),
)
LINES = st.text(st.characters(exclude_categories=["Cs", "Cc"])).map(str.strip)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


def test_a_message_reads_as_it_was_meant() -> None:
    theirs = email.message_from_bytes(compose(NOTE), policy=policy.default)

    assert theirs["From"] == "Robin Vale <robin@home.example>"
    assert theirs["To"] == "Ana Ruiz <ana@post.example>"
    assert theirs["Subject"] == "Friday"
    assert theirs["Date"] == "Mon, 30 Nov 2026 10:00:00 +0100"
    assert theirs["Message-ID"] == "<0123@home.example>"
    assert theirs.get_body().get_content() == "At noon?\n"
    assert theirs["In-Reply-To"] is None


@settings(deadline=None)
@given(LINES, TEXTS, LINES)
@example("=?utf-8?q?a?=", "From me\n.\n..", "=?utf-8?q?eve=40x?=")
@example("a  b\u3000c", " leading and trailing \n\t\n", 'Ana "the <best>", Ruiz')
@example("x" * 2000, "x" * 3000, "é" * 200)
@example("é " * 300, "é" * 3000, "eve@x.example")
def test_any_words_survive_being_written_and_read(subject: str, body: str, name: str) -> None:
    note = replace(
        NOTE, subject=subject, body=body, recipients=(Correspondent(name, "ana@post.example"), NOTE.sender)
    )
    data = compose(note)
    letter = parse(data)

    assert data.isascii()
    assert max(map(len, data.split(b"\n"))) < 998
    assert letter.subject == subject
    assert letter.text.strip("\n") == body.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    assert [each.address for each in letter.recipients] == ["ana@post.example", "robin@home.example"]
    assert letter.faults == ()


@settings(deadline=None)
@given(st.text(max_size=20), st.sampled_from("\r\n\0\x1b\x7f"), st.text(max_size=20))
@example("a", "\r", "\nBcc: eve@x.example")
def test_a_subject_with_control_characters_is_refused(before: str, control: str, after: str) -> None:
    with pytest.raises(ComposeError):
        compose(replace(NOTE, subject=before + control + after))


@pytest.mark.parametrize(
    "address",
    ["eve@x.example\nBcc: e@x.example", "a b@x.example", "ana", "", "é@x.example", "a@b@c", "<a@x.example>"],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ComposeError):
        compose(replace(NOTE, recipients=(Correspondent("Eve", address),)))


def test_a_name_with_a_line_break_adds_no_header() -> None:
    note = replace(NOTE, recipients=(Correspondent("Ana\r\nBcc: eve@x.example", "ana@post.example"),))
    letter = email.message_from_bytes(compose(note))

    assert letter["Bcc"] is None
    assert letter["To"] == "ana@post.example"


def test_half_a_character_is_refused() -> None:
    with pytest.raises(ComposeError):
        compose(replace(NOTE, body="\ud800"))


def test_an_answer_goes_on_in_its_thread() -> None:
    parent = parse(b"Message-ID: <p1@x>\nReferences: <r1@x>\n\n")
    data = compose(replace(NOTE, references=thread(parent)))
    theirs = email.message_from_bytes(data, policy=policy.default)

    assert theirs["In-Reply-To"] == "<p1@x>"
    assert theirs["References"] == "<r1@x> <p1@x>"


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        (b"", ()),
        (b"References: <r1@x>\n", ()),
        (b"Message-ID: <p@x>\n", ("<p@x>",)),
        (b"Message-ID: <p@x>\nIn-Reply-To: <r@x>\n", ("<r@x>", "<p@x>")),
        (b"Message-ID: <p@x>\nIn-Reply-To: <r@x> <s@x>\n", ("<p@x>",)),
        (b"Message-ID: <p@x>\nReferences: <r@x> <p@x> <r@x>\n", ("<r@x>", "<p@x>")),
    ],
)
def test_references_follow_the_standard(headers: bytes, expected: tuple[str, ...]) -> None:
    assert thread(parse(headers + b"\n")) == expected


def test_a_thread_of_hundreds_keeps_its_beginning_and_its_end() -> None:
    ids = " ".join(f"<r{number}@x>" for number in range(300))
    found = thread(parse(f"Message-ID: <p@x>\nReferences: {ids}\n\n".encode()))

    assert (found[0], found[-2:]) == ("<r0@x>", ("<r299@x>", "<p@x>"))
    assert len(found) == 20


def test_re_is_not_piled_up() -> None:
    assert answered("Friday") == "Re: Friday"
    assert answered("RE: Friday") == "RE: Friday"
    assert answered("AW: Freitag") == "AW: Freitag"
    assert answered("") == "Re:"
