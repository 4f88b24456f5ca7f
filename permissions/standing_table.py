"""What becomes of a call by where it stands: inside the plan or not, after foreign text was read or not."""

from typing import Protocol

from connectors.base import Effect, Prepared, Role
from permissions.words import Flag, Origin, Who, grave

OUTSIDE = "plan.outside"

_HARMLESS = frozenset({Effect.READ, Effect.MARK})


class Standing(Protocol):
    """Of a call to be judged: what it would do, who named its things, and where it stands."""

    @property
    def prepared(self) -> Prepared: ...
    @property
    def traced(self) -> tuple[Origin, ...]: ...
    @property
    def tainted(self) -> bool: ...
    @property
    def in_plan(self) -> bool: ...
    @property
    def service_in_plan(self) -> bool: ...
    @property
    def sealed(self) -> bool: ...


def refusal(case: Standing, flags: frozenset[Flag]) -> tuple[str, str] | None:
    """The rule and the reason why a call may not even be asked for as things stand, or None.

    Outside the plan and after foreign text was read, only looking is asked for, unless the person lets the
    call into the plan. What was not named is never swept away, nor a secret sent to a stranger.
    """
    effects = case.prepared.effects
    if case.tainted and not case.in_plan and not effects <= _HARMLESS:
        return OUTSIDE, "it is not in your request, and a text that others wrote had been read"
    if grave(effects) and _smuggles(case, flags):
        return "plan.smuggles", "it would carry something private to an address that you did not name"
    if Flag.MANY in flags and _deletes_foreign(case):
        return "plan.sweeps", "it would delete many things that you did not name"
    return None


def typed_word(case: Standing, flags: frozenset[Flag]) -> str:
    """The word to be typed for a yes as things stand, or nothing."""
    if grave(case.prepared.effects) and Flag.CARRIES_PRIVATE in flags:
        where = [thing.value for thing in case.prepared.resolved if thing.role is Role.DESTINATION]
        return " ".join(dict.fromkeys((value.rpartition("@")[2] or value).lower() for value in where))
    return "delete" if _deletes_foreign(case) else ""


def watched(case: Standing) -> bool:
    """True for looking that no permission silences: elsewhere than planned, after foreign text was read."""
    looks = case.prepared.effects <= _HARMLESS
    return looks and case.tainted and not case.in_plan and not case.service_in_plan


def speaks_for_others(case: Standing) -> bool:
    """True if what would leave holds words that the person did not write: no yes to others covers those."""
    return grave(case.prepared.effects) and _foreign(case, Role.CONTENT)


def _smuggles(case: Standing, flags: frozenset[Flag]) -> bool:
    """True if something private goes to where nobody but a text or the model said, and not as planned."""
    return Flag.CARRIES_PRIVATE in flags and not case.sealed and _foreign(case, Role.DESTINATION)


def _deletes_foreign(case: Standing) -> bool:
    """True if a text that was read may have chosen what is deleted."""
    chosen = case.tainted and not case.sealed and _foreign(case, Role.TARGET)
    return chosen and Effect.DELETE in case.prepared.effects


def _foreign(case: Standing, role: Role) -> bool:
    """True if a text or the model chose one of the things in this role."""
    things = zip(case.prepared.resolved, case.traced, strict=True)
    return any(thing.role is role and origin.who >= Who.CONTENT for thing, origin in things)
