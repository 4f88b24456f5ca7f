"""The screen of the services: what each works on, what it lacks, and what they want to say."""

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from tui.bars import works
from tui.house import ConnectorState, House
from tui.screens.overlay import Overlay, Page
from tui.text import hanging, literal, one_line


class ConnectorsPage(Page):
    """The model, then each service, then the notices."""

    def __init__(self, house: House) -> None:
        super().__init__()
        self._house = house

    def lines(self, width: int) -> list[Content]:
        model = self._house.model_state()
        sign = "✓" if model.ready else "✗"
        lines = [literal("Model", "bold")]
        lines += hanging(Content(f"  {sign}"), one_line(f"{model.name}  {model.text}"), width, 4)
        lines += [Content(""), literal("Services", "bold")]
        for connector in self._house.connectors():
            lines += _service(connector, width)
        notices = self._house.notices()
        if notices:
            lines += [Content(""), literal("To know", "bold")]
        for notice in notices:
            text = Content.assemble(one_line(notice.connector, "bold"), "  ", literal(notice.text))
            lines += hanging(Content("  ▲"), text, width, 4)
            for detail in notice.details:
                lines += hanging(Content("    –"), literal(detail), width, 6)
        return lines


def _service(connector: ConnectorState, width: int) -> list[Content]:
    """A service in its place, an account further in, with how much of it is used."""
    good = works(connector)
    state = one_line(connector.state, "$text-success" if good else "bold $text-warning")
    used = one_line(f", {connector.mode}") if connector.account and connector.state != connector.mode else ""
    text = Content.assemble(
        one_line(connector.name, "bold"), "  ", state, used, "  ", one_line(connector.detail)
    )
    margin = "    " if connector.account else "  "
    return hanging(Content(f"{margin}{'✓' if good else '✗'}"), text, width, len(margin) + 2)


class ConnectorsScreen(Overlay):
    """The services and their state."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "app.connect", "set up a service", id="connectors.connect", tooltip="Set up a service"),
    ]

    def __init__(self, house: House) -> None:
        super().__init__("Connectors")
        self._house = house

    def body(self) -> Iterable[Page]:
        yield ConnectorsPage(self._house)

    def renew(self) -> None:
        """Show how things are now."""
        self.query_one(ConnectorsPage).redraw()
