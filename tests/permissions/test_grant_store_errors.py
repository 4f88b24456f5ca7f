"""What goes wrong with the file of permissions is one sentence: which file, what it was for, and why."""

import logging
import re
import sqlite3
import stat
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from permissions.grant_store import GrantStore
from permissions.grants import Held, StoreError
from permissions.offers import standing_noes
from tests.permissions.fakes import GOAL, NOW
from tests.permissions.grant_cases import grant, reading, sending

HELD = Held("id", grant(reading()))


def sql(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as other:
        other.execute(statement)
    other.close()


def test_a_folder_in_its_place_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        GrantStore(tmp_path)
    assert str(caught.value) == f"The permissions in {tmp_path} cannot be used: Is a directory."


@pytest.mark.parametrize(
    ("how", "step"),
    [
        ("read", GrantStore.held),
        ("written", lambda store: store.put(HELD)),
        ("written", lambda store: store.use("id", NOW)),
        ("written", lambda store: store.remove("id")),
    ],
)
def test_every_step_says_what_it_was_for(
    tmp_path: Path, how: str, step: Callable[[GrantStore], object]
) -> None:
    path = tmp_path / "grants.db"
    store = GrantStore(path)
    sql(path, "DROP TABLE held")
    with pytest.raises(StoreError) as caught:
        step(store)
    assert str(caught.value) == f"The permissions in {path} cannot be {how}: no such table: held."
    assert isinstance(caught.value.__cause__, sqlite3.Error)


def test_a_file_of_a_newer_askfirst_is_named(tmp_path: Path) -> None:
    path = tmp_path / "grants.db"
    GrantStore(path).close()
    sql(path, "PRAGMA user_version = 2")
    with pytest.raises(StoreError) as caught:
        GrantStore(path)
    assert str(caught.value) == f"The permissions in {path} were written by a newer Askfirst."


def test_a_no_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "grants.db"
    store = GrantStore(path)
    store.put(Held("id", standing_noes(sending(), GOAL, NOW)[0]))
    sql(path, "UPDATE held SET body = '{}'")
    with pytest.raises(StoreError, match=rf"^A standing no in {re.escape(str(path))} cannot be read\.$"):
        store.held()


@pytest.mark.parametrize("damage", ["body = '{}'", "used = 'yesterday'", "body = '['"])
def test_a_permission_that_cannot_be_read_is_told_to_the_log_and_the_rest_is_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    path = tmp_path / "grants.db"
    store = GrantStore(path)
    store.put(HELD)
    store.put(Held("other", grant(sending())))
    sql(path, f"UPDATE held SET {damage} WHERE id = 'id'")
    with caplog.at_level(logging.WARNING):
        assert [held.id for held in store.held()] == ["other"]
    assert caplog.messages == [f"a permission in {path} cannot be read and covers nothing"]


def test_what_is_of_no_known_kind_stops_everything(tmp_path: Path) -> None:
    path = tmp_path / "grants.db"
    store = GrantStore(path)
    store.put(HELD)
    sql(path, "UPDATE held SET kind = 'other'")
    with pytest.raises(StoreError, match="A standing no"):
        store.held()


def test_it_can_be_used_from_another_thread_and_stays_in_order(tmp_path: Path) -> None:
    store = GrantStore(tmp_path / "grants.db")
    for name in ("b", "a"):
        thread = threading.Thread(target=store.put, args=(Held(name, grant(reading())),))
        thread.start()
        thread.join()
    store.put(Held("b", grant(sending()), NOW, 3))
    assert store.held() == [Held("b", grant(sending()), NOW, 3), Held("a", grant(reading()))]
    store.use("a", NOW + timedelta(hours=1))
    assert store.held()[1] == Held("a", grant(reading()), NOW + timedelta(hours=1), 1)


def test_what_is_kept_is_on_the_disk_before_the_call_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "grants.db"
    store = GrantStore(path)
    store.put(HELD)
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT id, kind, uses FROM held").fetchall() == [("id", "grant", 0)]
        assert other.execute("PRAGMA user_version").fetchone() == (1,)
    other.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.held()


def test_it_is_its_owners_alone_from_its_first_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes = []
    real = Path.chmod

    def chmod(path: Path, mode: int) -> None:
        modes.append(stat.S_IMODE(path.stat().st_mode))
        real(path, mode)

    monkeypatch.setattr(Path, "chmod", chmod)
    GrantStore(tmp_path / "grants.db")
    assert modes == [0o600]
