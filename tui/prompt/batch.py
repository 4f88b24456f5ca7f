"""The prompt about several requests at once: every one in full, and no permission comes from here."""

from collections.abc import Callable, Sequence

from textual import on
from textual.geometry import Size

from permissions.words import Decision, Key, Reply, Request
from tui.keys import Clock
from tui.prompt.base import Prompt
from tui.prompt.bindings import TOGETHER
from tui.prompt.rows import ReasonRow
from tui.prompt.together import Together, no

Decisions = tuple[Decision, ...]


class BatchPrompt(Prompt[Decisions]):
    """Waits for one answer to all; an answer of no decisions at all wants them asked one by one."""

    BINDINGS = TOGETHER

    def __init__(self, requests: Sequence[Request], clock: Clock, room: Callable[[], Size]) -> None:
        self._together = Together(requests)
        super().__init__(self._together, clock, room)
        self._count = len(requests)

    def undrawable(self, error: Exception) -> Decisions:
        return (no(f"it could not be shown ({type(error).__name__})"),) * self._count

    def action_yes(self, letter: str) -> None:
        key = self._together.key
        if not self._together.agreed:
            self.say("nothing is ticked: n says no to all")
        elif letter != key.value:
            small = "all that is ticked can be taken back: press small y"
            self.say(small if key is Key.SMALL else "something here goes out or stays: press capital Y")
        elif self.face.refusal:
            self.say(self.face.refusal)
        else:
            self.answer(self._together.decisions(Decision(Reply.YES, key=key), no()))

    def action_tick(self, number: int) -> None:
        if self.face.sheet.plain and self._together.tick(number):
            self.face.sheet.version = tuple(self._together.ticked)
            self.redraw()

    def action_one_by_one(self) -> None:
        self.answer(())

    def action_no(self) -> None:
        self.answer((no(),) * self._count)

    def action_stop(self) -> None:
        self.answer((Decision(Reply.STOP),) * self._count)

    def action_nothing(self) -> None:
        self.say(f"press {self._together.key.value} or n")

    @on(ReasonRow.Given)
    def _refuse(self, event: ReasonRow.Given) -> None:
        self.answer((no(event.reason),) * self._count)
