"""The Textual app: it composes and routes, and decides nothing."""

import sys
import time
from collections.abc import Mapping
from typing import ClassVar

from textual import events, on, work
from textual.binding import Binding, BindingType
from textual.screen import Screen

from assistant.events import Ending
from assistant.model.shelf.known import RECOMMENDED
from tui import colon
from tui.app_end import WithEnd
from tui.app_keys import APP_KEYS
from tui.composer import Composer
from tui.front import Front
from tui.house import House
from tui.keys import Clock, key_name
from tui.outbox import OutboxStrip
from tui.preparing import Preparation
from tui.rule_news import RuleNews
from tui.screens.conversation import ConversationScreen
from tui.screens.first_run import FirstRunScreen
from tui.screens.help import HelpScreen
from tui.signs import Signs
from tui.terminal import Attention, TerminalSignals
from tui.theme import ASKFIRST
from tui.turns import Turns


class AskfirstApp(WithEnd):
    """One conversation in the terminal; ends with "demo" if the person chose to try the demo world."""

    CSS_PATH = "app.tcss"
    TITLE = "Askfirst"
    AUTO_FOCUS = "Composer"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = APP_KEYS

    def __init__(
        self,
        house: House,
        clock: Clock = time.monotonic,
        signs: Signs | None = None,
        keys: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__()
        self.house = house
        self._own_keys = keys or {}
        self.set_keymap(self._own_keys)
        self.conversation = ConversationScreen(clock)
        self._attention = Attention(clock)
        self._terminal = TerminalSignals(self._to_terminal, self._attention, signs or Signs())
        self.front = Front(self.conversation, self._terminal)
        self._preparation = Preparation(house, self._model_progressed)
        self.turns = Turns(self, house, self.front, self._preparation, self._turn_ended)
        self.outbox = OutboxStrip(house)
        self.news = RuleNews(house.permits)

    def get_default_screen(self) -> Screen[None]:
        return self.conversation

    def on_app_focus(self) -> None:
        """Keys that were meant for another window do not count here."""
        self._attention.focused(True)
        self.conversation.dock.came_into_view()

    def on_app_blur(self) -> None:
        self._attention.focused(False)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key):
            self._attention.pressed()
        await super().on_event(event)

    def on_mount(self) -> None:
        self.register_theme(ASKFIRST)
        self.theme = ASKFIRST.name
        self._terminal.start()
        self.heed_signals()
        self.call_after_refresh(self.show_outbox)
        self.house.permits.watch(self.rules_heard)
        self.listen()
        self.show_states()
        if self.house.first_run:
            self.push_screen(FirstRunScreen(), self._first_run_chosen)
        else:
            self._begin()

    def _first_run_chosen(self, choice: str | None) -> None:
        if choice in ("begin", "botpsy"):
            self._begin()
            if choice == "botpsy":
                self.action_models(RECOMMENDED.key)
        else:
            self.exit("demo" if choice == "demo" else None)

    def _begin(self) -> None:
        for notice in self.house.notices():
            self.note(f"{notice.connector}: {notice.text}")
        self.news.fresh()
        self._prepare()
        if self.house.unclear():
            self.action_recovery()

    async def on_unmount(self) -> None:
        self._terminal.stop()
        await self.house.close()

    def _to_terminal(self, sequence: str) -> None:
        if self._driver is not None and not self.is_headless and sys.stdout.isatty():
            self._driver.write(sequence)

    @work(group="prepare", exit_on_error=False)
    async def _prepare(self) -> None:
        try:
            await self._preparation.ensure()
        except Exception as error:
            self.note(str(error) or type(error).__name__)
        self._model_progressed("", None)

    def _model_progressed(self, stage: str, fraction: float | None) -> None:
        if not self.front.started:
            self.conversation.status.say(stage, fraction)
        if fraction is None:
            self.show_states()

    @on(Composer.Sent)
    def _take(self, event: Composer.Sent) -> None:
        composer = self.conversation.dock.composer
        if colon.is_command(event.text):
            composer.take()
            self._command(event.text)
        elif colon.is_search(event.text):
            composer.take()
            self.call_later(self.conversation.seek, event.text[1:].strip())
        elif self.turns.busy:
            composer.hold()
        else:
            composer.take()
            self.turns.start(lambda front: self.house.run(event.text, front, event.pasted), event.text)

    def _command(self, text: str) -> None:
        action = colon.action_of(text)
        if action is None:
            self.note(colon.unknown(text))
        else:
            self.call_later(self.run_action, action)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "stop_softly":
                return self.turns.busy
            case "undo_send":
                return bool(self.house.held())
        return True

    def get_key_display(self, binding: Binding) -> str:
        return key_name(super().get_key_display(binding))

    def _turn_ended(self) -> None:
        """The goal that was sent meanwhile is next, if this one came to its end."""
        self.refresh_bindings()
        self.show_states()
        composer = self.conversation.dock.composer
        if composer.held and self.front.ending is Ending.DONE:
            composer.action_send()
        composer.hold(False)

    def action_stop_softly(self) -> None:
        if self.turns.stop_softly():
            self.conversation.status.say("stopping before the next call; Ctrl+C stops now")

    def action_stop_now(self) -> None:
        if self.turns.stop_now():
            return
        if self.screen.get_selected_text():
            self.screen.action_copy_text()
        else:
            self.note("Ctrl+Q ends Askfirst.")

    def action_help(self) -> None:
        self.lay_over(HelpScreen(self._own_keys))
