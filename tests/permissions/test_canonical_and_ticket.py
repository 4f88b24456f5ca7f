"""One spelling per value, and approvals bound to every byte of what was shown."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.base import Effect, Field, Preview, Resolved, Role
from permissions.canonical import canonical, digest
from permissions.ticket import LIFETIME, Ticket, fingerprint, frozen, likeness, matches
from tests.permissions.fakes import ANA, EVE, NOW, prepared_for

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abcé😀", max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        ({}, "{}"),
        ({"b": 1, "a": [True, None, -0.5]}, '{"a":[true,null,-0.5],"b":1}'),
        ({"a": {"é": "\u00e9"}}, '{"a":{"\\u00e9":"\\u00e9"}}'),
        ('quote " and \\ and /', '"quote \\" and \\\\ and /"'),
        ("\x00\n\x1b\x7f", '"\\u0000\\u000a\\u001b\\u007f"'),
        ("😀", '"\\ud83d\\ude00"'),
        ("\ud7ff\ue000\uffff", '"\\ud7ff\\ue000\\uffff"'),
        ("\U00010000\U0010ffff", '"\\ud800\\udc00\\udbff\\udfff"'),
        ((1, 2), "[1,2]"),
        (1.0, "1.0"),
        (1, "1"),
        (True, "true"),
        (Effect.SEND, '"send"'),
    ],
)
def test_a_value_has_one_pinned_spelling(value: object, spelled: str) -> None:
    assert canonical(value).decode("ascii") == spelled


def test_the_digest_of_a_known_value_is_pinned() -> None:
    value = {"to": ["ana@acme.com"], "n": 2, "x": None}
    assert digest(value) == "7970de6bfac7e34dba3c923d99ee3952634fb791b7eabb63dca2aa18a69cedb0"


@given(JSON)
def test_what_is_spelled_reads_back_as_the_same_value(value: object) -> None:
    assert json.loads(canonical(value)) == value


@given(JSON, JSON)
def test_two_values_share_a_spelling_only_if_json_holds_them_equal(one: object, other: object) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (canonical(one) == canonical(other)) == same


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (float("nan"), "nan"),
        (float("inf"), "inf"),
        (chr(0xD800), "a lone surrogate"),
        (chr(0xDFFF), "a lone surrogate"),
        ("\ud83d\ude00", "a lone surrogate"),
        ({1: "a"}, "a key that is not text"),
        ({"a": {2: 3}}, "a key that is not text"),
        (b"bytes", "a bytes"),
        ({1, 2}, "a set"),
        (object(), "a object"),
    ],
)
def test_what_has_no_exact_form_is_refused_by_name(value: object, what: str) -> None:
    with pytest.raises(ValueError, match="no JSON form") as caught:
        canonical(value)
    assert str(caught.value) == f"{what} has no JSON form"


BASE = replace(
    prepared_for(undo="it can be put back"),
    payload={"to": [ANA], "text": "hello"},
    preview=Preview("Send", "sends", (Field("To", ANA, "to", "note", "old"),), "hello", "diff", ("careful",)),
)


def other_resolved(**changes: object) -> tuple[Resolved, ...]:
    return (replace(BASE.resolved[0], **changes),)


def other_preview(**changes: object) -> Preview:
    return replace(BASE.preview, **changes)


def other_field(**changes: object) -> Preview:
    return other_preview(fields=(replace(BASE.preview.fields[0], **changes),))


@pytest.mark.parametrize(
    "other",
    [
        replace(BASE, call=replace(BASE.call, id="call-2")),
        replace(BASE, call=replace(BASE.call, tool="messaging.reply")),
        replace(BASE, call=replace(BASE.call, arguments={"to": [EVE]})),
        replace(BASE, effects=frozenset({Effect.SEND, Effect.WRITE})),
        replace(BASE, payload={"to": [ANA], "text": "hello "}),
        replace(BASE, basis="moved"),
        replace(BASE, undo=None),
        replace(BASE, resolved=()),
        replace(BASE, resolved=other_resolved(role=Role.TARGET)),
        replace(BASE, resolved=other_resolved(argument="cc")),
        replace(BASE, resolved=other_resolved(value=EVE)),
        replace(BASE, resolved=other_resolved(label="Eve")),
        replace(BASE, resolved=other_resolved(written_before=0)),
        replace(BASE, preview=other_preview(title="Sent")),
        replace(BASE, preview=other_preview(deed="sent")),
        replace(BASE, preview=other_preview(body="hello!")),
        replace(BASE, preview=other_preview(diff="other")),
        replace(BASE, preview=other_preview(warnings=())),
        replace(BASE, preview=other_field(label="Cc")),
        replace(BASE, preview=other_field(value=EVE)),
        replace(BASE, preview=other_field(argument="cc")),
        replace(BASE, preview=other_field(note="other")),
        replace(BASE, preview=other_field(before=None)),
    ],
)
def test_a_change_of_anything_that_was_shown_changes_the_fingerprint(other: object) -> None:
    assert fingerprint("r", other, "p") != fingerprint("r", BASE, "p")
    assert not matches(fingerprint("r", BASE, "p"), "r", other, "p")


def test_a_fingerprint_matches_the_same_call_of_the_same_request_under_the_same_policy() -> None:
    mine = fingerprint("r", BASE, "p")
    assert matches(mine, "r", frozen(BASE), "p")
    assert not matches(mine, "s", BASE, "p")
    assert not matches(mine, "r", BASE, "q")


def test_the_fingerprint_is_of_one_request_under_one_policy() -> None:
    mine = fingerprint("r", BASE, "p")
    assert (
        mine
        == fingerprint("r", frozen(BASE), "p")
        == "e0e73a6997800d14b93e2942b7bd79794da4a20fdc14e271759642e6ffede7d8"
    )
    assert mine != fingerprint("s", BASE, "p")
    assert mine != fingerprint("r", BASE, "q")


def test_twins_are_alike_but_have_different_fingerprints() -> None:
    twin = replace(BASE, call=replace(BASE.call, id="call-2"))
    assert likeness(twin) == likeness(BASE)
    assert likeness(replace(BASE, basis="moved")) != likeness(BASE)


def test_what_cannot_be_spelled_matches_nothing() -> None:
    assert not matches("hash", "r", replace(BASE, payload={"x": "\ud800"}), "p")


def test_a_frozen_call_shares_nothing_that_can_be_changed() -> None:
    payload = {"to": [ANA]}
    arguments = {"to": [ANA]}
    copy = frozen(replace(BASE, payload=payload, call=replace(BASE.call, arguments=arguments)))
    payload["to"].append(EVE)
    arguments["to"].append(EVE)
    assert copy.payload == {"to": [ANA]}
    assert copy.call.arguments == {"to": [ANA]}


def test_a_ticket_lives_two_minutes_and_not_before_it_was_given() -> None:
    ticket = Ticket("id", BASE, "hash", NOW, NOW + LIFETIME)
    assert timedelta(seconds=120) == LIFETIME
    assert ticket.valid(NOW)
    assert ticket.valid(NOW + timedelta(seconds=119))
    assert not ticket.valid(NOW + timedelta(seconds=120))
    assert not ticket.valid(NOW - timedelta(seconds=1))
