"""The journal's file says in one sentence what is wrong with it, and keeps all of a damaged one."""

import logging
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from permissions.database import Database, JournalError
from tests.permissions.fakes import NOW


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    made = Database(path, NOW)
    yield made
    made.close()


def sync_of(database: Database) -> int:
    return int(database.rows("PRAGMA synchronous")[0][0])


def write(database: Database, number: int = 1, *, durable: bool = True) -> None:
    with database.writing(durable=durable) as connection:
        connection.execute("INSERT INTO pruned VALUES (?, 'head')", (number,))


def damage(path: Path) -> None:
    """Spoil the pages of the file behind the first."""
    data = bytearray(path.read_bytes())
    data[4096:] = b"\x55" * (len(data) - 4096)
    path.write_bytes(data)


class TestSentences:
    @pytest.mark.parametrize(
        ("how", "step"),
        [
            ("written", write),
            ("read", lambda database: database.rows("SELECT * FROM pruned")),
            ("read", lambda database: _read_in_one(database)),
        ],
    )
    def test_every_error_says_what_it_was_for(
        self, database: Database, path: Path, how: str, step: Callable[[Database], object]
    ) -> None:
        with sqlite3.connect(path) as other:
            other.execute("DROP TABLE pruned")
        other.close()
        with pytest.raises(JournalError) as caught:
            step(database)
        assert str(caught.value) == f"The journal {path} cannot be {how}: no such table: pruned."
        assert isinstance(caught.value.__cause__, sqlite3.Error)

    def test_a_journal_that_may_only_be_read_is_said_so(self, database: Database, path: Path) -> None:
        database.rows("PRAGMA query_only = 1")
        with pytest.raises(JournalError) as caught:
            write(database)
        assert str(caught.value) == f"The journal {path} cannot be written: it may only be read."

    def test_one_that_is_damaged_while_it_is_open_is_said_so(self, path: Path) -> None:
        first = Database(path, NOW)
        for number in range(500):
            write(first, number, durable=False)
        first.close()
        database = Database(path, NOW)
        damage(path)
        database.rows("PRAGMA shrink_memory")
        with pytest.raises(JournalError) as caught:
            database.rows("SELECT * FROM pruned")
        assert str(caught.value) == f"The journal {path} cannot be read: it is damaged."
        database.close()

    def test_a_folder_in_its_place_is_told_in_the_words_of_the_system(self, path: Path) -> None:
        path.mkdir()
        with pytest.raises(JournalError) as caught:
            Database(path, NOW)
        assert str(caught.value) == f"The journal {path} cannot be used: is a directory."

    def test_where_the_owners_cannot_be_looked_at_nobody_is_held_for_dead(
        self, database: Database, path: Path
    ) -> None:
        assert database.dead({database.owner, "gone"}) == {"gone"}
        owners = path.with_name("journal.db.owners")
        shutil.rmtree(owners)
        owners.write_text("in the way")
        with pytest.raises(JournalError) as caught:
            database.dead({"gone"})
        assert str(caught.value) == f"The journal {path} cannot be used: not a directory."
        owners.unlink()
        owners.mkdir()

    def test_what_cannot_be_rolled_back_is_told_to_the_log(
        self, path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        database = Database(path, NOW)
        database.close()
        with pytest.raises(JournalError, match="cannot be written"):
            write(database)
        assert caplog.messages == ["the journal could not be rolled back"]


class TestWriting:
    def test_nothing_of_a_block_that_raises_was_written(self, database: Database) -> None:
        with pytest.raises(ZeroDivisionError):
            _write_and_fail(database)
        assert database.rows("SELECT * FROM pruned") == []
        write(database)
        assert [tuple(row) for row in database.rows("SELECT * FROM pruned")] == [(1, "head")]

    def test_only_what_must_be_is_flushed_to_the_disk(self, database: Database) -> None:
        seen = [sync_of(database)]
        for number, durable in enumerate((False, False, True, True, False)):
            write(database, number, durable=durable)
            seen.append(sync_of(database))
        assert seen == [2, 1, 1, 2, 2, 1]

    def test_several_readings_are_of_one_moment(self, database: Database, path: Path) -> None:
        other = Database(path, NOW)
        with database.snapshot() as connection:
            before = connection.execute("SELECT count(*) FROM pruned").fetchone()[0]
            write(other)
            after = connection.execute("SELECT count(*) FROM pruned").fetchone()[0]
        assert (before, after) == (0, 0)
        assert len(database.rows("SELECT * FROM pruned")) == 1
        other.close()

    def test_it_can_be_used_from_another_thread(self, database: Database) -> None:
        thread = threading.Thread(target=write, args=(database,))
        thread.start()
        thread.join()
        assert database.rows("SELECT n FROM pruned WHERE head = ?", "head")[0]["n"] == 1


class TestDamage:
    def test_the_names_of_damaged_journals_are_counted_on(self, path: Path) -> None:
        for number in range(4):
            path.write_bytes(b"broken %d" % number * 500)
            Database(path, NOW.replace(hour=9, minute=8, second=7)).close()
            for companion in path.parent.glob("journal.db-*"):
                companion.unlink()
        first = "journal.db.damaged-20261130T090807"
        kept = {each.name: each.read_bytes()[:8] for each in path.parent.glob("journal.db.damaged-*")}
        assert kept == {
            first: b"broken 0",
            f"{first}-1": b"broken 1",
            f"{first}-2": b"broken 2",
            f"{first}-3": b"broken 3",
        }

    def test_what_another_process_still_has_open_is_kept_with_all_that_belongs_to_it(
        self, path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        first = Database(path, NOW)
        for number in range(500):
            write(first, number, durable=False)
        first.close()
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("INSERT INTO pruned VALUES (1000, 'head')")
        damage(path)
        with caplog.at_level(logging.ERROR):
            database = Database(path, NOW)
        other.close()
        aside = path.with_name("journal.db.damaged-20261130T100000")
        assert aside.exists()
        assert aside.with_name(f"{aside.name}-wal").exists()
        assert aside.with_name(f"{aside.name}-shm").exists()
        assert database.rows("SELECT * FROM pruned") == []
        assert database.notices == (
            f"The journal was damaged. It was kept as {aside}, and a new one was begun.",
        )
        (record,) = caplog.records
        assert record.levelno == logging.ERROR
        assert record.getMessage().startswith(f"journal {path} is damaged (")
        assert record.getMessage().endswith(f"); kept as {aside}")
        assert "(None)" not in record.getMessage()
        database.close()


def _read_in_one(database: Database) -> None:
    with database.snapshot() as connection:
        connection.execute("SELECT * FROM pruned")


def _write_and_fail(database: Database) -> None:
    with database.writing() as connection:
        connection.execute("INSERT INTO pruned VALUES (1, 'head')")
        raise ZeroDivisionError
