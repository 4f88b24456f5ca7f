"""Rules for the tests, read from text as a person writes it."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import Field

from connectors.base import Effect, Tool, ToolArguments
from permissions.rule_file import read_rules
from permissions.rules import Rule


class Words(ToolArguments):
    """The arguments of every tool here."""

    to: tuple[str, ...] = ()
    file: str | None = None
    calendar: str | None = Field(None)
    value: str | None = None


def tool(name: str, effect: Effect) -> Tool:
    return Tool(name, "", Words, effect)


TOOLS: dict[str, Sequence[Tool] | None] = {
    "messaging": (
        tool("messaging.search", Effect.READ),
        tool("messaging.send", Effect.SEND),
        tool("messaging.reply", Effect.SEND),
        tool("messaging.delete", Effect.DELETE),
    ),
    "files": (
        tool("files.read", Effect.READ),
        tool("files.write", Effect.WRITE),
        tool("files.move", Effect.WRITE),
        tool("files.delete", Effect.DELETE),
    ),
    "calendar": (tool("calendar.create_event", Effect.WRITE), tool("calendar.change_event", Effect.WRITE)),
    "settings": (tool("settings.set", Effect.CONFIGURE),),
    "post": None,
}


def rules_of(text: str, service: str = "files") -> tuple[Rule, ...]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{service}.toml"
        path.write_text(text, "utf-8")
        return read_rules(path, service, TOOLS)
