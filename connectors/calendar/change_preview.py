"""Shows a change to an event before it is made: what it was, what it would be, what it would clash with."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from connectors.base import Call, Context, Effect, Field, Prepared, Preview, Resolved, Role
from connectors.calendar.create import invited_field, past_warning, time_spans
from connectors.calendar.desk import Desk, local_now
from connectors.calendar.event_file import Edit
from connectors.calendar.expand import Occurrence, expand, upcoming
from connectors.calendar.guests import shown_person
from connectors.calendar.mailing import Files, Mailing, mailed_fields, mailed_to
from connectors.calendar.moments import DAY, Moment, aware, same_time
from connectors.calendar.parse import Parsed, parse
from connectors.calendar.readback import report_on
from connectors.calendar.scope import Scope, scope_words
from connectors.calendar.store import Place
from connectors.calendar.watch import beside, state_of
from connectors.calendar.wording import (
    clash_fields,
    count_of,
    handle_of,
    next_dates,
    range_of,
    rule_of,
    title_of,
)
from connectors.calendar.write import UNDO, UNDO_MAILED, Plan, payload_of
from connectors.clean import clean_line
from connectors.when import distance

_SHOWN = 200
_LOOKED_AHEAD = 92 * DAY
_MOST_LOOKED_AT = 10


@dataclass(frozen=True, slots=True)
class Changed:
    """A change worked out: the files as they would be, and the one the chosen occurrence would be in.

    `apart` occurrences were moved by themselves before and stay.
    """

    files: tuple[tuple[Place, bytes], ...]
    place: Place
    uid: str
    apart: int = 0
    mailing: Mailing | None = None

    @property
    def written(self) -> Files:
        """The files as they are to be written."""
        return self.mailing.files if self.mailing else self.files

    @property
    def mailed(self) -> tuple[str, ...]:
        """Every address that the server mails."""
        return self.mailing.addresses if self.mailing else ()

    @property
    def parsed(self) -> Parsed:
        return parse(dict(self.files)[self.place])


def prepared_change(
    desk: Desk, call: Call, scope: Scope, edit: Edit, changed: Changed, context: Context
) -> Prepared:
    """The change as a call made exact."""
    found, parsed = scope.occurrence, changed.parsed
    start, end = edit.start or found.start, edit.end or found.end
    occurrences = _as_changed(scope, start, parsed, changed.place, context)
    spans = time_spans(occurrences, context) if edit.start is not None else ()
    plan = Plan(context, changed.written, spans, report=report_on(changed.place, start, "Changed."))
    title = title_of(found.title)
    rule = rule_of(parsed, changed.uid, context)
    apart = (found.place, found.recurrence if scope.series == "this" else None)
    return Prepared(
        call=call,
        effects=frozenset({Effect.WRITE, *((Effect.SEND,) if changed.mailed else ())}),
        resolved=(*_resolved(scope, edit, start, end, context), *mailed_to(_others(edit, changed))),
        payload=payload_of(plan),
        preview=Preview(
            f"Change “{title}”",
            "changes one event" if scope.series in (None, "this") else "changes several events",
            (
                Field("Change", title, argument="event"),
                *_scope_field(scope, context),
                *_differences(scope, edit, context),
                *_repeats(desk, scope, rule, occurrences, context),
                *(invited_field(person, changed.mailed) for person in edit.people),
                *mailed_fields(_others(edit, changed)),
                *clash_fields(beside(desk, spans, context, (apart,)), desk, context),
            ),
            warnings=_warnings(edit, changed, start, end, rule, context),
        ),
        basis=state_of(desk, plan.places, spans, context),
        undo=UNDO_MAILED if changed.mailed else UNDO,
    )


def _others(edit: Edit, changed: Changed) -> list[str]:
    """Who is mailed besides the people newly invited."""
    fresh = {each.address.lower() for each in edit.people}
    return [each for each in changed.mailed if each.lower() not in fresh]


def _as_changed(
    scope: Scope, start: Moment, parsed: Parsed, place: Place, context: Context
) -> list[Occurrence]:
    """The occurrences at their new times that are looked at for clashes."""
    begins = aware(start, context.zone)
    if scope.series in (None, "this"):
        found, _ = expand(place, parsed, begins, begins + DAY)
        return [each for each in found if same_time(each.start, start, context.zone)]
    first = upcoming(place, parsed, min(begins, context.now), _MOST_LOOKED_AT)
    return [each for each in first if aware(each.start, context.zone) < begins + _LOOKED_AHEAD]


def _scope_field(scope: Scope, context: Context) -> tuple[Field, ...]:
    words = scope_words(scope, context)
    return (Field("Which", words, argument="series"),) if words else ()


def _differences(scope: Scope, edit: Edit, context: Context) -> tuple[Field, ...]:
    found = scope.occurrence
    fields = []
    if edit.start is not None and edit.end is not None:
        before = range_of(found.start, found.end, context)
        after = range_of(edit.start, edit.end, context)
        note = distance(edit.start, local_now(context)) + _own_zone(found, context)
        fields.append(Field("When", after, argument="when", note=note, before=before))
    if edit.title is not None:
        fields.append(Field("Title", title_of(edit.title), argument="title", before=title_of(found.title)))
    if edit.where is not None:
        before = clean_line(found.where, _SHOWN)
        fields.append(Field("Where", clean_line(edit.where, _SHOWN), argument="place", before=before))
    return tuple(fields)


def _own_zone(found: Occurrence, context: Context) -> str:
    zone = found.start.tzinfo if isinstance(found.start, datetime) else None
    if isinstance(zone, ZoneInfo) and zone.key not in (context.zone.key, "UTC"):
        return f"; the event stays in the time zone {zone.key}"
    return ""


def _repeats(
    desk: Desk, scope: Scope, rule: str, occurrences: list[Occurrence], context: Context
) -> tuple[Field, ...]:
    if scope.series == "this" or not rule:
        return ()
    before = rule_of(desk.index.parsed(scope.entry), scope.occurrence.uid, context)
    note = next_dates(occurrences, context)
    return (Field("Repeats", rule, argument="when", note=note, before=before if before != rule else None),)


def _warnings(
    edit: Edit, changed: Changed, start: Moment, end: Moment, rule: str, context: Context
) -> tuple[str, ...]:
    warnings = past_warning(start, end, rule, context) if edit.start is not None else ()
    if not changed.apart:
        return warnings
    stay = count_of(changed.apart, "occurrence")
    return (*warnings, f"{stay} moved separately before will stay at a time of its own.")


def _resolved(scope: Scope, edit: Edit, start: Moment, end: Moment, context: Context) -> tuple[Resolved, ...]:
    found = scope.occurrence
    things = [Resolved(Role.TARGET, "event", handle_of(found), title_of(found.title))]
    if edit.start is not None:
        label = range_of(start, end, context)
        things.append(Resolved(Role.BOUND, "when", f"{start.isoformat()}/{end.isoformat()}", label))
    if edit.title is not None:
        things.append(Resolved(Role.CONTENT, "title", edit.title, title_of(edit.title)))
    if edit.where is not None:
        things.append(Resolved(Role.CONTENT, "place", edit.where, clean_line(edit.where, _SHOWN)))
    things += [Resolved(Role.DESTINATION, "invite", each.address, shown_person(each)) for each in edit.people]
    return tuple(things)
