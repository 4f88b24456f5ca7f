"""The prompt's face: the frame, the sheet in it, the keys at its foot, or one line instead of all that."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from permissions.words import Offer, Request, grave
from tui.frame import FrameTop
from tui.prompt import words
from tui.prompt.edit import EditForm
from tui.prompt.keyline import covering, key_line
from tui.prompt.sheet import Sheet, View
from tui.text import counted, joined, literal

LEAST = Size(60, 16)
ROW_LINES = 1


class Face(Vertical, can_focus=False):
    """Draws one request for the size of the terminal."""

    def __init__(self, request: Request) -> None:
        super().__init__(classes="grave" if grave(request.prepared.effects) else "")
        self.request = request
        self.sheet = Sheet(request)
        self.chosen: Offer | None = None
        self.aside = False
        self.awake = False
        self.hint = ""

    def compose(self) -> ComposeResult:
        yield FrameTop()
        with Vertical(classes="inside"):
            yield Static("", markup=False, classes="sheet")
            yield Static("", markup=False, classes="keys")
        yield Static("", markup=False, classes="instead")

    @property
    def fits(self) -> bool:
        """True if the terminal is large enough to show what would happen."""
        size = self.app.size
        return size.width >= LEAST.width and size.height >= LEAST.height

    @property
    def whole(self) -> bool:
        """True if the request itself is drawn, not one line in its stead."""
        return self.fits and not self.aside

    @property
    def refusal(self) -> str:
        """Why no yes can be given just now, or nothing: it must be in view, and seen to its end."""
        if not self.whole:
            return "open it first"
        if self.sheet.view is not View.DEED:
            return "go back to what would happen first"
        if not self.sheet.read:
            return f"read to the end first: {counted(self.sheet.rest, 'more line')} (↓ or PageDown)"
        return ""

    @property
    def inside(self) -> Widget:
        return self.query_one(".inside")

    def draw(self, room: Size, row: Widget | None) -> None:
        """Draw everything anew in `room`, with `row` open at the foot, if any."""
        instead = self.query_one(".instead", Static)
        instead.display = not self.whole
        self.query_one(FrameTop).display = self.inside.display = self.whole
        if self.whole:
            self._draw_whole(room, row)
        else:
            instead.update(self._instead())

    def _draw_whole(self, room: Size, row: Widget | None) -> None:
        place = words.place(self.request)
        heavy = self.has_class("grave")
        top = self.query_one(FrameTop).draw(words.frame(self.request), place, room.width, heavy=heavy)
        width = room.width - 4
        foot = key_line(self.request, width, awake=self.awake, chosen=self.chosen)
        if self.chosen:
            foot = [*covering(self.chosen, width), *foot]
        sheet, keys = self.query_one(".sheet", Static), self.query_one(".keys", Static)
        keys.display = row is None
        sheet.display = not isinstance(row, EditForm)
        left = room.height - top - 1
        if isinstance(row, EditForm):
            row.styles.max_height = max(left, 3)
        keys.update(joined(foot))
        sheet.update(joined(self.sheet.fit(width, left - (ROW_LINES if row else len(foot)))))
        self.inside.border_subtitle = literal(self._foot(), "bold")

    def _instead(self) -> Content:
        if not self.fits:
            size = self.app.size
            return literal(
                f"Too small ({size.width}×{size.height}, needs {LEAST.width}×{LEAST.height}) · n no", "bold"
            )
        parts = [*words.frame(self.request), words.place(self.request)]
        return literal("Set aside: " + " · ".join(filter(None, parts)) + " · z opens it", "bold")

    def _foot(self) -> str:
        if self.hint:
            return self.hint
        rest = f"+{counted(self.sheet.rest, 'line')} ↓" if self.sheet.rest else ""
        if self.sheet.view is not View.DEED:
            key = "w" if self.sheet.view is View.WHY else "v"
            return f"{key} back" + (f" · {rest}" if rest else "")
        return rest + (" · read to the end to say yes" if rest and not self.sheet.read else "")
