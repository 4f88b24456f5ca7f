"""What is asked in the composer's place: it waits, and is answered once, by a key that counts."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

from textual import events
from textual.containers import Vertical
from textual.css.query import NoMatches
from textual.geometry import Size

from tui.keys import DEAD_TIME, EARLY, Clock, Guard

A = TypeVar("A")


class Asked(Vertical, Generic[A], can_focus=True):
    """Something asked; `room` says how large it may be. What cannot be drawn is answered by `undrawable`."""

    def __init__(self, clock: Clock, room: Callable[[], Size]) -> None:
        super().__init__()
        self.answered: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self.said = ""
        self._guard = Guard(clock)
        self._room = room

    @property
    def awake(self) -> bool:
        """True if keys count now."""
        return self._guard.awake

    @property
    def in_view(self) -> bool:
        """True once what is asked was on the screen."""
        return self._guard.in_view

    def draw(self, room: Size) -> None:
        """Draw everything for this room."""
        raise NotImplementedError

    def undrawable(self, error: Exception) -> A:
        """The answer of a person who could not see what is asked: never a yes."""
        raise NotImplementedError

    def on_mount(self) -> None:
        self.came_into_view()

    def came_into_view(self) -> None:
        """From now on, keys count only after a moment."""
        self._guard.hidden()
        self.call_after_refresh(self._guard.appeared)
        self.set_timer(DEAD_TIME + 0.05, self._wake)
        self.redraw()

    def _wake(self) -> None:
        """Show that keys count, as soon as they do."""
        if self.awake:
            self.say("" if self.said == EARLY else self.said)
        else:
            self.set_timer(DEAD_TIME / 2, self._wake)

    def redraw(self) -> None:
        """Draw for the size the terminal has now."""
        try:
            self.draw(self._room())
        except NoMatches:
            return  # composed in a moment, or gone already
        except Exception as error:
            self.answer(self.undrawable(error))

    def say(self, text: str) -> None:
        """Say something at the foot of the frame until the next key."""
        self.said = text
        self.redraw()

    def answer(self, answer: A) -> None:
        """The one place where the answer is given; only the first counts."""
        if not self.answered.done():
            self.answered.set_result(answer)

    def on_key(self, event: events.Key) -> None:
        """Keys that come too early stop here, before they can mean anything."""
        if event.key == "escape" or (event.key[0] == "f" and event.key[1:].isdigit()):
            return
        if self._guard.lets_pass(event):
            self.said = ""
            return
        event.stop()
        event.prevent_default()
        self.say(EARLY)
