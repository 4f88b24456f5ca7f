"""What was held or running when Askfirst last ended: what is known of it, and what can be done about it."""

from collections.abc import Iterable
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from permissions.entry import Entry, State
from tui.house import House
from tui.screens.entries import recovery_row
from tui.screens.overlay import Overlay
from tui.text import literal

INTRODUCTION = (
    "Askfirst ended before these came to their end. Nothing is done again by itself: what was held was not"
    " sent, and of what was running nobody knows yet if it was done."
)


class RecoveryScreen(Overlay):
    """A list of calls: `l` looks again, `s` asks anew for what was held, `x` lets one go."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l", "look", "look again", id="recovery.look", tooltip="Look whether this was done"),
        Binding(
            "s", "send", "ask to send it", id="recovery.send", tooltip="Be asked anew about what was held"
        ),
        Binding("x", "let_go", "let go", id="recovery.drop", tooltip="Hear no more of this; nothing is sent"),
        Binding("escape,q", "leave", "later", id="recovery.back", tooltip="Decide at the next start"),
    ]

    DEFAULT_CSS = """
    RecoveryScreen OptionList { height: auto; max-height: 60%; background: $background; border: none; }
    RecoveryScreen Static { margin: 0 0 1 0; }
    """

    class AskedAgain(Message):
        """What was held is to be asked for anew."""

        def __init__(self, entry: Entry) -> None:
            super().__init__()
            self.entry = entry

    def __init__(self, house: House) -> None:
        super().__init__("Before you go on")
        self._house = house
        self._list = OptionList(markup=False, compact=True)
        self._entries: tuple[Entry, ...] = ()

    def body(self) -> Iterable[Widget]:
        yield Static(literal(INTRODUCTION), markup=False, classes="said")
        yield self._list
        yield Static("", markup=False, classes="known")

    def on_mount(self) -> None:
        self._fill()
        self._list.focus()

    @property
    def _marked(self) -> Entry | None:
        place = self._list.highlighted
        return self._entries[place] if place is not None and self._entries else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        marked = self._marked
        match action:
            case "look":
                return marked is not None and marked.state is State.UNKNOWN
            case "send":
                return marked is not None and marked.state is State.HELD
        return True

    def on_option_list_option_highlighted(self) -> None:
        self.refresh_bindings()

    @work(exclusive=True)
    async def action_look(self) -> None:
        entry = self._marked
        if entry is not None:
            self._say(await self._house.look_again(entry))
            self._fill()

    def action_send(self) -> None:
        entry = self._marked
        if entry is not None:
            self.dismiss()
            self.app.post_message(self.AskedAgain(entry))

    def action_let_go(self) -> None:
        entry = self._marked
        if entry is not None:
            self._house.let_go(entry)
            self._say(f"Let go: {entry.title}")
            self._fill()

    def _fill(self) -> None:
        self._entries = tuple(self._house.unclear())
        place = self._list.highlighted or 0
        self._list.clear_options()
        self._list.add_options([Option(recovery_row(entry)) for entry in self._entries])
        self._list.highlighted = min(place, len(self._entries) - 1) if self._entries else None
        if not self._entries:
            self.query_one(".said", Static).update(literal("All of this is settled."))
        self.refresh_bindings()

    def _say(self, text: str) -> None:
        self.query_one(".known", Static).update(literal(text, "bold"))
