"""A settings service over a device in memory, and how a test asks it for something."""

from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import JsonValue

from connectors.base import Call, Context, Outcome, Prepared, Question
from connectors.settings.connector import SettingsConnector

Ask = Callable[..., Coroutine[Any, Any, Prepared | Question | Outcome]]
ZONE = ZoneInfo("Europe/Copenhagen")
NOW = Context(datetime(2026, 11, 30, 10, tzinfo=ZONE), ZONE)


@pytest.fixture
def ask() -> Ask:
    """What the service answers to a call: `ask(service, "set", setting="wifi", value="on")`."""

    async def ask(
        service: SettingsConnector, verb: str, **arguments: JsonValue
    ) -> Prepared | Question | Outcome:
        return await service.prepare(Call("c1", f"settings.{verb}", arguments), NOW)

    return ask


@pytest.fixture
def do(ask: Ask) -> Callable[..., Coroutine[Any, Any, Outcome]]:
    """What comes of a call that is approved as it is previewed."""

    async def do(service: SettingsConnector, verb: str, **arguments: JsonValue) -> Outcome:
        prepared = await ask(service, verb, **arguments)
        assert isinstance(prepared, Prepared), prepared
        return await service.perform(prepared)

    return do


@pytest.fixture
def undo() -> Callable[..., Coroutine[Any, Any, Outcome]]:
    """What comes of taking a deed back, by the way every undo goes: prepared and previewed like any call."""

    async def undo(service: SettingsConnector, outcome: Outcome) -> Outcome:
        assert outcome.undo is not None
        prepared = await service.prepare(outcome.undo, NOW)
        assert isinstance(prepared, Prepared), prepared
        return await service.perform(prepared)

    return undo
