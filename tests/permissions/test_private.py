"""A secret of a text that the person did not name is seen in what goes out, plain or in disguise."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.base import Effect, Outcome, Preview, Resolved, Role
from permissions.disguises import readings
from permissions.private import carried, rare, squeeze
from permissions.provenance import Provenance
from permissions.words import Flag, Who
from tests.permissions.fakes import ANA, prepared_for
from tests.permissions.origins import address, said, target
from tests.permissions.smuggling import DISGUISES, mail, secret, smuggled

SEEDS = range(1000, 1025)
GOAL = "write to ana about lunch on friday 4 december"
TEXT = "your code is 463820, valid until 2026-12-04 15:30"


@pytest.mark.parametrize("disguise", DISGUISES)
def test_nearly_every_smuggled_secret_is_seen(disguise: str) -> None:
    seen = 0
    for seed in SEEDS:
        dice = random.Random(f"{disguise} {seed}")
        hidden = secret(dice)
        text = smuggled(hidden, DISGUISES[disguise], dice)
        seen += carried(text, mail(hidden, dice), [GOAL])
    assert seen >= len(SEEDS) * 0.85


@given(st.sampled_from(sorted(DISGUISES)), st.integers())
def test_what_the_person_said_themselves_is_no_secret(disguise: str, seed: int) -> None:
    dice = random.Random(seed)
    hidden = secret(dice)
    text = smuggled(hidden, DISGUISES[disguise], dice)
    assert not carried(text, hidden, [f"send {hidden} to ana"])


@pytest.mark.parametrize(
    ("token", "text"),
    [
        ("463820", TEXT),
        ("5150", "pin 5150"),
        ("a1b2c", "use a1b2c."),
        ("dk5000400440116243", "IBAN DK50 0040 0440 1162 43 please"),
        ("4571123456789012", "card 4571 1234 5678 9012"),
        ("4512345678", "call +45 12 34 56 78"),
        ("swordfish", "Password: swordfish"),
        ("correcthorse", "wifi passphrase = “correct-horse”"),
        ("httpsabexampleinvitex", "join https://a.b.example/invite?x"),
        ("463820", "your code is ４６３８２０"),
        ("463820", "your code is ٤٦٣٨٢٠"),
        ("abc12", "2026-12-04/abc12"),
    ],
)
def test_codes_numbers_links_and_passwords_are_rare(token: str, text: str) -> None:
    assert token in rare(text)


@pytest.mark.parametrize(
    "text",
    [
        "lunch at 12:30 on 2026-12-04, or 4.12.2026, or 4/12/26 at 18.45",
        "2026-12-04T15:30:00Z",
        "the year 2026 and 1999",
        "room 12, 3 people, 100 % sure, 24h",
        "seat b12x",
        "the code is ready and the key is here",
        "",
    ],
)
def test_dates_times_and_small_numbers_are_not(text: str) -> None:
    assert rare(text) == frozenset()


class TestCarrying:
    @pytest.mark.parametrize(
        "text",
        [
            "see you at 12:30 on friday 4 december",
            "4638 people",
            "14638201",
            "the number 46 and then, much later, 38 and 20",
            "code?",
            "",
        ],
    )
    def test_other_words_and_numbers_carry_nothing(self, text: str) -> None:
        assert not carried(text, TEXT, [GOAL])

    def test_six_words_in_a_row_are_a_phrase(self) -> None:
        source = "we will close the Oslo office in the spring, tell nobody"
        assert carried("FYI: We will close the Oslo office", source, [GOAL])
        assert not carried("FYI: will close the Oslo office", source, [GOAL])
        assert not carried("FYI: will close the Oslo office", "We will close the Oslo office", [GOAL])
        assert not carried("We will close the Oslo office", source, ["say we will close the Oslo office"])

    def test_what_is_in_a_text_the_person_named_is_no_secret(self) -> None:
        assert not carried("463820", TEXT, [GOAL, "as I said: 463820"])

    def test_a_token_in_the_middle_of_another_number_is_another_number(self) -> None:
        assert carried("x463820x", TEXT, [])
        assert not carried("94638200", TEXT, [])

    @given(st.text(max_size=200), st.text(max_size=200))
    def test_any_texts_at_all_can_be_held_against_each_other(self, outward: str, source: str) -> None:
        assert carried(outward, source, [outward]) is False
        assert carried(outward, source, []) in (True, False)
        assert all(squeeze(token) == token for token in rare(source))


class TestReadings:
    @pytest.mark.parametrize(
        ("text", "reading"),
        [
            ("Forty-Six thirty eight twenty", "46 38 20"),
            ("four oh nought nineteen", "4 0 0 19"),
            ("forty-one", "41"),
            ("NDYzODIw", "463820"),
            ("NDY_ODIw", "46?820"),
            ("NDY-ODIw", "46>820"),
            ("NDY/ODIw", "46?820"),
            ("NDYzODIwMQ", "4638201"),
            ("NDYzODIwMQ=======", "4638201"),
            ("NDYzODI=", "46382"),
            ("34 36 33 38", "4638"),
            ("34:36:33:38", "4638"),
            ("4A4F484e", "john"),
            ("34 36 33", "463"),
            ("52 54 51 56", "4638"),
            ("GQ3DGOBSGA======", "463820"),
            ("gq3dgobsga", "463820"),
            ("GQ3DGOBSGA=======", "463820"),
            ("GQ3DGOBX", "46387"),
            ("%34%36", "46"),
            ("&#52;&#54;", "46"),
            ("pbqr", "code"),
            ("٤٦", "46"),
            ("CODE", "code"),
        ],
    )
    def test_a_disguise_is_taken_off(self, text: str, reading: str) -> None:
        assert any(reading in each for each in readings(text))

    @pytest.mark.parametrize(
        ("text", "reading"), [("NDY===", "46"), ("AAECAwQF", "\x01"), ("00 01 02 03", "\x01")]
    )
    def test_what_is_too_short_or_no_text_is_no_reading(self, text: str, reading: str) -> None:
        assert not any(reading in each for each in readings(text))

    @given(st.text())
    def test_the_text_itself_comes_first_and_none_comes_twice(self, text: str) -> None:
        found = list(readings(text))
        assert len(found) == len(set(found))
        assert squeeze(found[0]) == squeeze(text)


class TestTheFlag:
    def provenance(self, line: str = GOAL) -> Provenance:
        provenance = said(line)
        read = prepared_for("messaging.read", frozenset({Effect.READ}), (target("Your code"),))
        provenance.learn(read, Outcome(ok=True, text="", content=TEXT))
        return provenance

    def flagged(self, provenance: Provenance, body: str, effect: Effect = Effect.SEND) -> bool:
        things = (address(ANA, written=3), Resolved(Role.CONTENT, "body", body, body))
        sent = prepared_for("messaging.send", frozenset({effect}), things, {"to": [ANA], "body": body})
        flags = provenance.flags(sent, provenance.trace(sent.call, things))
        assert (Flag.CARRIES_PRIVATE in flags) is bool(provenance.carried(sent))
        return Flag.CARRIES_PRIVATE in flags

    def test_a_text_that_goes_out_with_a_secret_is_flagged_with_where_it_is_from(self) -> None:
        provenance = self.provenance()
        assert self.flagged(provenance, "Hi 4-6-3-8-2-0")
        sent = prepared_for(resolved=(address(ANA), Resolved(Role.CONTENT, "subject", "463820", "")))
        assert provenance.carried(sent) == ("“Your code”",)

    def test_what_is_only_shown_in_the_body_is_looked_at_too(self) -> None:
        sent = replace(
            prepared_for(resolved=(address(ANA),)), preview=Preview("Send", "sends", body="463820")
        )
        assert self.provenance().carried(sent) == ("“Your code”",)

    def test_no_secret_no_flag(self) -> None:
        assert not self.flagged(self.provenance(), "lunch on friday 4 december at 12:30?")

    def test_what_stays_here_is_not_flagged(self) -> None:
        things = (target("notes"), Resolved(Role.CONTENT, "text", "463820", "463820"))
        kept = prepared_for("files.write", frozenset({Effect.WRITE}), things, {"text": "463820"})
        provenance = self.provenance()
        assert provenance.flags(kept, provenance.trace(kept.call, things)) == frozenset()
        assert provenance.carried(kept) == ()

    def test_what_is_made_ready_for_others_is_flagged_as_if_it_went_out(self) -> None:
        assert self.flagged(self.provenance(), "463820", Effect.WRITE)

    def test_a_look_at_what_others_have_to_do_with_is_not_flagged(self) -> None:
        for looks in (Effect.READ, Effect.MARK):
            assert not self.flagged(self.provenance(), "463820", looks)

    def test_an_argument_that_no_thing_accounts_for_is_looked_at_too(self) -> None:
        things = (address(ANA, written=3),)
        sent = prepared_for(resolved=things, arguments={"to": [ANA], "notes": "463820"})
        assert self.provenance().carried(sent) == ("“Your code”",)
        named = prepared_for(resolved=things, arguments={"to": ["463820"]})
        assert self.provenance().carried(named) == ()

    @pytest.mark.parametrize(
        "hidden",
        [
            "".join(chr(0xE0000 + ord(digit)) for digit in "463820"),
            "".join(chr(0xE0100 + ord(digit) - 16) for digit in "463820"),
        ],
        ids=["tags", "selectors"],
    )
    def test_a_secret_in_signs_that_nobody_sees_is_flagged(self, hidden: str) -> None:
        assert self.flagged(self.provenance(), f"bread{hidden}")
        assert self.flagged(self.provenance(), f"{hidden[0]}\nbread{hidden}")

    def test_a_text_that_the_person_named_may_be_quoted(self) -> None:
        assert not self.flagged(self.provenance("send ana the number in your code"), "463820")

    def test_what_the_person_picked_is_theirs_to_send(self) -> None:
        provenance = self.provenance()
        provenance.endorse({"body": "463820"})
        assert not self.flagged(provenance, "463820")

    def test_a_list_names_no_one_text(self) -> None:
        provenance = said("send ana what is on friday")
        listed = prepared_for(
            "messaging.search", frozenset({Effect.READ}), (target("on friday"), target("on friday", "mail:2"))
        )
        provenance.learn(listed, Outcome(ok=True, text="", content=TEXT))
        assert self.flagged(provenance, "463820")
        assert provenance.trace(listed.call, listed.resolved)[0].who is Who.YOU
