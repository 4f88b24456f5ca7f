"""Messages as they really come: broken, foreign, hostile. Something is always shown, nothing is obeyed."""

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.messaging.mime.flowed import unflowed
from connectors.messaging.mime.headers import Correspondent
from connectors.messaging.mime.html import text_of_html
from connectors.messaging.mime.letter import Letter, parse


def message(*lines: bytes, body: bytes = b"hello\n") -> Letter:
    return parse(b"\n".join([*lines, b"", body]))


def test_a_plain_message_is_read() -> None:
    letter = message(
        b'From: "Ruiz, Ana" <ana@post.example>',
        b"To: Team: Ben <ben@x.example>, me@y.example;",
        b"Subject: Friday",
        b"Date: Fri, 04 Dec 2026 12:00:00 +0100",
        b"Message-ID: <p1@x.example>",
    )

    assert letter.sender == Correspondent("Ruiz, Ana", "ana@post.example")
    assert letter.recipients == (Correspondent("Ben", "ben@x.example"), Correspondent("", "me@y.example"))
    assert (letter.subject, letter.text) == ("Friday", "hello")
    assert letter.sent == datetime(2026, 12, 4, 11, 0, tzinfo=UTC)
    assert letter.message_id == "<p1@x.example>"
    assert letter.faults == ()


@pytest.mark.parametrize(
    ("raw", "subject"),
    [
        (b"=?UTF-8?B?7JWI64K0?=", "안내"),
        (b"=?utf-8?q?a?= =?utf-8?q?b?=", "ab"),
        (b"=?utf-8?b?5ZOI?=\n =?utf-8?b?5ZOI?=", "哈哈"),
        (b"Re: =?iso-8859-1*da?q?sm=F8r?= now", "Re: smør now"),
        (b"=?nope-7?q?abc?=", "=?nope-7?q?abc?="),
        (b"=?utf-8?q?=ff=fe?=", "=?utf-8?q?=ff=fe?="),
        (b"=?utf-8?b?!!!?=", "=?utf-8?b?!!!?="),
        (b"=?unicode_escape?q?=5Cx41?=", "=?unicode_escape?q?=5Cx41?="),
        ("naïve".encode(), "naïve"),
        ("naïve".encode("latin-1"), "naïve"),
        (b"one\n two\n\tthree", "one two three"),
        (b"back\\u0041slash =?utf-8?q?x?=", "back\\u0041slash x"),
    ],
)
def test_subjects_are_decoded_or_shown_as_they_are(raw: bytes, subject: str) -> None:
    assert message(b"Subject: " + raw).subject == subject


@pytest.mark.parametrize(
    ("raw", "people"),
    [
        (b"=?UTF-8?B?7JWI64K0?= <a@b.example>", [("안내", "a@b.example")]),
        ("Ana König <a@b.example>".encode("latin-1"), [("Ana König", "a@b.example")]),
        (
            b"=?utf-8?q?Ana_=3Ceve=40x=2Eexample=3E=2C?= <a@b.example>",
            [("Ana <eve@x.example>,", "a@b.example")],
        ),
        (b'"Ana <eve@x.example>" <a@b.example>', [("Ana <eve@x.example>", "a@b.example")]),
        (b"just a name", [("just a name", "")]),
        (b"undisclosed-recipients:;", [("undisclosed-recipients:;", "")]),
        (b"<>", []),
        (b"", []),
    ],
)
def test_senders_are_told_apart_from_their_names(raw: bytes, people: list[tuple[str, str]]) -> None:
    senders = message(b"From: " + raw).senders
    assert [(each.name, each.address) for each in senders] == people


def test_of_two_from_headers_the_first_is_shown_and_the_fault_is_told() -> None:
    letter = message(b"From: ana@post.example", b"From: eve@x.example")

    assert letter.sender.address == "ana@post.example"
    assert letter.faults == ("it names its sender more than once; the first is shown",)


def test_a_message_id_with_a_space_is_not_cut() -> None:
    letter = message(b"Message-ID: <a b@x.example>", b"References: <r1@x> junk <r2@x>")

    assert letter.message_id == "<a b@x.example>"
    assert letter.references == ("<r1@x>", "<r2@x>")


@pytest.mark.parametrize("raw", [b"yesterday", b"", b"Fri, 99 Dec 2026 12:00:00 +0100"])
def test_a_date_that_is_none_is_none(raw: bytes) -> None:
    assert message(b"Date: " + raw).sent is None


@pytest.mark.parametrize(
    ("kind", "body", "text"),
    [
        (b"text/plain; charset=nope-7", "hallø".encode(), "hallø"),
        (b"text/plain; charset=us-ascii", "hallø".encode("latin-1"), "hallø"),
        (b"text/plain; charset=unicode_escape", b"\\u0041", "\\u0041"),
        (b"text/plain; charset=iso-8859-1", "hallø".encode("latin-1"), "hallø"),
        (b"multipart/mixed", b"--x\nthe text", "--x\nthe text"),
        (b"multipart/mixed; boundary=zz", b"--x\nthe text", "--x\nthe text"),
        (b";;;=", b"the text", "the text"),
    ],
)
def test_a_text_in_a_broken_wrapping_is_still_read(kind: bytes, body: bytes, text: str) -> None:
    assert message(b"Content-Type: " + kind, body=body).text == text


def test_parts_that_cannot_be_told_apart_are_a_fault() -> None:
    assert message(b"Content-Type: multipart/mixed").faults == ("its parts could not be told apart",)


def test_a_message_in_thousands_of_wrappings_is_survived() -> None:
    wrapping = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (number, number) for number in range(3000)
    )
    letter = parse(b"Subject: deep\n" + wrapping + b"\n\nhello")

    assert letter.subject == "deep"
    assert letter.faults == ("its parts could not be told apart",)


