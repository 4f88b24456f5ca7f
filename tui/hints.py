"""What a command that is begun may become, above the line where it is typed."""

from textual.widgets import Static

from tui import colon
from tui.text import hanging, joined, literal

_COLUMN = 16
_MOST = 8


class CommandHints(Static):
    """The commands that begin as what is typed does; nothing for a goal, or where none does."""

    def __init__(self) -> None:
        super().__init__("", markup=False)
        self.display = False

    def about(self, text: str) -> None:
        """Show what this text may become."""
        found = colon.matching(text) if colon.is_command(text) else ()
        self.display = bool(found)
        width = max(self.app.size.width - 4, 20)
        most = max(min(_MOST, self.app.size.height - 12), 1)
        lines = [
            line
            for name, what in found[:most]
            for line in hanging(literal(f":{name}", "bold"), literal(what, "$muted"), width, _COLUMN)[:1]
        ]
        if len(found) > most:
            lines.append(literal(f"and {len(found) - most} more; Tab completes, ? tells all", "$muted"))
        self.update(joined(lines))
