"""Changes to an event: one occurrence, one and all that follow, or all (RFC 5545 3.8.4.4 and 3.8.5)."""

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import takewhile
from zoneinfo import ZoneInfo

from icalendar import Component

from connectors.calendar.compose import put_rule, touch
from connectors.calendar.dates import rule_dates
from connectors.calendar.event_file import CannotChange, Chosen, Edit, EventFile, begin
from connectors.calendar.ical import Period, exdates, part, rdates, rules, set_moment, span, text, values
from connectors.calendar.moments import Moment, same_kind, wall, whole_day
from connectors.calendar.rules import end_before, move_rule, settle_until


def change_single(file: EventFile, edit: Edit) -> None:
    """Change an event that takes place once."""
    file.apply(file.only, edit)
    if edit.rule is not None:
        put_rule(file.only, edit.rule, span(file.only)[0])


def change_one(file: EventFile, chosen: Chosen, edit: Edit) -> None:
    """Change one occurrence and no other."""
    file.refuse_ranges()
    file.apply(file.override(chosen) or file.add_override(chosen), edit)


def change_all(file: EventFile, chosen: Chosen, edit: Edit) -> None:
    """Change every occurrence; what was taken out, put in or changed by itself goes along."""
    file.refuse_ranges()
    names = {name: text(file.master, name) for name in ("SUMMARY", "LOCATION")}
    if edit.start is not None and edit.end is not None:
        _move_all(file, file.identity(chosen), edit.start, edit.end, edit)
    if edit.rule is not None:
        _replace_rule(file, edit.rule)
    file.apply(file.master, replace(edit, start=None, end=None))
    for override in file.overrides:
        file.apply(override, _common(edit, override, names))


def split(file: EventFile, chosen: Chosen, edit: Edit, uid: str) -> EventFile:
    """End the series before an occurrence; the returned file takes it up from there, changed.

    The caller sees to it that there are occurrences before the chosen one.
    """
    file.refuse_ranges()
    later = EventFile(file.data)
    _become_rest(later, later.identity(chosen), uid)
    change_all(later, chosen, edit)
    end(file, chosen, edit.now)
    return later


def end(file: EventFile, chosen: Chosen, now: datetime) -> None:
    """Let a series end just before an occurrence."""
    identity = file.identity(chosen)
    for rule in rules(file.master):
        end_before(rule, identity)
    file.keep_dates(lambda each: wall(each) < wall(identity))
    touch(file.master, now)


def remove_one(file: EventFile, chosen: Chosen, now: datetime) -> None:
    """Take one occurrence out. With people invited it is kept as cancelled, so that they can be told."""
    override = file.override(chosen)
    if values(file.master if override is None else override, "ATTENDEE"):
        cancelled = override or file.add_override(chosen)
        cancelled.pop("STATUS", None)
        cancelled.add("STATUS", "CANCELLED")
        touch(cancelled, now)
        return
    if override is not None:
        file.drop(override)
    file.set_dates("EXDATE", [*map(file.settled, exdates(file.master)), file.identity(chosen)])
    touch(file.master, now)


def moved_apart(file: EventFile, chosen: Chosen) -> int:
    """How many occurrences other than the chosen one were moved by themselves."""
    identity = file.identity(chosen)
    return sum(
        1 for each in file.overrides if not _in_place(file, each) and not file.stands_for(each, identity)
    )


def _move_all(file: EventFile, identity: Moment, start: Moment, end: Moment, edit: Edit) -> None:
    master = file.master
    began, ended = span(master)
    if whole_day(start) != whole_day(began):
        raise CannotChange(
            "A whole series cannot be turned from whole days to times or back; change one occurrence."
        )
    by = wall(same_kind(start, began)) - wall(identity)
    for rule in rules(master) if edit.rule is None else ():
        settle_until(rule, began)
        if not move_rule(rule, by, began):
            raise CannotChange("The rule by which it repeats cannot be moved to another day or time.")
    length = wall(end) - wall(start)
    moved = [(each, file.own(each), _in_place(file, each)) for each in file.overrides]
    file.set_dates("EXDATE", [file.settled(each) + by for each in exdates(master)])
    file.set_dates("RDATE", [_shifted(each, by) for each in rdates(master)])
    for override, own, in_place in moved:
        set_moment(override, "RECURRENCE-ID", own + by, file.zone_name)
        if in_place or wall(own) == wall(identity):
            _put_back(file, override, own + by, wall(ended) - wall(began), length)
    file.set_times(master, began + by, began + by + length, edit.zone)


def _in_place(file: EventFile, override: Component) -> bool:
    own = file.own(override)
    return wall(same_kind(span(override)[0], own)) == wall(own)


def _put_back(file: EventFile, override: Component, start: Moment, old: timedelta, new: timedelta) -> None:
    begins, ends = span(override)
    lasts = wall(ends) - wall(begins)
    override.pop("DURATION", None)
    set_moment(override, "DTSTART", start, file.zone_name)
    set_moment(override, "DTEND", start + (new if lasts == old else lasts), file.zone_name)


def _replace_rule(file: EventFile, rule: str) -> None:
    if file.overrides or exdates(file.master) or rdates(file.master):
        raise CannotChange(
            "Some occurrences were changed by themselves, so the series cannot be given another rule."
        )
    put_rule(file.master, rule, span(file.master)[0])


def _become_rest(file: EventFile, identity: Moment, uid: str) -> None:
    master = file.master
    began, ended = span(master)
    for rule in rules(master):
        settle_until(rule, began)
        if part(rule, "COUNT") is not None:
            if len(rules(master)) > 1:
                raise CannotChange("The series repeats by several counted rules and cannot be divided.")
            rule["COUNT"] = [int(part(rule, "COUNT")) - _rule_dates_before(master, identity)]
    file.keep_dates(lambda each: wall(each) >= wall(identity))
    file.set_dates("RDATE", [each for each in rdates(master) if wall(begin(each)) != wall(identity)])
    file.set_times(master, identity, identity + (wall(ended) - wall(began)), ZoneInfo("UTC"))
    file.calendar.pop("METHOD", None)
    for component in (master, *file.overrides):
        component.pop("UID", None)
        component.add("UID", uid)


def _common(edit: Edit, override: Component, names: dict[str, str]) -> Edit:
    """What of an edit of all goes for an override: not the texts it was given by itself."""
    return replace(
        edit,
        start=None,
        end=None,
        title=edit.title if text(override, "SUMMARY") == names["SUMMARY"] else None,
        where=edit.where if text(override, "LOCATION") == names["LOCATION"] else None,
    )


def _shifted(date: Moment | Period, by: timedelta) -> Moment | Period:
    if not isinstance(date, tuple):
        return date + by
    start, end = date
    return start + by, end if isinstance(end, timedelta) else end + by


def _rule_dates_before(master: Component, identity: Moment) -> int:
    """How many dates the rule itself gives before an occurrence, also those taken out since."""
    return sum(1 for _ in takewhile(lambda each: wall(each) < wall(identity), rule_dates(master)))