def test_plain_text_is_preferred_unless_it_is_empty() -> None:
    def alternative(plain: bytes) -> str:
        return message(
            b"Content-Type: multipart/alternative; boundary=z",
            body=b"--z\nContent-Type: text/plain\n\n%s\n--z\nContent-Type: text/html\n\n<p>html</p>\n--z--"
            % plain,
        ).text

    assert alternative(b"plain") == "plain"
    assert alternative(b" ") == "html"


def test_attachments_are_named_by_their_last_part_only() -> None:
    letter = message(
        b"Content-Type: multipart/mixed; boundary=z",
        body=b"--z\nContent-Type: text/plain\n\nhi\n"
        b'--z\nContent-Type: application/pdf\nContent-Disposition: attachment; filename="../../.bashrc"\n'
        b"Content-Transfer-Encoding: base64\n\naGVsbG8=\n"
        b"--z\nContent-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\n"
        b"--z\nContent-Type: message/rfc822\n\nSubject: inner\n\ninside\n--z--",
    )

    assert letter.text == "hi"
    assert [(each.name, each.kind) for each in letter.attachments] == [
        (".bashrc", "application/pdf"),
        ("without a name", "text/calendar"),
        ("a message", "message/rfc822"),
    ]
    assert letter.attachments[0].size == 5


def test_html_becomes_text_with_every_link_in_the_open() -> None:
    text = text_of_html(
        "<html><head><title>t</title><style>p {}</style></head><body><p>Hi&nbsp;<b>Ana</b>,</p>"
        '<p>see <a href="https://evil.example/x">bank.example</a><br>'
        'bye <img src="http://t.example/1" alt="cat">'
        '<div style="display: none">hidden <p>all</div><span hidden>gone</span>'
        "<ul><li>one<li>two</ul><script>alert(1)</script></body>"
    )

    assert text == "Hi Ana,\n\nsee bank.example <https://evil.example/x>\nbye [cat]\n\n• one\n• two"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<head><meta charset=utf-8><p>Hi", "Hi"),
        ("<p style='display:none'>preview<p>Hi<p>Ana", "Hi\n\nAna"),
        ("<div hidden><div>a</div>b</div>c", "c"),
        ("a<!-- gone --><!-- <b> -->b<!-- and the rest", "ab"),
        ("1 < 2 and 3 <b", "1 < 2 and 3 <b"),
        ("a &amp; b &lt;c&gt; &#x1b;&nosuch;", "a & b <c> &nosuch;"),
        ("<a href='mailto:a@b.example'>a@b.example</a> <a href='#top'>up</a>", "a@b.example up"),
    ],
)
def test_html_of_all_kinds_is_read_as_a_person_would(markup: str, text: str) -> None:
    assert text_of_html(markup).replace("\x1b", "") == text


@pytest.mark.parametrize(
    "hostile",
    [b"<br" * 100_000, b"<!--" * 50_000, b"<div hidden>" * 50_000 + b"</div>" * 50_000, b"<" * 200_000],
    ids=["open tags", "open comments", "hidden", "brackets"],
)
def test_hostile_html_takes_no_time(hostile: bytes) -> None:
    start = time.perf_counter()
    message(b"Content-Type: text/html", body=hostile)
    assert time.perf_counter() - start < 10


@pytest.mark.parametrize("name", [b"From", b"To", b"Subject", b"References", b"Content-Type", b"Date"])
@pytest.mark.parametrize("hostile", [b'"', b"<", b"a@b.cc, ", b"=?utf-8?q?x?= ", b"a=b;", b"a:"])
def test_hostile_headers_take_no_time(name: bytes, hostile: bytes) -> None:
    start = time.perf_counter()
    message(name + b": " + hostile * (200_000 // len(hostile)))
    assert time.perf_counter() - start < 10


def test_of_a_list_of_hundreds_the_addresses_are_read() -> None:
    letter = message(b"To: " + b", ".join(b'"N %d" <n%d@x.example>' % (n, n) for n in range(300)))
    assert [each.address for each in letter.recipients][:2] == ["n0@x.example", "n1@x.example"]
    assert len(letter.recipients) == 300


def test_flowed_text_is_joined() -> None:
    text = "This line \ngoes on.\n> quoted \n> too\n-- \nAna\n From stuffed"
    assert unflowed(text, delete_space=False) == "This line goes on.\n> quoted too\n-- \nAna\nFrom stuffed"
    assert unflowed("long \nword", delete_space=True) == "longword"
    letter = message(b"Content-Type: text/plain; format=flowed; delsp=yes", body=b"long \nword")
    assert letter.text == "longword"


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_make_parsing_fail(data: bytes) -> None:
    parse(data)


_NAMES = st.sampled_from(
    [b"From", b"To", b"Subject", b"Date", b"Content-Type", b"Reply-To", b"References", b"Content-Disposition"]
)
_VALUES = st.one_of(
    st.binary(max_size=40),
    st.lists(
        st.sampled_from(
            [b"=?", b"?=", b"utf-8", b"?q?", b"<", b">", b"@", b'"', b",", b";", b":", b"a", b"(", b"="]
        ),
        max_size=12,
    ).map(b"".join),
    st.sampled_from([b"multipart/mixed; boundary=z", b"text/html", b"text/plain; charset*=x''%ff"]),
)


@settings(deadline=None)
@given(st.lists(st.tuples(_NAMES, _VALUES), max_size=6), st.binary(max_size=60))
def test_no_headers_make_parsing_fail(lines: list[tuple[bytes, bytes]], body: bytes) -> None:
    letter = parse(b"".join(name + b": " + value + b"\n" for name, value in lines) + b"\n" + body)
    assert all(each.name or each.address for each in letter.senders)
