"""The help screen, made from the bindings themselves."""

from collections.abc import Iterable, Mapping
from itertools import groupby

from textual.binding import Binding
from textual.content import Content

from tui.colon import COMMANDS
from tui.key_table import PLACES, Place
from tui.screens.overlay import Overlay, Page
from tui.text import hanging, literal

NOTE = (
    "One letter has one meaning everywhere. Enter, Space, the mouse and pasted text never say yes; "
    "keys count only once a question has been in view for a moment."
)
SEEKING = "go to where the conversation has these words, further up with / alone"
KEY_COLUMN = 22


class HelpPage(Page):
    """Every key by place, then the commands; `changed` are the person's own keys by id."""

    def __init__(self, changed: Mapping[str, str]) -> None:
        super().__init__()
        self._changed = changed

    def lines(self, width: int) -> list[Content]:
        lines = [*literal(NOTE).wrap(width), Content("")]
        for place in PLACES:
            lines += [literal(place.title, "bold"), *self._keys(place, width), Content("")]
        lines.append(literal("Commands", "bold"))
        for name, (_, what) in COMMANDS.items():
            lines += hanging(literal(f"  :{name}"), literal(what), width, KEY_COLUMN)
        return [*lines, *hanging(literal("  /words"), literal(SEEKING), width, KEY_COLUMN)]

    def _keys(self, place: Place, width: int) -> list[Content]:
        """Every key of a place; keys that do the like of it, one after another, in one line."""
        lines: list[Content] = []
        bindings = [each for each in place.bindings if isinstance(each, Binding)]
        for what, alike in groupby(bindings, key=lambda binding: binding.tooltip):
            keys = [self._names(binding) for binding in alike]
            shown = keys[0] if len(keys) == 1 else f"{keys[0]} … {keys[-1]}"
            lines += hanging(literal("  " + shown), literal(what), width, KEY_COLUMN)
        return lines

    def _names(self, binding: Binding) -> str:
        keys = self._changed.get(binding.id or "", binding.key).split(",")
        return " ".join(self.app.get_key_display(Binding(key, "")) for key in keys)


class HelpScreen(Overlay):
    """All keys and commands."""

    def __init__(self, changed: Mapping[str, str]) -> None:
        super().__init__("Keys and commands")
        self._changed = changed

    def body(self) -> Iterable[Page]:
        yield HelpPage(self._changed)
