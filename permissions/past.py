"""The calls of the journal that were done, made exact again, to hold a permission against."""

from collections.abc import Iterable

from connectors.base import Call, Prepared, Preview, Resolved
from permissions.entry import Entry, State
from permissions.grants import Past

_DONE = frozenset({State.DONE, State.RESOLVED_DONE})


def past_calls(entries: Iterable[Entry]) -> tuple[Past, ...]:
    """What was done and is known well enough to say whether a permission would have covered it."""
    return tuple(_past(entry) for entry in entries if entry.state in _DONE and entry.why.policy)


def _past(entry: Entry) -> Past:
    things = tuple(
        Resolved(thing.role, thing.argument, thing.value, thing.label, thing.written_before)
        for thing in entry.why.touched
    )
    prepared = Prepared(
        Call(entry.call_id, entry.tool, {}),
        entry.effects,
        things,
        {},
        Preview(entry.title, ""),
        "",
        "it could be taken back" if entry.undo else None,
    )
    return Past(prepared, f"{entry.at:%a %d %b %H:%M}  {entry.title}")
