"""A whole Askfirst over real services in a folder of its own, and a person who answers what it asks."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from assistant.events import CallFinished, Event, TurnEnded
from assistant.frontend import Answer
from connectors.base import Outcome, Question
from permissions.words import Decision, Reply, Request
from tui.compose import open_home
from tui.home import Home
from tui.places import Places, below

ZONE = ZoneInfo("Europe/Copenhagen")
NOW = datetime(2026, 11, 30, 10, tzinfo=ZONE)


@dataclass
class Visitor:
    """Says yes to every request, except titles that begin with `refuse`; picks options by their words."""

    picks: Sequence[str] = ()
    refuse: str = "\0"
    asked: list[Request] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    async def show(self, event: Event) -> None:
        self.events.append(event)

    async def ask(self, requests: Sequence[Request]) -> Sequence[Decision]:
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Decision:
        self.asked.append(request)
        if request.prepared.preview.title.startswith(self.refuse):
            return Decision(Reply.NO)
        return Decision(Reply.YES, typed=request.ruling.word, key=request.ruling.key)

    async def choose(self, question: Question) -> Answer:
        self.questions.append(question)
        for pick in self.picks:
            for option in question.options:
                if pick in f"{option.label} {option.detail}":
                    return Answer(option.arguments)
        typed = next((pick.removeprefix("type ") for pick in self.picks if pick.startswith("type ")), None)
        return Answer({question.argument: typed} if typed and question.argument else None)

    @property
    def titles(self) -> list[str]:
        return [request.prepared.preview.title for request in self.asked]

    @property
    def outcomes(self) -> list[Outcome]:
        return [event.outcome for event in self.events if isinstance(event, CallFinished)]

    @property
    def ended(self) -> TurnEnded:
        assert isinstance(self.events[-1], TurnEnded)
        return self.events[-1]


def told(visitor: Visitor) -> str:
    """Everything that the outcomes listed or said."""
    items = [f"{item.label} {item.detail}" for outcome in visitor.outcomes for item in outcome.items]
    return "\n".join([*(f"{outcome.text}\n{outcome.content or ''}" for outcome in visitor.outcomes), *items])


class Visit:
    """One opened home: goals go in, and the folders show what came of them."""

    def __init__(self, home: Home, places: Places) -> None:
        self.home = home
        self.data = places.data
        self.state = places.state

    async def goal(self, text: str, *picks: str, refuse: str = "\0") -> Visitor:
        visitor = Visitor(picks, refuse)
        await self.home.run(text, visitor)
        return visitor

    def calendar(self) -> str:
        """All calendar files, unfolded."""
        files = sorted((self.data / "calendar").rglob("*.ics"))
        return "\n".join(path.read_text("utf-8").replace("\r\n ", "").replace("\r\n", "\n") for path in files)

    def files(self) -> dict[str, str]:
        """The text of every file in the demo's folders, by its path."""
        root = self.data / "files"
        return {str(p.relative_to(root)): p.read_text("utf-8") for p in root.rglob("*") if p.is_file()}

    def mail(self, folder: str = "") -> list[str]:
        """The messages in a mail folder, as they stand on the disk."""
        place = self.data / "mail" / (f".{folder}" if folder else "")
        return [p.read_text("utf-8") for sub in ("cur", "new") for p in sorted((place / sub).glob("*"))]

    def delivered(self) -> list[str]:
        """What the demo's post office has delivered."""
        return [path.read_text("utf-8") for path in (self.data / "post office").rglob("new/*")]


@asynccontextmanager
async def visit(folder: Path, cache: Path, *, demo: bool) -> AsyncIterator[Visit]:
    """Open a home below a folder, with the models of a cache, at a fixed time."""
    places = below(folder, cache)
    places.make()
    (places.config / "config.toml").write_text('timezone = "Europe/Copenhagen"\nhold_seconds = 0\n')
    home = open_home(places, demo=demo, clock=lambda: NOW)
    try:
        yield Visit(home, places)
    finally:
        await home.close()
