"""The tasks that are not done: found by words, listed by when they are due."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from connectors.base import (
    Call,
    Context,
    Effect,
    Field,
    Item,
    Needs,
    Option,
    Outcome,
    Prepared,
    Preview,
    Question,
    Resolved,
    Role,
    failed,
)
from connectors.calendar.desk import Desk, local_now
from connectors.calendar.find import window_of
from connectors.calendar.handles import TASK, Handle, read_handle
from connectors.calendar.ical import text
from connectors.calendar.index import Entry
from connectors.calendar.match import Words, best_of
from connectors.calendar.moments import Moment, aware, day_of, local
from connectors.calendar.parse import Broken
from connectors.calendar.task_file import due_of, is_done
from connectors.calendar.timing import read_when
from connectors.calendar.tools import ListTasks
from connectors.calendar.wording import count_of, listed, span_words, title_of
from connectors.calendar.write import context_of, moment_of
from connectors.clean import clean_line
from connectors.when import describe, distance

_MOST = 100
_MOST_OPTIONS = 8
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class OpenTask:
    """A task that is not done; texts are raw, as its file has them."""

    entry: Entry
    title: str
    notes: str
    due: Moment | None

    @property
    def handle(self) -> str:
        return str(Handle(TASK, self.entry.place))

    @property
    def everything(self) -> str:
        return f"{self.title} {self.notes}"


def open_tasks(desk: Desk) -> tuple[list[OpenTask], tuple[str, ...]]:
    """Every task that is not done, and a line for each file that could not be read."""
    found: list[OpenTask] = []
    problems = list(desk.index.unreadable)
    for entry in desk.index.entries:
        if entry.skim.sound and not entry.skim.tasks:
            continue
        try:
            parsed = desk.index.parsed(entry)
        except Broken as error:
            problems.append(f"{entry.place}: {error}.")
            continue
        found += [
            OpenTask(entry, text(task, "SUMMARY"), text(task, "DESCRIPTION"), due_of(task))
            for task in parsed.tasks
            if not is_done(task)
        ]
    return found, tuple(problems)


def find_task(desk: Desk, said: str | None, context: Context) -> OpenTask | Question | Outcome:
    """The open task that words or a handle name."""
    tasks, _ = open_tasks(desk)
    handle = read_handle(said) if said else None
    if handle is not None:
        named = [each for each in tasks if handle.kind == TASK and each.entry.place == handle.place]
        return named[0] if named else failed(Needs.NOT_FOUND, "That task is not open any more.")
    words = Words(said or "")
    found = best_of(words, tasks, lambda each: each.title, lambda each: each.everything)
    if len(found) == 1 and said:
        return found[0]
    if not found:
        name = clean_line(said or "", _SHOWN)
        text_ = f"No open task is called “{name}”." if said else "There is no open task."
        return failed(Needs.NOT_FOUND, text_)
    options = tuple(
        Option(title_of(each.title), {"task": each.handle}, detail_of(each, desk, context))
        for each in sorted(found, key=partial(_urgency, context))[:_MOST_OPTIONS]
    )
    return Question("Which task do you mean?", options, argument="task")


def detail_of(task: OpenTask, desk: Desk, context: Context) -> str:
    """When a task is due, and where it is kept."""
    calendar = f"(calendar {desk.index.displayname(task.entry.place.collection)})"
    return f"{due_words(task.due, context)} {calendar}" if task.due is not None else calendar


def due_words(due: Moment, context: Context) -> str:
    """When something is due, or that it was."""
    late = day_of(due, context.zone) < local_now(context).date()
    when = describe(local(due, context.zone), local_now(context))
    return f"overdue since {when}" if late else f"due {when}, {distance(due, local_now(context))}"


def prepare(desk: Desk, call: Call, wanted: ListTasks, context: Context) -> Prepared | Question | Outcome:
    """Which tasks would be read."""
    span, days = None, "any time"
    if wanted.when:
        when = read_when(wanted.when, context, "when")
        if isinstance(when, Question):
            return when
        window = window_of(when, context)
        span, days = (window.start, window.end), span_words(window.start, window.end, context)
    fields = [Field("Due", days, argument="when")]
    if wanted.search:
        fields.insert(0, Field("Words", clean_line(wanted.search, _SHOWN), argument="search"))
    return Prepared(
        call=call,
        effects=frozenset({Effect.READ}),
        resolved=(Resolved(Role.BOUND, "when" if wanted.when else "", days, days),),
        payload={
            "span": [each.isoformat() for each in span] if span else None,
            "search": wanted.search or "",
            **moment_of(context),
        },
        preview=Preview("Show open tasks", "reads the tasks", tuple(fields)),
        basis="",
    )


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    """The tasks that are open now."""
    context = context_of(prepared.payload)
    desk.index.refresh()
    tasks, problems = open_tasks(desk)
    span = prepared.payload["span"]
    if isinstance(span, list):
        start, end = (datetime.fromisoformat(str(each)) for each in span)
        tasks = [each for each in tasks if _is_due(each, start, end, context)]
    words = Words(str(prepared.payload["search"]))
    if words:
        tasks = best_of(words, tasks, lambda each: each.title, lambda each: each.everything)
    tasks.sort(key=partial(_urgency, context))
    items = tuple(
        Item(each.handle, title_of(each.title), detail_of(each, desk, context)) for each in tasks[:_MOST]
    )
    more = f"; these are the first {_MOST}" if len(tasks) > _MOST else ""
    text_ = f"{count_of(len(tasks), 'open task') if tasks else 'No open tasks'}{more}."
    return Outcome(True, text_ + listed(problems), items=items)


def _urgency(context: Context, task: OpenTask) -> tuple[bool, datetime, str, str]:
    """What is due first comes first, what is never due last; else the order is always the same."""
    return task.due is None, aware(task.due or context.now, context.zone), task.title, task.handle


def _is_due(task: OpenTask, start: datetime, end: datetime, context: Context) -> bool:
    """True for a task due in a span; one that is overdue belongs to every span that holds today."""
    if task.due is None:
        return False
    due = aware(task.due, context.zone)
    return start <= due < end or (due < context.now and start <= context.now < end)
