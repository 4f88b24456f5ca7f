"""The place at the bottom: the composer, or in its stead the one question that is open."""

import asyncio
from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.geometry import Size

from assistant.frontend import Answer
from connectors.base import Question
from permissions.words import Decision, Reply, Request
from tui.composer import Composer
from tui.keys import Clock
from tui.prompt.widget import PermissionPrompt
from tui.question import NO_ANSWER, QuestionPicker


class Dock(Vertical):
    """Holds the composer, and lends its place to one question at a time."""

    def __init__(self, clock: Clock, room: Callable[[], Size]) -> None:
        super().__init__()
        self.composer = Composer()
        self._clock = clock
        self._room = room
        self._turn = asyncio.Lock()

    def compose(self) -> ComposeResult:
        yield self.composer

    @property
    def asking(self) -> PermissionPrompt | QuestionPicker | None:
        """The question that is open."""
        return next(
            (child for child in self.children if isinstance(child, PermissionPrompt | QuestionPicker)), None
        )

    async def ask(self, request: Request) -> Decision:
        """Put a request in the composer's place; an error while it is shown is a no."""
        async with self._turn:
            prompt = PermissionPrompt(request, self._clock, self._room)
            try:
                await self._lend(prompt)
                return await prompt.answered
            except Exception as error:
                return Decision(Reply.NO, reason=f"it could not be asked ({type(error).__name__})")
            finally:
                self._restore(prompt)

    async def choose(self, question: Question) -> Answer:
        """Put a question in the composer's place; an error while it is shown is no answer."""
        async with self._turn:
            picker = QuestionPicker(question, self._clock, self._room)
            try:
                await self._lend(picker)
                return await picker.answered
            except Exception:
                return NO_ANSWER
            finally:
                self._restore(picker)

    async def _lend(self, question: PermissionPrompt | QuestionPicker) -> None:
        self.composer.display = False
        await self.mount(question)
        question.focus(scroll_visible=False)

    def _restore(self, question: PermissionPrompt | QuestionPicker) -> None:
        question.remove()
        self.composer.display = True
        self.composer.focus(scroll_visible=False)

    def came_into_view(self) -> None:
        """The screen is seen again after something else was: keys count only after a moment."""
        if self.asking is not None:
            self.asking.came_into_view()

    def redraw(self) -> None:
        """The room has changed."""
        if self.asking is not None:
            self.asking.redraw()
