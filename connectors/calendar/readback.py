"""Says what is true in the calendar after a change, from the files themselves."""

from connectors.base import Arguments, Context
from connectors.calendar.desk import Desk, local_now
from connectors.calendar.expand import upcoming
from connectors.calendar.find import occurrence_at
from connectors.calendar.handles import read_place, spell
from connectors.calendar.moments import DAY, Moment, aware, from_key, key, same_time
from connectors.calendar.parse import Broken
from connectors.calendar.store import Place
from connectors.calendar.wording import item_of, range_of, rule_of
from connectors.calendar.write import Told

_UNSEEN = "It was written, but it cannot be found there again."


def report_on(place: Place, start: Moment, done: str) -> Arguments:
    """What to look for after writing: an occurrence in a file that starts at a moment."""
    return {"file": spell(place), "start": key(start), "done": done}


def told_there(desk: Desk, report: Arguments, context: Context) -> Told:
    """That an occurrence is where it was put, when it is, and how it repeats."""
    place, start = read_place(str(report["file"])), from_key(str(report["start"]))
    entry = desk.index.get(place) if place else None
    if entry is None or start is None:
        return Told(False, _UNSEEN)
    around = aware(start, context.zone)
    view = desk.index.between(around - DAY, around + 2 * DAY, context.zone, lambda each: each is entry)
    found = [each for each in view.occurrences if same_time(each.start, start, context.zone)]
    if not found:
        return Told(False, _UNSEEN)
    when = range_of(found[0].start, found[0].end, context)
    rule = rule_of(desk.index.parsed(entry), found[0].uid, context)
    repeats = f", and repeats {rule}" if rule else ""
    return Told(True, f"{report['done']} It is on {when}{repeats}.", (item_of(found[0], desk, context),))


def told_gone(desk: Desk, place: Place, recurrence: Moment | None, context: Context) -> Told:
    """That an event, or one occurrence of it, is not there any more, and what is left of a series."""
    entry = desk.index.get(place)
    if entry is None:
        return Told(True, "Deleted. It is in the calendar no more.")
    if recurrence is None or occurrence_at(desk, entry, recurrence, context) is not None:
        return Told(False, "It was written, but the event is still there.")
    try:
        left = upcoming(place, desk.index.parsed(entry), local_now(context), 1)
    except Broken as error:
        return Told(False, f"It was written, but it cannot be read back: {error}.")
    if not left:
        return Told(True, "Deleted. No later one is left.")
    when = range_of(left[0].start, left[0].end, context)
    return Told(True, f"Deleted. The next one is on {when}.", (item_of(left[0], desk, context),))
