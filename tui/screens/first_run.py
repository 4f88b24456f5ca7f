"""The first screen of a first run: try a throw-away world, begin with empty folders, or leave."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from assistant.model.capacity.footprint import gigabytes
from assistant.model.shelf.known import RECOMMENDED as BOTPSY
from assistant.model.starter import BASE_SIZE
from tui.model_table import rough_memory
from tui.text import hanging, joined, literal

WIDTH = 76


def botpsy_words() -> str:
    """What the recommended model is and needs."""
    return (
        f"recommended: it plans better than the starter, which serves meanwhile; {gigabytes(BOTPSY.size)} "
        f"to fetch, about {gigabytes(rough_memory(BOTPSY))} of memory when it runs"
    )


CHOICES = (
    (
        "d",
        "demo",
        "Try the demo",
        "a throw-away calendar, mailbox, files and device; nothing of yours is touched",
    ),
    (
        "b",
        "begin",
        "Begin",
        "with empty folders on this machine, which other programs can read too, and the small starter "
        f"model ({gigabytes(BASE_SIZE)} to fetch)",
    ),
    ("m", "botpsy", "Begin, and fetch BotPsy", botpsy_words()),
    ("q", "quit", "Quit", "nothing is set up"),
)
WELCOME = (
    "Askfirst is an assistant that asks first.",
    "",
    "You type a goal. A small model on this machine plans what to do, and every call is shown to you in "
    "full. Nothing runs until you say yes to it, or to the like of it.",
    "",
    "Nothing leaves this machine without a capital Y.",
)


class FirstRunScreen(Screen[str]):
    """Ends with "demo", "begin", "botpsy" (begin, and fetch that model) or "quit"."""

    BINDINGS = [
        Binding("d", "choose('demo')", "demo", id="first.demo", tooltip="Try the demo world"),
        Binding("b", "choose('begin')", "begin", id="first.begin", tooltip="Begin with empty folders"),
        Binding(
            "m", "choose('botpsy')", "BotPsy", id="first.botpsy", tooltip="Begin, and fetch BotPsy meanwhile"
        ),
        Binding("q,escape", "choose('quit')", "quit", id="first.quit", tooltip="Leave"),
        Binding("down,j,tab", "move(1)", "down", show=False, id="first.down", tooltip="Mark the next"),
        Binding("up,k,shift+tab", "move(-1)", "up", show=False, id="first.up", tooltip="Mark the one before"),
        Binding(
            "enter", "choose_marked", "choose", show=False, id="first.choose", tooltip="Take what is marked"
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._marked = 0

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static("", markup=False)

    def on_mount(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    @property
    def _width(self) -> int:
        return min(self.app.size.width, WIDTH) - 6

    def _draw(self) -> None:
        lines = [part for line in WELCOME for part in literal(line).wrap(self._width) or [Content("")]]
        lines.append(Content(""))
        for number, (key, _, name, what) in enumerate(CHOICES):
            marked = number == self._marked
            head = literal(f"{'▸' if marked else ' '} {key}  {name}", "bold" if marked else "")
            lines += [head, *hanging(Content(""), literal(what, "$muted"), self._width, 5)]
        self.query_one(Static).update(joined(lines))

    def action_move(self, by: int) -> None:
        self._marked = (self._marked + by) % len(CHOICES)
        self._draw()

    def action_choose_marked(self) -> None:
        self.dismiss(CHOICES[self._marked][1])

    def action_choose(self, choice: str) -> None:
        self.dismiss(choice)
