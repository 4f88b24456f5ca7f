"""What the terminal's tests share: a clock to turn, an app on a fake house, and a look at its screen."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from textual import events
from textual.pilot import Pilot

from assistant.events import Ending, GoalTaken, TurnEnded
from assistant.frontend import Answer, Frontend
from connectors.base import Question
from permissions.words import Decision, Request
from tests.tui.fake_house import FakeHouse, Script, nothing
from tui.app import AskfirstApp
from tui.prompt.widget import PermissionPrompt
from tui.question import QuestionPicker

GOAL = "Move my dentist appointment to Friday at 4"


CHARACTERS = {"enter": "\r", "tab": "\t", "space": " ", "question_mark": "?", "slash": "/"}
NAMES = {" ": "space", ".": "full_stop", "?": "question_mark", ":": "colon", "/": "slash"}


class TurnedClock:
    """A clock that stands still until it is turned."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Stage:
    """One running app."""

    pilot: Pilot[Any]
    app: AskfirstApp
    house: FakeHouse
    clock: TurnedClock

    async def until(self, true: Callable[[], object]) -> None:
        """Wait until something is so."""
        for _ in range(200):
            if true():
                return
            await self.settle()
            await asyncio.sleep(0.005)
        raise AssertionError("it never came to be so:\n" + self.text)

    async def press(self, *keys: str) -> None:
        """Press keys one after another; each was dealt with before the next."""
        for key in keys:
            character = CHARACTERS.get(key, key if len(key) == 1 else None)
            event = events.Key(NAMES.get(key, key), character)
            event.set_sender(self.app)
            self.app.post_message(event)
            await self.settle()

    async def settle(self) -> None:
        """Wait until everything that was said to the app and by its parts was heard, and is on the screen."""
        for _ in range(4):
            await self.pilot._wait_for_screen()
            self.app.screen._on_timer_update()

    async def type(self, text: str) -> None:
        await self.press(*text)

    async def say(self, goal: str = GOAL) -> None:
        """Give a goal, without the time that typing it takes."""
        self.app.conversation.dock.composer.text = goal
        await self.press("enter")

    async def appeared(self) -> None:
        """Wait until something asked is in view; no time has passed since."""
        dock = self.app.conversation.dock
        await self.until(lambda: dock.asking and dock.asking.in_view)

    async def asked(self) -> PermissionPrompt:
        """Wait until a permission is asked and keys count."""
        await self.until(lambda: isinstance(self.app.conversation.dock.asking, PermissionPrompt))
        prompt = self.app.conversation.dock.asking
        assert isinstance(prompt, PermissionPrompt)
        await self.look()
        return prompt

    async def questioned(self) -> QuestionPicker:
        """Wait until a question is asked and keys count."""
        await self.until(lambda: isinstance(self.app.conversation.dock.asking, QuestionPicker))
        picker = self.app.conversation.dock.asking
        assert isinstance(picker, QuestionPicker)
        await self.look()
        return picker

    async def look(self) -> None:
        """Let the time pass in which keys do not count."""
        asking = self.app.conversation.dock.asking
        await self.until(lambda: asking is None or asking.in_view)
        self.clock.now += 1
        self.app.conversation.dock.redraw()
        await self.settle()

    @property
    def text(self) -> str:
        """The characters on the screen."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text.rstrip() for strip in strips)

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")


@asynccontextmanager
async def playing(
    script: Script = nothing,
    size: tuple[int, int] = (80, 24),
    keys: Mapping[str, str] | None = None,
    **house: Any,
) -> AsyncIterator[Stage]:
    """An app on a house that plays the script."""
    fake, clock = FakeHouse(script, **house), TurnedClock()
    app = AskfirstApp(fake, clock, keys=keys)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Stage(pilot, app, fake, clock)


class Asking:
    """A script that asks for these in turn (those in a tuple together), keeps the answers, and ends well."""

    def __init__(self, *requests: Request | tuple[Request, ...] | Question) -> None:
        self.requests = requests
        self.answers: list[Decision | Answer] = []

    async def __call__(self, goal: str, front: Frontend) -> None:
        await front.show(GoalTaken(goal))
        for request in self.requests:
            if isinstance(request, Question):
                self.answers.append(await front.choose(request))
            else:
                together = request if isinstance(request, tuple) else (request,)
                self.answers.extend(await front.ask(together))
        await front.show(TurnEnded(Ending.DONE, ""))

    @property
    def answer(self) -> Decision | Answer:
        """The only answer."""
        assert len(self.answers) == 1
        return self.answers[0]


@asynccontextmanager
async def asking(
    *requests: Request | tuple[Request, ...] | Question, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Stage, Asking]]:
    """An app in which a goal was given, whose script asks for these."""
    script = Asking(*requests)
    async with playing(script, size) as stage:
        await stage.say()
        yield stage, script
