"""Was a change to the calendar made, of which nobody knows? Found out by the items as they are now."""

from dataclasses import replace

from pydantic import JsonValue

from connectors.base import Arguments, Needs, Outcome, Prepared, failed
from connectors.calendar.desk import Desk
from connectors.calendar.handles import read_place
from connectors.calendar.store import digest


def marked(desk: Desk, prepared: Prepared) -> Prepared:
    """A prepared change with the version of each item before and after it; may raise StoreError."""
    changes = prepared.payload.get("changes")
    if not isinstance(changes, list):
        return prepared
    versions: list[JsonValue] = []
    for change in changes:
        assert isinstance(change, dict)
        spelled, content = str(change["file"]), change["content"]
        place = read_place(spelled)
        before = digest(desk.store.read(place)) if place else ""
        after = digest(content.encode()) if isinstance(content, str) else ""
        versions.append([spelled, before, after])
    return replace(prepared, mark={"versions": versions})


def look_for(desk: Desk, mark: Arguments) -> Outcome | None:
    """What became of a change, None where an item is neither as before nor as planned. May raise StoreError.

    A server may keep an item in its own way, so that it is like neither.
    """
    versions = mark.get("versions")
    if not isinstance(versions, list) or not versions:
        return None
    desk.index.refresh(at_once=True)
    if desk.index.outdated:
        return None
    found = {_state(desk, version) for version in versions}
    if found == {"after"}:
        return Outcome(ok=True, text="It was done: the calendar is as it was to be.")
    if found == {"before"}:
        return failed(Needs.UNAVAILABLE, "It was not done: the calendar is as it was.")
    return None


def _state(desk: Desk, version: object) -> str:
    if not isinstance(version, list) or len(version) != 3:
        return "unclear"
    spelled, before, after = map(str, version)
    place = read_place(spelled)
    now = digest(desk.store.read(place)) if place else None
    return "after" if now == after else "before" if now == before else "unclear"
