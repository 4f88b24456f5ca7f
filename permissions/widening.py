"""What a change of rules opens: an old stop that is gone, a new permission that was not there before."""

from permissions.policy import Policy
from permissions.rules import Rule, takes_in
from permissions.words import Verdict

_STRICTNESS = {Verdict.ASK: 1, Verdict.ASK_TYPED: 2, Verdict.REFUSE: 3}


def widens(old: Policy, new: Policy) -> bool:
    """True if under the new rules some call may need less than under the old ones; False is certain."""
    return bool(lost_stops(old, new) or new_permissions(old, new))


def lost_stops(old: Policy, new: Policy) -> tuple[Rule, ...]:
    """The old rules that refuse or ask, for which no new rule stands in that is as strict."""
    return tuple(
        rule
        for rule in old.rules
        if rule.verdict is not Verdict.ALLOW
        and not any(_as_strict(other, rule) and takes_in(other, rule) for other in new.rules)
    )


def new_permissions(old: Policy, new: Policy) -> tuple[Rule, ...]:
    """The new rules that allow something which no single old rule allowed."""
    before = [rule for rule in old.rules if rule.verdict is Verdict.ALLOW]
    return tuple(
        rule
        for rule in new.rules
        if rule.verdict is Verdict.ALLOW and not any(takes_in(other, rule) for other in before)
    )


def narrower(old: Policy, new: Policy) -> Policy:
    """What holds of a change until the person says yes: all that either stops, only what both allow."""
    opened = new_permissions(old, new)
    narrow = tuple(rule for rule in new.rules if rule not in opened)
    still = (
        rule
        for rule in old.rules
        if rule.verdict is Verdict.ALLOW and any(takes_in(other, rule) for other in opened)
    )
    before = (rule for rule in (*lost_stops(old, new), *still) if rule not in narrow)
    return Policy((*before, *narrow))


def _as_strict(rule: Rule, other: Rule) -> bool:
    return _STRICTNESS.get(rule.verdict, 0) >= _STRICTNESS[other.verdict]
