"""A call that was held when Askfirst ended is put to the person anew, without a model, by all the rules."""

import asyncio
from collections.abc import Callable

from assistant.attempt import TurnOver
from assistant.budget import Budget, Limits
from assistant.errand import Errand, new_goal
from assistant.events import Ending, GoalTaken, TurnEnded
from assistant.frontend import Frontend
from assistant.wording import closing
from connectors.base import Call, Context, Outcome
from permissions.gate import Gate
from permissions.provenance import Provenance


async def ask_again(
    goal: str,
    kept: Call,
    gate: Gate,
    front: Frontend,
    context: Callable[[], Context],
    *,
    pasted: bool = False,
) -> bool:
    """Ask for a call as if the person had just typed the goal that led to it; True if it was done or held.

    The last event shown is always TurnEnded. What in the call is not in the goal's words counts as not the
    person's: nothing is carried over from the yes that was given before. `pasted` says that some of the
    goal was not typed; as it is not known which, none of it counts as typed.
    """
    await front.show(GoalTaken(goal))
    provenance = Provenance()
    provenance.say(goal, ((0, len(goal)),) if pasted else ())
    errand = Errand(new_goal(goal, pasted=pasted), gate, front, Budget(Limits()), provenance, context)
    ending, reason, outcome = Ending.DONE, "", None
    cancelled: asyncio.CancelledError | None = None
    try:
        call = gate.make_call(kept.tool, kept.arguments)
        if isinstance(call, Outcome):
            ending, reason = Ending.FAILED, call.text
        else:
            ((call, asker),) = await errand.take([call])
            outcome = await errand.carry_out(call, asker)
    except TurnOver as over:
        ending, reason = over.ending, over.reason
    except asyncio.CancelledError as error:
        ending, reason, cancelled = Ending.STOPPED, "at once", error
    errand.end()
    await front.show(TurnEnded(ending, closing(ending, errand.told, reason)))
    if cancelled:
        raise cancelled
    return outcome is not None and outcome.ok
