"""The picker for a connector's question: a choice between things, never an approval."""

import asyncio
from collections.abc import Callable

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Input, Static

from assistant.frontend import Answer
from connectors.base import Option, Question
from tui.frame import FrameTop
from tui.keys import EARLY, Clock, Guard
from tui.prompt.rows import Line, Row
from tui.text import counted, hanging, joined, literal

NO_ANSWER = Answer(None)


class QuestionPicker(Vertical, can_focus=True):
    """Shows a question, its options by number, and a line for a free answer where one is taken."""

    BINDINGS = [
        *(
            Binding(
                str(number),
                f"pick({number})",
                f"answer {number}",
                show=False,
                id=f"question.{number}",
                tooltip=f"Give answer {number}",
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
        super().__init__()
        self.question = question
        self.answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.guard = Guard(clock)
        self._room = room
        self._marked = 0
        self._row: Row | None = None
        self._hint = ""

    def compose(self) -> ComposeResult:
        yield FrameTop()
        with Vertical(classes="inside"):
            yield Static("", markup=False, classes="sheet")

    def on_mount(self) -> None:
        if self.question.argument and not self.question.options:
            self.action_type()
        self.came_into_view()

    def came_into_view(self) -> None:
        """From now on, keys count only after a moment."""
        self.guard.hidden()
        self.redraw()
        self.call_after_refresh(self.guard.appeared)

    def redraw(self) -> None:
        """Draw for the size the terminal has now; a question that cannot be drawn has no answer."""
        try:
            self._draw(self._room())
        except Exception:
            self.answer(NO_ANSWER)

    def _draw(self, room: Size) -> None:
        width = room.width - 4
        top = self.query_one(FrameTop).draw(
            ("ASKFIRST ASKS", "which one?" if self.question.options else "tell me"), "", room.width
        )
        text = literal(self.question.text, "bold").wrap(width)
        shown = self._options(width, room.height - top - 1 - len(text) - bool(self._row))
        self.query_one(".sheet", Static).update(joined([*text, *shown]))
        self.query_one(".inside").border_subtitle = literal(self._hint or self._keys(), "bold")

    def _options(self, width: int, height: int) -> list[Content]:
        """The options that fit, with the marked one among them."""
        blocks = [self._option(number, option, width) for number, option in enumerate(self.question.options)]
        if self.question.argument and blocks and self._row is None:
            blocks.append(self._entry(len(blocks), "0", literal("something else: write it"), width))
        if sum(map(len, blocks)) <= height:
            return [line for block in blocks for line in block]
        first, last = 0, len(blocks)
        while last - first > 1 and sum(map(len, blocks[first:last])) > height - 1:
            first, last = (first, last - 1) if last - 1 > self._marked else (first + 1, last)
        lines = [line for block in blocks[first:last] for line in block][: height - 1]
        return [*lines, Content(f"  … {counted(len(blocks) - (last - first), 'more answer')} (↑ ↓)")]

    def _option(self, number: int, option: Option, width: int) -> list[Content]:
        text = literal(option.label)
        if option.detail:
            text = Content.assemble(text, "  ", literal(option.detail, "$muted"))
        return self._entry(number, str(number + 1) if number < 9 else " ", text, width)

    def _entry(self, number: int, key: str, text: Content, width: int) -> list[Content]:
        marked = number == self._marked
        head = literal(f"{'▸' if marked else ' '} {key}", "bold")
        return hanging(head, text.stylize("bold") if marked else text, width, 5)

    def _keys(self) -> str:
        if self._row is not None:
            return "Enter gives it · Esc back" if self.question.options else "Enter gives it · Esc no answer"
        return "a number or Enter chooses · Esc no answer"

    def answer(self, answer: Answer) -> None:
        """Only the first answer counts."""
        if not self.answered.done():
            self.answered.set_result(answer)

    def on_key(self, event: events.Key) -> None:
        """Keys that come too early stop here."""
        if event.key == "escape" or (event.key[0] == "f" and event.key[1:].isdigit()):
            return
        self._hint = ""
        if not self.guard.lets_pass(event):
            event.stop()
            event.prevent_default()
            self._hint = EARLY
        self.redraw()

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
            self._row = Row("Answer", Line(compact=True))
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
