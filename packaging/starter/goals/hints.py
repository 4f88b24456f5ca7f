"""The tool an utterance of hwu64 is for, where its words can't be mapped: it teaches the choice alone."""

import re

from assistant.evals.corpora.mapping import said_in
from goals.phrase import Call, Example

TOOLS = {
    ("alarm", "set"): "calendar.create_event",
    ("alarm", "query"): "calendar.list_events",
    ("alarm", "remove"): "calendar.delete_event",
    ("audio", "volume_up"): "settings.set",
    ("audio", "volume_down"): "settings.set",
    ("audio", "volume_mute"): "settings.set",
    ("calendar", "set"): "calendar.create_event",
    ("calendar", "remove"): "calendar.delete_event",
    ("email", "addcontact"): "messaging.add_contact",
    ("email", "querycontact"): "messaging.find_contact",
    ("email", "sendemail"): "messaging.send",
    ("email", "query"): "messaging.search",
    ("lists", "createoradd"): "calendar.add_task",
    ("lists", "query"): "calendar.list_tasks",
    ("lists", "remove"): "calendar.complete_task",
}
DOUBTFUL = re.compile(
    r"play ?list|music|song|album|video|artist|station|recording|dvr|movie|weather|\btv\b|television|radio"
    r"|\bforward\b|\bdial\b|call (?!me)\w|phone ?book|birthday|born|\blives?\b|\bage\b|\bold\b|calori"
    r"|near|tickets?|sync|location is|who played|note ?pad|snooze|set off|my iphone|register|\bfile\b"
    r"|outlook|wait until|schedule text|airport|contacts?$|goodnight|volume control|clock$|my input"
    r"|^tell me when it|\bwork(?:s|ing)? (?:for|at)",
    re.I,
)
LISTS = re.compile(r"\blists?\b|task|to.?do|checklist|item|add|need|milk|buy", re.I)
CONTACT = re.compile(r"number|e-?mail|address|contact|phone|mobile|\bcell", re.I)
READ = re.compile(r"\b(?:read|open)\b", re.I)
REPLY = re.compile(r"\b(?:repl\w+|respon\w+|answer\w*|write back)\b", re.I)
CHANGE = re.compile(r"^(?:please )?(?:move|change|reschedule|edit)\b|\binvite people|instead", re.I)
CLOCK_ONLY = re.compile(r"^(?:\w+ ){1,3}(?:set|removed)$", re.I)


def hinted(row: dict[str, str]) -> Example | None:
    """The utterance with the tool that its label names, or None where the words don't bear the label out."""
    key = (row["scenario"], row["intent"])
    said = said_in(row)
    text = said.text.strip()
    tool = TOOLS.get(key)
    if tool is None or len(text) < 4 or DOUBTFUL.search(text) or CLOCK_ONLY.search(text):
        return None
    if key[0] == "lists" and not LISTS.search(text):
        return None
    if tool == "messaging.search" and READ.search(text):
        return None
    if tool == "messaging.find_contact" and not CONTACT.search(text):
        return None
    return Example(text, (Call(_nearer(tool, text), {}),), tool_only=True)


def _nearer(tool: str, text: str) -> str:
    """The tool that the words ask for within what the label covers."""
    if tool == "messaging.send" and REPLY.search(text):
        return "messaging.reply"
    if tool == "calendar.create_event" and CHANGE.search(text):
        return "calendar.change_event"
    return tool
