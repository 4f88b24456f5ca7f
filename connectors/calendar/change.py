"""Moves, renames or otherwise changes an event, or occurrences of it."""

import re
from dataclasses import replace

from connectors.base import Call, Context, Needs, Outcome, Prepared, Question, failed
from connectors.calendar.change_preview import Changed, prepared_change
from connectors.calendar.create import new_place
from connectors.calendar.desk import Desk
from connectors.calendar.event_file import CannotChange, Edit, EventFile
from connectors.calendar.expand import Occurrence
from connectors.calendar.guests import guests
from connectors.calendar.ical import writable
from connectors.calendar.mailing import settle
from connectors.calendar.moments import local, same_time
from connectors.calendar.readback import told_there
from connectors.calendar.scope import Picked, Scope, picked, scope_of
from connectors.calendar.series import change_all, change_one, change_single, moved_apart, split
from connectors.calendar.timing import Slot, moved_slot, stretched_slot
from connectors.calendar.tools import ChangeEvent
from connectors.calendar.wording import title_of
from connectors.calendar.write import carry_out, plan_of


def prepare(desk: Desk, call: Call, wanted: ChangeEvent, context: Context) -> Prepared | Question | Outcome:
    """What would be different, and what takes place at the new time."""
    found = picked(desk, wanted.event, wanted.on, context)
    if not isinstance(found, Picked):
        return found
    edit = _edit(desk, wanted, found.occurrence, context)
    if not isinstance(edit, Edit):
        return edit
    scope = scope_of(desk, found, wanted.series, context)
    if isinstance(scope, Question):
        return scope
    try:
        changed = _change(desk, scope, edit)
    except CannotChange as error:
        return failed(Needs.UNSUPPORTED, str(error))
    mailing = settle(desk, changed.files, edit.people, wanted.notify)
    if isinstance(mailing, Question):
        return mailing
    return prepared_change(desk, call, scope, edit, replace(changed, mailing=mailing), context)


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    """Write the change and say where the event is now."""
    plan = plan_of(prepared.payload)
    return carry_out(desk, prepared, plan, lambda: told_there(desk, plan.report or {}, plan.context))


def _edit(desk: Desk, wanted: ChangeEvent, found: Occurrence, context: Context) -> Edit | Question | Outcome:
    people = guests(desk.book, wanted.invite)
    if isinstance(people, Question):
        return people
    slot = _new_times(desk, wanted, found, context)
    if isinstance(slot, Question):
        return slot
    title = writable(wanted.title).strip() if wanted.title else None
    where = writable(wanted.place).strip() if wanted.place else None
    known = " ".join(found.people).lower()
    fresh = tuple(each for each in people if not re.search(rf"\b{re.escape(each.address.lower())}", known))
    if not (slot or title or where or people):
        return Question(f"When should “{title_of(found.title)}” be instead?", argument="when")
    same_times = slot is not None and not slot.rule and _is_now(slot, found, context)
    if (
        (slot is None or same_times)
        and title in (None, found.title)
        and where in (None, found.where)
        and not fresh
    ):
        return failed(Needs.INVALID, "That is how the event is already, so there is nothing to change.")
    return Edit(
        now=context.now,
        zone=context.zone,
        start=local(slot.start, context.zone) if slot and not same_times else None,
        end=local(slot.end, context.zone) if slot and not same_times else None,
        rule=slot.rule if slot else None,
        title=title,
        where=where,
        people=fresh,
    )


def _new_times(
    desk: Desk, wanted: ChangeEvent, found: Occurrence, context: Context
) -> Slot | Question | None:
    old = Slot(local(found.start, context.zone), local(found.end, context.zone))
    if wanted.when:
        return moved_slot(wanted.when, wanted.duration, old, desk.config.minutes, context)
    return stretched_slot(wanted.duration, old) if wanted.duration else None


def _is_now(slot: Slot, found: Occurrence, context: Context) -> bool:
    zone = context.zone
    return same_time(slot.start, found.start, zone) and same_time(slot.end, found.end, zone)


def _change(desk: Desk, scope: Scope, edit: Edit) -> Changed:
    file, place, uid = EventFile(scope.entry.data), scope.occurrence.place, scope.occurrence.uid
    match scope.series:
        case None:
            change_single(file, edit)
        case "this":
            if edit.rule is not None:
                raise CannotChange("One occurrence of a series cannot repeat by itself.")
            change_one(file, scope.chosen, edit)
        case "all":
            apart = moved_apart(file, scope.chosen) if edit.start is not None else 0
            change_all(file, scope.chosen, edit)
            return Changed(((place, file.data),), place, uid, apart)
        case "following":
            later_place, later_uid = new_place(desk, place.collection)
            later = split(file, scope.chosen, edit, later_uid)
            # The new file first: should the second write fail, nothing is missing.
            return Changed(((later_place, later.data), (place, file.data)), later_place, later_uid)
    return Changed(((place, file.data),), place, uid)
