"""The whole story in the real app with the starter: a message meets a closed network and a full mailbox."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tests.goals.visit import Visit, visit
from tests.tui.stage import Stage, TurnedClock
from tui.app import AskfirstApp

GOAL = "Tell Ana I'll be ten minutes late"

pytestmark = pytest.mark.timeout(180)


class PatientStage(Stage):
    """A stage that waits for a real model, as long as the test may take."""

    async def until(self, true: Callable[[], object]) -> None:
        while not true():
            await self.pilot.pause()
            await asyncio.sleep(0.01)


class Telling:
    """The app in the demo world, waiting for the first permission of the story."""

    def __init__(self, stage: Stage, demo: Visit) -> None:
        self.stage = stage
        self.demo = demo

    async def asked(self, *words: str) -> None:
        """Wait for a permission that shows these words."""
        await self.stage.asked()
        for word in words:
            assert word in self.stage.text

    async def through_wifi(self) -> None:
        await self.asked("SETTINGS", "Wi-Fi")
        await self.stage.press("y")

    async def through_the_full_mailbox(self) -> None:
        await self.stage.questioned()
        assert "Which message may go to the trash?" in self.stage.text
        assert "Autumn catalogue" in self.stage.text
        await self.stage.press("1")
        await self.asked("MESSAGING", "Autumn catalogue", "trash")

    async def ended(self) -> None:
        await self.stage.until(lambda: not self.stage.app.turns.busy)


@pytest.fixture
async def telling(tmp_path: Path, starter_cache: Path) -> AsyncIterator[Telling]:
    async with visit(tmp_path, starter_cache, demo=True) as demo:
        clock = TurnedClock()
        app = AskfirstApp(demo.home, clock)
        async with app.run_test(size=(100, 40)) as pilot:
            stage = PatientStage(pilot, app, demo.home, clock)
            await stage.until(lambda: demo.home.model_state().ready)
            await stage.say(GOAL)
            yield Telling(stage, demo)


async def test_every_step_is_asked_on_its_own_and_the_message_is_sent_once(telling: Telling) -> None:
    await telling.through_wifi()
    await telling.through_the_full_mailbox()
    await telling.stage.press("y")
    await telling.asked("SENDS OUT", "ana.ruiz@post.example", "ten minutes late")
    await telling.stage.press("y")
    assert telling.demo.delivered() == [], "a small y sends nothing"
    await telling.stage.press("Y")
    await telling.ended()
    assert len(telling.demo.delivered()) == 1
    assert "ten minutes late" in telling.demo.delivered()[0]
    assert [text for text in telling.demo.mail("Trash") if "Autumn catalogue" in text]


async def test_a_no_to_wifi_sends_nothing(telling: Telling) -> None:
    await telling.asked("Wi-Fi")
    await telling.stage.press("n")
    await telling.ended()
    assert telling.demo.delivered() == []


async def test_no_message_picked_deletes_and_sends_nothing(telling: Telling) -> None:
    await telling.through_wifi()
    await telling.stage.questioned()
    await telling.stage.press("escape")
    await telling.ended()
    assert (telling.demo.delivered(), telling.demo.mail("Trash")) == ([], [])


async def test_a_no_to_the_deletion_deletes_and_sends_nothing(telling: Telling) -> None:
    await telling.through_wifi()
    await telling.through_the_full_mailbox()
    await telling.stage.press("n")
    await telling.ended()
    assert (telling.demo.delivered(), telling.demo.mail("Trash")) == ([], [])


async def test_a_no_to_the_send_itself_sends_nothing(telling: Telling) -> None:
    await telling.through_wifi()
    await telling.through_the_full_mailbox()
    await telling.stage.press("y")
    await telling.asked("SENDS OUT")
    await telling.stage.press("n")
    await telling.ended()
    assert telling.demo.delivered() == []
