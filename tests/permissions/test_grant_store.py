"""What is permitted or forbidden for good outlives the process; a damaged file never lets anything run."""

import os
import sqlite3
import stat
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from connectors.base import Effect
from permissions.gate import Ticket
from permissions.grant_store import GrantStore
from permissions.grants import GrantBook, Held, StoreError
from permissions.offers import offers, standing_noes
from permissions.policy import Policy, decide
from permissions.words import Grant, Limit, Ruling, Scope, Verdict, Width
from tests.permissions.fakes import ANA, GOAL, NOW, Bench, prepared_for, yes
from tests.permissions.policy_cases import S, case

READING = prepared_for("calendar.list_events", frozenset({Effect.READ}), (), {})
ASK = Ruling(Verdict.ASK, "ask.default", "no permission covers it yet")


def book_of(path: Path, now: datetime = NOW) -> GrantBook:
    return GrantBook(GrantStore(path), lambda: now)


def give_all(book: GrantBook) -> None:
    for offer in offers(READING, ASK, GOAL, NOW):
        book.add(offer.grant)


class TestTheFile:
    def test_what_lasts_for_a_time_or_for_good_is_there_after_a_restart(self, tmp_path: Path) -> None:
        book = book_of(tmp_path / "grants.db")
        give_all(book)
        for ban in standing_noes(prepared_for(), GOAL, NOW):
            book.ban(ban)
        book.used(READING, GOAL, NOW + timedelta(minutes=1))
        lasting = [h for h in book.held() if h.what.scope in (Scope.UNTIL, Scope.ALWAYS)]
        again = book_of(tmp_path / "grants.db").held()
        assert list(again) == lasting
        assert {held.what.scope for held in again} == {Scope.UNTIL, Scope.ALWAYS}
        assert len([held for held in again if not isinstance(held.what, Grant)]) == 3

    def test_every_part_of_what_is_kept_is_kept(self, tmp_path: Path) -> None:
        limits = (Limit("to", Width.DOMAIN, ("acme.com",)), Limit("*", Width.UNDER, ("Documents/é",)))
        end = NOW + timedelta(days=60)
        effects = frozenset({Effect.WRITE, Effect.MARK})
        things = (("to", ("a", "b\n'\"")), ("", ("event:home/é@x",)))
        grant = Grant("a.b", things, Scope.ALWAYS, NOW, "g", effects, limits, end, "words", "origin")
        store = GrantStore(tmp_path / "grants.db")
        held = Held("id", grant, NOW + timedelta(hours=1), 7)
        store.put(held)
        assert list(GrantStore(tmp_path / "grants.db").held()) == [held]
        store.put(replace(held, uses=8))
        assert [kept.uses for kept in store.held()] == [8]
        store.remove("id")
        assert list(store.held()) == []

    def test_only_its_owner_can_read_it(self, tmp_path: Path) -> None:
        path = tmp_path / "grants.db"
        path.touch(0o644)
        GrantStore(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def test_what_one_process_takes_back_covers_nothing_in_another(self, tmp_path: Path) -> None:
        first, second = book_of(tmp_path / "grants.db"), book_of(tmp_path / "grants.db")
        give_all(first)
        (held, *_) = [h for h in second.held() if h.what.scope is Scope.ALWAYS]
        second.revoke(held.id)
        assert held not in first.held()
        second.restore(held)
        assert held in first.held()

    def test_a_use_that_comes_after_a_taking_back_does_not_bring_it_back(self, tmp_path: Path) -> None:
        store = GrantStore(tmp_path / "grants.db")
        book = GrantBook(store, lambda: NOW)
        give_all(book)
        (held, *_) = store.held()
        store.remove(held.id)
        store.use(held.id, NOW)
        assert held.id not in [kept.id for kept in store.held()]

    def test_what_has_ended_stays_ended_when_the_clock_is_set_back(self, tmp_path: Path) -> None:
        now = [NOW]
        book = GrantBook(GrantStore(tmp_path / "grants.db"), lambda: now[0])
        give_all(book)
        now[0] += timedelta(days=61)
        assert book.held() == tuple(h for h in book.held() if h.expires is None)
        now[0] = NOW
        assert {held.what.scope for held in book.held()} == {Scope.GOAL, Scope.SESSION}


class TestDamage:
    def test_a_file_that_is_none_is_left_alone_and_said_so(self, tmp_path: Path) -> None:
        path = tmp_path / "grants.db"
        path.write_bytes(b"not a database, but somebody's work" * 100)
        with pytest.raises(StoreError, match=r"grants\.db cannot be used: .*not a database"):
            GrantStore(path)
        assert path.read_bytes().startswith(b"not a database")

    def test_a_file_of_a_newer_askfirst_is_not_touched(self, tmp_path: Path) -> None:
        path = tmp_path / "grants.db"
        GrantStore(path).close()
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA user_version = 2")
        with pytest.raises(StoreError, match="newer Askfirst"):
            GrantStore(path)

    @pytest.mark.parametrize("body", ["", "{}", '{"tool": 1}', "null", "[]"])
    def test_a_grant_that_cannot_be_read_covers_nothing(self, tmp_path: Path, body: str) -> None:
        book = book_of(tmp_path / "grants.db")
        give_all(book)
        count = len(book.held())
        _spoil(tmp_path / "grants.db", body, "always")
        assert len(book.held()) < count
        assert all(grant.scope is not Scope.ALWAYS for grant in book)

    def test_a_no_that_cannot_be_read_stops_everything(self, tmp_path: Path) -> None:
        book = book_of(tmp_path / "grants.db")
        book.ban(standing_noes(prepared_for(), GOAL, NOW)[-1])
        _spoil(tmp_path / "grants.db", "{}", "always")
        with pytest.raises(StoreError, match="A standing no"):
            GrantStore(tmp_path / "grants.db")
        assert decide(case(S), Policy(), book, NOW).verdict is Verdict.REFUSE

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_a_folder_that_cannot_be_written_is_said(self, tmp_path: Path) -> None:
        tmp_path.chmod(0o500)
        with pytest.raises(StoreError, match="cannot be used"):
            GrantStore(tmp_path / "grants.db")

    def test_what_cannot_be_kept_holds_until_the_end_and_says_so(self, tmp_path: Path) -> None:
        store = GrantStore(tmp_path / "grants.db")
        book = GrantBook(Unwritable(store), lambda: NOW)
        book.ban(standing_noes(prepared_for(), GOAL, NOW)[-1])
        assert len(book.bans) == 1
        assert book.notices == ("The disk is full. What was decided holds until Askfirst ends.",)


class TestThroughTheGate:
    async def test_what_was_granted_for_good_lets_the_call_run_in_the_next_process(
        self, bench: Bench
    ) -> None:
        store = bench.folder / "grants.db"
        bench.grants = GrantBook(GrantStore(store), bench.clock)
        bench.__post_init__()
        asked = await bench.ask(bench.call("read", thing="note:1"))
        always = [n for n, o in enumerate(asked.offers) if o.grant.scope is Scope.ALWAYS]
        assert isinstance(bench.gate.settle(asked, yes(asked, grant=always[0])), Ticket)
        bench.grants = GrantBook(GrantStore(store), bench.clock)
        bench.__post_init__()
        again = await bench.ask(bench.call("read", thing="note:2"))
        assert again.ruling.rule == "grant.always"
        assert isinstance(bench.gate.allowed(again), Ticket)
        (held,) = GrantStore(store).held()
        assert (held.uses, held.what.origin) == (1, asked.id)
        send = await bench.ask(bench.call("send", to=[ANA]))
        assert send.ruling.verdict is not Verdict.ALLOW


class Unwritable:
    """A store on a disk that is full."""

    def __init__(self, store: GrantStore) -> None:
        self._store = store

    def held(self) -> tuple[Held, ...]:
        return tuple(self._store.held())

    def put(self, held: Held) -> None:
        raise StoreError("The disk is full.")

    def use(self, id: str, now: datetime) -> None:
        raise StoreError("The disk is full.")

    def remove(self, id: str) -> None:
        raise StoreError("The disk is full.")


def _spoil(path: Path, body: str, scope: str) -> None:
    with sqlite3.connect(path) as connection:
        changed = connection.execute(
            "UPDATE held SET body = ? WHERE body LIKE ?", (body, f'%"scope":"{scope}"%')
        )
        assert changed.rowcount > 0
