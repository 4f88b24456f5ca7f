"""What goes with an answer is offered the narrowest first, in words, and only where it may stand."""

from dataclasses import replace

import pytest

from connectors.base import Prepared, Resolved, Role
from permissions.coverage import bans, covers
from permissions.grants import Past
from permissions.offers import offers, standing_noes
from permissions.words import Key, Limit, Ruling, Scope, Verdict, Width
from tests.permissions.fakes import ANA, GOAL, NOW, prepared_for
from tests.permissions.grant_cases import (
    ASK,
    DELETE,
    OTHER,
    READ,
    UNDO,
    WRITE,
    dest,
    first_of,
    reading,
    sending,
    setting,
    thing,
    words_of,
    writing,
)


class TestOffers:
    def test_reading_is_on_offer_for_the_whole_service_and_for_good_more_narrowlyfirst_of(self) -> None:
        found = offers(reading(), ASK, GOAL, NOW)
        assert [offer.words for offer in found] == [
            "any reading of the calendar, for this goal",
            "any reading of the calendar, for this session",
            "any reading of the calendar, for 15 minutes",
            "any reading of the calendar, until midnight today",
            "anything that does it, always, until unused for 60 days",
            "any reading of the calendar, always, until unused for 60 days",
        ]
        goal = found[0].grant
        assert (goal.tool, goal.things, goal.goal, goal.effects) == ("calendar", (), GOAL.id, READ)
        assert found[1].grant.goal == ""
        assert [offer.grant.tool for offer in found[-2:]] == ["calendar.list_events", "calendar"]

    def test_reading_a_file_is_on_offer_for_its_folder(self) -> None:
        read = reading(thing("file:Documents/notes/a.md", "file"), tool="files.read")
        assert words_of(read, Scope.ALWAYS)[0] == (
            "anything that does it (in Documents/notes or below), always, until unused for 60 days"
        )

    def test_a_service_without_words_of_its_own_is_called_by_its_name(self) -> None:
        assert offers(reading(tool="weather.ask"), ASK, GOAL, NOW)[0].words == (
            "any reading of weather, for this goal"
        )

    def test_an_offer_for_a_change_names_what_it_may_touch(self) -> None:
        first, second = offers(sending(dest(), dest("bob@x.org")), ASK, GOAL, NOW)
        assert first.words == "anything more that does it (only ana@acme.com, bob@x.org), for this goal"
        assert first.grant.things == (("to", (ANA, "bob@x.org")),)
        assert second.words == (
            "anything more that does it, to anyone at acme.com, x.org you have written to before,"
            " for this goal"
        )
        assert second.grant.limits == (Limit("to", Width.DOMAIN, ("acme.com", "x.org"), Role.DESTINATION),)

    def test_people_of_one_name_are_told_apart_by_their_addresses(self) -> None:
        named = sending(Resolved(Role.DESTINATION, "to", ANA, "Ana Ruiz", 3))
        assert "(only Ana Ruiz <ana@acme.com>)" in offers(named, ASK, GOAL, NOW)[0].words

    def test_a_domain_where_anybody_can_be_is_not_on_offer(self) -> None:
        (only,) = offers(sending(dest("ana@gmail.com")), ASK, GOAL, NOW)
        assert only.grant.things == (("to", ("ana@gmail.com",)),)

    def test_a_domain_covers_only_people_who_were_written_to(self) -> None:
        _, wide = offers(sending(), ASK, GOAL, NOW)
        assert covers(wide.grant, sending(dest("ben@acme.com")), GOAL, NOW)
        assert not covers(wide.grant, sending(dest("ben@acme.com", 0)), GOAL, NOW)
        assert not covers(wide.grant, sending(dest("ben@sub.acme.com")), GOAL, NOW)
        assert not covers(wide.grant, sending(dest("ben@evilacme.com")), GOAL, NOW)

    def test_many_things_are_counted(self) -> None:
        words = words_of(writing(*(thing(str(n)) for n in range(5))), Scope.GOAL)[0]
        assert "(only label of 0, label of 1, label of 2 and 2 more)" in words
        words = words_of(writing(*(thing(str(n)) for n in range(3))), Scope.GOAL)[0]
        assert "(only label of 0, label of 1, label of 2), for" in words

    @pytest.mark.parametrize(
        "prepared",
        [
            reading(thing()),
            reading(thing("event:home/a"), thing("file:Documents/a")),
            writing(),
            writing(thing("file:Documents/notes/a.md")),
            writing(thing("event:my%20home/a@20261203T140000Z")),
            sending(),
            sending(dest(), thing("message:1", "to")),
            setting(),
        ],
    )
    def test_every_offer_covers_the_call_that_made_it(self, prepared: Prepared) -> None:
        found = offers(prepared, ASK, GOAL, NOW)
        assert found
        assert all(covers(offer.grant, prepared, GOAL, NOW) for offer in found)

    @pytest.mark.parametrize(
        "ruling",
        [
            replace(ASK, verdict=Verdict.ASK_TYPED, key=Key.TYPED, word="x"),
            replace(ASK, key=Key.TYPED),
            replace(ASK, rule="user.ask:mine"),
            replace(ASK, verdict=Verdict.ALLOW),
            replace(ASK, verdict=Verdict.REFUSE),
        ],
    )
    def test_nothing_is_on_offer_where_it_would_be_void(self, ruling: Ruling) -> None:
        assert offers(reading(), ruling, GOAL, NOW) == ()

    def test_deleting_happens_once_and_is_not_on_offer(self) -> None:
        assert offers(writing(effects=DELETE), ASK, GOAL, NOW) == ()

    def test_taking_back_is_on_offer_for_this_goal_only(self) -> None:
        undo = prepared_for("files.undo", WRITE, (thing("r1", "record"),), {}, undo=UNDO)
        assert {offer.grant.scope for offer in offers(undo, ASK, GOAL, NOW)} == {Scope.GOAL}

    def test_an_offer_shows_the_past_calls_it_would_have_covered(self) -> None:
        first, other = thing("file:Documents/notes/a.md", "file"), thing("file:Documents/tax.md", "file")
        past = [Past(writing(first), "wrote a"), Past(writing(other), "wrote tax"), Past(sending(), "sent")]
        found = offers(writing(first), ASK, GOAL, NOW, past)
        always = [offer.covered for offer in found if offer.grant.scope is Scope.ALWAYS]
        assert always == [("wrote a",), ("wrote a",)]
        assert first_of(found, Scope.GOAL).covered == ()
        wider = offers(writing(other), ASK, GOAL, NOW, past)
        always = [offer.covered for offer in wider if offer.grant.scope is Scope.ALWAYS]
        assert always == [("wrote tax",), ("wrote a", "wrote tax")]


