"""What every prompt does: it draws itself, scrolls, shows why, is set aside, and says no."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from textual import on
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from permissions.words import Decision
from tui.asked import Asked
from tui.keys import Clock
from tui.prompt.edit import EditForm
from tui.prompt.face import Face
from tui.prompt.rows import ReasonRow, Row
from tui.prompt.subject import Subject, View
from tui.text import joined

A = TypeVar("A", Decision, tuple[Decision, ...])


@dataclass
class ScrolledBehind(Message):
    """Lines to move what is behind a question that was set aside."""

    lines: int


class Prompt(Asked[A]):
    """One widget that draws everything itself; only a line or a form to write in is another."""

    def __init__(self, subject: Subject, clock: Clock, room: Callable[[], Size]) -> None:
        super().__init__(clock, room)
        self.face = Face(subject)
        self._content = Content("")
        self._row: Row | EditForm | None = None
        self._was_whole: bool | None = None

    def render(self) -> Content:
        return self._content

    def draw(self, room: Size) -> None:
        face = self.face
        face.terminal, face.awake, face.hint = self.app.size, self.awake, self.said
        was, self._was_whole = self._was_whole, face.whole
        if was is not None and was is not face.whole:
            self._take_keys()
            self.came_into_view()
            return
        form = isinstance(self._row, EditForm)
        asked = self._row.asked if isinstance(self._row, Row) else ""
        lines = face.lines(room, self._rows(room), asked, form=form)
        self._content = joined(lines)
        self.styles.height = len(lines)
        self.refresh()

    def _rows(self, room: Size) -> int:
        """How many lines what is written in takes; it is as high as fits."""
        if self._row is None:
            return 0
        self._row.display = self.face.whole
        foot = self.face.foot_height(room.width)
        height = min(self._row.rows, max(room.height - 2 - foot, 1))
        self._row.styles.height, self._row.styles.width = height, max(room.width - 4, 1)
        self._row.styles.margin = (0, 2, foot, 2)
        return height

    def _take_keys(self) -> None:
        """An open line has the keys while it can be seen."""
        if self._row is not None and self.face.whole:
            self._row.display = True
            self._row.take_keys()
        elif self._row is not None:
            self._row.display = False
            self.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not self.face.fits:
            return action in ("no", "stop")
        if self.face.aside:
            return action in ("set_aside", "stop", "scroll", "page", "nothing")
        return self._row is None

    def action_reason(self) -> None:
        self.open(ReasonRow())

    def action_view(self, view: str) -> None:
        self.face.sheet.turn_to(View(view))
        self.redraw()

    def action_set_aside(self) -> None:
        self.face.aside = not self.face.aside
        self.redraw()

    def action_scroll(self, lines: int) -> None:
        self.scroll_lines(lines)

    def action_page(self, pages: int) -> None:
        self.scroll_lines(pages * self.face.sheet.page)

    def on_mouse_scroll_down(self) -> None:
        self.scroll_lines(1)

    def on_mouse_scroll_up(self) -> None:
        self.scroll_lines(-1)

    def scroll_lines(self, lines: int) -> None:
        """Move what is shown, or what is behind if this is set aside."""
        if self.face.aside:
            self.post_message(ScrolledBehind(lines))
        else:
            self.face.sheet.scroll(lines)
            self.redraw()

    def open(self, row: Row | EditForm) -> None:
        """Open a line or a form at the foot; until it is left, keys are text."""
        self._row = row
        self.said = ""
        self.mount(row)
        self.redraw()

    @on(Row.Left)
    @on(EditForm.Left)
    def close_row(self) -> None:
        """Go back to the request, whose keys count after a moment."""
        row, self._row = self._row, None
        if row is not None:
            row.remove()
        self.focus()
        self.came_into_view()
