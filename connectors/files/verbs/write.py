"""Writing to a file: which one is meant, and whether it is there already."""

from connectors.base import Call, Context, Option, Outcome, Prepared, Question
from connectors.clean import clean_line
from connectors.files.desk import Desk, ask
from connectors.files.disk.crawl import Kind, kind_of
from connectors.files.disk.versions import read_up_to
from connectors.files.errors import Refused, Unsettled
from connectors.files.finding.find import FILES
from connectors.files.finding.matching import Fit
from connectors.files.finding.naming import new_place
from connectors.files.finding.words import suffix_of
from connectors.files.places import SCHEME, Place
from connectors.files.text import decode
from connectors.files.tools import Write
from connectors.files.verbs import write_change, write_new

_SUFFIX = b".txt"
_SNIFF = 8192


def prepare(desk: Desk, call: Call, said: Write, context: Context) -> Prepared:
    if not said.file:
        raise ask("Which file should it be written to?", "file")
    if not said.text:
        raise ask("What should it say?", "text")
    place = _existing(desk, said, said.file, context) or _new(desk, said.file)
    if desk.jail.find(place) is None:
        added = place.label.endswith(".txt") and not said.file.endswith(".txt")
        return write_new.prepare(desk, call, said.text, place, note="“.txt” was added" if added else "")
    return write_change.prepare(desk, call, said.text, place, add=said.add)


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    place = desk.places.at(str(prepared.payload["file"]))
    act = write_new.perform if prepared.payload["new"] else write_change.perform
    return act(desk, prepared, place)


def _existing(desk: Desk, said: Write, expression: str, context: Context) -> Place | None:
    """The file there is that was meant; one with only some of the words in its name is asked about."""
    found = desk.finder.find(expression, FILES)
    places, fit = found.places, found.fit
    if fit is Fit.STEM:
        places = tuple(place for place in places if _is_text(desk, place))
    if not places or fit is None or (fit >= Fit.WORDS and not said.add):
        return None
    if len(places) == 1 and fit < Fit.WORDS:
        return places[0]
    shown = clean_line(expression, 200)
    question = desk.finder.question(f"Which “{shown}” do you mean?", places, "file", context.zone)
    new = _new(desk, expression)
    if desk.jail.find(new) is None:
        option = Option(f"a new file, {new.shown}", {"file": new.handle})
        question = Question(question.text, (*question.options, option), "file")
    raise Unsettled(question)


def _new(desk: Desk, expression: str) -> Place:
    place = new_place(desk, expression, "file")
    if (
        not place.relative
        or expression.endswith("/")
        or (expression.startswith(SCHEME) and _is_folder(desk, place))
    ):
        raise ask(f"“{place.shown}” is a folder. What should the file in it be called?", "file")
    return place if suffix_of(place.name) else place.parent.child(place.name + _SUFFIX)


def _is_folder(desk: Desk, place: Place) -> bool:
    status = desk.jail.find(place)
    return status is not None and kind_of(status) is Kind.FOLDER


def _is_text(desk: Desk, place: Place) -> bool:
    try:
        with desk.jail.file(place) as descriptor:
            return decode(read_up_to(descriptor, _SNIFF), cut=True) is not None
    except (Refused, OSError):
        return False
