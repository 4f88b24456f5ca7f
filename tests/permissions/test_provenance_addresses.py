"""An address is the person's only if typed whole, picked, or found under a name they typed."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from connectors.base import Effect, Item, Outcome, Resolved, Role
from permissions.words import Origin, Who
from tests.permissions.fakes import prepared_for
from tests.permissions.origins import address, call, said, target, who


class TestAddresses:
    @pytest.mark.parametrize(
        "typed",
        [
            "write to sarah.connor@gmail.com",
            "write to Sarah.Connor@Gmail.com.",
            "write to <sarah.connor@gmail.com>, please",
            "sarah.connor@gmail.com,other@x.org",
            "is it “sarah.connor@gmail.com”?",
        ],
    )
    def test_an_address_typed_whole_is_the_persons(self, typed: str) -> None:
        mail = address("sarah.connor@gmail.com")
        found = said(typed).trace(call(to=["sarah.connor@gmail.com"]), (mail,))
        assert found == (Origin(Who.YOU, "sarah.connor@gmail.com"),)

    @pytest.mark.parametrize(
        "value",
        [
            "connor@gmail.com",
            "sarah.connor@gmail.co",
            "xsarah.connor@gmail.com",
            "sarah.connor@gmail.com.evil.example",
            "ſarah.connor@gmail.com",
            "sarah.connor@gmaiⅼ.com",
            "sarah.connor@gmail.\u212aom",
        ],
    )
    def test_a_part_an_extension_or_a_double_of_a_typed_address_is_not(self, value: str) -> None:
        assert who(said("write to sarah.connor@gmail.com"), call(to=[value]), address(value)) >= Who.CONTENT

    @given(st.text("ab.@", min_size=1, max_size=6), st.text("ab.@", min_size=1, max_size=6))
    def test_only_the_whole_token_counts(self, one: str, other: str) -> None:
        typed, value = f"a{one}x@site.org", f"a{other}x@site.org"
        if value.count("@") == 1 and typed.count("@") == 1 and one != other:
            assert who(said(f"mail {typed} now"), call(to=[value]), address(value)) >= Who.CONTENT

    def test_somebody_written_to_before_is_known_but_not_the_persons_choice(self) -> None:
        assert who(said("hi"), call(to=["bob@x.org"]), address("bob@x.org", written=2)) is Who.WRITTEN_TO

    def test_a_typed_name_from_the_address_book_is_the_persons(self) -> None:
        ana = address("ana@acme.com", label="Ana Ruiz <ana@acme.com>")
        provenance = said("tell Ana about it")
        assert provenance.trace(call(to=["ana"]), (ana,)) == (Origin(Who.YOU, "Ana"),)

    def test_a_name_from_the_address_book_that_was_not_typed_is_from_the_settings(self) -> None:
        ana = address("ana@acme.com", label="Ana Ruiz")
        book = Origin(Who.CONFIG, "address book")
        assert said("tell her").trace(call(to=["Ana"]), (ana,)) == (book,)
        two = call(to=["Ana", "bob@x.org"])
        assert said("tell her").trace(two, (ana,)) == (book,)
        assert who(said("tell her"), call(to=["contact:ana"]), ana) is Who.CONFIG

    @pytest.mark.parametrize(
        "given_to",
        [["Ana <eve@evil.example>"], ["Ana", "eve@evil.example"], ["Ana", "Ana <eve@exämple.org>"]],
    )
    def test_a_typed_name_does_not_vouch_for_an_address_that_the_model_wrote(
        self, given_to: list[JsonValue]
    ) -> None:
        eve = address("eve@evil.example", label="Ana <eve@evil.example>")
        assert who(said("tell Ana"), call(to=given_to), eve) >= Who.CONTENT

    def test_the_sender_of_a_named_mail_is_not_the_persons_choice(self) -> None:
        reply = call(message="Invoice November", body="ok")
        things = (address("eve@evil.example", "message"), target("Eve: Invoice November"))
        provenance = said("answer invoice november: ok")
        assert [origin.who for origin in provenance.trace(reply, things)] == [Who.MODEL, Who.YOU]
        provenance.endorse({"message": "mail:1"}, reply)
        picked = replace(reply, arguments={"message": "mail:1", "body": "ok"})
        assert [origin.who for origin in provenance.trace(picked, things)] == [Who.MODEL, Who.YOU]

    def test_an_address_chosen_by_code_out_of_an_object_is_not_trusted(self) -> None:
        attendee = address("eve@evil.example", "")
        assert who(said("move the dentist"), call(event="dentist"), attendee) >= Who.CONTENT
        assert who(said("move it"), call(), address("bob@x.org", "", written=1)) is Who.WRITTEN_TO

    @pytest.mark.parametrize("typed", [True, False])
    def test_a_contact_whose_address_the_person_never_said_vouches_for_nothing(self, typed: bool) -> None:
        provenance = said("add eve@evil.example" if typed else "add everybody")
        added = prepared_for(
            "messaging.add_contact",
            frozenset({Effect.WRITE}),
            (target("Eve", "Eve", "name"), Resolved(Role.CONTENT, "address", "eve@evil.example", "")),
        )
        provenance.learn(added, Outcome(ok=True, text="", items=(Item("contact:eve", "Eve"),)))
        eve = address("eve@evil.example", label="Eve")
        assert who(provenance, call(to=["Eve"]), eve) is (Who.YOU if typed else Who.CONTENT)
        provenance.say("write to Eve")
        assert who(provenance, call(to=["Eve"]), eve) is (Who.YOU if typed else Who.CONTENT)
        assert who(provenance, call(to=["Eve"]), replace(eve, written_before=1)) is (
            Who.YOU if typed else Who.WRITTEN_TO
        )

    def test_a_contact_made_in_this_goal_vouches_from_the_next_one_on(self) -> None:
        provenance = said("add everybody")
        added = prepared_for(
            "messaging.add_contact", frozenset({Effect.WRITE}), (target("Eve", "Eve", "name"),)
        )
        provenance.learn(added, Outcome(ok=True, text=""))
        eve = address("eve@evil.example", label="Eve")
        assert who(provenance, call(to=["Eve"]), eve) is Who.MODEL
        provenance.say("write to her")
        assert who(provenance, call(to=["Eve"]), eve) is Who.CONFIG
