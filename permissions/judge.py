"""From a prepared call to the question about it: origins, the ruling, and what may be granted."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from connectors.base import Call, Prepared, Tool
from permissions.coverage import READING
from permissions.entry import State
from permissions.grants import GrantBook
from permissions.plan import PlanStep, Progress, unsealed
from permissions.policy import Case, Policy, decide, sufficient, whole
from permissions.provenance import Provenance
from permissions.report import note
from permissions.roles import clashes
from permissions.ticket import fingerprint, frozen, likeness
from permissions.words import Asker, Flag, GoalRef, Offer, Request, Ruling, Verdict

_BY_CODE = frozenset({Asker.REPAIR, Asker.UNDO})


@dataclass(frozen=True, slots=True)
class Matter:
    """Who wants a call, for what, and where it stands in the plan."""

    provenance: Provenance
    goal: GoalRef
    asker: Asker
    step: int = 0
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged call: the question, all that the ruling is made of, the fingerprint of what is shown."""

    request: Request
    matter: Matter
    case: Case | None = None
    hash: str = ""


class Judge:
    """Judges calls by policy and grants, and remembers which deeds have failed in the goal at hand."""

    def __init__(self, grants: GrantBook) -> None:
        self._grants = grants
        self._goal = ""
        self._failed: set[str] = set()
        self._progress = Progress("")

    def judge(
        self, prepared: Prepared, tool: Tool | None, matter: Matter, policy: Policy, now: datetime
    ) -> Judged:
        """The question about a call; one that cannot be put down exactly is refused."""
        id = secrets.token_hex(16)
        try:
            return self._judge(id, prepared, tool, matter, policy, now)
        except Exception as error:  # A call that cannot be judged must not run, whatever is wrong with it.
            note("judging a call", error)
        ruling = Ruling(Verdict.REFUSE, "floor.unreadable", "this call cannot be judged")
        return Judged(Request(id, prepared, ruling, {}, (), matter.asker, matter.step, matter.steps), matter)

    def still(self, judged: Judged, policy: Policy, now: datetime) -> Verdict:
        """The verdict as it is now."""
        if judged.case is None:
            return Verdict.REFUSE
        try:
            return self._ruling(judged.case, policy, now).verdict
        except Exception as error:  # Where the standing noes cannot be read, nothing may run.
            note("judging a call", error)
            return Verdict.REFUSE

    def remember(self, judged: Judged, state: State) -> None:
        """An effect that failed is not run again unchanged in this goal, until a repair has been done."""
        case = judged.case
        if case is None or case.effects == READING:
            return
        if case.goal.id != self._goal:
            self._goal, self._failed = case.goal.id, set()
        if state is not State.DONE:
            self._failed.add(likeness(case.prepared))
        elif case.asker is Asker.REPAIR:
            self._failed.clear()

    def _judge(
        self, id: str, prepared: Prepared, tool: Tool | None, matter: Matter, policy: Policy, now: datetime
    ) -> Judged:
        if tool is None:
            raise LookupError("there is no such tool")
        case = self._case(frozen(whole(prepared, tool)), tool, matter)
        ruling = self._ruling(case, policy, now)
        plan = case.goal.plan.digest if case.goal.plan else ""
        request = Request(
            id=id,
            prepared=case.prepared,
            ruling=ruling,
            origins=matter.provenance.origins(
                case.prepared.call,
                case.prepared.resolved,
                by_code=matter.asker in _BY_CODE,
                traced=case.traced,
            ),
            offers=self._offers(id, case, ruling, policy, now),
            asker=matter.asker,
            step=matter.step,
            steps=matter.steps,
            traced=case.traced,
            tainted=case.tainted,
            plan=plan,
            carried=_carried(case, matter),
            bans=self._grants.noes(case.prepared, case.goal, now, id),
            said=matter.goal.text,
            resembles=matter.provenance.resemblances(case.prepared, case.traced),
            tool=tool,
        )
        return Judged(request, matter, case, fingerprint(id, case.prepared, policy.version, plan))

    def _case(self, prepared: Prepared, tool: Tool, matter: Matter) -> Case:
        call, provenance, plan = prepared.call, matter.provenance, matter.goal.plan
        by_code = matter.asker in _BY_CODE
        step = self._step(call, matter)
        foreign = self._foreign(call, matter)
        traced = provenance.trace(call, prepared.resolved, by_code=by_code, foreign=foreign)
        clash = not by_code and clashes(prepared, traced, provenance.lines, plan, step)
        sealed = step is not None and not unsealed(step, call, partial(provenance.picked, call))
        planned = matter.asker is not Asker.ADDED if plan is None else by_code or step is not None
        return Case(
            tool=tool,
            prepared=prepared,
            traced=traced,
            asker=matter.asker,
            in_plan=planned,
            goal=matter.goal,
            flags=provenance.flags(prepared, traced) | ({Flag.ROLE_CLASH} if clash else frozenset()),
            repeated=self._repeated(prepared, matter.goal),
            tainted=provenance.tainted,
            service_in_plan=plan is None or tool.name.partition(".")[0] in plan.services,
            sealed=sealed,
        )

    def _step(self, call: Call, matter: Matter) -> PlanStep | None:
        """The step of the sealed plan that a call is; none is given out more often than the plan says."""
        plan = matter.goal.plan
        if plan is None or matter.asker in _BY_CODE:
            return None
        if self._progress.goal != matter.goal.id:
            self._progress = Progress(matter.goal.id)
        return self._progress.place(plan, call, partial(matter.provenance.picked, call))

    def _foreign(self, call: Call, matter: Matter) -> frozenset[str]:
        """The arguments that the model wrote after reading foreign text: all but the sealed plan's own."""
        if not matter.provenance.tainted or matter.goal.plan is None or matter.asker in _BY_CODE:
            return frozenset()
        return unsealed(self._step(call, matter), call, partial(matter.provenance.picked, call))

    def _repeated(self, prepared: Prepared, goal: GoalRef) -> bool:
        return bool(self._failed) and goal.id == self._goal and likeness(prepared) in self._failed

    def _ruling(self, case: Case, policy: Policy, now: datetime) -> Ruling:
        return decide(case, policy, self._grants, now, self._grants.bans)

    def _offers(
        self, id: str, case: Case, ruling: Ruling, policy: Policy, now: datetime
    ) -> tuple[Offer, ...]:
        """The grants on offer; each is proven to let this very call run unasked."""
        found = self._grants.offers(case.prepared, ruling, case.goal, now, id)
        proven = sufficient(case, policy, (offer.grant for offer in found), now) if found else ()
        return tuple(offer for offer in found if offer.grant in proven)


def _carried(case: Case, matter: Matter) -> tuple[str, ...]:
    return matter.provenance.carried(case.prepared) if Flag.CARRIES_PRIVATE in case.flags else ()