class TestNoes:
    def test_the_narrowest_no_comes_first_and_each_says_what_it_forbids(self) -> None:
        found = standing_noes(sending(), GOAL, NOW)
        assert [ban.words for ban in found] == [
            "never anything that does it (ana@acme.com), in this goal",
            "never anything that does it, to anyone at acme.com, in this goal",
            "never anything that does it, in this goal",
            "never anything that does it (ana@acme.com), ever again",
            "never anything that does it, to anyone at acme.com, ever again",
            "never anything that does it, ever again",
        ]
        assert all(bans(ban, sending(), GOAL) for ban in found)

    def test_one_thing_that_is_forbidden_is_enough_however_it_is_spelled(self) -> None:
        narrow, domain, wide = standing_noes(sending(), GOAL, NOW)[3:]
        both = sending(dest("bob@x.org"), dest("Ana@ACME.com"))
        assert all(bans(ban, both, OTHER) for ban in (narrow, domain, wide))
        assert not bans(narrow, sending(dest("bob@acme.com")), OTHER)
        assert bans(domain, sending(dest("bob@mail.acme.com")), OTHER)
        assert not bans(domain, sending(dest("bob@notacme.com")), OTHER)
        assert not bans(wide, writing(), OTHER)

    def test_a_no_for_a_goal_ends_with_it(self) -> None:
        ban = standing_noes(sending(), GOAL, NOW)[0]
        assert bans(ban, sending(), GOAL)
        assert not bans(ban, sending(), OTHER)
