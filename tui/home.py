"""One running Askfirst, as the terminal sees it."""

import asyncio
import logging
from collections.abc import Callable, Sequence

from assistant.again import ask_again
from assistant.events import Ending, GoalTaken, TurnEnded
from assistant.frontend import Frontend
from assistant.session import Session
from connectors.base import Context, Notice, Tool
from permissions.entry import Entry, State
from permissions.gate import Gate
from permissions.holding import Released
from permissions.journal import Journal, JournalError
from tui.house import Connect, ConnectorState, Waiting
from tui.library import Library
from tui.model_state import ModelState, Progress
from tui.permits import Permits
from tui.planner import Planner
from tui.reloading import Reloading
from tui.services import Services
from tui.states import states_of

log = logging.getLogger(__name__)

_FAR_BACK = 1000
_OFF = "Everything is off, so nothing was done. To turn it on again: :on, or F3 and o."
_UNDO_SEND = frozenset(
    {"undo", "undo that", "undo it", "undo send", "take it back", "take that back", "don't send it"}
)


class Home:
    """Implements `House` over the parts that the composition root made."""

    library: Library

    def __init__(
        self,
        services: Services,
        gate: Gate,
        planner: Planner,
        session: Session,
        context: Callable[[], Context],
        permits: Permits,
        *,
        first_run: bool,
    ) -> None:
        self.first_run = first_run
        self.permits = permits
        self.connect: Connect | None = None
        self._services = services
        self._gate = gate
        self.planner = planner
        self._session = session
        self._context = context
        # With other services there are other tools, of which the model had better read beforehand.
        self.reloading = Reloading(
            services, lambda: bool(gate.outbox.waiting), self._tell, session.read_ahead
        )
        self._news: list[str] = []
        self._hearing: list[Callable[[str], object]] = []
        gate.trials.heard = self._tell
        gate.journal.unfinished()
        self._unclear = gate.journal.unclear()
        try:
            gate.journal.prune()
        except JournalError as error:
            log.warning("the journal could not be pruned: %s", error)

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools that a model may ask for now."""
        return self._gate.tools

    @property
    def journal(self) -> Journal:
        """What was asked, allowed and done."""
        return self._gate.journal

    async def run(self, goal: str, front: Frontend, pasted: Sequence[tuple[int, int]] = ()) -> None:
        if self.permits.off:
            await front.show(GoalTaken(goal))
            await front.show(TurnEnded(Ending.STOPPED, _OFF))
        elif says_undo_send(goal) and self._gate.outbox.waiting:
            await self._undo_send(self._gate.outbox.waiting[-1].id, front)
        else:
            with self.reloading.under_way():
                await self._session.run(goal, front, pasted)

    async def undo(self, entry_id: str, front: Frontend) -> None:
        """Take back one deed, named by its id or the beginning of it; with no id, the last that can be."""
        waiting = [held.id for held in self._gate.outbox.waiting if held.id.startswith(entry_id)]
        if waiting:
            await self._undo_send(waiting[-1], front)
            return
        ids = [entry.id for entry in self.activity(_FAR_BACK) if entry_id and entry.id.startswith(entry_id)]
        with self.reloading.under_way():
            await self._session.undo(ids[0] if len(ids) == 1 else entry_id, front)

    async def _undo_send(self, id: str, front: Frontend) -> None:
        title = next(held.title for held in self._gate.outbox.waiting if held.id == id)
        await front.show(GoalTaken(f"Undo: {title}"))
        self.withdraw(id)
        await front.show(TurnEnded(Ending.DONE, f"✓ Taken back, not sent: {title}"))

    def held(self) -> Sequence[Waiting]:
        outbox = self._gate.outbox
        return [Waiting(held.id, held.title, outbox.left(held)) for held in outbox.waiting]

    def withdraw(self, id: str) -> bool:
        return self._gate.outbox.withdraw(id)

    def watch_held(self, watcher: Callable[[Released | None], None]) -> None:
        self._gate.outbox.watchers.append(watcher)

    def watch_news(self, heard: Callable[[str], object]) -> None:
        self._hearing.append(heard)
        for text in self._news:
            heard(text)
        self._news = []

    def _tell(self, text: str) -> None:
        for heard in self._hearing:
            heard(text)
        if not self._hearing:
            self._news.append(text)

    async def settled(self) -> None:
        """Wait until nothing waits any more and nothing is on its way."""
        await self._gate.outbox.settled()

    def unclear(self) -> Sequence[Entry]:
        return self._unclear

    async def look_again(self, entry: Entry) -> str:
        found = await self._gate.look_again(entry)
        if found is None:
            return "It cannot be told from here whether it was done."
        self._forget(entry)
        return found.text

    def let_go(self, entry: Entry) -> None:
        self._gate.drop(entry)
        self._forget(entry)

    async def ask_again(self, entry: Entry, front: Frontend) -> None:
        kept = self._gate.journal.shelf.call(entry.id)
        if kept is None:
            text = "What it said was not kept; say it as a goal of its own."
            await front.show(TurnEnded(Ending.FAILED, text))
            return
        with self.reloading.under_way():
            stood = entry.why.stood
            pasted = stood is not None and stood.pasted
            done = await ask_again(entry.goal, kept, self._gate, front, self._context, pasted=pasted)
        if done:
            self.let_go(entry)

    def _forget(self, entry: Entry) -> None:
        self._unclear = tuple(kept for kept in self._unclear if kept.id != entry.id)

    def stop_softly(self) -> None:
        self._session.stop_softly()

    def activity(self, limit: int) -> Sequence[Entry]:
        return self._gate.journal.entries(limit)

    def connectors(self) -> Sequence[ConnectorState]:
        return states_of(self._services)

    def model_state(self) -> ModelState:
        return self.planner.state

    def notices(self) -> Sequence[Notice]:
        unclear = (Notice(entry.tool.partition(".")[0], unclear_words(entry)) for entry in self._unclear)
        journal = (Notice("journal", text) for text in self._gate.journal.notices)
        permits = (Notice("permissions", text) for text in self.permits.notices)
        return (*unclear, *journal, *permits, *self._services.notices())

    async def prepare_model(self, progress: Progress) -> None:
        self.reloading.begin()
        self._services.start()
        await self._set_back()
        await asyncio.gather(self.probe(), self.planner.prepare(progress))
        # What the services can do here is known only now, and with it which tools there are.
        await self._session.read_ahead()

    async def _set_back(self) -> None:
        """Set back what an Askfirst that ended has left on trial, before anything else is done."""
        for text in await self._gate.trials.take_up():
            self._tell(text)
        self._unclear = self._gate.journal.unclear()

    async def use_model(self, word: str, progress: Progress) -> str:
        spec, settings = await asyncio.to_thread(self.library.chosen, word)
        await self.planner.exchange(settings, progress)
        self.library.name_model(settings.model)
        return f"From now on Askfirst uses {spec.title}."

    async def probe(self) -> None:
        """Let every service find out what it can do here."""
        await self._services.probe()

    async def close(self) -> None:
        await self._gate.outbox.close()
        await self._gate.trials.close()
        await self._session.close()
        self.reloading.end()
        self._services.close()
        self._gate.journal.close()


def says_undo_send(goal: str) -> bool:
    """True if the person asks to take back what they have just let go."""
    return goal.strip().rstrip(".!").casefold().replace("’", "'") in _UNDO_SEND


def unclear_words(entry: Entry) -> str:
    """What is known of a call that was held or running when Askfirst ended."""
    if entry.state is State.HELD:
        return f"Askfirst ended while this was held, so it was not sent: {entry.title}"
    return f"It is not known whether this was done: {entry.title}"
