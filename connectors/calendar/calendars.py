"""Which calendar is meant, and which may be written to."""

import re

from connectors.base import Needs, Option, Outcome, Question, failed
from connectors.calendar.desk import Desk
from connectors.calendar.scan import fold
from connectors.calendar.store import Collection
from connectors.clean import clean_line

NEW_CALENDAR = "home"
_FILLER = re.compile(r"\b(my|the|our|calendar|agenda|diary)\b")


def is_read_only(desk: Desk, collection: Collection) -> bool:
    """True if the settings, or the server, say that a calendar is not written to."""
    return collection.read_only or any(_names(collection, name) for name in desk.config.read_only)


def refuse_read_only(desk: Desk, name: str) -> Outcome | None:
    """The outcome that says a calendar is not written to, or None where it may be."""
    for collection in desk.index.collections:
        if collection.name == name and is_read_only(desk, collection):
            return failed(
                Needs.READ_ONLY,
                f"The calendar {collection.displayname} is read-only, so nothing in it is changed.",
            )
    return None


def calendar_to_write(desk: Desk, said: str | None, *, task: bool = False) -> Collection | Question | Outcome:
    """The calendar a new thing goes into: the one said, the default, the only one, or the person's pick."""
    if said:
        found = calendar_named(desk, said)
        if isinstance(found, Question):
            return found
        return refuse_read_only(desk, found.name) or _refuse_kind(found, task) or found
    if not desk.index.collections:
        return Collection(NEW_CALENDAR, desk.config.displayname)
    open_ = [each for each in desk.index.collections if not is_read_only(desk, each)]
    writable = [each for each in open_ if _refuse_kind(each, task) is None]
    if open_ and not writable:
        return failed(Needs.UNSUPPORTED, f"None of your calendars takes {'tasks' if task else 'events'}.")
    if not writable:
        return failed(Needs.READ_ONLY, "All your calendars are read-only, so nothing can be added.")
    for name in (desk.config.default, NEW_CALENDAR):
        if chosen := [each for each in writable if name and _names(each, name)]:
            return chosen[0]
    if len(writable) == 1:
        return writable[0]
    return _ask("Which calendar should it go into?", writable)


def _refuse_kind(collection: Collection, task: bool) -> Outcome | None:
    """The outcome that says a calendar does not take such things, or None where it does."""
    if collection.tasks if task else collection.events:
        return None
    kind = "tasks" if task else "events"
    return failed(Needs.UNSUPPORTED, f"The calendar {collection.displayname} takes no {kind}.")


def calendar_named(desk: Desk, said: str) -> Collection | Question:
    """The calendar a person named, or a question where there is none, or more than one, of that name."""
    words = _FILLER.sub(" ", fold(said)).split()
    exact = [each for each in desk.index.collections if _names(each, said) or _names(each, " ".join(words))]
    partial = [
        each for each in desk.index.collections if words and all(word in _words(each) for word in words)
    ]
    found = exact or partial
    if len(found) == 1:
        return found[0]
    text = "More than one calendar" if found else "No calendar"
    return _ask(f"{text} is called “{clean_line(said, 60)}”. Which one?", found or desk.index.collections)


def _ask(text: str, among: "list[Collection] | tuple[Collection, ...]") -> Question:
    options = tuple(Option(each.displayname, {"calendar": each.name}) for each in among)
    return Question(text, options, argument="calendar")


def _names(collection: Collection, said: str) -> bool:
    return fold(said.strip()) in (fold(collection.name), fold(collection.displayname))


def _words(collection: Collection) -> list[str]:
    return re.findall(r"\w+", fold(f"{collection.name} {collection.displayname}"))
