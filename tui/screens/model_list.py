"""The list of models, to move in and mark one."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.model_table import Row
from tui.screens.model_rows import HEAD, model_row
from tui.text import literal


class ModelList(OptionList):
    """The models, one a line, below a heading."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "cursor_down", "down", show=False, id="models.down", tooltip="The next one"),
        Binding("up,k", "cursor_up", "up", show=False, id="models.up", tooltip="The one before"),
        Binding("home,g", "first", "first", show=False, id="models.first", tooltip="The first"),
        Binding("end,G", "last", "last", show=False, id="models.last", tooltip="The last"),
    ]

    def __init__(self) -> None:
        super().__init__(markup=False, compact=True)
        self._rows: list[Row] = []

    @property
    def marked(self) -> Row | None:
        at = self.highlighted
        return self._rows[at - 1] if at is not None and 0 < at <= len(self._rows) else None

    def fill(self, rows: list[Row], width: int, mark: str = "") -> None:
        """Show what stands now; the same model stays marked, or the one with the key `mark`."""
        key = mark or (self.marked.key if self.marked else next((r.key for r in rows if r.active), ""))
        self.clear_options()
        self._rows = rows
        self.add_options(
            [Option(literal(HEAD, "$muted"), disabled=True), *(Option(model_row(r, width)) for r in rows)]
        )
        self.highlighted = next((at for at, row in enumerate(rows, 1) if row.key == key), 1)
