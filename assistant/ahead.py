"""Calls that can be asked about together: each is exact by itself, and none builds on another's outcome."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from connectors.base import Call, Effect, Outcome, Prepared, Question, Role
from permissions.gate import Gate
from permissions.words import Asker, Decision, Key, Reply, Request, Verdict

MOST = 5

Look = Callable[[Call], Awaitable[Prepared | Question | Outcome]]
Judge = Callable[[Prepared, Asker], Request]


@dataclass(frozen=True, slots=True)
class Held:
    """A request whose call's turn has not come yet, and what was answered, if it was asked."""

    request: Request
    decision: Decision | None = None


class Ahead:
    """Looks at the calls that come next, and holds their requests until it is their turn."""

    def __init__(self, gate: Gate, look: Look, judge: Judge) -> None:
        self._gate = gate
        self._look = look
        self._judge = judge
        self._held: dict[str, Held] = {}

    def take(self, call: Call) -> Held | None:
        """What is held of a call; it is given once."""
        return self._held.pop(call.id, None)

    async def beside(self, first: Request, calls: Sequence[Call]) -> tuple[Request, ...]:
        """The first request, and those of the calls right after it that can be asked about with it.

        While something is held, what comes next was asked about already.
        """
        together = [first]
        if self._held or not joins(first):
            return (first,)
        for call in calls[: MOST - 1]:
            prepared = await self._look(call)
            if not isinstance(prepared, Prepared) or not apart(prepared, together):
                break
            request = self._judge(prepared, first.asker)
            self._held[call.id] = Held(request)
            if not joins(request):
                break
            together.append(request)
        return tuple(together)

    def keep(self, requests: Sequence[Request], decisions: Sequence[Decision]) -> Decision:
        """Hold the answers of the later calls and return the first one's; what is missing is a no."""
        missing = Decision(Reply.NO, reason="there was no answer")
        answers = [*decisions, *[missing] * len(requests)][: len(requests)]
        if len(requests) > 1:
            answers = [replace(answer, grant=None, ban=None) for answer in answers]
        for request, answer in zip(requests[1:], answers[1:], strict=True):
            self._held[request.call.id] = Held(request, answer)
        return answers[0]

    def drop(self, reason: str) -> None:
        """Let go of everything held: what was said yes to on other terms is asked anew, or never run."""
        for held in self._held.values():
            self._gate.settle(held.request, Decision(Reply.NO, reason=reason))
        self._held = {}


def joins(request: Request) -> bool:
    """True for a change that one letter says yes to; reading goes first, and typed words stand alone."""
    ruling = request.ruling
    reads = request.prepared.effects <= {Effect.READ}
    return ruling.verdict is Verdict.ASK and ruling.key is not Key.TYPED and not reads


def apart(prepared: Prepared, others: Sequence[Request]) -> bool:
    """True if a call changes something, and nothing that the others act on."""
    if prepared.effects <= {Effect.READ}:
        return False
    taken = {thing for other in others for thing in _targets(other.prepared)}
    return taken.isdisjoint(_targets(prepared))


def _targets(prepared: Prepared) -> set[str]:
    """What a call was told to act on; the place that code chose for something new is no such thing."""
    things = (thing for thing in prepared.resolved if thing.role is Role.TARGET)
    return {thing.value for thing in things if thing.argument in prepared.call.arguments}
