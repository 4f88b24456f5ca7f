"""The place at the bottom: the composer, or in its stead the one question that is open."""

import asyncio
from collections.abc import Callable, Sequence
from typing import ClassVar, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Size
from textual.widgets import TextArea

from assistant.frontend import Answer
from connectors.base import Question
from permissions.words import Decision, Reply, Request
from tui import colon
from tui.asked import Asked
from tui.composer import Composer
from tui.hints import CommandHints
from tui.keys import Clock
from tui.prompt.batch import BatchPrompt
from tui.prompt.widget import PermissionPrompt
from tui.question import NO_ANSWER, QuestionPicker

A = TypeVar("A")
Open = PermissionPrompt | BatchPrompt | QuestionPicker


class Dock(Vertical):
    """Holds the composer, and lends its place to one question at a time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "tab",
            "complete",
            "complete",
            show=False,
            id="composer.complete",
            tooltip="Write the command that was begun to its end",
        ),
        Binding(
            "ctrl+r",
            "app.goals",
            "goals",
            show=False,
            id="composer.goals",
            tooltip="Find a goal given before, and write it again",
        ),
    ]

    def __init__(self, clock: Clock, room: Callable[[], Size]) -> None:
        super().__init__()
        self.composer = Composer()
        self.hints = CommandHints()
        self._clock = clock
        self._room = room
        self._turn = asyncio.Lock()

    def compose(self) -> ComposeResult:
        yield self.hints
        yield self.composer

    @on(TextArea.Changed)
    def _hint(self) -> None:
        self.hints.about(self.composer.text if self.composer.display else "")

    def action_complete(self) -> None:
        """Write on what was begun, as far as it is clear; anything but a command stays as it is."""
        text = self.composer.text
        if colon.is_command(text) and "\n" not in text:
            self.composer.insert(colon.completed(text)[len(text) :], self.composer.document.end)

    @property
    def asking(self) -> Open | None:
        """The question that is open."""
        return next((child for child in self.children if isinstance(child, Open)), None)

    async def ask(self, requests: Sequence[Request]) -> Sequence[Decision]:
        """Put requests in the composer's place; an error while they are shown is a no to all."""
        async with self._turn:
            decisions: tuple[Decision, ...] = ()
            if len(requests) > 1:
                batch = BatchPrompt(requests, self._clock, self._room)
                decisions = await self._answered(batch, lambda why: (why,) * len(requests))
            return decisions or await self._one_by_one(requests)

    async def _one_by_one(self, requests: Sequence[Request]) -> Sequence[Decision]:
        decisions: list[Decision] = []
        for request in requests:
            prompt = PermissionPrompt(request, self._clock, self._room)
            decisions.append(await self._answered(prompt, lambda why: why))
            if decisions[-1].reply is Reply.STOP:
                return [Decision(Reply.STOP)] * len(requests)
        return decisions

    async def choose(self, question: Question) -> Answer:
        """Put a question in the composer's place; an error while it is shown is no answer."""
        async with self._turn:
            picker = QuestionPicker(question, self._clock, self._room)
            return await self._answered(picker, lambda _: NO_ANSWER)

    async def _answered(self, asked: Asked[A], broken: Callable[[Decision], A]) -> A:
        """The answer, or what stands for one if it cannot be asked."""
        try:
            await self._lend(asked)
            return await asked.answered
        except Exception as error:
            return broken(Decision(Reply.NO, reason=f"it could not be asked ({type(error).__name__})"))
        finally:
            self._restore(asked)

    async def _lend(self, question: Asked[A]) -> None:
        self.composer.display = self.hints.display = False
        question.redraw()
        await self.mount(question)
        question.focus(scroll_visible=False)

    def _restore(self, question: Asked[A]) -> None:
        question.remove()
        self.composer.display = True
        self._hint()
        self.composer.focus(scroll_visible=False)

    def came_into_view(self) -> None:
        """The screen is seen again after something else was: keys count only after a moment."""
        if self.asking is not None:
            self.asking.came_into_view()

    def redraw(self) -> None:
        """The room has changed."""
        if self.asking is not None:
            self.asking.redraw()
