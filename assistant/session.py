"""The loop of a conversation: a goal goes to the model, its calls through the gate, the outcomes back."""

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from assistant.attempt import TurnOver
from assistant.briefing import briefing, bygone
from assistant.budget import Budget, Limits
from assistant.doubt import which_is_meant
from assistant.errand import Errand, new_goal
from assistant.events import (
    Ending,
    GoalTaken,
    ModelNoted,
    ModelProgressed,
    TextStreamed,
    ThoughtStreamed,
    TurnEnded,
)
from assistant.frontend import Frontend
from assistant.handles import Handles
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
    ReadsAhead,
    Remark,
    Reply,
    Result,
    Text,
    Thought,
    Turn,
    Wish,
)
from assistant.wording import closing, nothing_fits
from connectors.base import Call, Context, Needs, Outcome, failed
from permissions.facts import Doubt, Made, Read
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
    garbled: list[Garbled] = field(default_factory=list)
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
        self._handles = Handles()
        self._id = ""
        self._errand: Errand | None = None

    def resume(self, session: str) -> tuple[Turn, ...]:
        """Take up an earlier session and return its turns; what was foreign in it is foreign still."""
        self._id = session
        self._turns = list(self._history.turns(session))
        self._handles = Handles(self._turns)
        for each in self._history.story(session):
            if isinstance(each, Goal):
                self._provenance.say(each.text, each.pasted)
            elif isinstance(each, Read | Made | Doubt):
                self._provenance.recall(each)
        return tuple(self._turns)

    def stop_softly(self) -> None:
        """Let what runs come to its end, and start nothing more."""
        if self._errand:
            self._errand.halt()

    async def run(self, text: str, front: Frontend, pasted: Sequence[tuple[int, int]] = ()) -> None:
        """Carry out one typed goal, of which some pieces were pasted; the last event is always TurnEnded."""
        if text.strip().rstrip(".!").casefold() in _UNDO_WORDS:
            await self.undo("", front)
            return
        await front.show(GoalTaken(text))
        self._provenance.say(text, pasted)
        self._add(Goal(text, tuple(pasted)))
        errand = self._begin(text, front, pasted=bool(pasted))
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

    def _begin(self, text: str, front: Frontend, *, pasted: bool = False) -> Errand:
        self._errand = Errand(
            new_goal(text, pasted=pasted),
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
        self._keep_facts()
        self._answer_open_calls()
        await front.show(TurnEnded(ending, self._summary(ending, errand, reason)))
        if cancelled:
            raise cancelled
        await self.read_ahead()

    async def _converse(self, errand: Errand, front: Frontend) -> Ending:
        planned = misread = False
        while True:
            tainted = self._provenance.tainted
            answer = await self._listen(front)
            if answer.text:
                self._add(Reply("".join(answer.text), tainted))
            if answer.cut:
                raise TurnOver(Ending.FAILED, answer.cut.why)
            if not answer.wishes and not answer.garbled:
                if misread and not answer.text:
                    raise TurnOver(Ending.FAILED, "the model's answer could not be read")
                if answer.nothing_fits and not planned:
                    return Ending.NOTHING_FITS
                left = [(call, Asker.PLAN) for call in await errand.left()]
                await self._carry_out(left, errand, tainted=False)
                return Ending.DONE
            calls = self._take_up(answer, errand)
            planned, misread = True, not calls
            await self._carry_out(await errand.take(calls), errand, tainted=tainted)

    async def _carry_out(self, calls: Sequence[tuple[Call, Asker]], errand: Errand, *, tainted: bool) -> None:
        """Carry out the calls of one answer; `tainted` says that foreign text was read before it."""
        answer = 1 + max((turn.answer for turn in self._turns if isinstance(turn, Proposal)), default=0)
        for number, (call, asker) in enumerate(calls, start=1):
            self._add(Proposal(call, tainted, answer))
            outcome = await errand.carry_out(call, asker, _alike(calls[number:], asker))
            self._add(Result(call.id, outcome, errand.edited(call)))
            self._keep_facts()

    async def _listen(self, front: Frontend) -> _Answer:
        answer = _Answer()
        told = briefing(self._turns, self._handles)
        async with aclosing(self._model.respond(told, self._gate.tools)) as pieces:
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
        faults = [garbled.why for garbled in answer.garbled]
        for wish in answer.wishes:
            arguments = {name: self._handles.long(value) for name, value in wish.arguments.items()}
            call = self._gate.make_call(wish.tool, arguments)
            if isinstance(call, Outcome):
                faults.append(call.text)
            else:
                calls.append(call)
        if faults and (reason := errand.budget.misread()):
            raise TurnOver(Ending.FAILED, reason)
        for fault in dict.fromkeys(faults):
            self._add(Result("", failed(Needs.INVALID, fault)))
        return calls

    async def _take_back(self, errand: Errand, undo: Call) -> Ending:
        await errand.add(undo, added=False)
        await errand.carry_out(undo, Asker.UNDO)
        return Ending.DONE

    async def read_ahead(self) -> None:
        """Let the model read, while nobody waits for it, what it will be told whatever the next goal is."""
        try:
            if isinstance(self._model, ReadsAhead):
                await self._model.read_ahead(bygone(self._turns, self._handles), self._gate.tools)
        except Exception:  # The goal is over, whatever becomes of this.
            log.exception("the model could not read ahead")

    def _summary(self, ending: Ending, errand: Errand, reason: str) -> str:
        if ending is Ending.NOTHING_FITS:
            return nothing_fits(self._gate.tools)
        return closing(ending, errand.told, reason)

    def _keep_facts(self) -> None:
        """Keep what was learnt, so that it is known when the session is taken up again."""
        for fact in self._provenance.news():
            self._id = self._id or self._history.begin(self._clock())
            self._history.add(self._id, fact)

    def _answer_open_calls(self) -> None:
        for call_id in unanswered(self._turns):
            self._add(cut_off(call_id))

    def _add(self, turn: Turn) -> None:
        self._id = self._id or self._history.begin(self._clock())
        self._turns.append(turn)
        self._handles.learn(turn)
        self._history.add(self._id, turn)


def _alike(calls: Sequence[tuple[Call, Asker]], asker: Asker) -> list[Call]:
    """The calls up to the first that is on another account."""
    return [call for call, _ in itertools.takewhile(lambda each: each[1] is asker, calls)]


async def _hear(piece: Piece, answer: _Answer, front: Frontend) -> None:
    match piece:
        case Loading():
            await front.show(ModelProgressed(piece.stage, piece.fraction))
        case Thought():
            await front.show(ThoughtStreamed(piece.text))
        case Text():
            answer.text.append(piece.text)
            await front.show(TextStreamed(piece.text))
        case Remark():
            await front.show(ModelNoted(piece.text))
        case Wish():
            answer.wishes.append(piece)
        case Garbled():
            answer.garbled.append(piece)
        case Cut():
            answer.cut = piece
        case NoToolFits():
            answer.nothing_fits = True
        case Otherwise():
            answer.otherwise = piece
