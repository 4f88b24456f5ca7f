"""One session over the fake world, with a model that says what it is told to."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from assistant.budget import Limits
from assistant.frontend import Frontend
from assistant.history import History
from assistant.model.base import Piece
from assistant.model.scripted import ScriptedModel
from assistant.session import Session
from permissions.gate import Gate
from permissions.grants import GrantBook
from permissions.journal import Journal
from permissions.provenance import Provenance
from tests.assistant.fakes import NOW, ZONE, FakeDevice, FakePost, World

Front = TypeVar("Front", bound=Frontend)


class Bench:
    """A session and all it stands on, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.world = World()
        self.journal = Journal(folder / "journal.db", lambda: NOW)
        self.history = History(folder / "sessions.db")
        self.gate = Gate(
            [FakePost(self.world), FakeDevice(self.world)], self.journal, GrantBook(), lambda: NOW
        )
        self.model = ScriptedModel([])
        self.session = self.new_session()

    def new_session(self, *answers: Sequence[Piece | Exception], limits: Limits | None = None) -> Session:
        self.model = ScriptedModel(answers)
        return Session(self.model, self.gate, self.history, Provenance(), lambda: NOW, ZONE, limits)

    async def run(self, goal: str, person: Front, *answers: Sequence[Piece | Exception]) -> Front:
        self.session = self.new_session(*answers)
        await self.session.run(goal, person)
        return person

    def close(self) -> None:
        self.journal.close()
        self.history.close()
