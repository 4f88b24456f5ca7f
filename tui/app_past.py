"""The app's side of what was done or waits to be done: looking it up, taking it back, asking anew."""

from textual import on

from permissions.holding import Released
from tui.app_permits import WithPermits
from tui.outbox import OutboxStrip, ended_block
from tui.screens.activity import MOST, ActivityScreen
from tui.screens.entries import can_be_undone
from tui.screens.recovery import RecoveryScreen
from tui.turns import Job


class WithPast(WithPermits):
    """What the app does about deeds of the past, and those that can still be held back."""

    outbox: OutboxStrip

    def action_activity(self) -> None:
        self.lay_over(ActivityScreen(self.house))

    @on(ActivityScreen.UndoWished)
    def _undo(self, event: ActivityScreen.UndoWished) -> None:
        self._turn_for(lambda front: self.house.undo(event.entry.id, front))

    def _turn_for(self, job: Job) -> None:
        if self.turns.busy:
            self.note("Wait until this goal has ended, or stop it with Esc.")
        else:
            self.turns.start(job, "")

    def show_outbox(self) -> None:
        self.conversation.mount(self.outbox, before=self.conversation.dock)
        self.house.watch_held(self._held_changed)

    def _held_changed(self, released: Released | None) -> None:
        """Something waits, goes out, or has ended; it is seen when it happens, whatever else goes on."""
        if released is not None and not (self.turns.busy and released.outcome is None):
            self.conversation.transcript.add(ended_block(released))
        self.outbox.look()
        self.refresh_bindings()

    @on(OutboxStrip.TakenBack)
    def action_undo_send(self) -> None:
        for waiting in self.house.held()[:1]:
            self.house.withdraw(waiting.id)

    @on(RecoveryScreen.AskedAgain)
    def _ask_again(self, event: RecoveryScreen.AskedAgain) -> None:
        self._turn_for(lambda front: self.house.ask_again(event.entry, front))

    def action_undo_last(self) -> None:
        if self.house.held():
            self.action_undo_send()
            return
        for entry in self.house.activity(MOST):
            if can_be_undone(entry):
                self.post_message(ActivityScreen.UndoWished(entry))
                return
        self.note("There is nothing that can be undone.")

    def action_recovery(self) -> None:
        self.lay_over(RecoveryScreen(self.house))
