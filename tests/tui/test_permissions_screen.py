"""What is permitted is seen and taken back by keyboard alone, in 80x24, and a change waits for a read yes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.containers import VerticalScroll

from connectors.base import Effect
from permissions.grants import GrantBook
from permissions.offers import offers, standing_noes
from permissions.outbox import Held
from permissions.rule_book import RuleBook
from permissions.words import GoalRef, Ruling, Scope, Verdict
from tests.permissions.fakes import prepared_for
from tests.tui.fake_house import NOW, change_event, entry
from tests.tui.stage import Stage, asking, playing
from tui.permits import Permits
from tui.screens.permissions import PermissionsScreen

READING = prepared_for("calendar.list_events", frozenset({Effect.READ}), (), {})
ASK = Ruling(Verdict.ASK, "ask.default", "no permission covers it yet")
GOAL = GoalRef("g1", "what is on today")
ALLOW = '[[rule]]\nname = "notes"\ntool = "write"\nunder = "Documents/notes"\ndecide = "allow"\n'
DENY = '[[rule]]\nname = "tax"\nunder = "Documents/tax"\ndecide = "refuse"\n'


class Desk:
    """What stands, over a real book and real files of rules."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "permissions"
        self.folder.mkdir()
        self.now = NOW
        self.book = GrantBook(clock=lambda: self.now)
        self.rules = RuleBook(self.folder, folder / "rules")
        calls = {"c1": entry("c1", "Show what is in the calendar", "calendar.list_events")}
        self.permits = Permits(self.book, self.rules, calls.get)

    def give(self, *scopes: Scope) -> None:
        """Give the widest reading of the calendar for each scope."""
        found = {o.grant.scope: o.grant for o in offers(READING, ASK, GOAL, NOW, origin="c1")}
        for scope in scopes:
            self.book.add(found[scope])

    def write(self, text: str) -> None:
        (self.folder / "files.toml").write_text(text, "utf-8")
        self.rules.reload()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@asynccontextmanager
async def opened(desk: Desk, **house: Any) -> AsyncIterator[Stage]:
    async with playing(permits=desk.permits, **house) as stage:
        await stage.press("f3")
        await stage.until(lambda: isinstance(stage.app.screen, PermissionsScreen))
        await stage.settle()
        yield stage


def at_end(stage: Stage) -> bool:
    """True if the details are scrolled to their end."""
    return stage.app.screen.query_one(".details", VerticalScroll).is_vertical_scroll_end


async def test_with_nothing_permitted_it_says_so(desk: Desk) -> None:
    async with opened(desk) as stage:
        assert "Every call is asked for: nothing is permitted in advance" in stage.text


async def test_each_permission_says_for_how_long_what_it_covers_and_when_it_was_used(desk: Desk) -> None:
    desk.give(Scope.SESSION, Scope.ALWAYS)
    desk.book.used(READING, GOAL, NOW + timedelta(minutes=5))
    desk.book.ban(standing_noes(prepared_for(), GOAL, NOW)[-1])
    async with opened(desk) as stage:
        assert "✓ always    any reading of the calendar, always" in stage.text
        assert "✓ session   any reading of the calendar, for this session" in stage.text
        assert "used once, last 30 Nov 10:05" in " ".join(stage.text.split())
        assert "You said never" in stage.text
        assert "✗ always    never anything that does it, ever again" in stage.text
        assert all(len(line) <= 80 for line in stage.lines)


async def test_the_details_say_with_which_call_it_was_given_and_when_it_ends(desk: Desk) -> None:
    desk.give(Scope.ALWAYS)
    async with opened(desk) as stage:
        await stage.press("enter")
        text = " ".join(stage.text.split())
        assert "With Show what is in the calendar (Move my dentist appointment" in text
        assert "Ends Fri 29 Jan 2027 10:00, unless it is used before" in text
        assert "May do read" in text
        await stage.press("escape")
        assert "May do" not in stage.text
        assert isinstance(stage.app.screen, PermissionsScreen)
        await stage.press("escape")
        assert not isinstance(stage.app.screen, PermissionsScreen)


async def test_x_takes_back_at_once_and_u_puts_back(desk: Desk) -> None:
    desk.give(Scope.SESSION, Scope.ALWAYS)
    async with opened(desk) as stage:
        before = desk.book.held()
        await stage.press("x")
        assert len(desk.book.held()) == 1
        assert "Taken back: any reading of the calendar" in stage.text
        await stage.press("x")
        assert desk.book.held() == ()
        await stage.press("u", "u")
        assert set(desk.book.held()) == set(before)
        await stage.press("u")
        assert len(desk.book.held()) == 2


