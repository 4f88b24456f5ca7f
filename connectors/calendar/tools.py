"""The calendar's tools: what may be asked of it, in words copied from the person."""

from typing import Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from connectors.base import Effect, Tool, ToolArguments, UndoArguments

Series = Literal["this", "following", "all"]
# Only ever answered by the person, so no model is told of it.
Notify = SkipJsonSchema[bool | None]


class ListEvents(ToolArguments):
    when: str | None = Field(None, description="the days asked about, in the person's words")
    search: str | None = Field(None, description="words that the event contains")
    calendar: str | None = None


class FindFreeTime(ToolArguments):
    when: str | None = Field(None, description="the days to look at, in the person's words")
    duration: str | None = Field(None, description="how long, in the person's words")


class CreateEvent(ToolArguments):
    title: str | None = None
    when: str | None = Field(None, description="date, time and repetition, in the person's words")
    duration: str | None = Field(None, description="how long, in the person's words")
    place: str | None = None
    invite: tuple[str, ...] = Field((), description="only people the person asks to invite")
    calendar: str | None = None
    notes: str | None = None
    notify: Notify = Field(None, description="let the calendar's server mail invitations")


class ChangeEvent(ToolArguments):
    event: str | None = Field(None, description="words that name the event, or its handle")
    on: str | None = Field(None, description="the day the event is on now")
    when: str | None = Field(None, description="the new date or time, in the person's words")
    duration: str | None = Field(None, description="the new length")
    title: str | None = Field(None, description="the new title")
    place: str | None = Field(None, description="the new place")
    invite: tuple[str, ...] = Field((), description="people to invite")
    series: Series | None = Field(None, description="which occurrences; asked when not said")
    notify: Notify = Field(None, description="let the calendar's server mail invitations")


class DeleteEvent(ToolArguments):
    event: str | None = Field(None, description="words that name the event, or its handle")
    on: str | None = Field(None, description="the day the event is on")
    series: Series | None = Field(None, description="which occurrences; asked when not said")


class ListTasks(ToolArguments):
    search: str | None = None
    when: str | None = Field(None, description="due when, in the person's words")


class AddTask(ToolArguments):
    title: str | None = None
    due: str | None = Field(None, description="in the person's words")


class CompleteTask(ToolArguments):
    task: str | None = Field(None, description="words that name the task, or its handle")


class AddInvitation(ToolArguments):
    invitation: str | None = Field(None, description="words that name the message or file it is in")
    calendar: str | None = None


ADD_INVITATION = Tool(
    "calendar.add_invitation",
    "put an invitation that came by mail or as a file in the calendar, or its update or cancellation",
    AddInvitation,
    Effect.WRITE,
)
TOOLS = (
    Tool("calendar.list_events", "show what is in the calendar", ListEvents, Effect.READ),
    Tool("calendar.find_free_time", "find when nothing is planned", FindFreeTime, Effect.READ),
    Tool(
        "calendar.create_event",
        "put an event, meeting or reminder in the calendar",
        CreateEvent,
        Effect.WRITE,
    ),
    Tool("calendar.change_event", "move, rename or change an event", ChangeEvent, Effect.WRITE),
    Tool("calendar.delete_event", "cancel an event", DeleteEvent, Effect.DELETE),
    Tool("calendar.list_tasks", "show tasks, lists and things to do", ListTasks, Effect.READ),
    Tool("calendar.add_task", "add a task, or an item to a list", AddTask, Effect.WRITE),
    Tool("calendar.complete_task", "tick a task off", CompleteTask, Effect.WRITE),
    ADD_INVITATION,
    Tool("calendar.undo", "take back a change to the calendar", UndoArguments, Effect.WRITE, offered=False),
)
