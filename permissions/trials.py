"""Deeds that are taken back by themselves unless the person keeps them, even if Askfirst ends meanwhile."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from connectors.base import Call, Context, Needs, Option, Outcome, Prepared, Question, failed
from permissions.carrying import Carrier
from permissions.entry import Entry, State
from permissions.journal import Journal
from permissions.judge import Judged
from permissions.report import note
from permissions.ticket import Ticket
from permissions.toolbox import Toolbox, fitted
from permissions.words import GoalRef, Ruling, Verdict

KEEP_IT: Final = Option("Keep it", {"keep": True})
_SET_BACK: Final = Option("Set it back", {"keep": False})
UNATTENDED: Final = Ruling(
    Verdict.REFUSE,
    "floor.unattended",
    "it is set back by itself unless somebody keeps it, and nobody is there (--keep keeps it)",
)
BACK: Final = Ruling(Verdict.ALLOW, "trial.back", "it is set back, since nobody said to keep it")
_NEVER_BEGAN = frozenset({State.PLANNED, State.APPROVED, State.DENIED, State.EXPIRED})
_TRIES: Final = 3

Ask = Callable[[Question], Awaitable[bool]]
"""Puts the question whether to keep a deed; True is the only yes, and it may take as long as it likes."""

Back = Callable[[Prepared, GoalRef], Awaitable[Outcome]]
"""Carries out the call that sets a deed back, and writes it down."""


class Keeping(StrEnum):
    """Who says whether a deed on trial is kept: the person at hand, their word given before, or nobody."""

    ASK = "ask"
    KEEP = "keep"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class _Deed:
    """A deed on trial: the id of its request, the call that takes it back, and the goal it was done for."""

    id: str
    back: Call
    goal: GoalRef


class Trials:
    """Lets a deed be done, asks whether it is kept, and sets it back otherwise.

    The promise is on the disk before the deed is done, so that the next start keeps it if this process does
    not. Setting back, which `back` does, is the second half of what was approved: no rule that came meanwhile
    is asked. `look` is how many seconds a service may look, `pause` how many lie between two tries; `heard`
    is told what was set back where no outcome can tell it.
    """

    def __init__(
        self, journal: Journal, carrier: Carrier, toolbox: Toolbox, back: Back, clock: Callable[[], datetime]
    ) -> None:
        self._journal = journal
        self._carrier = carrier
        self._toolbox = toolbox
        self._back = back
        self._clock = clock
        self._going: set[asyncio.Task[Outcome]] = set()
        self.keeping = Keeping.ASK
        self.look = 15.0
        self.pause = 1.0
        self.heard: Callable[[str], object] = _unheard

    def refuses(self, prepared: Prepared) -> bool:
        """True if a call is on trial and there is nobody who could keep what it does."""
        return prepared.trial is not None and self.keeping is Keeping.REFUSE

    async def carry_out(self, ticket: Ticket, judged: Judged, ask: Ask | None) -> Outcome:
        """Do it, and leave it so only if it is kept; being cancelled, or no answer in time, keeps nothing."""
        trial = ticket.prepared.trial
        assert trial is not None
        deed = _Deed(ticket.id, trial.back, judged.matter.goal)
        try:
            self._journal.trials.keep(deed.id, deed.back)
        except (OSError, ValueError) as error:
            reason = f"that it is set back could not be written down ({error}), so nothing was done"
            self._carrier.note_down(lambda: self._journal.denied(deed.id, f"refused: {reason}"))
            return failed(Needs.UNAVAILABLE, f"Not done: {reason}.")
        try:
            outcome = await self._carrier.carry_out(ticket, judged)
            kept = outcome.ok and await self._is_kept(outcome, trial.seconds, ask)
        except BaseException:
            self.heard(_said(await self._surely_back(deed)))
            raise
        if kept:
            self._let_stand(deed)
            return replace(outcome, text=f"{outcome.text} It was kept.")
        if not outcome.ok and outcome.undo is None and outcome.needs is not Needs.TIMEOUT:
            self._forget(deed.id)
            return outcome
        back = await self._surely_back(deed)
        undo = None if back.ok else outcome.undo
        return Outcome(ok=False, text=_said(back), needs=outcome.needs, undo=undo)

    async def take_up(self) -> tuple[str, ...]:
        """Set back what processes that have ended left on trial; what came of each, in words."""
        return tuple([await self._taken_up(deed) for deed in self._abandoned()])

    async def close(self) -> None:
        """Wait for what is being set back."""
        if self._going:
            await asyncio.wait(set(self._going))

    async def _is_kept(self, outcome: Outcome, seconds: float, ask: Ask | None) -> bool:
        if self.keeping is not Keeping.ASK or ask is None:
            return self.keeping is Keeping.KEEP
        text = f"{outcome.text} Keep it so? Without an answer it is set back in {seconds:g} seconds."
        try:
            async with asyncio.timeout(seconds):
                return await ask(Question(text, (_SET_BACK, KEEP_IT), seconds=seconds)) is True
        except Exception as error:  # Whatever goes wrong with the asking, it is no yes.
            if not isinstance(error, TimeoutError):
                note("asking whether to keep a change", error)
            return False

    async def _taken_up(self, deed: _Deed) -> str:
        outcome, entry = await self._surely_back(deed), self._journal.entry(deed.id)
        if outcome.ok and entry and entry.state is State.UNKNOWN:
            self._carrier.note_down(lambda: self._journal.resolved(deed.id, False, outcome.text))
        title = f" ({entry.title})" if entry else ""
        return f"Askfirst ended before a change was kept{title}, so it is set back: {outcome.text}"

    def _let_stand(self, deed: _Deed) -> None:
        self._carrier.note_down(lambda: self._journal.kept(deed.id))
        self._forget(deed.id)

    async def _surely_back(self, deed: _Deed) -> Outcome:
        """Set it back, even if whoever waits for it is told to stop meanwhile."""
        task = asyncio.get_running_loop().create_task(self._set_back(deed))
        self._going.add(task)
        task.add_done_callback(self._going.discard)
        return await asyncio.shield(task)

    async def _set_back(self, deed: _Deed) -> Outcome:
        outcome = await self._tried(deed)
        for _ in range(_TRIES - 1):
            if outcome.ok:
                break
            await asyncio.sleep(self.pause)
            outcome = await self._tried(deed)
        if outcome.ok:
            self._forget(deed.id)
            return outcome
        return replace(outcome, text=f"It could not be set back yet: {outcome.text}")

    async def _tried(self, deed: _Deed) -> Outcome:
        now = self._clock()
        zone = now.tzinfo if isinstance(now.tzinfo, ZoneInfo) else ZoneInfo("UTC")
        tool = self._toolbox.tool(deed.back.tool)
        if tool is None or isinstance(fitted(tool, deed.back.arguments), Outcome):
            return Outcome(ok=False, text="the service that could do it is off.")
        call = replace(deed.back, id=f"back-{secrets.token_hex(8)}")
        found = await self._toolbox.look(call, Context(now, zone), self.look)
        match found:
            case Prepared():
                return await self._back(found, deed.goal)
            case Outcome(needs=Needs.INVALID):  # It stands as before already, as the service says itself.
                return replace(found, ok=True)
            case Question():
                return Outcome(ok=False, text=found.text)
        return found

    def _forget(self, id: str) -> None:
        """The promise is kept, or needed no more; if it stays on the disk, the next start looks at it."""
        with suppress(OSError):
            self._journal.trials.drop(id)

    def _abandoned(self) -> list[_Deed]:
        """The deeds on trial of processes that have ended."""
        shelf, found = self._journal.trials, []
        for id in self._journal.abandoned(shelf.ids()):
            entry, back = self._journal.entry(id), shelf.call(id)
            if back is None or (entry and not _stands(entry)) or self._journal.was_kept(id):
                self._forget(id)
            else:
                goal = GoalRef(entry.goal_id, entry.goal) if entry else GoalRef(id, "")
                found.append(_Deed(id, back, goal))
        return found


def _unheard(text: str) -> None:
    """Nobody listens."""


def _said(back: Outcome) -> str:
    return f"{back.text} It was set back, for nobody said to keep it." if back.ok else back.text


def _stands(entry: Entry) -> bool:
    """True if a deed may have been done and was not taken back."""
    return entry.state not in _NEVER_BEGAN and not entry.undone
