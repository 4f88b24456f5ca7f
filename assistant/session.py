"""The loop of a conversation: a goal goes to the model, its calls through the gate, the outcomes back."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from assistant.budget import Budget, Limits
from assistant.doubt import which_is_meant
from assistant.errand import Errand, TurnOver, new_goal
from assistant.events import (
    Ending,
    GoalTaken,
    ModelProgressed,
    TextStreamed,
    ThoughtStreamed,
    TurnEnded,
)
from assistant.frontend import Frontend
from assistant.history import History, HistoryError, cut_off, unanswered
from assistant.model.base import (
    Cut,
    Garbled,
    Goal,
    Loading,
    Model,
    ModelError,
    NoToolFits,
    Otherwise,
    Piece,
    Proposal,
    Reply,
    Result,
    Text,
    Thought,
    Turn,
    Wish,
)
from assistant.wording import closing, nothing_fits
from connectors.base import Call, Context, Needs, Outcome, failed
from permissions.gate import Gate
from permissions.provenance import Provenance
from permissions.words import Asker

log = logging.getLogger(__name__)

Clock = Callable[[], datetime]
_UNDO_WORDS = frozenset({"undo", "undo that", "undo it", "undo this", "take it back", "take that back"})


@dataclass(slots=True)
class _Answer:
    """One answer of the model, taken apart."""

    wishes: list[Wish] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    garbled: Garbled | None = None
    cut: Cut | None = None
    nothing_fits: bool = False
    otherwise: Otherwise | None = None


class Session:
    """One conversation; goals are carried out one at a time."""

    def __init__(
        self,
        model: Model,
        gate: Gate,
        history: History,
        provenance: Provenance,
        clock: Clock,
        zone: ZoneInfo,
        limits: Limits | None = None,
    ) -> None:
        self._model = model
        self._gate = gate
        self._history = history
        self._clock = clock
        self._zone = zone
        self._limits = limits or Limits()
        self._provenance = provenance
        self._turns: list[Turn] = []
        self._id = ""
        self._errand: Errand | None = None

    def resume(self, session: str) -> tuple[Turn, ...]:
        """Take up an earlier session and return its turns."""
        self._id = session
        self._turns = list(self._history.turns(session))
        for turn in self._turns:
            if isinstance(turn, Goal):
                self._provenance.say(turn.text)
            if isinstance(turn, Result):
                self._remember(turn.outcome)
        return tuple(self._turns)

    def stop_softly(self) -> None:
        """Let what runs come to its end, and start nothing more."""
        if self._errand:
            self._errand.halt()

    async def run(self, text: str, front: Frontend) -> None:
        """Carry out one typed goal; the last event shown is always TurnEnded."""
        if text.strip().rstrip(".!").casefold() in _UNDO_WORDS:
            await self.undo("", front)
            return
        await front.show(GoalTaken(text))
        self._provenance.say(text)
        self._add(Goal(text))
        errand = self._begin(text, front)
        await self._to_the_end(errand, front, self._converse(errand, front))

    async def undo(self, entry_id: str, front: Frontend) -> None:
        """Take back one deed of the journal, or with no id the last that can be; asked for like any call."""
        journal = self._gate.journal
        entry = journal.entry(entry_id) if entry_id else journal.last_undoable()
        if entry is None or entry.undo is None or entry.undone:
            await front.show(TurnEnded(Ending.FAILED, "There is nothing that can be undone."))
            return
        text = f"Undo: {entry.title}"
        await front.show(GoalTaken(text))
        errand = self._begin(text, front)
        await self._to_the_end(errand, front, self._take_back(errand, entry.undo))

    async def close(self) -> None:
        await self._model.close()

    def _begin(self, text: str, front: Frontend) -> Errand:
        self._errand = Errand(
            new_goal(text),
            self._gate,
            front,
            Budget(self._limits),
            self._provenance,
            lambda: Context(self._clock().astimezone(self._zone), self._zone),
        )
        return self._errand

    async def _to_the_end(self, errand: Errand, front: Frontend, work: Awaitable[Ending]) -> None:
        """Await a turn's work and end it truthfully, whatever happens; cancellation goes on upwards."""
        ending, reason = Ending.FAILED, ""
        cancelled: asyncio.CancelledError | None = None
        try:
            ending = await work
        except TurnOver as over:
            ending, reason = over.ending, over.reason
        except asyncio.CancelledError as error:
            ending, reason, cancelled = Ending.STOPPED, "at once", error
        except (ModelError, HistoryError) as error:
            reason = str(error)
        except Exception:
            log.exception("a turn failed")
            reason = "of an error inside Askfirst; the log has the details"
        errand.end()
        self._errand = None
        self._answer_open_calls()
        await front.show(TurnEnded(ending, self._summary(ending, errand, reason)))
        if cancelled:
            raise cancelled

    async def _converse(self, errand: Errand, front: Frontend) -> Ending:
        asker, misread = Asker.PLAN, False
        while True:
            answer = await self._listen(front)
            if answer.text:
                self._add(Reply("".join(answer.text)))
            if answer.cut:
                raise TurnOver(Ending.FAILED, answer.cut.why)
            if not answer.wishes and not answer.garbled:
                if misread and not answer.text:
                    raise TurnOver(Ending.FAILED, "the model's answer could not be read")
                return Ending.NOTHING_FITS if answer.nothing_fits and asker is Asker.PLAN else Ending.DONE
            calls = self._take_up(answer, errand)
            misread = not calls
            await errand.plan(calls, added=asker is Asker.ADDED)
            for number, call in enumerate(calls, start=1):
                self._add(Proposal(call))
                self._add(Result(call.id, await errand.carry_out(call, asker, calls[number:])))
            asker = Asker.ADDED

    async def _listen(self, front: Frontend) -> _Answer:
        answer = _Answer()
        async with aclosing(self._model.respond(tuple(self._turns), self._gate.tools)) as pieces:
            async for piece in pieces:
                await _hear(piece, answer, front)
        if answer.otherwise and not answer.garbled and not answer.cut:
            readings = (answer.wishes, answer.otherwise.wishes)
            picked = await which_is_meant(readings, self._gate, front)
            if picked is None:
                ending = Ending.STOPPED if answer.wishes else Ending.NOTHING_FITS
                raise TurnOver(ending, "none of the readings was picked")
            answer.wishes, answer.nothing_fits = list(picked), not picked
        return answer

    def _take_up(self, answer: _Answer, errand: Errand) -> list[Call]:
        """The wishes that are well-formed calls; what is not goes back to the model, twice at most."""
        calls: list[Call] = []
        faults = [answer.garbled.why] if answer.garbled else []
        for wish in answer.wishes:
            call = self._gate.make_call(wish.tool, wish.arguments)
            if isinstance(call, Outcome):
                faults.append(call.text)
            else:
                calls.append(call)
        for fault in faults:
            if reason := errand.budget.misread():
                raise TurnOver(Ending.FAILED, reason)
            self._add(Result("", failed(Needs.INVALID, fault)))
        return calls

    async def _take_back(self, errand: Errand, undo: Call) -> Ending:
        await errand.plan([undo], added=False)
        await errand.carry_out(undo, Asker.UNDO)
        return Ending.DONE

    def _summary(self, ending: Ending, errand: Errand, reason: str) -> str:
        if ending is Ending.NOTHING_FITS:
            return nothing_fits(self._gate.tools)
        return closing(ending, errand.told, reason)

    def _remember(self, outcome: Outcome) -> None:
        """Foreign text of an earlier session is foreign text still."""
        if outcome.content is not None or outcome.items:
            items = "\n".join(f"{item.label}\n{item.detail}" for item in outcome.items)
            self._provenance.read_content("an earlier session", f"{outcome.content or ''}\n{items}")

    def _answer_open_calls(self) -> None:
        for call_id in unanswered(self._turns):
            self._add(cut_off(call_id))

    def _add(self, turn: Turn) -> None:
        self._id = self._id or self._history.begin(self._clock())
        self._turns.append(turn)
        self._history.add(self._id, turn)


async def _hear(piece: Piece, answer: _Answer, front: Frontend) -> None:
    match piece:
        case Loading():
            await front.show(ModelProgressed(piece.stage, piece.fraction))
        case Thought():
            await front.show(ThoughtStreamed(piece.text))
        case Text():
            answer.text.append(piece.text)
            await front.show(TextStreamed(piece.text))
        case Wish():
            answer.wishes.append(piece)
        case Garbled():
            answer.garbled = piece
        case Cut():
            answer.cut = piece
        case NoToolFits():
            answer.nothing_fits = True
        case Otherwise():
            answer.otherwise = piece
