"""Taking back, putting back, accepting and turning off are written down, and stand in the activity."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from connectors.base import Effect
from permissions.audit import ChangeKind, PermissionChange
from permissions.grants import GrantBook, Held
from permissions.journal import Journal, JournalError
from permissions.offers import offers
from permissions.rule_book import RuleBook
from permissions.words import GoalRef, Ruling, Scope, Verdict
from tests.permissions.fakes import prepared_for
from tests.tui.fake_house import NOW, entry
from tests.tui.stage import playing
from tui.cli import main
from tui.compose import open_home
from tui.permits import Permits
from tui.places import usual

READING = prepared_for("calendar.list_events", frozenset({Effect.READ}), (), {})
ASK = Ruling(Verdict.ASK, "ask.default", "no permission covers it yet")
GOAL = GoalRef("g1", "what is on today")
ALLOW = '[[rule]]\nname = "notes"\ntool = "write"\nunder = "Documents/notes"\ndecide = "allow"\n'


class FullDisk:
    """A log that nothing can be written into."""

    def note(self, *changes: PermissionChange) -> None:
        raise JournalError("The journal cannot be written: the disk is full.")

    def permission_changes(self, limit: int = 100) -> tuple[PermissionChange, ...]:
        return ()


class Desk:
    """What stands, over a real book, real files of rules, and a real journal."""

    def __init__(self, folder: Path) -> None:
        (folder / "permissions").mkdir()
        self.folder = folder
        self.book = GrantBook(clock=lambda: NOW)
        self.rules = RuleBook(folder / "permissions", folder / "rules")
        self.journal = Journal(folder / "journal.db", lambda: NOW)
        self.permits = self.over(self.journal)

    def over(self, log: Journal | FullDisk) -> Permits:
        return Permits(self.book, self.rules, self.journal.entry, lambda: NOW, log)

    def give(self, scope: Scope) -> Held:
        found = {o.grant.scope: o.grant for o in offers(READING, ASK, GOAL, NOW, origin="c1")}
        self.book.add(found[scope])
        return self.permits.held()[0]

    def write(self, text: str) -> None:
        (self.folder / "permissions" / "files.toml").write_text(text, "utf-8")
        self.rules.reload()

    def told(self) -> list[tuple[ChangeKind, str]]:
        """What the journal tells, oldest first."""
        return [(change.kind, change.words) for change in reversed(self.permits.history(100))]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.journal.close()


def test_taking_back_and_putting_back_are_written_down(desk: Desk) -> None:
    held = desk.give(Scope.SESSION)
    assert desk.permits.revoke(held)
    assert not desk.permits.revoke(held)
    desk.permits.restore(held)
    words = held.what.words
    assert desk.told() == [
        (ChangeKind.REVOKED, f"took back: {words}"),
        (ChangeKind.RESTORED, f"put back: {words}"),
    ]
    newest = desk.permits.history(1)[0]
    assert (newest.about, newest.at) == (held.id, NOW)
    assert newest.details == ("calendar, never used", "ends when Askfirst ends")
    assert desk.journal.verify() == ()


def test_turning_everything_off_and_on_is_written_down_with_what_went(desk: Desk) -> None:
    session, always = desk.give(Scope.SESSION), desk.give(Scope.ALWAYS)
    desk.permits.turn_on()
    assert {session.what, always.what} >= {held.what for held in desk.permits.panic()}
    desk.permits.turn_on()
    desk.permits.turn_on()
    assert desk.told() == [
        (ChangeKind.TURNED_OFF, "turned everything off"),
        (ChangeKind.REVOKED, f"took back: {session.what.words}"),
        (ChangeKind.TURNED_ON, "turned everything on again"),
    ]


def test_a_yes_to_a_wider_file_is_written_down_with_what_it_opens(desk: Desk) -> None:
    desk.write(ALLOW)
    (change,) = desk.permits.changes
    assert desk.told() == []
    desk.permits.accept(change)
    (kept,) = desk.permits.history(100)
    assert (kept.kind, kept.words) == (ChangeKind.ACCEPTED, "said yes to what files.toml allows")
    assert kept.about == "files.toml"
    assert kept.details[0] == "allows more: “notes”, files.write (files.toml:1)"
    assert kept.details[-1].startswith("SHA-256 of the file: ")
    assert "•" not in kept.details[-1]
    assert [rule.name for rule in desk.permits.rules] == ["notes"]


def test_what_cannot_be_written_down_takes_nothing_more_into_force(desk: Desk) -> None:
    held = desk.give(Scope.SESSION)
    permits = desk.over(FullDisk())
    assert permits.revoke(held)
    assert permits.held() == ()
    assert any("What was taken back since is taken back all the same." in said for said in permits.notices)
    with pytest.raises(JournalError):
        permits.restore(held)
    assert permits.held() == ()
    permits.panic()
    assert permits.off
    with pytest.raises(JournalError):
        permits.turn_on()
    assert permits.off
    desk.write(ALLOW)
    (change,) = permits.changes
    with pytest.raises(JournalError):
        permits.accept(change)
    assert desk.rules.changes == (change,)


async def test_the_permissions_screen_says_why_something_cannot_be_put_back(desk: Desk) -> None:
    held = desk.give(Scope.SESSION)
    async with playing(permits=desk.over(FullDisk())) as stage:
        await stage.press("f3", "down", "x")
        assert f"Taken back: {held.what.words}"[:40] in stage.text
        await stage.press("u")
        assert "The journal cannot be written: the disk is full." in stage.text
        assert desk.permits.held() == ()


async def test_changes_stand_between_the_calls_of_the_activity(desk: Desk) -> None:
    held = desk.give(Scope.SESSION)
    desk.permits.revoke(held)
    before = entry("e1", "Look at Friday", "calendar.list_events", at=NOW - timedelta(minutes=5))
    after = entry("e2", "Add Lunch", "calendar.create_event", goal="Lunch", goal_id="g2",
                  at=NOW + timedelta(minutes=5))  # fmt: skip
    async with playing(permits=desk.permits, rows=[after, before]) as stage:
        await stage.press("f2")
        lines = [line.strip() for line in stage.lines if line.strip()]
        place = lines.index("Permissions  Mon 30 Nov 2026")
        assert lines[place - 1].startswith("✓ 10:05 Add Lunch")
        assert lines[place + 1].startswith(f"– 10:00 You took back: {held.what.words}"[:40])
        assert lines[place + 3].startswith("✓ 09:55 Look at Friday")
        await stage.press("down", "enter")
        for text in ("You took back:", held.id, "ends when Askfirst ends", "row 1"):
            assert text in stage.text
        await stage.press("escape", "u")
        assert "This is undone with the permissions: F3." in stage.text
        await stage.press("slash")
        await stage.type("took back")
        await stage.press("enter")
        assert "Add Lunch" not in stage.text
        assert "You took back" in stage.text


async def test_enter_shows_what_would_be_said_to_a_call_now(desk: Desk) -> None:
    async with playing(permits=desk.permits, rows=[entry("e1", "Look", "calendar.list_events")]) as stage:
        await stage.press("f2", "enter", "end")
        assert "the record is too old to judge the call again" in stage.text


def test_the_command_line_lists_what_was_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASKFIRST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ASKFIRST_CACHE", str(tmp_path / "cache"))
    usual().make()
    home = open_home(usual())
    found = {o.grant.scope: o.grant for o in offers(READING, ASK, GOAL, NOW)}
    home._gate.grants.add(found[Scope.ALWAYS])
    (held,) = home.permits.held()
    home.journal.close()
    assert main(["permissions", "revoke", held.id]) == 0
    capsys.readouterr()
    assert main(["activity"]) == 0
    assert f"revoked    You took back: {held.what.words}" in capsys.readouterr().out
    assert main(["activity", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["id"], row["state"], row["about"]) == ("row-1", "revoked", held.id)
    assert main(["activity", "--verify"]) == 0
