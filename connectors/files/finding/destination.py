"""Where something is to be moved: into a folder that is there, into a new one, or to another name."""

from zoneinfo import ZoneInfo

from connectors.base import Option, Question
from connectors.clean import clean_line
from connectors.files.desk import Desk
from connectors.files.disk.crawl import Kind, kind_of
from connectors.files.errors import Unsettled
from connectors.files.finding.find import FOLDERS, MOST_OPTIONS
from connectors.files.finding.matching import Fit
from connectors.files.finding.naming import QUOTES, new_place
from connectors.files.finding.words import suffix, suffix_of
from connectors.files.places import SCHEME, Place


def destination(desk: Desk, source: Place, to: str, zone: ZoneInfo) -> Place:
    """The exact place that something is to have.

    A folder that is there comes first; then a path ending in "/" is a new folder, a name with a suffix (or a
    handle) a new name; else it is asked. Raises Unsettled, Refused.
    """
    said = to.strip(QUOTES + " ")
    found = desk.finder.find(said, FOLDERS)
    folders = tuple(place for place in found.places if not place.is_within(source))
    certain = found.fit is not None and found.fit <= Fit.STEM
    if certain and len(folders) == 1:
        return folders[0].child(source.name)
    if certain and folders:
        text = f"Which folder “{clean_line(said, 200)}” do you mean?"
        raise Unsettled(desk.finder.question(text, folders, "to", zone))
    if said.endswith("/"):
        return new_place(desk, said, "to").child(source.name)
    if said.startswith(SCHEME) or suffix(said):
        return _renamed(desk, source, said)
    raise Unsettled(_question(desk, source, said, folders))


def _renamed(desk: Desk, source: Place, said: str) -> Place:
    place = new_place(desk, said, "to")
    return place if "/" in said else source.parent.child(place.name)


def _question(desk: Desk, source: Place, said: str, near: tuple[Place, ...]) -> Question:
    """A name without a suffix can be a new name or a new folder."""
    status = desk.jail.status(source)
    ending = b"" if kind_of(status) is Kind.FOLDER else suffix_of(source.name)
    name = _renamed(desk, source, said)
    renamed = name.parent.child(name.name + ending)
    folder = new_place(desk, said, "to")
    options = [
        Option(f"rename it to {renamed.label}", {"to": renamed.handle}, renamed.shown),
        Option(f"put it in a new folder {folder.label}", {"to": folder.handle + "/"}, folder.shown),
    ]
    options += [Option(f"put it in {place.shown}", {"to": place.handle}) for place in near[:MOST_OPTIONS]]
    shown = clean_line(said, 200)
    return Question(
        f"There is no folder “{shown}”. What should become of {source.label}?", tuple(options), "to"
    )
