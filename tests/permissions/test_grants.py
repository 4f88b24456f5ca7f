"""Permissions cover exactly what they name, for as long as they last, and never what must always be asked."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.base import Effect, Prepared, Resolved, Role
from permissions.coverage import may_last
from permissions.grants import GrantBook, covers, offers
from permissions.words import GoalRef, Grant, Key, Ruling, Scope, Verdict
from tests.permissions.fakes import ANA, EVE, GOAL, NOW, prepared_for

READ, WRITE, SEND = frozenset({Effect.READ}), frozenset({Effect.WRITE}), frozenset({Effect.SEND})
CONFIGURE, DELETE, SHARE = (
    frozenset({Effect.CONFIGURE}),
    frozenset({Effect.DELETE}),
    frozenset({Effect.SHARE}),
)
UNDO = "it can be put back"
OTHER = GoalRef("goal-2", "something else")
ASK = Ruling(Verdict.ASK, "ask.default", "no permission covers it yet")


def dest(value: str = ANA, written: int | None = 3, argument: str = "to") -> Resolved:
    return Resolved(Role.DESTINATION, argument, value, value, written)


def thing(value: str = "note:1", argument: str = "thing", role: Role = Role.TARGET) -> Resolved:
    return Resolved(role, argument, value, f"label of {value}")


def reading(*things: Resolved, tool: str = "calendar.list_events") -> Prepared:
    return prepared_for(tool, READ, things, {})


def writing(*things: Resolved, effects: frozenset[Effect] = WRITE, undo: str | None = UNDO) -> Prepared:
    return prepared_for("files.write", effects, things or (thing(),), {}, undo=undo)


def sending(*things: Resolved, effects: frozenset[Effect] = SEND) -> Prepared:
    return prepared_for("messaging.send", effects, things or (dest(),), {})


def setting(undo: str | None = UNDO) -> Prepared:
    return prepared_for("settings.set", CONFIGURE, (thing("wifi", "setting"),), {}, undo=undo)


def grant(prepared: Prepared, scope: Scope = Scope.GOAL, **changes: object) -> Grant:
    things: dict[str, list[str]] = {}
    for each in prepared.resolved:
        things.setdefault(each.argument, []).append(each.value)
    named = tuple((argument, tuple(values)) for argument, values in things.items())
    made = Grant(prepared.call.tool, named, scope, NOW, GOAL.id, prepared.effects)
    return replace(made, **changes)  # type: ignore[arg-type]


class TestCovering:
    @pytest.mark.parametrize("prepared", [reading(), writing(), sending(), setting()])
    def test_a_grant_for_a_call_covers_that_call(self, prepared: Prepared) -> None:
        assert covers(grant(prepared), prepared, GOAL, NOW)

    @pytest.mark.parametrize(
        "value", ["note:11", "note:", "ote:1", "NOTE:1", "note:1 ", "note:1/x", "./note:1", "note:2"]
    )
    def test_a_value_is_covered_only_if_it_is_the_very_same(self, value: str) -> None:
        assert not covers(grant(writing()), writing(thing(value)), GOAL, NOW)

    def test_every_thing_must_be_named_for_its_argument(self) -> None:
        both = grant(writing(thing("a"), thing("b"), thing("c", "to")))
        assert covers(both, writing(thing("b")), GOAL, NOW)
        assert covers(both, writing(thing("a"), thing("c", "to")), GOAL, NOW)
        assert not covers(both, writing(thing("a"), thing("x")), GOAL, NOW)
        assert not covers(both, writing(thing("c")), GOAL, NOW)
        assert not covers(both, writing(thing("a"), thing("a", "folder")), GOAL, NOW)

    def test_a_grant_that_names_nothing_covers_only_reading(self) -> None:
        assert not covers(grant(writing(), things=()), writing(), GOAL, NOW)
        assert not covers(grant(sending(), things=()), sending(), GOAL, NOW)
        assert covers(grant(reading(), things=()), reading(thing()), GOAL, NOW)

    def test_a_reading_grant_that_names_things_is_bound_to_them(self) -> None:
        assert not covers(grant(reading(thing("a"))), reading(thing("b")), GOAL, NOW)

    def test_a_call_that_touches_nothing_is_covered_only_if_it_reads(self) -> None:
        words = thing("x", "text", Role.CONTENT)
        assert not covers(grant(writing(words)), writing(words), GOAL, NOW)

    def test_words_and_bounds_are_free(self) -> None:
        said = writing(thing(), thing("other words", "text", Role.CONTENT), thing("x", "when", Role.BOUND))
        assert covers(grant(writing()), said, GOAL, NOW)

    def test_another_effect_is_not_covered(self) -> None:
        invites = writing(thing(), dest(), effects=WRITE | SEND)
        named = grant(invites, effects=WRITE)
        assert not covers(named, invites, GOAL, NOW)
        assert covers(replace(named, effects=WRITE | SEND), invites, GOAL, NOW)
        assert not covers(grant(writing(), effects=frozenset()), writing(), GOAL, NOW)
        assert not covers(grant(writing()), replace(writing(), effects=frozenset()), GOAL, NOW)

    def test_another_tool_is_not_covered(self) -> None:
        for tool in ("files.writ", "files.write2", "files", "", "other.write"):
            assert not covers(grant(writing(), tool=tool), writing(), GOAL, NOW)

    def test_a_service_covers_all_its_reading_and_nothing_else(self) -> None:
        service = Grant("files", (), Scope.SESSION, NOW, "", READ)
        assert covers(service, reading(thing(), tool="files.read"), OTHER, NOW)
        assert not covers(service, reading(tool="filesystem.read"), OTHER, NOW)
        assert not covers(service, reading(tool="calendar.read"), OTHER, NOW)
        marking = replace(reading(tool="files.read"), effects=READ | {Effect.MARK})
        assert not covers(service, marking, OTHER, NOW)
        greedy = replace(service, effects=frozenset(Effect), things=(("thing", ("note:1",)),))
        assert not covers(greedy, writing(), OTHER, NOW)

    def test_a_goal_grant_ends_with_its_goal(self) -> None:
        assert not covers(grant(reading()), reading(), OTHER, NOW)
        assert not covers(grant(reading(), goal=""), reading(), GoalRef("", ""), NOW)
        assert covers(grant(reading(), Scope.SESSION), reading(), OTHER, NOW)

    def test_a_grant_holds_from_when_it_was_given(self) -> None:
        assert covers(grant(reading()), reading(), GOAL, NOW + timedelta(days=1))
        assert not covers(grant(reading()), reading(), GOAL, NOW - timedelta(seconds=1))


class TestFloors:
    @pytest.mark.parametrize(
        ("prepared", "scopes"),
        [
            (reading(), {Scope.GOAL, Scope.SESSION}),
            (setting(), {Scope.GOAL, Scope.SESSION}),
            (setting(None), {Scope.GOAL}),
            (writing(), {Scope.GOAL}),
            (writing(undo=None), {Scope.GOAL}),
            (writing(effects=DELETE), {Scope.GOAL}),
            (writing(effects=DELETE, undo=None), set()),
            (writing(dest(), effects=SHARE), set()),
            (writing(dest(), effects=SHARE | WRITE), set()),
            (sending(), {Scope.GOAL}),
            (sending(dest(written=1)), {Scope.GOAL}),
            (sending(dest(), thing()), {Scope.GOAL}),
            (sending(dest(), dest(EVE, 0)), set()),
            (sending(dest(EVE, None)), set()),
            (sending(thing()), set()),
            (writing(thing(), dest(EVE, 0), effects=WRITE | SEND), set()),
        ],
    )
    def test_no_lasting_grant_covers_what_must_always_be_asked(
        self, prepared: Prepared, scopes: set[Scope]
    ) -> None:
        lasting = {Scope.GOAL, Scope.SESSION}
        assert {scope for scope in lasting if may_last(scope, prepared)} == scopes
        assert {scope for scope in lasting if covers(grant(prepared, scope), prepared, GOAL, NOW)} == scopes
        offered = {offer.grant.scope for offer in offers(prepared, ASK, GOAL, NOW)}
        assert offered <= scopes
        assert offered == scopes or Effect.DELETE in prepared.effects

    @given(
        st.sets(st.sampled_from(Effect), min_size=1),
        st.sampled_from([None, UNDO]),
        st.sampled_from([0, 1, None]),
    )
    def test_a_session_covers_only_reading_and_settings_that_can_be_set_back(
        self, effects: set[Effect], undo: str | None, written: int | None
    ) -> None:
        prepared = prepared_for("x.y", frozenset(effects), (dest(EVE, written), thing()), {}, undo=undo)
        if covers(grant(prepared, Scope.SESSION), prepared, GOAL, NOW):
            assert effects == READ or (effects == CONFIGURE and undo)
        if covers(grant(prepared, Scope.GOAL), prepared, GOAL, NOW):
            assert Effect.SHARE not in effects
            assert written or Effect.SEND not in effects
            assert undo or Effect.DELETE not in effects


class TestOffers:
    def test_the_narrowest_comes_first_and_each_says_what_it_covers(self) -> None:
        first, second = offers(reading(), ASK, GOAL, NOW)
        assert first.words == "any reading of the calendar, for this goal"
        assert first.grant == Grant("calendar", (), Scope.GOAL, NOW, GOAL.id, READ)
        assert second.words == "any reading of the calendar, for this session"
        assert second.grant == Grant("calendar", (), Scope.SESSION, NOW, "", READ)

    def test_a_service_without_words_of_its_own_is_called_by_its_name(self) -> None:
        assert offers(reading(tool="weather.ask"), ASK, GOAL, NOW)[0].words == (
            "any reading of weather, for this goal"
        )

    def test_an_offer_for_a_change_names_what_it_may_touch(self) -> None:
        (offer,) = offers(sending(dest(), dest("bob@x.org")), ASK, GOAL, NOW)
        assert offer.words == "anything more that does it (only ana@acme.com, bob@x.org), for this goal"
        assert offer.grant.things == (("to", (ANA, "bob@x.org")),)

    def test_many_things_are_counted(self) -> None:
        (offer,) = offers(writing(*(thing(str(n)) for n in range(5))), ASK, GOAL, NOW)
        assert "(only label of 0, label of 1, label of 2 and 2 more)" in offer.words
        (all_named,) = offers(writing(*(thing(str(n)) for n in range(3))), ASK, GOAL, NOW)
        assert "(only label of 0, label of 1, label of 2), for" in all_named.words

    @pytest.mark.parametrize("prepared", [reading(thing()), writing(), sending(), setting()])
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


class TestTheBook:
    def test_a_grant_is_in_force_until_it_is_taken_back(self) -> None:
        book = GrantBook()
        kept, gone = grant(reading()), grant(reading(), Scope.SESSION)
        for each in (kept, gone, kept):
            book.add(each)
        assert list(book) == [kept, gone]
        book.revoke(gone)
        assert list(book) == [kept]
        book.clear()
        assert list(book) == []

    def test_the_end_of_a_goal_takes_its_grants_and_no_others(self) -> None:
        book = GrantBook()
        session, other = grant(reading(), Scope.SESSION), grant(reading(), goal=OTHER.id)
        for each in (grant(reading()), session, other):
            book.add(each)
        book.end_goal(GOAL)
        assert list(book) == [session, other]

    def test_a_once_grant_is_used_up_by_the_call_it_covers(self) -> None:
        book = GrantBook()
        once, lasting = grant(reading(), Scope.ONCE), grant(writing())
        book.add(once)
        book.add(lasting)
        book.used(writing(), GOAL, NOW)
        assert list(book) == [once, lasting]
        book.used(reading(), GOAL, NOW)
        assert list(book) == [lasting]
        book.used(reading(), GOAL, NOW)
        assert list(book) == [lasting]
