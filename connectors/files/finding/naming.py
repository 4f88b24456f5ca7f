"""Where something new goes when a person said what it is to be called."""

from connectors.base import Needs, Option, Question
from connectors.clean import clean_line
from connectors.files.desk import Desk
from connectors.files.errors import Refused, Unsettled
from connectors.files.finding.find import FOLDERS
from connectors.files.finding.matching import Fit, in_folder
from connectors.files.places import SCHEME, Place

QUOTES = "\"'`“”‘’"


def new_place(desk: Desk, expression: str, argument: str) -> Place:
    """The place for a path that need not be there.

    A path that begins with one of the folders, or is whole, is taken as it is. Otherwise it goes into the
    folder it begins with, wherever that is, and else into the default folder. Raises Unsettled, Refused.
    """
    said = expression.strip(QUOTES + " ")
    readings = desk.places.readings(said)
    if not readings:
        raise Refused(Needs.INVALID, f"“{clean_line(expression, 200)}” is no name.")
    first, _, rest = said.strip("/").partition("/")
    if said.startswith((SCHEME, "/", "~")) or desk.places.named(first):
        return readings[0]
    if rest and (around := _existing_folder(desk, readings, said, argument)) is not None:
        return around
    if not rest and (inside := in_folder(said)) and (there := _said_folder(desk, inside[1])) is not None:
        return new_place(desk, f"{there.handle}/{inside[0]}", argument)
    folder = desk.default_folder()
    return Place(folder.root, b"/".join((*folder.parts, *readings[0].parts)))


def _said_folder(desk: Desk, said: str) -> Place | None:
    """The only folder that is called so, or nothing."""
    found = desk.finder.find(said, FOLDERS)
    certain = found.fit is not None and found.fit <= Fit.STEM
    return found.places[0] if certain and len(found.places) == 1 else None


def _existing_folder(desk: Desk, readings: tuple[Place, ...], said: str, argument: str) -> Place | None:
    """The one place among the readings that lies in a folder there is."""
    there = [place for place in readings if desk.jail.find(_top(place)) is not None]
    if not there:
        parents, _, _ = said.strip("/").rpartition("/")
        found = desk.finder.find(parents, FOLDERS)
        certain = found.fit is not None and found.fit <= Fit.CASE
        there = [folder.child(readings[0].name) for folder in found.places if certain]
    if len(there) > 1:
        options = tuple(Option(place.shown, {argument: place.handle}) for place in there)
        raise Unsettled(Question(f"Which folder is meant by “{clean_line(said, 200)}”?", options, argument))
    return there[0] if there else None


def _top(place: Place) -> Place:
    return Place(place.root, place.parts[0])
