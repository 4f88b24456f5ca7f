"""The lines at the top and the bottom: who is ready, what is going on, which keys do something."""

from collections.abc import Sequence

from textual.app import RenderResult
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from tui.house import ConnectorState
from tui.model_state import ModelState
from tui.text import one_line

_LACKING = ("unavailable", "off")


def works(connector: ConnectorState) -> bool:
    """True of a service or an account that can be used, be it only in part."""
    return connector.state not in _LACKING


def header_line(model: ModelState, connectors: Sequence[ConnectorState], notices: int, width: int) -> Content:
    """The name at the left; the model, the connectors and a count of notices at the right."""
    name = Content("Askfirst").stylize("bold")
    room = width - name.cell_length - 2
    right = _states(model, [c for c in connectors if not c.account or not works(c)], notices)
    if right.cell_length > room:
        # What works can be left out before what does not, and before what wants to be known.
        right = _states(model, [c for c in connectors if not works(c)], notices)
    if right.cell_length > room:
        right = right.truncate(room, ellipsis=True)
    return name + right.pad_left(max(width - name.cell_length - right.cell_length, 2))


def _states(model: ModelState, shown: Sequence[ConnectorState], notices: int) -> Content:
    right = one_line(f"{model.name} {model.text or ('ready' if model.ready else 'not ready')}")
    states = [one_line(c.name if works(c) else f"{c.name} ✗") for c in shown]
    if states:
        right = Content.assemble(right, " · ", Content(" ").join(states))
    if notices:
        right = Content.assemble(right, (f" · ▲ {notices} F4", "bold"))
    return right


class HeaderLine(Widget):
    """One line that says what is ready."""

    def __init__(self) -> None:
        super().__init__()
        self._model = ModelState("", ready=False)
        self._connectors: Sequence[ConnectorState] = ()
        self._notices = 0

    def show_states(self, model: ModelState, connectors: Sequence[ConnectorState], notices: int) -> None:
        self._model, self._connectors, self._notices = model, connectors, notices
        self.refresh()

    def render(self) -> RenderResult:
        return header_line(self._model, self._connectors, self._notices, self.content_size.width)


class FooterLine(Widget):
    """The keys that do something now; made from the bindings, and no mouse target."""

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def _changed(self, screen: Screen[object]) -> None:
        self.refresh()

    def render(self) -> RenderResult:
        shown: dict[str, Content] = {}
        active = sorted(self.screen.active_bindings.values(), key=lambda found: found.binding.priority)
        for _, binding, enabled, _ in active:
            if binding.show and enabled and binding.action not in shown:
                key = self.app.get_key_display(binding)
                shown[binding.action] = Content.assemble((key, "bold"), f" {binding.description}")
        return fitting(list(shown.values()), self.content_size.width)


def fitting(parts: Sequence[Content], width: int, gap: int = 2) -> Content:
    """As many whole parts, from the first, as fit on one line."""
    line = Content("")
    for part in parts:
        longer = line + " " * gap + part if line else part
        if longer.cell_length > width:
            break
        line = longer
    return line


class StatusLine(Static):
    """What is going on while nothing is asked: the model loads or reads, a goal is at work."""

    def __init__(self) -> None:
        super().__init__("", markup=False)
        self.display = False

    def say(self, text: str, fraction: float | None = None) -> None:
        """Show a line, or nothing for an empty text."""
        self.display = bool(text)
        if text:
            part = f" {fraction:.0%}" if fraction is not None else ""
            bar = (
                f" {'━' * round(20 * fraction)}{'┄' * (20 - round(20 * fraction))}"
                if fraction is not None
                else ""
            )
            self.update(one_line(f"⋯ {text}{part}{bar}", "$muted"))
