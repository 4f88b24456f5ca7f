"""An anchor to compare models with: rules that look for key words and copy what stands around them."""

import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from assistant.evals.agents import KEYWORDS
from assistant.model.base import Goal, NoToolFits, Piece, Turn, Wish
from connectors.base import Tool

_DAY = (
    r"today|tonight|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|this week|next week"
    r"|noon|midnight|\d{1,2}(?::\d\d)? ?(?:am|pm)|\d{1,2}:\d\d"
)
_WHEN = re.compile(rf"\b(?:(?:on|at|next|this)\s+)*(?:{_DAY})(?:\s+(?:at\s+)?(?:{_DAY}))*", re.I)
_SWITCHES = {
    "wi-?fi|wireless": "wifi",
    "bluetooth": "bluetooth",
    "volume|louder|quieter|sound": "volume",
    "mute": "mute",
    "brightness|screen|dim": "brightness",
    "do not disturb|dnd": "do_not_disturb",
    "dark mode": "dark_mode",
    "airplane|flight mode": "airplane_mode",
    "power saver|battery": "power_saver",
}


@dataclass(frozen=True, slots=True)
class _Rule:
    """A tool, and how to see that it is meant; each named group of the pattern becomes an argument."""

    tool: str
    pattern: re.Pattern[str]


_PARTS = {
    "mail": r"\b(?:mails?|messages?|e-?mails?|inbox)\b",
    "from": r"(?: from (?P<sender>.+)| about (?P<message>.+))?",
    "file": r"(?P<file>\S.*?\.\w{2,4})\b",
    "saying": r"(?:.*?\bsaying (?P<body>.+))?",
    "event": r"(?:my |the )?(?P<event>.+?)",
    "title": r"(?:a |an |the |my )?(?P<title>.+?)(?= on | at | next | this | tomorrow| today|$)",
}


def _rule(tool: str, pattern: str) -> _Rule:
    for name, part in _PARTS.items():
        pattern = pattern.replace(f"~{name}~", part)
    return _Rule(tool, re.compile(pattern, re.I))


_RULES = (
    _rule("messaging.reply", r"\b(?:reply|respond|answer)\b.*?\bto (?P<sender>\w+)~saying~"),
    _rule("messaging.draft", r"\bdraft\b.*?\bto (?P<to>\w+)~saying~"),
    _rule("messaging.add_contact", r"\badd (?P<name>.+?) (?P<address>\S+@\S+)? ?.*\bcontacts?\b"),
    _rule("messaging.find_contact", r"\b(?:address|number|phone) of (?P<name>.+)"),
    _rule("messaging.find_contact", r"(?P<name>\w+)'s (?:e-?mail|number|phone)"),
    _rule("messaging.delete", r"\bdelete\b.*~mail~~from~"),
    _rule("messaging.read", r"\b(?:read|open)\b.*~mail~~from~"),
    _rule("messaging.search", r"\b(?:any|show|check|unread|new)\b.*~mail~(?: from (?P<sender>\w+))?"),
    _rule("messaging.send", r"\b(?:tell|e-?mail|write|send|text) (?P<to>\w+) (?:that |saying )?(?P<body>.+)"),
    _rule("files.make_folder", r"\bmake a folder\b(?: called)? (?P<folder>.+)"),
    _rule("files.delete", r"\b(?:delete|trash) ~file~"),
    _rule("files.read", r"\b(?:read|open|show)(?: me)? ~file~"),
    _rule("files.move", r"\b(?:move|rename) ~file~ to (?P<to>.+)"),
    _rule("files.write", r"\bnote\b.*?(?:called )?(?P<file>\S+\.\w{2,4})? saying (?P<text>.+)"),
    _rule("files.search", r"\bfind\b.*\bfiles? (?:about |called )?(?P<words>.+)"),
    _rule("files.search", r"\bfind the (?P<words>\w+) file"),
    _rule("files.list", r"\bfolder\b(?: called)? ?(?P<folder>\w+)?"),
    _rule("calendar.complete_task", r"\btick off(?: the| my)? (?P<task>.+)"),
    _rule("calendar.list_tasks", r"\b(?:what|show|which)\b.*\b(?:tasks?|to.?dos?|lists?)\b"),
    _rule("calendar.add_task", r"\b(?:add|put) (?P<title>.+?) (?:to|on) (?:my|the) .*\b(?:list|tasks?)\b"),
    _rule("calendar.delete_event", r"\b(?:cancel|delete|remove) ~event~(?= on | this | tomorrow|$)"),
    _rule("calendar.change_event", r"\b(?:move|change|reschedule) ~event~(?= to | on |$)"),
    _rule("calendar.find_free_time", r"\bfree\b"),
    _rule("calendar.list_events", r"\b(?:calendar|schedule|agenda|do i have)\b.*\?"),
    _rule("calendar.list_events", r"\bwhat'?s on\b|\bwhen is\b"),
    _rule("calendar.create_event", r"\b(?:schedule|add|book|set|remind me to|create) ~title~"),
)
_DATED = frozenset({"calendar.create_event", "calendar.list_events", "calendar.find_free_time"})


class Keywords:
    """Takes the first rule that matches; knows nothing of what was said before."""

    name = KEYWORDS

    async def respond(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> AsyncGenerator[Piece]:
        last = transcript[-1]
        if isinstance(last, Goal):
            yield _answer(last.text, {tool.name for tool in tools})

    async def close(self) -> None:
        pass


def _answer(goal: str, tools: set[str]) -> Wish | NoToolFits:
    if (setting := _setting(goal)) and setting.tool in tools:
        return setting
    for rule in _RULES:
        if rule.tool in tools and (match := rule.pattern.search(goal)):
            return Wish(rule.tool, _arguments(rule.tool, goal, match))
    return NoToolFits()


def _setting(goal: str) -> Wish | None:
    for words, setting in _SWITCHES.items():
        if re.search(rf"\b(?:{words})\b", goal, re.I):
            amount = re.search(r"\d+ ?(?:%|percent)?", goal)
            way = re.search(r"\b(off|on|up|down|louder|quieter|half)\b", goal, re.I)
            value = amount[0] if amount else way[0].lower() if way else "on"
            return Wish("settings.set", {"setting": setting, "value": value})
    return None


def _arguments(tool: str, goal: str, match: re.Match[str]) -> Mapping[str, JsonValue]:
    found: dict[str, JsonValue] = {}
    for name, text in match.groupdict().items():
        if text:
            found[name] = text.strip(" .?!")
    if isinstance(to := found.get("to"), str) and tool.startswith("messaging."):
        found["to"] = [to]
    if tool in _DATED and (when := _WHEN.search(goal)):
        found["when"] = when[0]
    return found
