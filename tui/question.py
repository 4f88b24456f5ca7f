"""The picker for a connector's question: a choice between things, never an approval."""

from collections.abc import Callable
from math import ceil

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.geometry import Size
from textual.widgets import Input, Static

from assistant.frontend import Answer
from connectors.base import Question
from tui.asked import Asked
from tui.choices import choice_lines
from tui.frame import FrameTop
from tui.keys import Clock
from tui.prompt.rows import Line, Row
from tui.text import joined, literal

NO_ANSWER = Answer(None)


class QuestionPicker(Asked[Answer]):
    """Shows a question, its options by number, and a line for a free answer where one is taken."""

    BINDINGS = [
        *(
            Binding(
                str(number),
                f"pick({number})",
                f"answer {number}",
                show=False,
                id=f"question.{number}",
                tooltip="Give the answer of that number",
            )
            for number in range(1, 10)
        ),
        Binding(
            "enter",
            "pick_highlighted",
            "choose",
            id="question.choose",
            tooltip="Give the answer that is marked",
        ),
        Binding("down,j", "move(1)", "down", show=False, id="question.down", tooltip="Mark the next answer"),
        Binding("up,k", "move(-1)", "up", show=False, id="question.up", tooltip="Mark the answer before"),
        Binding(
            "0",
            "type",
            "write an answer",
            show=False,
            id="question.type",
            tooltip="Write an answer of your own",
        ),
        Binding("question_mark", "app.help", "keys", show=False, id="question.help", tooltip="All keys"),
        Binding(
            "escape",
            "leave",
            "no answer",
            id="question.leave",
            tooltip="Give no answer; the call is not made",
        ),
    ]

    def __init__(self, question: Question, clock: Clock, room: Callable[[], Size]) -> None:
        super().__init__(clock, room)
        self.question = question
        self._marked = 0
        self._clock = clock
        self._ends = clock() + question.seconds if question.seconds is not None else None
        self._row: Row | None = None

    def compose(self) -> ComposeResult:
        yield FrameTop()
        with Vertical(classes="inside"):
            yield Static("", markup=False, classes="sheet")

    def on_mount(self) -> None:
        if self._ends is not None:
            self.set_interval(1.0, self.redraw)
        if not self.question.options:
            self.action_type()

    def draw(self, room: Size) -> None:
        width = room.width - 4
        parts = ("ASKFIRST ASKS", "which one?" if self.question.options else "tell me")
        top = self.query_one(FrameTop).draw(parts, self._left(), room.width)
        text = literal(self.question.text, "bold").wrap(width)
        writing = self._row is not None
        left = room.height - top - 1 - len(text) - writing
        shown = choice_lines(self.question, self._marked, width, left, writing=writing)
        self.query_one(".sheet", Static).update(joined([*text, *shown]))
        self.query_one(".inside").border_subtitle = literal(self.said or self._keys(), "bold")

    def _left(self) -> str:
        """The seconds that are left, where there is a limit to them."""
        return "" if self._ends is None else f"{max(ceil(self._ends - self._clock()), 0)} s"

    def _keys(self) -> str:
        if self._row is not None:
            return "Enter gives it · Esc back" if self.question.options else "Enter gives it · Esc no answer"
        return "a number or Enter chooses · Esc no answer"

    def undrawable(self, error: Exception) -> Answer:
        return NO_ANSWER

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._row is None

    def action_pick(self, number: int) -> None:
        if number <= len(self.question.options):
            self.answer(Answer(self.question.options[number - 1].arguments))

    def action_pick_highlighted(self) -> None:
        if self._marked < len(self.question.options):
            self.action_pick(self._marked + 1)
        else:
            self.action_type()

    def action_move(self, by: int) -> None:
        last = len(self.question.options) - (0 if self.question.argument else 1)
        self._marked = min(max(self._marked + by, 0), max(last, 0))
        self.redraw()

    def action_type(self) -> None:
        if self.question.argument:
            self._row = Row("Answer", Line())
            self.query_one(".inside").mount(self._row)
            self.redraw()

    def action_leave(self) -> None:
        self.answer(NO_ANSWER)

    @on(Row.Left)
    async def _close_row(self) -> None:
        if not self.question.options:
            self.answer(NO_ANSWER)
        elif self._row is not None:
            await self._row.remove()
            self._row = None
            self.focus()
            self.redraw()

    @on(Input.Submitted)
    def _give(self, event: Input.Submitted) -> None:
        event.stop()
        text = event.value.strip()
        if text and self.question.argument:
            self.answer(Answer({self.question.argument: text}))
