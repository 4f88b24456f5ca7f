"""What the terminal needs from the rest of the program; the composition root gives it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from assistant.frontend import Frontend
from connectors.asking import Asker
from connectors.base import Notice
from permissions.entry import Entry
from permissions.holding import Released
from tui.library import Library
from tui.model_state import ModelState, Progress
from tui.permits import Permits

Connect = Callable[[str, Asker], str | None]
"""Sets up a service by questions, on a thread without an event loop; the settings that were written, or None.

Raises ConfigError or OSError.
"""


@dataclass(frozen=True, slots=True)
class ConnectorState:
    """A service or an account; `state` is a word or two ("ready"), `detail` what it works on or lacks.

    `mode` is how much of it may be used. Of an `account` of a service, `synced` says when it was last in step
    (ISO, empty: never), `server` what it is on, and `notes` what was found to be peculiar there.
    """

    name: str
    state: str
    detail: str = ""
    mode: str = ""
    synced: str = ""
    server: str = ""
    notes: tuple[str, ...] = ()
    account: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """A message that waits, and for how many seconds more."""

    id: str
    title: str
    left: float


class House(Protocol):
    """One running Askfirst, as the terminal sees it."""

    @property
    def first_run(self) -> bool: ...

    @property
    def permits(self) -> Permits:
        """What is permitted and forbidden, and the switch that turns everything off."""
        ...

    @property
    def connect(self) -> Connect | None:
        """How a service is set up; None in a world where there is nothing to connect to."""
        ...

    async def run(self, goal: str, front: Frontend, pasted: Sequence[tuple[int, int]] = ()) -> None:
        """One turn for a goal, of which some pieces were pasted; cancelling it stops at once."""
        ...

    async def undo(self, entry_id: str, front: Frontend) -> None:
        """Take back a deed of the journal; asked like any other call."""
        ...

    def held(self) -> Sequence[Waiting]:
        """What was allowed and waits before it goes out, the first to go first."""
        ...

    def withdraw(self, id: str) -> bool:
        """Take back what waits; False if it does not wait (any more)."""
        ...

    def watch_held(self, watcher: Callable[[Released | None], None]) -> None:
        """Be told whenever something begins to wait (None), and how each ended."""
        ...

    def watch_news(self, heard: Callable[[str], object]) -> None:
        """Be told, on any thread, in a sentence each, what happens without a goal: settings taken over, or
        what Askfirst had to set back.
        """
        ...

    def unclear(self) -> Sequence[Entry]:
        """What was held, or of unknown outcome, when Askfirst last ended, newest first."""
        ...

    async def look_again(self, entry: Entry) -> str:
        """Look whether it was done, and say in words what is known now."""
        ...

    def let_go(self, entry: Entry) -> None:
        """Hear no more of it; what was held is not sent."""
        ...

    async def ask_again(self, entry: Entry, front: Frontend) -> None:
        """Put what was held to the person anew; asked like any other call."""
        ...

    def stop_softly(self) -> None:
        """Let the running call end, and begin no other."""
        ...

    def activity(self, limit: int) -> Sequence[Entry]:
        """The latest calls, newest first."""
        ...

    def connectors(self) -> Sequence[ConnectorState]: ...

    def model_state(self) -> ModelState: ...

    def notices(self) -> Sequence[Notice]: ...

    @property
    def library(self) -> Library:
        """The models that are here and that can be had."""
        ...

    async def use_model(self, word: str, progress: Progress) -> str:
        """Use another model from now on, by its key or path, and say so; no goal may be at work.

        Raises ModelError, ConfigError or OSError; then the one before stays.
        """
        ...

    async def prepare_model(self, progress: Progress) -> None:
        """Fetch and load the model if need be; a failure is raised with a plain sentence."""
        ...

    async def close(self) -> None: ...