async def test_enter_space_and_y_take_nothing_back_and_give_nothing(desk: Desk) -> None:
    desk.give(Scope.SESSION)
    desk.write(ALLOW)
    async with opened(desk) as stage:
        await stage.press("enter", "space", "y", "escape", "space", "y", "Y", "enter")
        assert len(desk.book.held()) == 1
        assert len(desk.rules.changes) == 1


class TestChanges:
    async def test_a_file_that_allows_more_is_told_in_the_conversation_as_soon_as_it_is_saved(
        self, desk: Desk
    ) -> None:
        async with playing(permits=desk.permits) as stage:
            desk.write(DENY + ALLOW)
            await stage.until(lambda: "allows more than you have said yes to" in stage.text)
            assert "allows more: “notes”, files.write (files.toml:5)" in stage.text
            desk.rules.reload()
            await stage.settle()
            assert stage.text.count("files.toml was changed") == 1

    async def test_the_diff_is_shown_and_only_a_capital_y_makes_it_hold(self, desk: Desk) -> None:
        desk.write(DENY)
        desk.write(DENY + ALLOW)
        async with opened(desk) as stage:
            assert "files.toml allows more than before: 1 change" in stage.text
            await stage.press("Y")
            assert len(desk.rules.changes) == 1
            await stage.press("enter")
            assert '┃ +under = "Documents/notes"' in stage.text or "Read it" in stage.text
            await stage.press("end")
            await stage.until(lambda: at_end(stage))
            assert "Y makes this hold." in " ".join(stage.text.split())
            await stage.press("Y")
            assert desk.rules.changes == ()
            assert [rule.name for rule in desk.permits.rules] == ["tax", "notes"]
            assert "allows    “notes”: files.write" in stage.text

    async def test_a_long_change_is_read_to_its_end_first(self, desk: Desk) -> None:
        desk.write("".join(ALLOW.replace("notes", f"notes{n}") for n in range(20)))
        async with opened(desk) as stage:
            await stage.press("enter", "Y")
            assert "Read it to its end first." in stage.text
            assert len(desk.rules.changes) == 1
            await stage.press("end")
            await stage.until(lambda: at_end(stage))
            await stage.press("Y")
            assert desk.rules.changes == ()

    async def test_a_broken_file_is_a_banner_with_its_line(self, desk: Desk) -> None:
        desk.write(DENY)
        desk.write("[[rule]]\ncolour = 1\n")
        async with opened(desk) as stage:
            assert "files.toml, line 1" in stage.text or "files.toml, line 2" in stage.text
            assert "refuses   “tax”" in stage.text

    async def test_a_rule_is_taken_back_only_in_its_file(self, desk: Desk) -> None:
        desk.write(DENY)
        async with opened(desk) as stage:
            await stage.press("x")
            assert "This rule stands in files.toml:1; it is changed there." in stage.text
            await stage.press("enter")
            assert "Under Documents/tax (every argument)" in " ".join(stage.text.split())


class TestPanic:
    async def test_it_stops_turns_all_off_and_takes_back_what_is_not_for_good(self, desk: Desk) -> None:
        desk.give(Scope.GOAL, Scope.SESSION, Scope.UNTIL, Scope.ALWAYS)
        async with asking(change_event()) as (stage, script):
            stage.app.house.permits = desk.permits
            await stage.asked()
            await stage.press("f12")
            await stage.until(lambda: not stage.app.turns.busy)
            assert script.answers == []
            assert desk.permits.off
            assert [held.what.scope for held in desk.book.held()] == [Scope.ALWAYS]
            text = " ".join(stage.text.split())
            assert "Everything is off" in text
            assert "What was being done was stopped." in text
            assert "Taken back: 3 permissions" in text
            assert "To turn it on again: :on, or F3 and o." in text

    async def test_it_is_turned_on_again_from_the_screen_or_by_a_command(self, desk: Desk) -> None:
        async with opened(desk) as stage:
            await stage.press("f12")
            assert desk.permits.off
            await stage.press("o")
            assert not desk.permits.off
            await stage.press("escape")
            for command, off in ((":panic", True), (":on", False)):
                await stage.say(command)
                await stage.settle()
                assert desk.permits.off is off

    async def test_what_is_held_is_not_sent(self, desk: Desk) -> None:
        held = Held("r1", "Send a message to Ana Ruiz", NOW, 0.0)
        async with playing(permits=desk.permits, waiting=[held]) as stage:
            await stage.press("f12")
            assert list(stage.house.held()) == []
            assert "Not sent: Send a message to Ana Ruiz" in stage.text
