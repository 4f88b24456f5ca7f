"""The models: which are here and which can be had, and how one is fetched, taken in, used and removed."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from assistant.model.base import ModelError
from connectors.config import ConfigError
from tui.house import House
from tui.model_jobs import fetched, stopped, taken_in
from tui.model_table import Row
from tui.model_work import ModelWork
from tui.screens.model_list import ModelList
from tui.screens.model_rows import model_details, progress_line
from tui.screens.overlay import Overlay
from tui.text import joined, literal

_IMPORT = "The path of a GGUF file to take in; Enter takes it, Esc leaves it"
_OPEN = "The path of a GGUF file to use where it lies; Enter uses it, Esc leaves it"

_PARTS = 50
"""In how many steps the list follows what is being fetched."""


class ModelsScreen(Overlay):
    """`f` fetches, `u` uses, `x` removes after a yes, `i` takes a file in, `o` uses one where it lies."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "fetch", "fetch", id="models.fetch", tooltip="Fetch this model, or go on fetching it"),
        Binding("u", "use", "use", id="models.use", tooltip="Use this model from now on"),
        Binding("c", "cancel", "cancel", id="models.cancel", tooltip="Stop what is under way"),
        Binding("x", "remove", "remove", id="models.remove", tooltip="Remove this model from the disk"),
        Binding("Y", "confirm", "yes", id="models.confirm", tooltip="Say yes to removing it"),
        Binding("i", "take_in", "import", id="models.import", tooltip="Take in a GGUF file by its path"),
        Binding("o", "open", "open a file", id="models.open", tooltip="Use a GGUF file where it lies"),
        Binding("escape,q", "leave", "back", id="models.back", tooltip="Back, one step at a time"),
    ]

    def __init__(self, house: House, work: ModelWork, busy: Callable[[], bool], fetch: str = "") -> None:
        """`busy` says whether a goal is at work; `fetch` is the key of a model to fetch and use at once."""
        super().__init__("Models")
        self._house = house
        self._work = work
        self._goal_at_work = busy
        self._fetch_at_once = fetch
        self._list = ModelList()
        self._removing = ""
        self._path_for = ""
        self._part = 0

    def body(self) -> Iterable[Widget]:
        yield Static("", markup=False, classes="said")
        yield self._list
        yield Static("", markup=False, classes="about")
        yield Input(classes="path")

    def on_mount(self) -> None:
        self._path.display = False
        self._say(self._work.said)
        self.renew()
        self._list.focus()
        if self._fetch_at_once and not self._work.busy:
            self._list.fill(self._rows(), self._width, self._fetch_at_once)
            self._fetch(self._fetch_at_once, use=True)

    def on_resize(self) -> None:
        self.renew()

    def renew(self) -> None:
        """Show what stands now."""
        self._list.fill(self._rows(), self._width)
        self.renew_work()

    def renew_work(self) -> None:
        """Show how far what is under way is."""
        if self._work.busy:
            line = progress_line(self._work.text, self._work.fraction, self._width)
            self.query_one(".said", Static).update(line)
            self.query_one(".said").display = True
            part = int((self._work.fraction or 0) * _PARTS)
            if part != self._part:
                self._part = part
                self._list.fill(self._rows(), self._width)
        self.refresh_bindings()

    def ended(self) -> None:
        """What was under way has ended."""
        self._say(self._work.said)
        self.renew()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        row, busy = self._list.marked, self._work.busy
        match action:
            case "cancel":
                return busy
            case "confirm":
                return bool(self._removing)
            case "fetch":
                return row is not None and not busy and not row.here
            case "use":
                return row is not None and not busy and row.here and not row.active
            case "remove":
                return row is not None and not busy and (row.here or row.fetched is not None)
            case "take_in" | "open":
                return not busy
        return True

    @on(OptionList.OptionHighlighted)
    def _marked(self) -> None:
        self._removing = ""
        row = self._list.marked
        about = joined(model_details(row, self._width)) if row else literal("")
        self.query_one(".about", Static).update(about)
        self.refresh_bindings()

    def action_fetch(self) -> None:
        if row := self._list.marked:
            self._fetch(row.key, use=False)

    def _fetch(self, key: str, use: bool) -> None:
        house = self._house
        self._work.start(partial(fetched, house, key, use), partial(stopped, house, key))

    def action_use(self) -> None:
        if row := self._list.marked:
            self._use(row.key)

    def _use(self, word: str) -> None:
        if self._goal_at_work():
            self._say("Wait until this goal has ended, or stop it with Esc in the conversation.")
            return
        job = partial(self._house.use_model, word)
        self._work.start(job, lambda: "Stopped before it was in use.")

    def action_cancel(self) -> None:
        self._work.cancel()

    def action_remove(self) -> None:
        row = self._list.marked
        if row is None:
            return
        try:
            self._removing, words = self._house.library.removable(row.key)
        except (ModelError, ConfigError) as error:
            self._say(str(error))
        else:
            self._say(f"{words} Y removes it; Esc leaves it.")
        self.refresh_bindings()

    def action_confirm(self) -> None:
        key, self._removing = self._removing, ""
        try:
            self._say(self._house.library.remove(key))
        except ModelError as error:
            self._say(str(error))
        self.renew()

    def action_take_in(self) -> None:
        self._ask_path("import", _IMPORT)

    def action_open(self) -> None:
        self._ask_path("open", _OPEN)

    def _ask_path(self, purpose: str, words: str) -> None:
        self._path_for = purpose
        self._path.value = ""
        self._path.display = True
        self._path.focus()
        self._say(words)

    @on(Input.Submitted)
    def _path_given(self, event: Input.Submitted) -> None:
        text, purpose = event.value.strip(), self._path_for
        self._close_path()
        if not text:
            self._say("")
        elif purpose == "open":
            self._use(str(Path(text).expanduser()))
        else:
            job = partial(taken_in, self._house, Path(text).expanduser())
            self._work.start(job, lambda: "Stopped. Nothing of it is kept.")

    def action_leave(self) -> None:
        if self._path.display:
            self._close_path()
            self._say("")
        elif self._removing:
            self._removing = ""
            self._say("")
            self.refresh_bindings()
        else:
            self.dismiss()

    def _close_path(self) -> None:
        self._path.display = False
        self._list.focus()

    @property
    def _path(self) -> Input:
        return self.query_one(".path", Input)

    @property
    def _width(self) -> int:
        return self.app.size.width - 4

    def _rows(self) -> list[Row]:
        try:
            return self._house.library.rows()
        except ConfigError as error:
            self._say(str(error))
            return []

    def _say(self, text: str) -> None:
        said = self.query_one(".said", Static)
        said.display = bool(text)
        said.update(joined(literal(text).wrap(self._width)) if text else "")
