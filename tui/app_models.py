"""The app's side of the models: their screen, and work on them that goes on behind it."""

from collections.abc import Callable

from textual.app import App

from tui.blocks import Block, Kind
from tui.house import House
from tui.model_work import ModelWork
from tui.screens.conversation import ConversationScreen
from tui.screens.models import ModelsScreen
from tui.screens.overlay import Overlay
from tui.turns import Turns


class WithModels(App[str]):
    """What the app does about models."""

    house: House
    turns: Turns
    conversation: ConversationScreen

    def __init__(self) -> None:
        super().__init__()
        self.model_work = ModelWork(self._models_heard)

    async def on_unmount(self) -> None:
        await self.model_work.end()

    def action_models(self, fetch: str = "") -> None:
        """Show the models; `fetch` is the key of one to fetch and use at once."""
        self.lay_over(ModelsScreen(self.house, self.model_work, lambda: self.turns.busy, fetch))

    def lay_over(self, screen: Overlay, left: Callable[[None], None] | None = None) -> None:
        """Only one screen lies over the conversation; `left` is called when it is."""
        if isinstance(self.screen, Overlay):
            self.pop_screen()
        if self.screen is self.conversation:
            screen.say_waiting(self.conversation.dock.asking is not None)
            self.push_screen(screen, left)

    def show_states(self) -> None:
        """Bring the header up to date."""
        house = self.house
        self.conversation.header.show_states(house.model_state(), house.connectors(), len(house.notices()))

    def _models_heard(self, said: str) -> None:
        """Something is under way, or has ended with what is said."""
        if said:
            self.show_states()
        if isinstance(self.screen, ModelsScreen):
            self.screen.ended() if said else self.screen.renew_work()
        elif said and self.is_running:
            self.conversation.transcript.add(Block(Kind.NOTE, said))
