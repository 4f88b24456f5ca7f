"""The two readers of what others write, each with what must hold for any bytes at all."""

import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from assistant.model.base import Piece, Wish
from assistant.model.dialects.reading import CallReader
from assistant.model.dialects.starter import StarterReader
from assistant.model.wire import Reason
from connectors.base import Tool
from connectors.calendar.tools import TOOLS as CALENDAR
from connectors.config import ConfigError
from connectors.files.tools import TOOLS as FILES
from connectors.messaging.tools import TOOLS as MESSAGING
from connectors.settings.tools import TOOLS as SETTINGS
from permissions.policy import Policy
from permissions.rule_file import read_rules
from permissions.rules import Rule
from permissions.words import Verdict

SERVICES: Mapping[str, Sequence[Tool] | None] = {
    "calendar": CALENDAR,
    "files": FILES,
    "messaging": MESSAGING,
    "settings": SETTINGS,
}
TOOLS = tuple(tool for tools in SERVICES.values() for tool in tools or ())
_OFFERED = {tool.name: tool for tool in TOOLS if tool.offered}
_TAG = re.compile(r"(</?(?:think|tool_call)>|<\|tool_call_(?:start|end)\|>)")
_REASONS: Sequence[Reason] = ("stop", "limit", "full", "cancelled", "circle")
_GOALS = ("move the dentist to Friday at 4pm and tell Ana",)
_FOLDER = Path(tempfile.mkdtemp(prefix="askfirst-fuzz-"))


def dialects(data: bytes) -> None:
    """Whatever a model writes, however it comes in pieces and ends: no error, and only calls that fit a tool.

    The first byte says whether the reasoning is open (128), whether tags come as special tokens (64), and how
    the answer ends; the second how long the pieces are.
    """
    first, size = data[0] if data else 0, (data[1] if len(data) > 1 else 7) % 31 + 1
    text = data[2:].decode("utf-8", "replace")
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    parts = [(part, _TAG.fullmatch(part) is not None) for part in _TAG.split(text)] if first & 64 else None
    reason = _REASONS[first % 8 % len(_REASONS)]
    whole = _called(parts or [(piece, False) for piece in pieces], first > 127, reason)
    for piece in (*whole, *_started(pieces)):
        if isinstance(piece, Wish):
            _OFFERED[piece.tool].arguments.model_validate(dict(piece.arguments))


def policy(data: bytes) -> None:
    """Whatever a file of rules holds: rules, or one sentence that names the file and the line."""
    path = _FOLDER / "rules.toml"
    path.write_bytes(data)
    fault: ConfigError | None = None
    rules: Sequence[Rule] = ()
    try:
        rules = read_rules(path, "messaging", SERVICES)
    except ConfigError as error:
        fault = error
    if fault:
        assert str(fault).startswith("rules.toml, line "), str(fault)
        assert "\n" not in str(fault), str(fault)
        assert fault.line > 0, str(fault)
    assert Policy(tuple(rules)).version
    assert all(isinstance(rule.verdict, Verdict) for rule in rules)


def _called(parts: Sequence[tuple[str, bool]], thinking: bool, reason: Reason) -> list[Piece]:
    reader = CallReader(TOOLS, thinking=thinking)
    return [*(found for part in parts for found in reader.feed(*part)), *reader.end(reason)]


def _started(pieces: Sequence[str]) -> list[Piece]:
    reader = StarterReader(_GOALS, TOOLS)
    return [*(found for piece in pieces for found in reader.feed(piece)), *reader.end("stop")]


TARGETS: Mapping[str, Callable[[bytes], None]] = {"dialects": dialects, "policy": policy}
