"""One running Askfirst, as the terminal sees it."""

import asyncio
from collections.abc import Sequence

from assistant.frontend import Frontend
from assistant.session import Session
from connectors.base import Notice, Tool
from permissions.entry import Entry
from permissions.gate import Gate
from tui.house import ConnectorState, ModelState, Progress
from tui.planner import Planner
from tui.services import Services

_FAR_BACK = 1000


class Home:
    """Implements `House` over the parts that the composition root made."""

    def __init__(
        self, services: Services, gate: Gate, planner: Planner, session: Session, *, first_run: bool
    ) -> None:
        self.first_run = first_run
        self._services = services
        self._gate = gate
        self.planner = planner
        self._session = session
        self._cut_off = gate.journal.unfinished()

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools that a model may ask for now."""
        return self._gate.tools

    async def run(self, goal: str, front: Frontend) -> None:
        await self._session.run(goal, front)

    async def undo(self, entry_id: str, front: Frontend) -> None:
        """Take back one deed, named by its id or the beginning of it; with no id, the last that can be."""
        ids = [entry.id for entry in self.activity(_FAR_BACK) if entry_id and entry.id.startswith(entry_id)]
        await self._session.undo(ids[0] if len(ids) == 1 else entry_id, front)

    def stop_softly(self) -> None:
        self._session.stop_softly()

    def activity(self, limit: int) -> Sequence[Entry]:
        return self._gate.journal.entries(limit)

    def connectors(self) -> Sequence[ConnectorState]:
        states = [
            ConnectorState(
                service.name,
                "ready" if any(tool.offered for tool in service.tools) else "unavailable",
                ", ".join(tool.name.partition(".")[2] for tool in service.tools if tool.offered),
            )
            for service in self._services.built
        ]
        states += [
            ConnectorState(account.name, account.word, account.detail)
            for listed in self._services.accounts
            for account in listed()
        ]
        return [*states, *(ConnectorState(n.connector, "off", n.text) for n in self._services.left_out)]

    def model_state(self) -> ModelState:
        return self.planner.state

    def notices(self) -> Sequence[Notice]:
        unknown = (
            Notice(
                entry.tool.partition(".")[0],
                f"Askfirst was cut off before; it is not known whether this was done: {entry.title}",
            )
            for entry in self._cut_off
        )
        journal = (Notice("journal", text) for text in self._gate.journal.notices)
        return (*unknown, *journal, *self._services.notices())

    async def prepare_model(self, progress: Progress) -> None:
        for work in self._services.background:
            work.start()
        await asyncio.gather(self.probe(), self.planner.prepare(progress))

    async def probe(self) -> None:
        """Let every service find out what it can do here."""
        await self._services.probe()

    async def close(self) -> None:
        await self._session.close()
        for work in self._services.background:
            work.close()
        self._gate.journal.close()
