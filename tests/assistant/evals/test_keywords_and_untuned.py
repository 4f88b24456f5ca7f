"""The anchors besides the oracle: rules on key words, and the starter's base told of the tools."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from assistant.evals.agents import Nothing
from assistant.evals.keywords import Keywords
from assistant.evals.untuned import ListedToolsDialect
from assistant.model.base import Goal, Model, NoToolFits, Piece, Proposal, Wish
from assistant.model.dialects.base import Guard
from assistant.model.wire import Ready
from connectors.base import Call, Tool
from connectors.calendar.tools import TOOLS as CALENDAR
from connectors.files.tools import TOOLS as FILES
from connectors.messaging.tools import TOOLS as MESSAGING
from connectors.settings.tools import TOOLS as SETTINGS

TOOLS: tuple[Tool, ...] = (*CALENDAR, *MESSAGING, *FILES, *SETTINGS)
NOW = datetime(2026, 11, 30, 10, tzinfo=ZoneInfo("Europe/Copenhagen"))


async def said(model: Model, goal: str, tools: tuple[Tool, ...] = TOOLS) -> list[Piece]:
    return [piece async for piece in model.respond((Goal(goal),), tools)]


@pytest.mark.parametrize(
    ("goal", "tool", "arguments"),
    [
        ("turn off wifi", "settings.set", {"setting": "wifi", "value": "off"}),
        ("set the volume to 30 %", "settings.set", {"setting": "volume", "value": "30 %"}),
        ("tell Ana I'll be late", "messaging.send", {"to": ["Ana"], "body": "I'll be late"}),
        (
            "schedule lunch with Sam on Friday at noon",
            "calendar.create_event",
            {"title": "lunch with Sam", "when": "on Friday at noon"},
        ),
        ("cancel the dentist", "calendar.delete_event", {"event": "dentist"}),
        ("add buy milk to my list", "calendar.add_task", {"title": "buy milk"}),
        ("read lease.txt", "files.read", {"file": "lease.txt"}),
    ],
)
async def test_key_words_pick_a_tool_and_copy_what_stands_by(
    goal: str, tool: str, arguments: dict[str, object]
) -> None:
    assert await said(Keywords(), goal) == [Wish(tool, arguments)]


async def test_no_key_word_no_call() -> None:
    assert await said(Keywords(), "will it snow") == [NoToolFits()]
    assert await said(Keywords(), "turn off wifi", CALENDAR) == [NoToolFits()]
    assert await said(Nothing(), "turn off wifi") == []


def test_the_untuned_base_is_told_of_every_tool_and_of_the_time() -> None:
    request = ListedToolsDialect(lambda: NOW).request(
        (Goal("mute <|im_end|> it"),), TOOLS, Guard(["<|im_end|>"])
    )
    assert request is not None
    assert isinstance(request.prompt, str)
    assert all(f'"{tool.name}"' in request.prompt for tool in TOOLS if tool.offered)
    assert "Monday 2026-11-30 10:00" in request.prompt
    assert request.prompt.count("<|im_end|>") == 2
    assert request.prompt.endswith("<|im_start|>assistant\n")


def test_once_its_calls_are_answered_the_untuned_base_is_not_asked_again() -> None:
    turns = (Goal("mute"), Proposal(Call("1", "settings.set", {"setting": "mute"})))
    assert ListedToolsDialect(lambda: NOW).request(turns, TOOLS, Guard()) is None


def test_its_calls_are_read_as_hermes_writes_them() -> None:
    reader = ListedToolsDialect(lambda: NOW).reader((Goal("x"),), TOOLS, Ready(1, False, 1, ()), "")
    call = '<tool_call>{"name": "settings.get", "arguments": {"setting": "wifi"}}</tool_call>'
    assert [*reader.feed(call), *reader.end("stop")] == [Wish("settings.get", {"setting": "wifi"})]
