"""The goals given before, to find one and write it again."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from permissions.entry import Entry
from permissions.words import Asker
from tui.prompt.rows import Line, Row
from tui.screens.overlay import Overlay
from tui.text import one_line


def past_goals(sent: Sequence[str], entries: Iterable[Entry]) -> list[str]:
    """Every goal once, the latest first: those of this session (the latest last), then the journal's."""
    asked = (entry.goal for entry in entries if entry.asker is not Asker.UNDO)
    return list(dict.fromkeys((*reversed(sent), *asked)))


def having(goals: Iterable[str], words: str) -> list[str]:
    """The goals that have every one of these words, or beginnings of words, whatever their case."""
    sought = words.casefold().split()
    return [goal for goal in goals if all(word in goal.casefold() for word in sought)]


class GoalsScreen(Overlay):
    """What is typed narrows the list; Enter writes the marked goal, and sends nothing."""

    AUTO_FOCUS = "Line"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,ctrl+n", "move(1)", "older", id="goals.down", tooltip="Mark the goal before"),
        Binding("up,ctrl+p,ctrl+r", "move(-1)", "newer", id="goals.up", tooltip="Mark the goal after"),
        Binding("escape", "leave", "back", id="goals.back", tooltip="Back, with nothing written"),
    ]

    def __init__(self, goals: Sequence[str]) -> None:
        super().__init__("Goals given before · Enter writes the marked one, to be sent or changed")
        self._goals = goals
        self._found: list[str] = []
        self._list = OptionList(markup=False, compact=True)
        self._list.can_focus = False
        self.picked = ""

    def body(self) -> Iterable[Widget]:
        yield Row("Has", Line())
        yield self._list

    def on_mount(self) -> None:
        self._show("")

    def _show(self, words: str) -> None:
        self._found = having(self._goals, words)
        self._list.clear_options()
        self._list.add_options([Option(one_line(goal)) for goal in self._found])
        self._list.highlighted = 0 if self._found else None

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        self._show(event.value)

    @on(Row.Left)
    def _left(self) -> None:
        self.action_leave()

    @on(Input.Submitted)
    def _pick(self) -> None:
        marked = self._list.highlighted
        self.picked = self._found[marked] if marked is not None else ""
        self.dismiss()

    def action_move(self, by: int) -> None:
        if self._found:
            self._list.highlighted = ((self._list.highlighted or 0) + by) % len(self._found)
