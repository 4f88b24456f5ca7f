"""A thing is the person's only if called by its whole name, picked, or retyped."""

from dataclasses import replace

import pytest

from connectors.base import Call, Effect, Item, Outcome, Resolved, Role
from permissions.words import Origin, Who
from tests.permissions.fakes import prepared_for
from tests.permissions.origins import address, call, said, target, who


class TestObjects:
    @pytest.mark.parametrize(
        ("typed", "name"),
        [
            ("move my dentist appointment to friday", "Dentist appointment"),
            ("delete “Team lunch”.", "Team lunch"),
            ("read report-2.pdf please", "report-2.pdf"),
            ("delete the mail Invoice November", "Carla Nowak: Invoice November"),
            ("cancel Ana's birthday, today", "Ana's birthday"),
            ("stäng FÖNSTRET", "fönstret"),
        ],
    )
    def test_a_thing_called_by_its_whole_name_is_the_persons(self, typed: str, name: str) -> None:
        assert who(said(typed), call(message="x"), target(name)) is Who.YOU

    @pytest.mark.parametrize(
        ("typed", "name"),
        [
            ("move the dentist", "Dentist appointment"),
            ("read the report", "report.pdf"),
            ("send a status report on friday", "status friday"),
            ("re-send it", "send it"),
            ("buy a cat", "cat"),
            ("delete the mail with the event", "Event"),
            ("show all my messages please", "All my messages"),
            ("the kelvin sign", "the \u212aelvin sign"),
            ("call sarah now", "call ſarah now"),
            ("anything", "anythin"),
            ("anything", "anything else"),
            ("", "anything"),
        ],
    )
    def test_a_part_of_a_name_a_short_name_or_a_name_for_a_kind_is_not(self, typed: str, name: str) -> None:
        assert who(said(typed), call(message="x"), target(name)) >= Who.CONTENT

    def test_a_file_may_be_called_by_the_last_part_of_its_path(self) -> None:
        file = target("Documents/tax 2026.pdf", "file:Documents/tax%202026.pdf")
        assert who(said("delete tax 2026.pdf"), call(message="x"), file) is Who.YOU

    def test_what_code_chose_is_from_the_settings(self) -> None:
        assert who(said("add it"), call(), target("Home", "home", "")) is Who.CONFIG

    def test_words_said_for_an_earlier_goal_still_count(self) -> None:
        provenance = said("show Team lunch", "now move it")
        assert provenance.trace(call(message="x"), (target("team lunch"),)) == (
            Origin(Who.YOU, "Team lunch"),
        )

    def test_what_the_assistant_made_or_renamed_is_not_the_persons_until_they_name_it_again(self) -> None:
        provenance = said("move the Budget file and delete it")
        made = prepared_for("files.move", frozenset({Effect.WRITE}), (target("Budget", "file:a"),))
        provenance.learn(made, Outcome(ok=True, text="", items=(Item("file:b", "Budget"),)))
        for value in ("file:a", "file:b"):
            assert who(provenance, call(message="x"), target("Budget", value)) >= Who.CONTENT
        provenance.say("delete Budget")
        assert who(provenance, call(message="x"), target("Budget", "file:b")) is Who.YOU

    @pytest.mark.parametrize("said_in", ["argument", "label", "item"])
    def test_a_name_that_the_assistant_gave_names_nothing_for_the_person(self, said_in: str) -> None:
        provenance = said("move Budget 2026 away, then delete Budget 2026")
        aim = Resolved(Role.DESTINATION, "to", "file:b", "Budget 2026" if said_in == "label" else "b")
        renamed = prepared_for(
            "files.move",
            frozenset({Effect.WRITE}),
            (target("evil", "file:a", "file"), aim),
            {"file": "evil", "to": " budget  2026 " if said_in == "argument" else "b"},
        )
        items = (Item("file:c", "“Budget 2026”"),) if said_in == "item" else ()
        provenance.learn(renamed, Outcome(ok=True, text="", items=items))
        assert who(provenance, call(message="x"), target("Budget 2026", "file:new")) >= Who.CONTENT
        provenance.say("delete Budget 2026")
        assert who(provenance, call(message="x"), target("Budget 2026", "file:new")) is Who.YOU

    def test_a_folder_to_move_to_is_named_like_any_object(self) -> None:
        moved = Call("c", "files.move", {"file": "x", "to": "Old"})
        folder = Resolved(Role.DESTINATION, "to", "file:Documents/Old letters", "Old letters")
        assert who(said("move it to Old letters"), moved, folder) is Who.YOU
        assert who(said("move it"), moved, folder) is Who.MODEL
        assert who(said("move it"), moved, replace(folder, argument="")) is Who.CONFIG

    def test_writing_to_somebody_does_not_make_them(self) -> None:
        provenance = said("write a letter")
        ana = address("ana@acme.com", label="Ana Ruiz")
        draft = prepared_for("messaging.draft", frozenset({Effect.WRITE}), (ana,), {"to": ["ana@acme.com"]})
        provenance.learn(draft, Outcome(ok=True, text=""))
        assert who(provenance, call(to=["Ana"]), ana) is Who.CONFIG

    def test_what_was_only_read_or_failed_stays_the_persons(self) -> None:
        provenance = said("read Budget and delete it")
        read = prepared_for("files.read", frozenset({Effect.READ}), (target("Budget"),))
        provenance.learn(read, Outcome(ok=True, text=""))
        provenance.learn(replace(read, effects=frozenset({Effect.WRITE})), Outcome(ok=False, text=""))
        assert who(provenance, call(message="x"), target("Budget")) is Who.YOU


