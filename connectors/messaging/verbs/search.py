"""Lists messages: by words, by who they are from, by when they came; nothing is marked as read by it."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from pydantic import JsonValue

from connectors.base import Call, Context, Effect, Field, Option, Outcome, Prepared, Preview, Question
from connectors.clean import clean_line
from connectors.messaging import describe
from connectors.messaging.find import Finder, Wanted, newest_first, nothing_found
from connectors.messaging.folders import folder_called, received
from connectors.messaging.maildir.index import Summary
from connectors.messaging.maildir.names import DRAFTS, SENT
from connectors.messaging.records import short_hash
from connectors.messaging.resources import Resources, local, packed, unpacked
from connectors.messaging.tools import Search as Arguments
from connectors.when import Unclear, When, describe_range, understand

_MOST_ITEMS = 20
_LONG_AGO = datetime(1, 1, 2, tzinfo=UTC)
_SIDED = re.compile(r"(?P<side>before|after)\s+(?P<point>.+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Span:
    start: datetime
    end: datetime
    shown: str


class Search:
    """`messaging.search`"""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._finder = Finder(resources.index, resources.book)

    def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        arguments = Arguments.model_validate(call.arguments)
        now = local(context)
        folder = ""
        if arguments.folder:
            named = folder_called(arguments.folder, self._resources.mailbox.folders(), "folder")
            if isinstance(named, Question):
                return named
            folder = named
        span = _span(arguments.when, now)
        if isinstance(span, Question):
            return span
        payload: dict[str, JsonValue] = {
            "words": arguments.words,
            "sender": arguments.sender,
            "folder": folder,
            "unread": arguments.unread,
            "start": span.start.isoformat() if span else None,
            "end": span.end.isoformat() if span else None,
            **packed(now),
        }
        return Prepared(
            call=call,
            effects=frozenset({Effect.READ}),
            resolved=(),
            payload=payload,
            preview=Preview("Look through the messages", "lists messages", _fields(arguments, folder, span)),
            basis=short_hash("search"),
        )

    def perform(self, prepared: Prepared) -> Outcome:
        payload = prepared.payload
        now = unpacked(payload)
        words = _text(payload["words"])
        wanted = Wanted.from_words(words)
        found = [
            each
            for each in self._finder.from_whom(self._resources.index.summaries(), _text(payload["sender"]))
            if self._fits(
                each, payload["unread"], wanted, _text(payload["start"]), _text(payload["end"]), now
            )
        ]
        folder = _text(payload["folder"])
        if wanted.words:
            among = frozenset(each.handle for each in found if _may_count(each, folder))
            handles = self._resources.index.holding(wanted.words, wanted.said, among)
            found = [each for each in found if each.handle in handles]
        chosen = newest_first(_in_scope(found, folder, wanted), now)
        return self._outcome(chosen, prepared, now)

    def _fits(
        self,
        summary: Summary,
        unread: JsonValue,
        wanted: Wanted,
        start: str | None,
        end: str | None,
        now: datetime,
    ) -> bool:
        if unread is not None and summary.entry.unread is not unread:
            return False
        if wanted.unread and not summary.entry.unread:
            return False
        return start is None or end is None or _iso(start) <= summary.came(now) < _iso(end)

    def _outcome(self, found: tuple[Summary, ...], prepared: Prepared, now: datetime) -> Outcome:
        unreadable = self._resources.index.unreadable
        if not found:
            nothing = nothing_found(
                _text(prepared.payload["words"]), _text(prepared.payload["sender"]), unreadable
            )
            return Outcome(ok=True, text=self._as_far_as_known(nothing.text))
        text = f"Found {describe.counted(len(found))}."
        if len(found) > _MOST_ITEMS:
            more = len(found) - _MOST_ITEMS
            text = f"Found {describe.counted(len(found))}: the newest {_MOST_ITEMS}, and {more:,} more."
        if unreadable:
            text += f" {describe.counted(len(unreadable))} could not be read."
        items = tuple(describe.item(each, now) for each in found[:_MOST_ITEMS])
        return Outcome(ok=True, text=self._as_far_as_known(text), items=items)

    def _as_far_as_known(self, text: str) -> str:
        """What was found, and why that may not be all: not found and not looked for are not the same."""
        return f"{text} {self._resources.mailbox.trouble}".rstrip()


def _may_count(summary: Summary, folder: str | None) -> bool:
    """False for a message that is listed in no case, so that its text need not be looked at."""
    where = summary.entry.folder
    return where == folder if folder else received(where) or where in (SENT, DRAFTS)


def _in_scope(found: list[Summary], folder: str | None, wanted: Wanted) -> list[Summary]:
    if folder:
        return [each for each in found if each.entry.folder == folder]
    theirs = [each for each in found if received(each.entry.folder)]
    if theirs or not wanted.words:
        return theirs
    return [each for each in found if each.entry.folder in (SENT, DRAFTS)]


def _span(phrase: str | None, now: datetime) -> _Span | Question | None:
    if not phrase:
        return None
    sided = _SIDED.fullmatch(phrase)
    side, point = (sided["side"].lower(), sided["point"]) if sided else ("", phrase)
    when = understand(point, now, past=True)
    if isinstance(when, Unclear):
        options = tuple(
            Option(f"{side} {label}".strip(), {"when": f"{side} {exact}".strip()})
            for label, exact in when.options
        )
        return Question(when.text, options, "when")
    span = _exact(when, now)
    match side:
        case "after":
            return _Span(span.end, now + timedelta(days=2), f"after {span.shown}")
        case "before":
            return _Span(_LONG_AGO, span.start, f"before {span.shown}")
        case _:
            return span


def _exact(when: When, now: datetime) -> _Span:
    start = _moment(when.start, now)
    # Where only a start was said, it is that day, or the rest of it.
    end = start.date() + timedelta(days=1) if when.end is None else when.end
    shown = describe_range(when.start, when.end, now)
    return _Span(start, _moment(end, now), shown)


def _moment(point: datetime | date, now: datetime) -> datetime:
    return point if isinstance(point, datetime) else datetime.combine(point, time(), now.tzinfo)


def _fields(arguments: Arguments, folder: str, span: _Span | None) -> tuple[Field, ...]:
    fields = []
    if arguments.words:
        fields.append(Field("Words", clean_line(arguments.words, 200), "words"))
    if arguments.sender:
        fields.append(Field("From", clean_line(arguments.sender, 200), "sender"))
    if span:
        fields.append(Field("Came", span.shown, "when"))
    if arguments.unread is not None:
        fields.append(Field("State", "unread" if arguments.unread else "read before", "unread"))
    where = "received messages, else your own" if arguments.words else "received messages"
    where = describe.folder(folder) if folder else where
    return (*fields, Field("In", where, "folder"))


def _iso(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _text(value: JsonValue) -> str | None:
    return value if isinstance(value, str) and value else None
