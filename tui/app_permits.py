"""The app's side of what is permitted: the screen, rules that change, and everything off at once."""

from textual import on

from permissions.grants import Held, StoreError
from permissions.journal import JournalError
from tui.app_services import WithServices
from tui.rule_news import RuleNews, RulesChanged, panic_words
from tui.screens.permissions import PermissionsScreen


class WithPermits(WithServices):
    """What the app does about permissions and rules."""

    news: RuleNews

    def rules_heard(self) -> None:
        """The rules have changed; this is called on any thread."""
        self.post_message(RulesChanged())

    @on(RulesChanged)
    def _rules_changed(self) -> None:
        for text in self.news.fresh():
            self.note(text)
        self.show_states()
        if isinstance(self.screen, PermissionsScreen):
            self.screen.renew()

    def action_permissions(self) -> None:
        self.lay_over(PermissionsScreen(self.house.permits))

    def action_panic(self) -> None:
        stopped = self.turns.stop_now()
        gone: tuple[Held, ...] = ()
        try:
            gone = self.house.permits.panic()
        except StoreError as error:
            self.note(str(error))
        unsent = [waiting.title for waiting in self.house.held() if self.house.withdraw(waiting.id)]
        self.note(panic_words(stopped, gone, unsent))

    def action_turn_on(self) -> None:
        try:
            self.house.permits.turn_on()
        except JournalError as error:
            self.note(f"Everything stays off: {error}")
        else:
            self.note("Everything is on again. The permissions that were taken back stay so.")
