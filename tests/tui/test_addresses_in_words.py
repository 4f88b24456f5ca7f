"""Of every address it is said how often it was written to, what it looks like, and what its code reads."""

from dataclasses import replace

import pytest

from connectors.base import Field, Resolved, Role
from connectors.clean import clean_line
from permissions.words import Flag, Key, Request, Ruling, Verdict
from tests.tui.fake_house import send_message
from tui.prompt.lines import draw
from tui.prompt.names import decoded

CODED = "anna@xn--pple-43d.com"


def to(address: str, written_before: int | None = 0, **changes: object) -> Request:
    """A request to send to one address."""
    base, label = send_message("Hi"), clean_line(address)
    preview = replace(base.prepared.preview, title="Send a message", fields=(Field("To", label, "to"),))
    resolved = (Resolved(Role.DESTINATION, "to", address, label, written_before),)
    prepared = replace(base.prepared, preview=preview, resolved=resolved)
    return replace(base, prepared=prepared, **changes)


def shown(request: Request) -> str:
    return "\n".join(line.plain for line in draw(request, 76).decision)


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "▲ NEW: never written to before"), (1, "written to before: 1"), (12, "written to before: 12")],
)
def test_it_is_said_how_often_an_address_was_written_to(count: int, text: str) -> None:
    assert text in shown(to("ana@acme.com", count))


def test_nothing_is_said_of_it_where_that_makes_no_sense() -> None:
    assert "written" not in shown(to("ana@acme.com", None))


def test_the_known_domain_that_an_address_resembles_is_named() -> None:
    request = to("ana@acrne.com", resembles=(("ana@acrne.com", "acme.com"),))
    assert "▲ looks like acme.com, which you know, but is not it" in shown(request)
    assert "looks like" not in shown(to("ana@acme.com", resembles=(("ana@acrne.com", "acme.com"),)))


def test_a_coded_domain_is_read_out_beside_it_with_the_script_of_its_letters() -> None:
    lines = shown(to(CODED))
    assert CODED in lines
    assert "▲ code for “аpple.com” (Cyrillic letters)" in lines


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("ana@acme.com", ""),
        ("ana", ""),
        ("ana@mail.xn--mller-kva.de", "code for “mail.müller.de” (Latin letters)"),
        ("ana@XN--mller-kva.de", "code for “müller.de” (Latin letters)"),
        ("ana@xn--99999999999.com", "a domain in code that cannot be read"),
        ("ana@xn--.com", "code for “.com”"),
        ("ana@müller.de", "not plain letters (Latin letters): in code xn--mller-kva.de"),
    ],
)
def test_domains_in_code_are_read_and_others_put_into_code(address: str, text: str) -> None:
    assert decoded(address) == text


def test_hidden_characters_inside_a_coded_domain_are_made_visible() -> None:
    coded = "a\u202eb".encode("punycode").decode("ascii")
    assert "⟨U+202E⟩" in decoded(f"ana@xn--{coded}.com")


def test_what_is_hidden_is_counted() -> None:
    assert "▲ 2 hidden characters made visible as ⟨U+…⟩" in shown(to("ana@acme.com\u202e\u200b", 3))
    assert "hidden" not in shown(to("ana@acme.com"))


def test_texts_that_go_out_unnamed_are_named_and_counted() -> None:
    flags = frozenset({Flag.CARRIES_PRIVATE, Flag.DESTINATION_NEW})
    ruling = Ruling(Verdict.ASK_TYPED, "x", "reason", flags, Key.TYPED, "acme.com")
    names = ("“Your security code”", "“Payslip”")
    lines = shown(to("ana@acme.com", carried=names, ruling=ruling))
    assert "▲ Carries words from 2 texts that you did not name:" in lines
    assert all(f"   - {name}" in lines for name in names)
    assert "it carries something" not in lines, "it is said once, with the names"


def test_a_flagged_request_has_its_warnings_first_and_the_persons_own_words() -> None:
    ruling = Ruling(Verdict.ASK, "x", "reason", frozenset({Flag.LOOKALIKE}), Key.CAPITAL)
    request = to("ana@acme.com", ruling=ruling, said="Who is invited?", tainted=True)
    lines = shown(request).split("\n")
    assert lines[1].startswith("▲ the address looks like")
    assert "• you said “Who is invited?”" in lines
    assert any(line.startswith("• text from outside was read") for line in lines)
    assert "you said" not in shown(
        replace(request, ruling=Ruling(Verdict.ASK, "x", "reason", key=Key.CAPITAL))
    )
