"""A call of the journal, judged by the rules and permissions of now: what would be said if it came again."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from connectors.base import Call, Prepared, Preview, Resolved, Tool, ToolArguments
from permissions.entry import Entry
from permissions.limits import concerns
from permissions.policy import Case, Policy, decide
from permissions.stood import Stood
from permissions.words import Ban, GoalRef, Grant, Origin, Ruling, Width


@dataclass(frozen=True, slots=True)
class Again:
    """The ruling of now on a call of then; `exact` is False where it hangs on something that is not kept.

    `same_rules` says that the person's rules are those of then.
    """

    ruling: Ruling
    exact: bool
    same_rules: bool


def judged_again(
    entry: Entry, policy: Policy, grants: Iterable[Grant], noes: Iterable[Ban], now: datetime
) -> Again | None:
    """Run the decision on what the journal has of a call; None for a record that is too old to tell.

    What the world was like (who had been written to, what had been read) is as it was then.
    """
    kept = entry.why.stood
    if kept is None:
        return None
    case = _case(entry, kept)
    ruling = decide(case, policy, tuple(grants), now, tuple(noes))
    exact = kept.whole and not _hangs_on_texts(policy, case.prepared.resolved)
    return Again(ruling, exact, policy.version == entry.why.policy)


def _case(entry: Entry, kept: Stood) -> Case:
    acted_on = [
        Resolved(each.role, each.argument, each.value, each.label, each.written_before)
        for each in entry.why.touched
    ]
    carried = [Resolved(role, argument, "", "") for role, argument, _ in kept.carried]
    prepared = Prepared(
        Call(entry.call_id, entry.tool, {}),
        entry.effects,
        (*acted_on, *carried),
        {},
        Preview(entry.title, kept.deed),
        "",
        "it could be taken back" if kept.undoable else None,
    )
    return Case(
        tool=Tool(entry.tool, "", ToolArguments, kept.tool),
        prepared=prepared,
        traced=(
            *(Origin(each.who, each.seen) for each in entry.why.touched),
            *(Origin(who) for _, _, who in kept.carried),
        ),
        asker=entry.asker,
        in_plan=kept.in_plan,
        goal=GoalRef(entry.goal_id, entry.goal),
        flags=kept.flags,
        repeated=kept.repeated,
        tainted=entry.why.tainted,
        service_in_plan=kept.service_in_plan,
        sealed=kept.sealed,
    )


def _hangs_on_texts(policy: Policy, things: Iterable[Resolved]) -> bool:
    """True if a rule looks into a value that is not kept."""
    unkept = [thing for thing in things if not thing.value]
    limits = [limit for rule in policy.rules for limit in (*rule.limits, *rule.strays)]
    return any(
        limit.width is not Width.ANY and concerns(limit, thing) for limit in limits for thing in unkept
    )
