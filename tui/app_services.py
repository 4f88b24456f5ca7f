"""The app's side of the services: their screen, setting them up, and what is heard of them."""

from textual import on

from tui.app_models import WithModels
from tui.blocks import Block, Kind
from tui.news import Heard
from tui.screens.connect import ConnectScreen, hindrance
from tui.screens.connectors import ConnectorsScreen


class WithServices(WithModels):
    """What the app does about services."""

    def note(self, text: str) -> None:
        """One line of ours in the conversation."""
        self.conversation.transcript.add(Block(Kind.NOTE, text))

    def listen(self) -> None:
        """Hear of what happens without a goal."""
        self.house.watch_news(lambda text: self.post_message(Heard(text)))

    @on(Heard)
    def _heard(self, event: Heard) -> None:
        self.note(event.text)
        self.show_states()
        if isinstance(self.screen, ConnectorsScreen):
            self.screen.renew()

    def action_connectors(self) -> None:
        self.lay_over(ConnectorsScreen(self.house))

    def action_connect(self, service: str = "") -> None:
        """Set up a service by questions, or say why that cannot be now."""
        if said := hindrance(self.house, busy=self.turns.busy):
            self.note(said)
        else:
            self.lay_over(ConnectScreen(self.house, service))
