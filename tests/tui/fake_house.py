"""A house for the terminal's tests: it plays a script of events and questions, and keeps the answers."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from assistant.frontend import Frontend
from connectors.base import Call, Effect, Field, Notice, Prepared, Preview, Resolved, Role
from permissions.entry import Entry, State
from permissions.grants import GrantBook
from permissions.holding import Released
from permissions.outbox import Held
from permissions.rule_book import RuleBook
from permissions.words import Asker, Grant, Key, Offer, Origin, Request, Ruling, Scope, Verdict, Who
from tui.house import Connect, ConnectorState, Waiting
from tui.library import Library
from tui.model_state import ModelState, Progress
from tui.permits import Permits
from tui.places import below

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo("Europe/Copenhagen"))

Script = Callable[[str, Frontend], Awaitable[None]]

SERVICES = (
    ConnectorState("calendar", "ready", "a folder of .ics files"),
    ConnectorState("messaging", "ready", "a Maildir"),
    ConnectorState("files", "ready", "Documents"),
    ConnectorState("settings", "unavailable", "no D-Bus here"),
)


async def nothing(goal: str, front: Frontend) -> None:
    """A script in which nothing happens."""


def entry(id: str, title: str, tool: str, rule: str = "asks by default", **changes: object) -> Entry:
    """One call of the journal that was done."""
    fields: dict[str, object] = {
        "id": id,
        "call_id": id,
        "at": NOW,
        "goal_id": "g1",
        "goal": "Move my dentist appointment to Friday at 4 and tell Ana",
        "asker": Asker.PLAN,
        "tool": tool,
        "effects": frozenset({Effect.WRITE}),
        "title": title,
        "fields": (),
        "things": (),
        "ruling": Ruling(Verdict.ASK, rule, "no permission covers it"),
        "state": State.DONE,
        "answer": "yes, once",
        "outcome": "",
        "undo": None,
        "undone": False,
        "ended": NOW,
    }
    return Entry(**(fields | changes))


def no_permits() -> Permits:
    """Nothing permitted, nothing forbidden, and no files of rules."""
    nowhere = Path("/nonexistent")
    return Permits(GrantBook(clock=lambda: NOW), RuleBook(nowhere, nowhere), lambda id: None)


@dataclass
class FakeHouse:
    """Plays `script` for every goal."""

    script: Script = nothing
    rows: list[Entry] = field(default_factory=list)
    first_run: bool = False
    ready: bool = True
    prepare: Callable[[Progress], Awaitable[None]] | None = None
    told: tuple[Notice, ...] = ()
    goals: list[str] = field(default_factory=list)
    pasted: list[tuple[str, ...]] = field(default_factory=list)
    undone: list[str] = field(default_factory=list)
    waiting: list[Held] = field(default_factory=list)
    watchers: list[Callable[[Released | None], None]] = field(default_factory=list)
    hearing: list[Callable[[str], None]] = field(default_factory=list)
    cut_off: list[Entry] = field(default_factory=list)
    seen: str = "It cannot be told from here whether it was done."
    asked_again: list[str] = field(default_factory=list)
    soft_stops: int = 0
    closed: int = 0
    connect: Connect | None = None
    services: Sequence[ConnectorState] = SERVICES
    permits: Permits = field(default_factory=lambda: no_permits())
    library: Library = field(default_factory=lambda: Library(below(Path("/nonexistent")), {}))
    used: list[str] = field(default_factory=list)

    async def run(self, goal: str, front: Frontend, pasted: Sequence[tuple[int, int]] = ()) -> None:
        self.goals.append(goal)
        self.pasted.append(tuple(goal[start:end] for start, end in pasted))
        await self.script(goal, front)

    async def undo(self, entry_id: str, front: Frontend) -> None:
        self.undone.append(entry_id)
        await self.script(f"undo {entry_id}", front)

    def held(self) -> Sequence[Waiting]:
        return [Waiting(each.id, each.title, 30.0) for each in self.waiting]

    def withdraw(self, id: str) -> bool:
        found = [each for each in self.waiting if each.id == id]
        self.waiting = [each for each in self.waiting if each.id != id]
        for each in found:
            self.say_held(Released(each, Call(each.id, "messaging.send", {}), None))
        return bool(found)

    def watch_held(self, watcher: Callable[[Released | None], None]) -> None:
        self.watchers.append(watcher)

    def say_held(self, released: Released | None = None) -> None:
        """Something waits, or has ended."""
        for watcher in self.watchers:
            watcher(released)

    def watch_news(self, heard: Callable[[str], None]) -> None:
        self.hearing.append(heard)

    def unclear(self) -> Sequence[Entry]:
        return self.cut_off

    async def look_again(self, entry: Entry) -> str:
        return self.seen

    def let_go(self, entry: Entry) -> None:
        self.cut_off = [kept for kept in self.cut_off if kept.id != entry.id]

    async def ask_again(self, entry: Entry, front: Frontend) -> None:
        self.asked_again.append(entry.id)
        await self.script(f"again {entry.id}", front)

    def stop_softly(self) -> None:
        self.soft_stops += 1

    def activity(self, limit: int) -> Sequence[Entry]:
        return self.rows[:limit]

    def connectors(self) -> Sequence[ConnectorState]:
        return self.services

    def model_state(self) -> ModelState:
        return ModelState("botpsy-q8", self.ready, "ready" if self.ready else "not loaded")

    def notices(self) -> Sequence[Notice]:
        return self.told

    async def prepare_model(self, progress: Progress) -> None:
        if self.prepare is not None:
            await self.prepare(progress)
        self.ready = True

    async def use_model(self, word: str, progress: Progress) -> str:
        progress("loading the model", None)
        self.used.append(word)
        return f"From now on Askfirst uses {word}."

    async def close(self) -> None:
        self.closed += 1


def change_event(**changes: object) -> Request:
    """A request to move the dentist's appointment."""
    call = Call("c2", "calendar.change_event", {"event": "my dentist appointment", "when": "Friday at 4"})
    preview = Preview(
        title="Change the event Dentist",
        deed="changes one event",
        fields=(
            Field("Change", "Dentist", argument="event"),
            Field(
                "When",
                "Fri 4 Dec 2026 16:00 Europe/Copenhagen",
                argument="when",
                note="in 4 days",
                before="Thu 3 Dec 15:00",
            ),
            Field("Calendar", "Home", argument="calendar"),
        ),
        warnings=("Clash: Fri 4 Dec 15:30-16:30 Project review",),
    )
    prepared = Prepared(
        call=call,
        effects=frozenset({Effect.WRITE}),
        resolved=(Resolved(Role.TARGET, "event", "event:home/dentist.ics", "Dentist"),),
        payload={"href": "dentist.ics", "start": "2026-12-04T16:00:00+01:00"},
        preview=preview,
        basis="sha256:5f1d",
        undo="the event can be moved back until it is changed again",
    )
    ruling = Ruling(
        Verdict.ASK, "calendar.change_event: ask", "no permission covers calendar.change_event yet"
    )
    fields: dict[str, object] = {
        "id": "r2",
        "prepared": prepared,
        "ruling": ruling,
        "origins": {
            "event": Origin(Who.YOU, "my dentist appointment"),
            "when": Origin(Who.YOU, "Friday at 4"),
        },
        "offers": (
            offer(Scope.GOAL, "change the event Dentist"),
            offer(Scope.SESSION, "change events of the calendar Home"),
        ),
        "step": 2,
        "steps": 3,
    }
    return Request(**(fields | changes))


