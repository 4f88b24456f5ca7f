"""The demo world under the parts that ship, with a model that says what it is given and people who answer."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from assistant.history import History
from assistant.model.base import Piece
from assistant.model.scripted import ScriptedModel
from permissions.gate import Gate
from permissions.grants import GrantBook
from permissions.journal import Journal
from permissions.words import Decision, Reply, Request
from tests.assistant.fakes import Person
from tui.compose import session_over
from tui.composition.simulated import demo_services
from tui.places import Places, below

ZONE = ZoneInfo("Europe/Copenhagen")
NOW = datetime(2026, 11, 30, 10, tzinfo=ZONE)


class Agreeing(Person):
    """Says yes to every request, with the right key and word, and takes no permission."""

    async def ask(self, requests: Sequence[Request]) -> Sequence[Decision]:
        self.asked += requests
        return [Decision(Reply.YES, typed=each.ruling.word, key=each.ruling.key) for each in requests]


class Absent(Person):
    """Answers nothing."""

    async def ask(self, requests: Sequence[Request]) -> Sequence[Decision]:
        self.asked += requests
        return []


class World:
    """The demo world under the parts that ship, with a model that says what it is given."""

    def __init__(self, folder: Path) -> None:
        self.places: Places = below(folder)
        self.places.make()
        self.services = demo_services(self.places, NOW)
        self.grants = GrantBook()
        self.journal = Journal(self.places.state / "journal.db", lambda: NOW)
        self.history = History(self.places.state / "sessions.db")
        self.gate = Gate(self.services.built, self.journal, self.grants, lambda: NOW)

    async def run(
        self, person: Person, goals: Sequence[str], *answers: Sequence[Piece | Exception]
    ) -> ScriptedModel:
        await self.services.probe()
        model = ScriptedModel(answers)
        session = session_over(self.places, model, self.gate, self.history, lambda: NOW, ZONE)
        for goal in goals:
            await session.run(goal, person)
        return model

    def close(self) -> None:
        self.journal.close()
        self.history.close()

    def authority(self) -> dict[str, str]:
        """All that says what may be done: settings, rules and grants, by the bytes on the disk."""
        held = {"grants": repr(list(self.grants)), "policy": self.gate.policy.version}
        return {**held, **tree(self.places.config)}


def tree(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
