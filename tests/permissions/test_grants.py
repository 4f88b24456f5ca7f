"""Permissions cover exactly what they name, for as long as they last, and never what must always be asked."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.base import Effect, Prepared, Role
from permissions.coverage import LASTING, covers, may_last
from permissions.grants import GrantBook
from permissions.offers import UNUSED, offers, standing_noes
from permissions.words import GoalRef, Grant, Scope
from tests.permissions.fakes import EVE, GOAL, NOW, prepared_for
from tests.permissions.grant_cases import (
    ASK,
    DELETE,
    EVERY,
    GOAL_ONLY,
    OTHER,
    READ,
    SEND,
    SHARE,
    UNDO,
    WRITE,
    dest,
    first_of,
    grant,
    reading,
    sending,
    setting,
    standing,
    thing,
    writing,
)


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
            (reading(), EVERY),
            (setting(), EVERY),
            (setting(None), GOAL_ONLY),
            (writing(), EVERY),
            (writing(effects=LASTING), EVERY),
            (writing(undo=None), GOAL_ONLY),
            (writing(effects=DELETE), GOAL_ONLY),
            (writing(effects=DELETE | WRITE), GOAL_ONLY),
            (writing(effects=DELETE, undo=None), set()),
            (writing(dest(), effects=SHARE), set()),
            (writing(dest(), effects=SHARE | WRITE), set()),
            (sending(), GOAL_ONLY),
            (replace(sending(), undo=UNDO), GOAL_ONLY),
            (sending(dest(written=1)), GOAL_ONLY),
            (sending(dest(), thing()), GOAL_ONLY),
            (sending(dest(), dest(EVE, 0)), set()),
            (sending(dest(EVE, None)), set()),
            (sending(thing()), set()),
            (writing(thing(), dest(EVE, 0), effects=WRITE | SEND), set()),
        ],
    )
    def test_no_lasting_grant_covers_what_must_always_be_asked(
        self, prepared: Prepared, scopes: set[Scope]
    ) -> None:
        assert {scope for scope in EVERY if may_last(scope, prepared)} == scopes
        assert {s for s in EVERY if covers(standing(prepared, s), prepared, GOAL, NOW)} == scopes
        offered = {offer.grant.scope for offer in offers(prepared, ASK, GOAL, NOW)}
        assert offered <= scopes
        assert offered == scopes or Effect.DELETE in prepared.effects

    @given(
        st.sets(st.sampled_from(Effect), min_size=1),
        st.sampled_from([None, UNDO]),
        st.sampled_from([0, 1, None]),
        st.sampled_from([Scope.SESSION, Scope.UNTIL, Scope.ALWAYS]),
    )
    def test_what_lasts_longer_than_a_goal_covers_only_reading_and_what_undo_takes_back(
        self, effects: set[Effect], undo: str | None, written: int | None, scope: Scope
    ) -> None:
        prepared = prepared_for("x.y", frozenset(effects), (dest(EVE, written), thing()), {}, undo=undo)
        if covers(standing(prepared, scope), prepared, GOAL, NOW):
            assert effects == READ or undo
            assert not effects & {Effect.SEND, Effect.SHARE, Effect.DELETE}
        if covers(grant(prepared, Scope.GOAL), prepared, GOAL, NOW):
            assert Effect.SHARE not in effects
            assert written or Effect.SEND not in effects
            assert undo or Effect.DELETE not in effects


class TestTime:
    @pytest.mark.parametrize("scope", [Scope.UNTIL, Scope.ALWAYS])
    def test_what_has_an_end_covers_until_then_and_nothing_without_one(self, scope: Scope) -> None:
        timed = grant(reading(), scope, expires=NOW + timedelta(minutes=15))
        assert covers(timed, reading(), OTHER, NOW + timedelta(minutes=14, seconds=59))
        assert not covers(timed, reading(), OTHER, NOW + timedelta(minutes=15))
        assert not covers(replace(timed, expires=None), reading(), OTHER, NOW)

    def test_a_quarter_of_an_hour_is_no_longer_in_the_night_when_an_hour_comes_twice(self) -> None:
        late = datetime(2026, 10, 25, 2, 50, tzinfo=ZoneInfo("Europe/Copenhagen"))
        until = first_of(offers(reading(), ASK, GOAL, late), Scope.UNTIL).grant
        again = datetime(2026, 10, 25, 2, 10, fold=1, tzinfo=ZoneInfo("Europe/Copenhagen"))
        assert not covers(until, reading(), GOAL, again)

    def test_today_ends_at_midnight_where_the_person_is(self) -> None:
        until = [o for o in offers(reading(), ASK, GOAL, NOW) if o.grant.scope is Scope.UNTIL]
        assert [offer.words.rpartition(", ")[2] for offer in until] == [
            "for 15 minutes",
            "until midnight today",
        ]
        assert until[1].grant.expires == datetime(2026, 12, 1, tzinfo=NOW.tzinfo)

    def test_shortly_before_midnight_today_is_not_on_offer(self) -> None:
        late = NOW.replace(hour=23, minute=50)
        assert "midnight" not in "".join(offer.words for offer in offers(reading(), ASK, GOAL, late))


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

    def test_a_quarter_of_an_hour_counts_from_the_yes(self) -> None:
        now = [NOW]
        book = GrantBook(clock=lambda: now[0])
        until = first_of(offers(reading(), ASK, GOAL, NOW), Scope.UNTIL).grant
        now[0] += timedelta(minutes=20)
        book.add(until)
        (kept,) = book
        assert covers(kept, reading(), GOAL, now[0] + timedelta(minutes=14))
        now[0] += timedelta(minutes=15)
        assert list(book) == []

    def test_an_always_grant_ends_sixty_days_after_its_last_use(self) -> None:
        now = [NOW.astimezone(UTC)]
        book = GrantBook(clock=lambda: now[0])
        book.add(first_of(offers(reading(), ASK, GOAL, NOW), Scope.ALWAYS).grant)
        now[0] += UNUSED - timedelta(days=1)
        book.used(reading(), GOAL, now[0])
        (held,) = book.held()
        assert (held.used, held.uses) == (now[0], 1)
        now[0] += UNUSED - timedelta(seconds=1)
        (kept,) = book
        assert covers(kept, reading(), GOAL, now[0])
        now[0] += timedelta(seconds=1)
        assert list(book) == []

    def test_what_is_given_again_is_renewed_and_stands_once(self) -> None:
        now = [NOW]
        book = GrantBook(clock=lambda: now[0])
        for days in (0, 10):
            now[0] = NOW + timedelta(days=days)
            book.add(first_of(offers(reading(), ASK, GOAL, now[0]), Scope.ALWAYS).grant)
        (held,) = book.held()
        assert held.expires == now[0] + UNUSED

    def test_a_revoked_grant_can_be_put_back_as_it_was(self) -> None:
        book = GrantBook(clock=lambda: NOW)
        for scope in EVERY:
            book.add(first_of(offers(reading(), ASK, GOAL, NOW), scope).grant)
        before = book.held()
        gone = book.revoke(before[1].id)
        assert gone == before[1]
        assert gone not in book.held()
        book.restore(gone)
        assert set(book.held()) == set(before)
        assert book.revoke("no such id") is None

    def test_the_end_of_a_session_drops_all_but_what_is_for_good_and_noes(self) -> None:
        book = GrantBook(clock=lambda: NOW)
        for scope in EVERY:
            book.add(first_of(offers(reading(), ASK, GOAL, NOW), scope).grant)
        book.ban(standing_noes(sending(), GOAL, NOW)[0])
        gone = book.end_session()
        assert {held.what.scope for held in gone} == EVERY - {Scope.ALWAYS}
        assert [grant.scope for grant in book] == [Scope.ALWAYS]
        assert len(book.bans) == 1
