"""Alarms, calendar and lists of the collections as calls of the calendar."""

import re

from assistant.evals.corpora.label import Label
from assistant.evals.corpora.said import BEFORE, WHEN, Said, call, person

GENERIC = re.compile(
    r"^(?:events?|meetings?|appointments?|reminders?|schedules?|plans?|calendar|things?|agenda)$", re.I
)

NAMED_ONE = re.compile(
    r"\b(?:when|where|what time|what day|how long|who)\b.*\b(?:my|the|our|next)\s+(meeting|appointment)\b",
    re.I,
)
EVERYTHING = re.compile(
    r"\b(?:all|every|everything|clear|clean|empty|entire|whole)\b.*"
    r"\b(?:calend[ae]r|events?|appointments?|meetings?|schedules?|day|reminders?)\b",
    re.I,
)


def alarm_set(said: Said) -> tuple[Label, ...] | None:
    low = said.text.lower()
    if "remind" in low and "alarm" not in low:
        return None
    wake = re.search(r"\b(wake|get) me(?: up)?\b", said.text, re.I)
    alarm = re.search(r"\balarm\b", said.text, re.I)
    named = said.named("event_name", "alarm_type")
    title = named or (wake[0] if wake else None) or (alarm[0] if alarm else None)
    return call("calendar.create_event", title=title, when=said.when()) if title else None


def alarm_query(said: Said) -> tuple[Label, ...] | None:
    alarm = re.search(r"\balarm", said.text, re.I)
    if not alarm or said.words("event_name", "device_type"):
        return None
    return call("calendar.list_events", when=said.when(), search=alarm[0])


def alarm_remove(said: Said) -> tuple[Label, ...] | None:
    alarm = re.search(r"\balarm", said.text, re.I)
    if (
        not alarm
        or said.words("event_name")
        or re.search(r"\b(set it|all|snooze|set off)\b", said.text, re.I)
    ):
        return None
    return call("calendar.delete_event", event=alarm[0], on=said.when())


def calendar_query(said: Said) -> tuple[Label, ...] | None:
    low = said.text.lower()
    if re.search(r"\b(?:am i|are we|i'?m) free\b|free time|\bavailab", low):
        return call("calendar.find_free_time", when=said.when())
    if re.search(r"calori|lists?\b|email|weather|near|tickets?", low):
        return None
    name = said.named("event_name", "meal_type")
    if name is None and re.search(r"\bwith\b", low):
        name = person(said)
    if name and GENERIC.match(name):
        name = person(said)
    if name is None and (found := NAMED_ONE.search(said.text)):
        name = found[1]
    return call("calendar.list_events", when=said.when(), search=name)


def calendar_remove(said: Said) -> tuple[Label, ...] | None:
    if EVERYTHING.search(said.text) and not said.words("event_name", "person", "relation"):
        return call("calendar.delete_event", on=said.when())
    if (
        re.search(r"\ball\b|\bevery|list|everything|upcoming|next", said.text, re.I)
        or len(said.words("event_name")) > 1
    ):
        return None
    name = said.named("event_name", "meal_type")
    generic = re.search(r"\b(?:appointment|event|meeting|reminder)\b", said.text, re.I)
    event = name or (generic[0] if generic else None)
    on = re.sub(r"^from (?:the )?", "", said.when() or "", flags=re.I)
    return call("calendar.delete_event", event=event, on=on) if event else None


def calendar_set(said: Said) -> tuple[Label, ...] | None:
    text = said.text
    if re.search(r"\bif\b|delete|cancel|change|move|playlist|\bevery(?:one|body)\b|let me know", text, re.I):
        return None
    if remind := re.search(r"remind me (?:(.*?) )?(?:to|about|of|that) ", text, re.I):
        starts = [a for slot, a, _ in said.spans if slot in WHEN and a > remind.end()]
        end = min(starts, default=len(text))
        title = BEFORE.sub("", text[remind.end() : end]).strip(" .,!")
        title = re.sub(r"^(?:(?:that )?i have )?(?:my|the|a|an) ", "", title, flags=re.I)
        after = text[max((b for slot, _, b in said.spans if slot in WHEN), default=len(text)) :].strip(
            " .,!?"
        )
        if not title or re.match(r"(?:it|this|that)\b", title, re.I) or (starts and len(after.split()) > 1):
            return None
        return call("calendar.create_event", title=title, when=said.when())
    if re.search(r"remind", text, re.I):
        return None
    name = said.named("event_name", "meal_type")
    if name is None or len(said.words("event_name")) > 1:
        return None
    place = next(iter(said.words("place_name")), None)
    return call("calendar.create_event", title=name, when=said.when(), place=place)


def add_item(said: Said) -> tuple[Label, ...] | None:
    found = re.search(
        r"\b(?:add|put|include) (.+?) (?:to|on|in|into|onto) (?:my|the|our|a|that|this)?\s?.*\blists?\b",
        said.text,
        re.I,
    )
    if (
        not found
        or said.words(*WHEN)
        or re.search(r"\b(?:it|this|that|items?|these|something|new|appointment)\b|\(", found[1], re.I)
    ):
        return None
    return call("calendar.add_task", title=re.sub(r"^(?:the|some) ", "", found[1], flags=re.I))


def list_query(said: Said) -> tuple[Label, ...] | None:
    if not re.search(r"\blists?\b|to.?do|tasks?\b", said.text, re.I) or re.search(
        r"play|music|wish|movie|song|appointments|contact", said.text, re.I
    ):
        return None
    item = re.search(r"\b(?:do i have|is|are) (?:the |any )?(.+?) on (?:my|the) .*list", said.text, re.I)
    if item and re.search(r"what|anything|something|there|left|else", item[1], re.I):
        item = None
    return call("calendar.list_tasks", search=item[1] if item else None, when=said.when())


def remove_item(said: Said) -> tuple[Label, ...] | None:
    found = re.search(
        r"\b(?:remove|delete|take|cross|scratch|erase) (.+?) (?:from|off|out of) "
        r"(?:of )?(?:my|the|our)?\s?.*\blist\b",
        said.text,
        re.I,
    )
    if (
        not found
        or said.words(*WHEN)
        or re.search(
            r"\b(?:out|list|person|it|this|that|items?|these|all|everything|something|one|name|him|her|them|last|first)\b",
            found[1],
            re.I,
        )
    ):
        return None
    return call("calendar.complete_task", task=re.sub(r"^(?:the|some|my) ", "", found[1], flags=re.I))
