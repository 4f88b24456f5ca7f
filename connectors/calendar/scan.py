"""Skims an iCalendar file without parsing it: which days it may touch, and the words in it."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, timedelta

from connectors.calendar.ical import read_duration

_FOLD = re.compile(rb"\r?\n[ \t]")
_LINE = re.compile(
    rb"^(BEGIN|END|DTSTART|DTEND|DUE|DURATION|RRULE|RDATE|UID|SUMMARY|LOCATION|DESCRIPTION|ATTENDEE)"
    rb"([;:][^\r\n]*)",
    re.MULTILINE | re.IGNORECASE,
)
_TIME = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T(?:[01]\d|2[0-3])[0-5]\d[0-5]\dZ?)?")
_UNTIL = re.compile(r"UNTIL=(\d{8})", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([\\;,nN])")
_WORDS = frozenset({"SUMMARY", "LOCATION", "DESCRIPTION"})

# A local day may be two days off the day of another zone, seen over both.
_MARGIN = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Skim:
    """What a file may hold: the days from `first` to `last` (None: open), searchable words, what kinds.

    The days are never too narrow. `sound` is False where the file is not plainly well-formed.
    """

    sound: bool
    first: date | None
    last: date | None
    words: str
    events: bool
    tasks: bool

    def may_touch(self, first: date, last: date) -> bool:
        """True if something in the file can be on a day from `first` to `last`, both included."""
        return (self.first is None or self.first <= last) and (self.last is None or self.last >= first)


def fold(text: str) -> str:
    """Text for comparing: without case and accents, in composed-down form."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def skim(data: bytes) -> Skim:
    """A file's bytes, skimmed; never raises."""
    reader = _Reader()
    for name, rest in _LINE.findall(_FOLD.sub(b"", data)):
        reader.take(name.decode().upper(), rest.decode("utf-8", "replace"))
    return reader.result(data)


class _Reader:
    def __init__(self) -> None:
        self._stack: list[str] = []
        self._kinds: set[str] = set()
        self._words: list[str] = []
        self._first: date | None = None
        self._last: date | None = None
        self._open = False
        self._sound = True
        self._start: date | None = None
        self._end: date | None = None

    def take(self, name: str, rest: str) -> None:
        if name == "BEGIN":
            self._begin(rest[1:].strip().upper())
        elif name == "END":
            self._finish(rest[1:].strip().upper())
        elif self._stack and self._stack[-1] in ("VEVENT", "VTODO"):
            self._property(name, rest)

    def result(self, data: bytes) -> Skim:
        stripped = data.removeprefix(b"\xef\xbb\xbf").strip()
        whole = stripped[:15].upper() == b"BEGIN:VCALENDAR" and stripped[-13:].upper() == b"END:VCALENDAR"
        sound = self._sound and whole and not self._stack and bool(self._kinds)
        bounded = sound and self._first is not None
        return Skim(
            sound=sound,
            first=_shift(self._first, -_MARGIN) if bounded else None,
            last=_shift(self._last, _MARGIN) if bounded and not self._open else None,
            words=fold(" ".join(self._words)),
            events="VEVENT" in self._kinds or not sound,
            tasks="VTODO" in self._kinds,
        )

    def _begin(self, kind: str) -> None:
        self._stack.append(kind)
        if kind in ("VEVENT", "VTODO"):
            self._kinds.add(kind)
            self._start = self._end = None

    def _finish(self, kind: str) -> None:
        if not self._stack or self._stack.pop() != kind:
            self._sound = False
        elif kind == "VEVENT":
            if self._start is None:
                self._sound = False
            else:
                self._widen(self._start, self._end or self._start)

    def _property(self, name: str, rest: str) -> None:
        _, _, value = rest.rpartition(":")
        if name == "DTSTART":
            self._sound = self._sound and self._start is None
            self._start = self._day(value)
        elif name in ("DTEND", "DUE"):
            self._end = self._day(value)
        elif name == "DURATION":
            self._lasts(value)
        elif name == "RRULE":
            self._repeats(rest)
        elif name == "RDATE":
            self._first, self._open = date.min, True
        elif name in _WORDS:
            text = rest.partition(":")[2]
            self._words.append(_ESCAPED.sub(lambda m: " " if m[1] in "nN" else m[1], text))
        elif name == "ATTENDEE":
            self._words.append(rest)

    def _day(self, value: str) -> date | None:
        match = _TIME.fullmatch(value.strip())
        try:
            if match is not None:
                return date(int(match[1]), int(match[2]), int(match[3]))
        except ValueError:
            pass
        self._sound = False
        return None

    def _lasts(self, value: str) -> None:
        try:
            length = read_duration(value.strip())
        except ValueError:
            self._sound = False
            return
        if self._start is None or length < timedelta():
            self._open = True
        else:
            self._end = _shift(self._start, length + timedelta(days=1))

    def _repeats(self, rest: str) -> None:
        until = _UNTIL.search(rest)
        day = self._day(until[1]) if until else None
        if day is None:
            self._open = True
        else:
            self._last = max(self._last or day, day)

    def _widen(self, start: date, end: date) -> None:
        early, late = min(start, end), max(start, end)
        self._first = min(self._first or early, early)
        self._last = max(self._last or late, late)
        # The last repetition begins by UNTIL and lasts as long as the first.
        self._last = _shift(self._last, late - early)


def _shift(day: date | None, by: timedelta) -> date:
    try:
        return (day or date.max) + by
    except OverflowError:
        return date.max if by > timedelta() else date.min