class TestPicking:
    def test_a_thing_picked_for_this_call_is_the_persons(self) -> None:
        provenance = said("delete the mail")
        asked = call(message="mail")
        provenance.endorse({"message": "mail:7"}, asked)
        picked = call(message="mail:7")
        assert provenance.trace(picked, (target("Eve: Hi", "mail:7"),)) == (Origin(Who.YOU, "Eve: Hi"),)
        other_tool = replace(picked, tool="messaging.delete")
        assert who(provenance, other_tool, target("Eve: Hi", "mail:7")) >= Who.CONTENT

    def test_a_pick_for_no_call_counts_for_every_tool(self) -> None:
        provenance = said("make room")
        provenance.endorse({"message": "mail:7"})
        assert who(provenance, call(message="mail:7"), target("Eve: Hi", "mail:7")) is Who.YOU

    def test_picking_one_of_several_people_does_not_vouch_for_the_others(self) -> None:
        provenance = said("tell her")
        provenance.endorse({"to": ["ana@acme.com", "eve@evil.example"]}, call(to=["Ana", "eve@evil.example"]))
        picked = call(to=["ana@acme.com", "eve@evil.example"])
        ana, eve = address("ana@acme.com"), address("eve@evil.example")
        assert [o.who for o in provenance.trace(picked, (ana, eve))] == [Who.YOU, Who.MODEL]

    def test_a_single_name_that_was_picked_vouches_for_its_address(self) -> None:
        provenance = said("tell her")
        provenance.endorse({"to": ["contact:ana"]}, call(to=["Ana"]))
        assert who(provenance, call(to=["contact:ana"]), address("ana@acme.com", label="A")) is Who.YOU

    @pytest.mark.parametrize(("typed", "used"), [(" mail:7 ", "mail:7"), ("mail:7", " mail:7")])
    def test_spaces_around_what_was_typed_are_no_part_of_it(self, typed: str, used: str) -> None:
        provenance = said("delete the mail")
        provenance.endorse({"message": typed}, call(message="mail"))
        assert provenance.picked(call(), "message", used)
        assert not provenance.picked(call(), "message", "mail:")

    def test_an_argument_that_was_emptied_is_empty_by_the_persons_wish(self) -> None:
        provenance = said("delete the mail")
        assert not provenance.picked(call(), "sender", "")
        provenance.endorse({"sender": None, "to": []}, call(sender="Eve", to=["Eve"]))
        assert provenance.picked(call(), "sender", "")
        assert provenance.picked(call(), "to", "")

    def test_a_pick_ends_with_its_goal(self) -> None:
        provenance = said("delete the mail")
        provenance.endorse({"message": "mail:7"}, call())
        provenance.say("something else")
        assert who(provenance, call(message="mail:7"), target("Eve: Hi", "mail:7")) >= Who.CONTENT