def offer(scope: Scope, words: str, tool: str = "calendar.change_event") -> Offer:
    return Offer(Grant(tool, (("event", ("event:home/dentist.ics",)),), scope, NOW), words)


def send_message(
    body: str = "Hi Ana,\n\nmy dentist moved to Friday at 4.\n\nSee you,\nBo", **changes: object
) -> Request:
    """A request to send a message to Ana, and to somebody a mail named."""
    call = Call(
        "c3", "messaging.send", {"to": ["Ana", "mark.black@gmail.com"], "subject": "Dentist", "body": body}
    )
    preview = Preview(
        title="Send a message to Ana Ruiz and mark.black@gmail.com",
        deed="sends a message",
        fields=(
            Field("To", "Ana Ruiz <ana@acme.com>", argument="to", note="written to before: 12"),
            Field("To", "mark.black@gmail.com", argument="to", note="NEW address: never written to"),
            Field("Subject", "Dentist", argument="subject"),
        ),
        body=body,
    )
    prepared = Prepared(
        call=call,
        effects=frozenset({Effect.SEND}),
        resolved=(
            Resolved(Role.DESTINATION, "to", "ana@acme.com", "Ana Ruiz", written_before=12),
            Resolved(
                Role.DESTINATION, "to", "mark.black@gmail.com", "mark.black@gmail.com", written_before=0
            ),
        ),
        payload={"to": ["ana@acme.com", "mark.black@gmail.com"], "subject": "Dentist", "body": body},
        preview=preview,
        basis="sha256:77ab",
    )
    fields: dict[str, object] = {
        "id": "r3",
        "prepared": prepared,
        "ruling": Ruling(Verdict.ASK, "messaging.send: ask", "sending is always asked", key=Key.CAPITAL),
        "origins": {
            "to": Origin(Who.CONTENT, "mail “Networking event”"),
            "subject": Origin(Who.MODEL),
            "body": Origin(Who.MODEL),
        },
        "step": 3,
        "steps": 3,
    }
    return Request(**(fields | changes))
