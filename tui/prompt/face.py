"""The prompt's face: the frame, the sheet in it, the keys at its foot, or one line instead of all that."""

from textual.content import Content
from textual.geometry import Size

from tui.frame import frame_foot, frame_top, framed
from tui.prompt.sheet import Sheet
from tui.prompt.subject import Subject, View
from tui.text import counted, literal

LEAST = Size(60, 16)
_STYLES = {False: "$primary", True: "bold $warning"}


class Face:
    """Draws what is asked for the size of the terminal."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.sheet = Sheet(subject)
        self.terminal = LEAST
        self.aside = False
        self.awake = False
        self.hint = ""

    @property
    def fits(self) -> bool:
        """True if the terminal is large enough to show what would happen."""
        return self.terminal.width >= LEAST.width and self.terminal.height >= LEAST.height

    @property
    def whole(self) -> bool:
        """True if the request itself is drawn, not one line in its stead."""
        return self.fits and not self.aside

    @property
    def refusal(self) -> str:
        """Why no yes can be given just now, or nothing: it must be in view, and seen to its end."""
        if not self.whole:
            return "open it first"
        if not self.sheet.plain:
            return "go back to what would happen first"
        if not self.sheet.read:
            return f"read to the end first: {counted(self.sheet.rest, 'more line')} (↓ or PageDown)"
        return ""

    def lines(self, room: Size, row: int = 0, asked: str = "", *, form: bool = False) -> list[Content]:
        """Everything, with `row` lines left free at the foot below what is asked there.

        A form takes the place of the sheet.
        """
        if not self.whole:
            return self._instead(room.width)
        heavy = self.subject.heavy
        style = _STYLES[heavy]
        parts, place = self.subject.title()
        width = room.width - 4
        top = [line.stylize(style) for line in frame_top(parts, place, room.width, heavy=heavy)]
        keys = self._keys(width) if not row else literal(asked, "bold").wrap(width) if asked else []
        left = max(room.height - len(top) - self.foot_height(room.width) - row - len(keys), 0)
        sheet = [] if form else self.sheet.fit(width, left)
        inside = [*sheet, *keys, *[Content("")] * row]
        foot = frame_foot(self.subject.sign, self._foot(), room.width, heavy=heavy, style=style)
        return [*top, *framed(inside, room.width, heavy=heavy, style=style), *foot]

    def _instead(self, width: int) -> list[Content]:
        if not self.fits:
            size = self.terminal
            text = f"Too small ({size.width}×{size.height}, needs {LEAST.width}×{LEAST.height}) · n no"
        else:
            parts, place = self.subject.title()
            text = "Set aside: " + " · ".join(filter(None, (*parts, place))) + " · z opens it"
        return [Content(" ") + line for line in literal(text, "bold").wrap(width - 2)]

    def _keys(self, width: int) -> list[Content]:
        """The keys that answer; a list to pick from has its own, at the foot."""
        return [] if self.sheet.choices else self.subject.keys(width, awake=self.awake)

    def foot_height(self, width: int) -> int:
        """How many lines the frame's foot takes with what is said there."""
        return len(frame_foot(self.subject.sign, self.hint, width))

    def _foot(self) -> str:
        if self.hint:
            return self.hint
        rest = f"+{counted(self.sheet.rest, 'line')} ↓" if self.sheet.rest else ""
        if self.sheet.choices is not None:
            return self.sheet.choices.foot
        if self.sheet.view is not View.DEED:
            key = "w" if self.sheet.view is View.WHY else "v"
            return f"{key} back" + (f" · {rest}" if rest else "")
        return rest + (" · read to the end to say yes" if rest and not self.sheet.read else "")
