"""The app's side of its end, and of standing aside: quitting, the shell's job control, and signals."""

import asyncio
import signal
from contextlib import suppress

from tui.app_words import WithWords


class WithEnd(WithWords):
    """What the app does when it is to end or to stand aside."""

    def __init__(self) -> None:
        super().__init__()
        self._leaves_held = False

    def heed_signals(self) -> None:
        """End in good order when told to from outside, or when the terminal is gone."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            # Not every loop can, such as one that does not run on the main thread.
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, self._told_to_end)

    def _told_to_end(self) -> None:
        self.run_worker(self._end(), group="end", exit_on_error=False)

    async def _end(self) -> None:
        await self.turns.end()
        self.exit()

    async def action_quit(self) -> None:
        """End; with something that waits only when told twice, for it will not be sent then."""
        if self.house.held() and not self._leaves_held:
            self._leaves_held = True
            self.note(
                "A message still waits. Leave it to go out, or press Ctrl+Q again: then it is not sent,"
                " and you are asked about it at the next start."
            )
            return
        await self._end()

    def action_stand_aside(self) -> None:
        """Give the terminal back to the shell until `fg`; not in the middle of anything."""
        if self.turns.busy or self.house.held():
            self.note("Askfirst cannot stand aside while a goal is at work or a message waits.")
        else:
            self.action_suspend_process()
            # What the shell wrote over is painted anew, whether or not anything has changed.
            for widget in (self.screen, *self.screen.walk_children()):
                widget.refresh()
