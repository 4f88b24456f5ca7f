"""The book of permissions: given once, counted when used, ended on time, and never lost to a full disk."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from permissions.grant_store import GrantStore
from permissions.grants import GrantBook, Held, Past, StoreError
from permissions.offers import QUARTER, UNUSED, offers, standing_noes
from permissions.words import Ban, Grant, Scope
from tests.permissions.fakes import GOAL, NOW
from tests.permissions.grant_cases import (
    ASK,
    DELETE,
    OTHER,
    first_of,
    grant,
    reading,
    sending,
    thing,
    writing,
)

LATER = NOW + timedelta(minutes=5)


class FullDisk(GrantStore):
    """A real store that can be told that the disk is full."""

    full = False

    def put(self, held: Held) -> None:
        self._try()
        super().put(held)

    def use(self, id: str, now: datetime) -> None:
        self._try()
        super().use(id, now)

    def remove(self, id: str) -> None:
        self._try()
        super().remove(id)

    def _try(self) -> None:
        if self.full:
            raise StoreError("The disk is full.")


@pytest.fixture
def store(tmp_path: Path) -> FullDisk:
    return FullDisk(tmp_path / "grants.db")


def offered(scope: Scope, now: datetime = NOW) -> Grant:
    return first_of(offers(reading(), ASK, GOAL, now), scope).grant


def no(scope: Scope, now: datetime = NOW) -> Ban:
    return next(ban for ban in standing_noes(sending(), GOAL, now) if ban.scope is scope)


class TestOffering:
    def test_what_is_on_offer_goes_with_the_call_and_the_past_it_would_have_covered(self) -> None:
        past = [Past(writing(), "wrote it"), Past(sending(), "sent it")]
        book = GrantBook(past=lambda: past)
        expected = offers(writing(), ASK, GOAL, NOW, past, "req-7")
        assert book.offers(writing(), ASK, GOAL, NOW, "req-7") == expected
        assert any(offer.covered == ("wrote it",) for offer in expected)
        assert book.offers(writing(), ASK, GOAL, NOW) == offers(writing(), ASK, GOAL, NOW, past)

    def test_without_a_past_nothing_was_covered(self) -> None:
        assert GrantBook().offers(reading(), ASK, GOAL, NOW) == offers(reading(), ASK, GOAL, NOW)

    def test_the_past_is_not_read_where_nothing_is_on_offer(self) -> None:
        def never() -> Sequence[Past]:
            raise AssertionError

        assert GrantBook(past=never).offers(writing(effects=DELETE), ASK, GOAL, NOW) == ()

    def test_the_noes_go_with_the_call(self) -> None:
        assert GrantBook().noes(sending(), GOAL, NOW, "req-7") == standing_noes(sending(), GOAL, NOW, "req-7")
        assert GrantBook().noes(sending(), GOAL, NOW) == standing_noes(sending(), GOAL, NOW)


class TestGivingAgain:
    @pytest.mark.parametrize("kept", [True, False])
    @pytest.mark.parametrize("scope", [Scope.GOAL, Scope.SESSION, Scope.UNTIL, Scope.ALWAYS])
    def test_a_permission_given_again_stands_once_and_is_the_newer(
        self, store: FullDisk, scope: Scope, kept: bool
    ) -> None:
        book = GrantBook(store if kept else None, lambda: LATER)
        book.add(replace(offered(scope), origin="req-1"))
        book.used(reading(), GOAL, NOW)
        (first,) = book.held()
        again = replace(offered(scope, LATER), origin="req-2")
        book.add(again)
        (held,) = book.held()
        assert held == Held(first.id, again, NOW, 1)

    @pytest.mark.parametrize("scope", [Scope.GOAL, Scope.ALWAYS])
    def test_a_no_given_again_stands_once_and_is_the_newer(self, scope: Scope) -> None:
        book = GrantBook(clock=lambda: NOW)
        book.ban(replace(no(scope), origin="req-1"))
        again = replace(no(scope, LATER), origin="req-2")
        book.ban(again)
        assert book.bans == (again,)

    def test_what_differs_in_anything_else_stands_beside_it(self) -> None:
        book = GrantBook(clock=lambda: NOW)
        for each in (grant(writing()), grant(writing(thing("other"))), grant(writing(), goal=OTHER.id)):
            book.add(each)
        assert len(list(book)) == 3

    def test_every_permission_has_a_long_name_of_its_own(self) -> None:
        book = GrantBook(clock=lambda: NOW)
        book.add(grant(writing()))
        book.add(grant(reading()))
        assert [len(held.id) for held in book.held()] == [16, 16]
        assert len({held.id for held in book.held()}) == 2


class TestEnds:
    def test_a_quarter_of_an_hour_counts_from_the_yes_and_midnight_stays_midnight(self) -> None:
        quarter, midnight = [
            each.grant for each in offers(reading(), ASK, GOAL, NOW) if each.grant.scope is Scope.UNTIL
        ]
        book = GrantBook(clock=lambda: LATER)
        book.add(quarter)
        assert [each.expires for each in book] == [LATER.astimezone(UTC) + QUARTER]
        assert next(iter(book)).expires.tzinfo is UTC
        book.clear()
        book.add(midnight)
        assert [each.expires for each in book] == [midnight.expires]
        assert book.held()[0].expires == midnight.expires

    def test_without_a_clock_nothing_ends_by_itself(self) -> None:
        book = GrantBook()
        ended = grant(reading(), Scope.UNTIL, expires=NOW - timedelta(days=1))
        book.add(ended)
        assert list(book) == [ended]
        until = offered(Scope.UNTIL)
        book.add(until)
        assert list(book)[1].expires == NOW.astimezone(UTC) + QUARTER

    def test_an_always_grant_counts_from_its_last_use_or_from_when_it_was_given_again(self) -> None:
        always = offered(Scope.ALWAYS)
        given = NOW.astimezone(UTC)
        assert Held("i", always).expires == given + UNUSED
        assert Held("i", always, NOW + timedelta(days=1)).expires == given + timedelta(days=1) + UNUSED
        assert Held("i", always, NOW - timedelta(days=1)).expires == given + UNUSED

    @pytest.mark.parametrize("scope", [Scope.GOAL, Scope.SESSION])
    def test_what_has_no_end_has_none(self, scope: Scope) -> None:
        assert Held("i", offered(scope)).expires is None
        assert Held("i", no(Scope.ALWAYS)).expires is None

    def test_the_end_of_a_goal_takes_its_noes_too(self) -> None:
        book = GrantBook(clock=lambda: NOW)
        for each in (no(Scope.GOAL), no(Scope.ALWAYS), replace(no(Scope.GOAL), goal=OTHER.id)):
            book.ban(each)
        book.end_goal(GOAL)
        assert [(ban.scope, ban.goal) for ban in book.bans] == [(Scope.ALWAYS, ""), (Scope.GOAL, OTHER.id)]

    def test_the_end_of_a_session_reaches_what_is_kept(self, store: FullDisk) -> None:
        book = GrantBook(store, lambda: NOW)
        for scope in (Scope.UNTIL, Scope.ALWAYS, Scope.SESSION):
            book.add(offered(scope))
        assert {held.what.scope for held in book.end_session()} == {Scope.UNTIL, Scope.SESSION}
        assert [held.what.scope for held in GrantBook(store, lambda: NOW).held()] == [Scope.ALWAYS]


class TestUsing:
    @pytest.mark.parametrize("scope", [Scope.GOAL, Scope.SESSION, Scope.UNTIL, Scope.ALWAYS])
    @pytest.mark.parametrize("kept", [True, False])
    def test_every_use_is_counted_with_its_time(self, store: FullDisk, scope: Scope, kept: bool) -> None:
        book = GrantBook(store if kept else None, lambda: LATER)
        book.add(offered(scope))
        for uses in (1, 2):
            book.used(reading(), GOAL, LATER + timedelta(seconds=uses))
            (held,) = book.held()
            assert (held.used, held.uses) == (LATER + timedelta(seconds=uses), uses)
        assert book.notices == ()

    def test_only_the_first_that_covers_is_used(self) -> None:
        book = GrantBook(clock=lambda: NOW)
        for each in (grant(writing()), offered(Scope.GOAL), offered(Scope.SESSION)):
            book.add(each)
        book.used(reading(), GOAL, NOW)
        assert [held.uses for held in book.held()] == [0, 1, 0]

    def test_what_is_taken_back_is_named_by_its_id_or_by_itself(self, store: FullDisk) -> None:
        book = GrantBook(store, lambda: NOW)
        for how in ("id", "given", "now"):
            book.add(offered(Scope.ALWAYS))
            book.used(reading(), GOAL, LATER)
            (held,) = book.held()
            name = {"id": held.id, "given": held.what, "now": next(iter(book))}[how]
            assert book.revoke(name) == held
            assert book.held() == GrantBook(store, lambda: NOW).held() == ()

    def test_what_is_put_back_stands_in_its_place(self) -> None:
        book = GrantBook(clock=lambda: NOW)
        for scope in (Scope.GOAL, Scope.SESSION):
            book.add(offered(scope))
        first, second = book.held()
        book.restore(replace(first, uses=7))
        assert book.held() == (replace(first, uses=7), second)


class TestAFullDisk:
    def test_nothing_is_said_while_all_is_well(self, store: FullDisk) -> None:
        book = GrantBook(store, lambda: NOW)
        book.add(offered(Scope.ALWAYS))
        assert book.notices == ()
        assert [held.what for held in store.held()] == [offered(Scope.ALWAYS)]

    def test_only_what_outlives_the_process_is_kept(self, store: FullDisk) -> None:
        book = GrantBook(store, lambda: NOW)
        for scope in (Scope.GOAL, Scope.SESSION, Scope.UNTIL, Scope.ALWAYS):
            book.add(offered(scope))
        book.ban(no(Scope.GOAL))
        book.ban(no(Scope.ALWAYS))
        assert [held.what.scope for held in store.held()] == [Scope.UNTIL, Scope.ALWAYS, Scope.ALWAYS]

    def test_a_use_that_cannot_be_noted_is_said_and_the_permission_stands(self, store: FullDisk) -> None:
        book = GrantBook(store, lambda: NOW)
        book.add(offered(Scope.ALWAYS))
        store.full = True
        book.used(reading(), GOAL, NOW)
        assert book.notices == ("The disk is full.",)
        assert [held.uses for held in book.held()] == [0]

    def test_what_was_decided_holds_and_is_counted_until_the_end(self, store: FullDisk) -> None:
        book = GrantBook(store, lambda: NOW)
        store.full = True
        book.add(offered(Scope.ALWAYS))
        book.used(reading(), GOAL, NOW)
        assert [held.uses for held in book.held()] == [1]
        assert book.notices == ("The disk is full. What was decided holds until Askfirst ends.",)

    def test_what_has_ended_covers_nothing_even_if_it_cannot_be_struck_out(self, store: FullDisk) -> None:
        now = [NOW]
        book = GrantBook(store, lambda: now[0])
        book.add(offered(Scope.ALWAYS))
        store.full = True
        now[0] += UNUSED
        assert book.held() == ()
        assert list(book) == []

    def test_a_taking_back_that_cannot_be_kept_is_an_error_and_not_a_quiet_yes(self, store: FullDisk) -> None:
        book = GrantBook(store, lambda: NOW)
        book.add(offered(Scope.ALWAYS))
        store.full = True
        with pytest.raises(StoreError, match="The disk is full"):
            book.revoke(book.held()[0].id)
