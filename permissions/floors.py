"""What never runs, whatever anybody allows."""

from collections.abc import Callable

from connectors.base import Effect
from permissions.case import Case, destinations, objects
from permissions.coverage import READING, touched
from permissions.words import Who, grave

MOST_DELETED = 20

_RESERVED = frozenset({"permissions", "policy", "grants", "journal", "log", "model"})


def broken(case: Case) -> tuple[str, str] | None:
    """The floor that a call breaks, by the name of its rule and why in words; None if it breaks none."""
    return next(((rule, reason) for rule, reason, breaks in _FLOORS if breaks(case)), None)


def _wrong_tool(case: Case) -> bool:
    return case.tool.name != case.prepared.call.tool or "." not in case.tool.name


def _reserved(case: Case) -> bool:
    names = [case.tool.name]
    if Effect.CONFIGURE in case.effects:
        names += [thing.value for thing in touched(case.prepared)]
    return any(name.lower().partition(".")[0] in _RESERVED for name in names)


def _unknown_effect(case: Case) -> bool:
    return not case.effects or not all(isinstance(effect, Effect) for effect in case.effects)


def _reads_too_much(case: Case) -> bool:
    return case.tool.effect is Effect.READ and not case.effects <= {Effect.READ, Effect.MARK}


def _nothing_resolved(case: Case) -> bool:
    if case.effects == READING:
        return False
    return not case.prepared.resolved or (grave(case.effects) and not destinations(case.prepared))


def _unseen(case: Case) -> bool:
    preview = case.prepared.preview
    things = touched(case.prepared)
    texts = [preview.title, preview.deed, *(t.value for t in things), *(t.label for t in things)]
    return not all(text.strip() for text in texts)


def _untraced(case: Case) -> bool:
    traced = case.traced
    return len(traced) != len(case.prepared.resolved) or not all(isinstance(o.who, Who) for o in traced)


def _odd_address(case: Case) -> bool:
    """Only printable ASCII without spaces is an address, so that two addresses that look alike are alike."""
    values = [thing.value for thing in destinations(case.prepared)]
    addresses = values if grave(case.effects) else [value for value in values if "@" in value]
    return not all(value.isascii() and value.isprintable() and " " not in value for value in addresses)


def _too_many(case: Case) -> bool:
    return Effect.DELETE in case.effects and len(objects(case.prepared)) > MOST_DELETED


def _repeated(case: Case) -> bool:
    return case.repeated and case.effects != READING


_FLOORS: tuple[tuple[str, str, Callable[[Case], bool]], ...] = (
    ("floor.tool", "the call and its tool do not belong together", _wrong_tool),
    ("floor.reserved", "permissions are no tool", _reserved),
    ("floor.effect", "it is not known what this call does", _unknown_effect),
    ("floor.reading", "a tool that only reads wants to do more", _reads_too_much),
    ("floor.nothing", "it is not known what this call acts on", _nothing_resolved),
    ("floor.unseen", "part of this call cannot be shown", _unseen),
    ("floor.origin", "it is not known where the values come from", _untraced),
    ("floor.address", "an address is not written in the plain way", _odd_address),
    ("floor.too_many", f"more than {MOST_DELETED} things cannot be deleted at once", _too_many),
    ("floor.repeated", "this very call has failed before; it is not run again", _repeated),
)
