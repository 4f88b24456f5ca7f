"""What a phrase about time can come to: an exact time, or a question."""

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class When:
    """An exact time that a phrase named.

    `start` is an aware datetime whose tzinfo is a ZoneInfo, or a date for whole days; `end` has the same type
    and is exclusive, or None when only a start was said. `rule` is an RRULE value (RFC 5545) such as
    `FREQ=WEEKLY;BYDAY=TU`, or None. `words` is the phrase. `vague` is true when the phrase named a stretch
    to look in or to choose from ("tomorrow morning", "next week") and not the very start and end of a thing.
    """

    start: datetime | date
    end: datetime | date | None
    rule: str | None
    words: str
    vague: bool = False


@dataclass(frozen=True, slots=True)
class Unclear:
    """A phrase that is no time, an impossible one, or more than one.

    `options` are (label, phrase) pairs; each phrase is an unambiguous replacement for the one asked about.
    """

    text: str
    options: tuple[tuple[str, str], ...] = ()


class DoubtError(Exception):
    """Raised inside the package as soon as a phrase cannot be understood; never leaves it."""

    def __init__(self, text: str, options: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(text)
        self.text = text
        self.options = options
