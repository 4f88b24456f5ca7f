"""Was a change to files made, of which nobody knows? Found out by how things are now."""

from dataclasses import replace

from connectors.base import Arguments, Effect, Needs, Outcome, Prepared, failed
from connectors.files.desk import Desk
from connectors.files.disk.versions import read_up_to, sha256
from connectors.files.edit import encoded
from connectors.files.places import Place
from connectors.files.text import Text


def marked(desk: Desk, prepared: Prepared) -> Prepared:
    """A prepared change with what tells afterwards whether it was made: places, and digests of contents."""
    if prepared.effects <= {Effect.READ} or prepared.call.tool == "files.undo":
        return prepared
    payload = prepared.payload
    mark = {key: payload[key] for key in ("file", "to", "folder") if key in payload}
    if prepared.call.tool == "files.write":
        place = desk.places.at(str(payload["file"]))
        mark["before"] = "" if payload["new"] else _content(desk, place)
        if payload["new"]:
            mark["after"] = sha256(encoded(str(payload["text"]), Text(), place.label))
    return replace(prepared, mark=mark)


def look_for(desk: Desk, tool: str, mark: Arguments) -> Outcome | None:
    """What became of a change as far as it can be seen, None where it cannot. Raises Refused or OSError."""
    match tool:
        case "files.write":
            return _written(desk, mark)
        case "files.move":
            return _moved(desk, desk.places.at(str(mark["file"])), desk.places.at(str(mark["to"])))
        case "files.delete":
            place = desk.places.at(str(mark["file"]))
            gone = desk.jail.find(place) is None
            return Outcome(ok=True, text=f"{place.shown} is not there any more.") if gone else _not(place)
        case "files.make_folder":
            place = desk.places.at(str(mark["folder"]))
            return _not(place, "is not there") if desk.jail.find(place) is None else _done(place)
    return None


def _written(desk: Desk, mark: Arguments) -> Outcome | None:
    place = desk.places.at(str(mark["file"]))
    now = _content(desk, place)
    if now == mark["before"]:
        return _not(place, "is not there" if now == "" else "is as it was")
    return _done(place) if "after" in mark and now == mark["after"] else None


def _moved(desk: Desk, source: Place, goal: Place) -> Outcome | None:
    there, here = desk.jail.find(goal) is not None, desk.jail.find(source) is not None
    if there is here:
        return None
    return _done(goal) if there else _not(source)


def _content(desk: Desk, place: Place) -> str:
    """The digest of a file's content, empty where there is no file."""
    if desk.jail.find(place) is None:
        return ""
    with desk.jail.file(place) as descriptor:
        return sha256(read_up_to(descriptor, desk.config.size_limit + 1))


def _done(place: Place) -> Outcome:
    return Outcome(ok=True, text=f"It was done: {place.shown} is there.")


def _not(place: Place, how: str = "is still there") -> Outcome:
    return failed(Needs.UNAVAILABLE, f"It was not done: {place.shown} {how}.")
