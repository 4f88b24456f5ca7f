"""What a call that was done teaches: the text it showed, what it made, the addresses it wrote down."""

from dataclasses import replace

import pytest

from connectors.base import Effect, Item, Outcome, Resolved, Role
from permissions.facts import Doubt, Made, Read, kept_addresses, making, reading
from permissions.words import Origin, Who
from tests.permissions.fakes import ANA, EVE, prepared_for
from tests.permissions.origins import address, call, said, target

ITEMS = (Item("event:1", "Rome trip", "by Eve"), Item("event:2", "Lunch"))
READ = prepared_for("messaging.read", frozenset({Effect.READ}), (target("Offer"),), {"message": "offer"})
WRITE = replace(READ, effects=frozenset({Effect.WRITE}))


class TestReading:
    def test_the_text_is_the_content_and_then_each_thing_that_was_listed(self) -> None:
        assert reading(READ, Outcome(True, "ours", items=ITEMS, content="Hello"), named=True) == Read(
            "“Offer”", "Hello\nRome trip\nby Eve\nLunch\n", named=True
        )
        assert reading(READ, Outcome(True, "ours", items=ITEMS), named=False) == Read(
            "“Offer”", "\nRome trip\nby Eve\nLunch\n"
        )

    def test_words_of_our_own_are_no_foreign_text(self) -> None:
        assert reading(READ, Outcome(True, "Done."), named=False) is None
        assert reading(READ, Outcome(True, "Done.", content=""), named=False) == Read("“Offer”", "\n")
        assert reading(READ, Outcome(False, "No.", items=ITEMS), named=False) is not None

    @pytest.mark.parametrize(
        ("tool", "resolved", "effects", "name"),
        [
            ("messaging.read", (target("Offer"), address(ANA)), {Effect.READ, Effect.MARK}, "“Offer”"),
            ("messaging.read", (target("Offer"), target("Other")), {Effect.READ}, "the mailbox"),
            ("files.list", (), {Effect.READ}, "your files"),
            ("calendar.change_event", (target("Offer"),), {Effect.WRITE}, "the calendar"),
            ("weather.ask", (), {Effect.READ}, "weather"),
        ],
    )
    def test_a_text_is_called_by_the_one_thing_it_is_or_by_its_service(
        self, tool: str, resolved: tuple[Resolved, ...], effects: set[Effect], name: str
    ) -> None:
        asked = prepared_for(tool, frozenset(effects), resolved)
        found = reading(asked, Outcome(True, "", content="x"), named=False)
        assert found is not None
        assert found.name == name

    def test_of_a_very_long_text_the_beginning_is_remembered(self) -> None:
        provenance = said("read it")
        provenance.learn(READ, Outcome(True, "", content="x" * 100_000 + "end"))
        provenance.read_content("“Other”", "y" * 100_000 + "end")
        kept = [fact.text for fact in provenance.news() if isinstance(fact, Read)]
        assert kept == ["x" * 100_000, "y" * 100_000]


class TestMaking:
    def test_all_that_may_name_what_was_made_is_kept_once(self) -> None:
        things = (
            target("“The  Offer”", "m:1"),
            Resolved(Role.DESTINATION, "to", "f:2", "Archive"),
            address(ANA),
        )
        moved = replace(
            WRITE,
            resolved=things,
            call=replace(WRITE.call, arguments={"file": "The Offer", "to": ["Archive", ANA], "copy": True}),
        )
        assert making(moved, Outcome(True, "", items=(Item("m:3", "New one"),))) == Made(
            ("m:1", "the offer", "f:2", "archive", "m:3", "new one", "true")
        )

    @pytest.mark.parametrize("effect", [Effect.WRITE, Effect.CONFIGURE])
    def test_what_changes_something_may_make_something(self, effect: Effect) -> None:
        assert making(replace(READ, effects=frozenset({effect})), Outcome(True, "")) is not None
        assert making(replace(READ, effects=frozenset({effect})), Outcome(False, "")) is None

    @pytest.mark.parametrize("effect", [Effect.READ, Effect.MARK, Effect.SEND, Effect.SHARE, Effect.DELETE])
    def test_what_only_reads_marks_sends_or_deletes_makes_nothing(self, effect: Effect) -> None:
        assert making(replace(READ, effects=frozenset({effect})), Outcome(True, "")) is None

    def test_a_message_that_was_marked_read_is_still_named_by_its_name(self) -> None:
        provenance = said("read the Big offer and delete it")
        read = replace(
            READ, effects=frozenset({Effect.READ, Effect.MARK}), resolved=(target("Eve: Big offer"),)
        )
        provenance.learn(read, Outcome(True, "", content="x"))
        assert provenance.trace(call(message="offer"), read.resolved) == (Origin(Who.YOU, "Big offer"),)


class TestAddresses:
    def test_those_in_what_was_written_down_are_kept_whole_and_in_lower_case(self) -> None:
        things = (
            Resolved(Role.CONTENT, "text", f"Ana: {ANA}, Eve <Eve@Evil.example>", ""),
            Resolved(Role.CONTENT, "more", "bob@x.org", ""),
            address("drawn@x.org"),
            target("target@x.org"),
        )
        written = replace(WRITE, resolved=things)
        assert kept_addresses(written, Outcome(True, "")) == {ANA, EVE, "bob@x.org"}
        assert kept_addresses(written, Outcome(False, "")) == frozenset()
        assert (
            kept_addresses(replace(written, effects=frozenset({Effect.SEND})), Outcome(True, ""))
            == frozenset()
        )

    def test_picking_something_else_vouches_for_no_address(self) -> None:
        provenance = said("add her")
        asked = call(name="Eve", address=EVE)
        provenance.endorse({"name": "Eve"})
        kept = (Resolved(Role.CONTENT, "address", EVE, ""),)
        added = prepared_for("messaging.send", frozenset({Effect.WRITE}), kept, asked.arguments)
        provenance.learn(added, Outcome(True, ""))
        assert provenance.news() == (Made((EVE, "", "eve")), Doubt(EVE))
