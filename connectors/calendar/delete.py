"""Deletes an event, or occurrences of it; what was deleted is kept, so that it can come back."""

from collections.abc import Iterable, Iterator

from connectors.base import (
    Call,
    Context,
    Effect,
    Field,
    Needs,
    Outcome,
    Prepared,
    Preview,
    Question,
    Resolved,
    Role,
    failed,
)
from connectors.calendar.desk import Desk, local_now
from connectors.calendar.event_file import CannotChange, EventFile
from connectors.calendar.handles import spell
from connectors.calendar.mailing import heard, mailed_fields, mailed_to
from connectors.calendar.moments import from_key, key
from connectors.calendar.readback import told_gone
from connectors.calendar.scope import Picked, Scope, picked, scope_of, scope_words
from connectors.calendar.series import end, remove_one
from connectors.calendar.tools import DeleteEvent
from connectors.calendar.watch import state_of
from connectors.calendar.wording import handle_of, range_of, rule_of, title_of
from connectors.calendar.write import Plan, carry_out, payload_of, plan_of
from connectors.clean import clean_line
from connectors.when import distance

_SHOWN = 200


def prepare(desk: Desk, call: Call, wanted: DeleteEvent, context: Context) -> Prepared | Question | Outcome:
    """What would be gone."""
    found = picked(desk, wanted.event, wanted.on, context)
    if not isinstance(found, Picked):
        return found
    scope = scope_of(desk, found, wanted.series, context)
    if isinstance(scope, Question):
        return scope
    try:
        left = _left(desk, scope, context)
    except CannotChange as error:
        return failed(Needs.UNSUPPORTED, str(error))
    return _prepared(desk, call, scope, left, context)


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    """Delete it and say what is left."""
    plan = plan_of(prepared.payload)
    place = plan.places[0]
    recurrence = from_key(str((plan.report or {}).get("recurrence", "")))
    return carry_out(desk, prepared, plan, lambda: told_gone(desk, place, recurrence, plan.context))


def _left(desk: Desk, scope: Scope, context: Context) -> bytes | None:
    """What the file holds afterwards; None where all of it goes."""
    if scope.series in (None, "all"):
        parsed = desk.index.parsed(scope.entry)
        if len(parsed.events) + len(parsed.tasks) + len(parsed.problems) > 1:
            raise CannotChange("The file holds several different things, so it is left as it is.")
        return None
    file = EventFile(scope.entry.data)
    if scope.series == "this":
        remove_one(file, scope.chosen, context.now)
    else:
        end(file, scope.chosen, context.now)
    return file.data


def _prepared(desk: Desk, call: Call, scope: Scope, left: bytes | None, context: Context) -> Prepared:
    found = scope.occurrence
    recurrence = found.recurrence
    report = {"file": spell(found.place), "recurrence": key(recurrence) if recurrence else ""}
    plan = Plan(context, ((found.place, left),), report=report)
    mailed = heard(desk, plan.changes)
    title = title_of(found.title)
    return Prepared(
        call=call,
        effects=frozenset({Effect.DELETE, *((Effect.SEND,) if mailed else ())}),
        resolved=(Resolved(Role.TARGET, "event", handle_of(found), title), *mailed_to(mailed)),
        payload=payload_of(plan),
        preview=Preview(
            f"Delete “{title}”",
            "deletes one event" if scope.series in (None, "this") else "deletes several events",
            (*_fields(desk, scope, title, context), *_not_told(found.people, mailed), *mailed_fields(mailed)),
        ),
        basis=state_of(desk, plan.places, (), context),
        undo=f"It is kept for {desk.config.keep_days} days and can be brought back.",
    )


def _fields(desk: Desk, scope: Scope, title: str, context: Context) -> Iterator[Field]:
    found = scope.occurrence
    yield Field("Event", title, argument="event")
    when = range_of(found.start, found.end, context)
    yield Field("When", when, argument="on", note=distance(found.start, local_now(context)))
    if rule := rule_of(desk.index.parsed(scope.entry), found.uid, context):
        yield Field("Repeats", rule)
    if which := scope_words(scope, context):
        yield Field("Which", which, argument="series")
    if found.where:
        yield Field("Where", clean_line(found.where, _SHOWN))
    yield Field("Calendar", desk.index.displayname(found.place.collection))


def _not_told(people: Iterable[str], mailed: Iterable[str]) -> Iterator[Field]:
    """Those who were invited and hear nothing of it."""
    told = {each.lower() for each in mailed}
    for person in people:
        if not told & {each.strip("<>").lower() for each in person.split()}:
            yield Field("Invited", clean_line(person, _SHOWN), note="nobody is notified")
