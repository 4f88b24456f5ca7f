"""Adds tasks and ticks them off."""

from datetime import datetime

from connectors.base import (
    Call,
    Context,
    Effect,
    Field,
    Item,
    Needs,
    Outcome,
    Prepared,
    Preview,
    Question,
    Resolved,
    Role,
    failed,
)
from connectors.calendar.calendars import calendar_to_write, refuse_read_only
from connectors.calendar.compose import new_task
from connectors.calendar.create import new_place
from connectors.calendar.desk import Desk, local_now
from connectors.calendar.event_file import CannotChange
from connectors.calendar.handles import TASK, Handle, read_place, spell
from connectors.calendar.ical import writable
from connectors.calendar.moments import DAY, Moment, local
from connectors.calendar.open_tasks import OpenTask, detail_of, due_words, find_task, open_tasks
from connectors.calendar.store import Collection
from connectors.calendar.task_file import TaskFile
from connectors.calendar.timing import read_when
from connectors.calendar.tools import AddTask, CompleteTask
from connectors.calendar.watch import state_of
from connectors.calendar.wording import title_of
from connectors.calendar.write import UNDO, Plan, Told, carry_out, payload_of, plan_of
from connectors.when import describe, distance


def prepare_add(desk: Desk, call: Call, wanted: AddTask, context: Context) -> Prepared | Question | Outcome:
    """The task that would be added."""
    title = writable(wanted.title or "").strip()
    if not title:
        return Question("What is there to do?", argument="title")
    due: Moment | None = None
    if wanted.due:
        when = read_when(wanted.due, context, "due")
        if isinstance(when, Question):
            return when
        due = _deadline(when.start, when.end)
    calendar = calendar_to_write(desk, None, task=True)
    if not isinstance(calendar, Collection):
        return calendar
    place, uid = new_place(desk, calendar.name)
    made = None if desk.index.collections else calendar
    data = new_task(title, due, uid, context.zone, context.now)
    plan = Plan(context, ((place, data),), made=made, report={"file": spell(place), "done": "Added."})
    now = local_now(context)
    return Prepared(
        call=call,
        effects=frozenset({Effect.WRITE}),
        resolved=(
            Resolved(Role.TARGET, "", calendar.name, calendar.displayname),
            Resolved(Role.CONTENT, "title", title, title_of(title)),
            *((Resolved(Role.BOUND, "due", due.isoformat(), describe(due, now)),) if due else ()),
        ),
        payload=payload_of(plan),
        preview=Preview(
            f"Add the task “{title_of(title)}”",
            "adds a task",
            (
                Field("Task", title_of(title), argument="title"),
                _due_field(due, context),
                Field("Calendar", calendar.displayname, note="a new one" if made else ""),
            ),
        ),
        basis=state_of(desk, plan.places, (), context),
        undo=UNDO,
    )


def _due_field(due: Moment | None, context: Context) -> Field:
    if due is None:
        return Field("Due", "no date", argument="due")
    now = local_now(context)
    return Field("Due", describe(local(due, context.zone), now), argument="due", note=distance(due, now))


def prepare_complete(
    desk: Desk, call: Call, wanted: CompleteTask, context: Context
) -> Prepared | Question | Outcome:
    """The task that would be ticked off, and when a repeating one comes round again."""
    task = find_task(desk, wanted.task, context)
    if not isinstance(task, OpenTask):
        return task
    place = task.entry.place
    if refused := refuse_read_only(desk, place.collection):
        return refused
    try:
        file = TaskFile(task.entry.data)
        following = file.tick_off(local_now(context))
    except CannotChange as error:
        return failed(Needs.UNSUPPORTED, str(error))
    plan = Plan(context, ((place, file.data),), report={"file": spell(place), "done": "Ticked off."})
    title = title_of(task.title)
    fields = [Field("Task", title, argument="task")]
    if task.due is not None:
        due, now = local(task.due, context.zone), local_now(context)
        fields.append(Field("Due", describe(due, now), note=distance(due, now)))
    if following is not None:
        when = describe(local(following, context.zone), local_now(context))
        fields.append(Field("Next", when, note=distance(following, local_now(context))))
    return Prepared(
        call=call,
        effects=frozenset({Effect.WRITE}),
        resolved=(Resolved(Role.TARGET, "task", task.handle, title),),
        payload=payload_of(plan),
        preview=Preview(f"Tick off “{title}”", "ticks off a task", tuple(fields)),
        basis=state_of(desk, plan.places, (), context),
        undo=UNDO,
    )


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    """Write the task and say how it is now."""
    plan = plan_of(prepared.payload)
    return carry_out(desk, prepared, plan, lambda: _told(desk, plan))


def _told(desk: Desk, plan: Plan) -> Told:
    report = plan.report or {}
    place = read_place(str(report["file"]))
    if place is None or desk.index.get(place) is None:
        return Told(False, "It was written, but it cannot be found there again.")
    still = [each for each in open_tasks(desk)[0] if each.entry.place == place]
    if not still:
        return Told(True, f"{report['done']} It is not open any more.")
    item = Item(str(Handle(TASK, place)), title_of(still[0].title), detail_of(still[0], desk, plan.context))
    due = still[0].due
    when = f" It is {due_words(due, plan.context)}." if due is not None else " It has no date."
    return Told(True, f"{report['done']}{when}", (item,))


def _deadline(start: Moment, end: Moment | None) -> Moment:
    """Until when: a time, or the last day of a stretch of days."""
    if end is None:
        return start
    return end if isinstance(end, datetime) else end - DAY
