"""Invitations that messages carry, lent to the calendar without it knowing mail; see `connectors.lending`."""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from connectors.base import Needs, Option, Outcome, Question, failed
from connectors.clean import clean_line
from connectors.lending import Lent
from connectors.messaging import describe
from connectors.messaging.find import MOST_OPTIONS, Finder
from connectors.messaging.maildir.index import Summary
from connectors.messaging.maildir.names import is_handle
from connectors.messaging.mime.letter import carried
from connectors.messaging.resources import Resources

_MOST_READ = 30
_SHOWN = 80
_PART = "#"
_SAID = re.compile(r"\b(an?|the|calendar|invitations?|invites?|meeting|event|ics)\b", re.IGNORECASE)
_FOLD = re.compile(rb"\r?\n[ \t]")
_UNREADABLE = failed(Needs.UNAVAILABLE, "The mailbox cannot be read just now.")


@dataclass(frozen=True, slots=True)
class _Part:
    """One invitation in a message: its place among what that carries (from 0), and its bytes."""

    summary: Summary
    number: int
    name: str
    data: bytes

    @property
    def handle(self) -> str:
        return f"{self.summary.handle}{_PART}{self.number}"


class Invitations:
    """Finds invitations in messages, and reads them; see `connectors.lending.FileFinder`."""

    def __init__(
        self, resources: Resources, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._resources = resources
        self._finder = Finder(resources.index, resources.book)
        self._clock = clock

    def find(self, said: str, most: int, argument: str, zone: ZoneInfo) -> Lent | Question | Outcome:
        """The invitation in the message that words or a handle mean; of several the person picks."""
        now = self._clock().astimezone(zone)
        try:
            parts, newest = self._parts(said, now)
        except OSError:
            return _UNREADABLE
        if not parts:
            about = f" about “{clean_line(said, _SHOWN)}”" if said and not is_handle(said) else ""
            return failed(Needs.NOT_FOUND, f"No message{about} carries an invitation.")
        if len(parts) > 1 and not newest:
            return _which(parts, argument, now)
        if len(parts[0].data) > most:
            return failed(Needs.INVALID, f"The invitation is larger than {describe.in_bytes(most)}.")
        return _lent(parts[0], now)

    def read(self, lent: Lent) -> bytes | Outcome:
        """The very bytes that were looked at, or why there are none any more."""
        handle, _, number = lent.handle.rpartition(_PART)
        try:
            entry = self._resources.mailbox.locate(handle)
            files = carried(self._resources.mailbox.read(entry)) if entry is not None else ()
        except OSError:
            return _UNREADABLE
        place = int(number) if number.isdigit() else len(files)
        if place < len(files) and _digest(files[place][1]) == lent.digest:
            return files[place][1]
        return failed(Needs.CONFLICT, "The message with the invitation is not there any more.")

    def _parts(self, said: str, now: datetime) -> tuple[list[_Part], bool]:
        """What is meant, and whether the newest of it is."""
        if is_handle(said):
            handle, _, number = said.partition(_PART)
            found = self._finder.by_handle(handle)
            parts = list(self._in(found)) if isinstance(found, Summary) else []
            return [each for each in parts if not number or str(each.number) == number], False
        for words in dict.fromkeys((said, " ".join(_SAID.sub(" ", said).split()))):
            matches = self._finder.matching(words or None, None, now)
            parts = [part for each in matches.summaries[:_MOST_READ] for part in self._in(each)]
            if parts:
                return parts, matches.newest
        return [], False

    def _in(self, summary: Summary) -> Iterator[_Part]:
        """The invitations in a message, each once: many carry the same in two parts."""
        seen: set[str] = set()
        for number, (attachment, data) in enumerate(carried(self._resources.mailbox.read(summary.entry))):
            is_one = attachment.kind in ("text/calendar", "application/ics")
            if (is_one or attachment.name.lower().endswith(".ics")) and _digest(data) not in seen:
                seen.add(_digest(data))
                yield _Part(summary, number, attachment.name, data)


def _which(parts: list[_Part], argument: str, now: datetime) -> Question:
    options = []
    for part in parts[:MOST_OPTIONS]:
        item = describe.item(part.summary, now)
        options.append(Option(item.label, {argument: part.handle}, item.detail))
    return Question("Which invitation is meant?", tuple(options), argument)


def _lent(part: _Part, now: datetime) -> Lent:
    summary = part.summary
    return Lent(
        handle=part.handle,
        name=clean_line(part.name, _SHOWN),
        path=f"the message “{describe.label(summary)}” from {summary.sender.address}",
        kind="an invitation",
        media="text/calendar",
        size=len(part.data),
        digest=_digest(part.data),
        changed=describe.item(summary, now).detail,
        warnings=_strangers(summary, part.data),
    )


def _strangers(summary: Summary, data: bytes) -> tuple[str, ...]:
    """A warning where whoever sent the message is neither organiser nor invited."""
    address = summary.sender.address.lower()
    if address and address.encode() in _FOLD.sub(b"", data).lower():
        return ()
    return (f"It was sent by {address or 'nobody named'}, who is not named in the invitation.",)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
