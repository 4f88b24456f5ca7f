"""Throw-away worlds with the real services over them."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from assistant.evals.scenario import FaultRule
from assistant.evals.worldspec import WorldSpec
from assistant.history import History
from assistant.model.base import Model
from assistant.session import Session
from connectors.base import Prepared
from connectors.faulty import Fault, FaultyConnector
from permissions.gate import Gate
from permissions.grants import GrantBook
from permissions.journal import Journal
from tui.compose import session_over
from tui.composition.simulated import Simulation, device_state, simulated_services
from tui.evals.furnish import furnish
from tui.evals.state import state_of
from tui.places import Places, throw_away


class FolderWorld:
    """Implements `World` in the folders of `places`."""

    def __init__(self, places: Places, spec: WorldSpec, connectors: Sequence[FaultyConnector]) -> None:
        self.now = spec.moment
        self._places = places
        self._zone = ZoneInfo(spec.zone)
        self._connectors = connectors
        self._history = History(places.state / "sessions.db")
        self.gate = Gate(
            connectors, Journal(places.state / "journal.db", self._clock), GrantBook(), self._clock
        )

    def session(self, model: Model) -> Session:
        return session_over(self._places, model, self.gate, self._history, self._clock, self._zone)

    def state(self) -> tuple[str, ...]:
        return state_of(self._places.data)

    def done(self) -> Sequence[Prepared]:
        return [prepared for connector in self._connectors for prepared in connector.done]

    def move(self, rule: FaultRule) -> None:
        move(self._places.data, rule)

    def close(self) -> None:
        self.gate.journal.close()
        self._history.close()

    def _clock(self) -> datetime:
        return self.now


class FolderWorlds:
    """Implements `Worlds`; `cache` is Askfirst's cache folder."""

    def __init__(self, cache: Path) -> None:
        self._cache = cache

    @asynccontextmanager
    async def open(self, spec: WorldSpec, faults: Sequence[FaultRule] = ()) -> AsyncIterator[FolderWorld]:
        with throw_away(self._cache) as places:
            device = device_state(spec.device, spec.lacks)
            furnish(places.data, spec)
            (places.data / "device.json").write_text(json.dumps(device), "utf-8")
            _settings(places, spec)
            mail = {"name": spec.name, "address": spec.address, "most_messages": spec.mailbox_limit}
            services = simulated_services(places, Simulation(mail, device, spec.account, spec.roots))
            if services.left_out:
                raise ValueError(services.left_out[0].text)
            put = [_fault(rule, places.data) for rule in faults]
            there = [FaultyConnector(one, put) for one in services.built if one.name in spec.services]
            await services.probe()
            world = FolderWorld(places, spec, there)
            try:
                yield world
            finally:
                world.close()


def move(data: Path, rule: FaultRule) -> None:
    """Put `new` in place of `old` in the files of the world that the rule names by a pattern."""
    changed = 0
    for path in sorted(data.glob(rule.file)):
        text = path.read_text("utf-8")
        if rule.old in text:
            path.write_text(text.replace(rule.old, rule.new), "utf-8")
            changed += 1
    if not changed:
        raise ValueError(f"no file {rule.file} of the world holds “{rule.old}”")


def _fault(rule: FaultRule, data: Path) -> Fault:
    moves = partial(move, data, rule) if rule.file else None
    return Fault(rule.tool, rule.kind, rule.times, rule.needs, rule.text, moves)


def _settings(places: Places, spec: WorldSpec) -> None:
    if spec.read_only:
        text = f"read_only = {json.dumps(list(spec.read_only))}\n"
        (places.config / "connectors" / "calendar.toml").write_text(text, "utf-8")
