"""The pieces of a phrase about time as they were said, before any calendar is looked at."""

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from connectors.when.lengths import Length


class Which(StrEnum):
    """The word before a weekday, week or month."""

    LAST = "last"
    THIS = "this"
    NEXT = "next"


@dataclass(frozen=True, slots=True)
class Month:
    """A month, as far as it was said: by number, by year, or counted from this one."""

    month: int | None = None
    year: int | None = None
    offset: int | None = None
    which: Which | None = None

    @property
    def open(self) -> bool:
        return self == Month()


@dataclass(frozen=True, slots=True)
class Exact:
    """A date said in full."""

    day: date


@dataclass(frozen=True, slots=True)
class DayOffset:
    """Today, tomorrow, yesterday: days from today, or from the thing being changed."""

    days: int
    from_about: bool = False


@dataclass(frozen=True, slots=True)
class Weekday:
    """A weekday; `weeks` are added ("friday week")."""

    weekday: int
    which: Which | None = None
    weeks: int = 0


@dataclass(frozen=True, slots=True)
class Weekdays:
    """Several weekdays, which only a repetition can have."""

    weekdays: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MonthDay:
    """A day of a month; -1 is its last."""

    day: int
    month: Month = Month()


@dataclass(frozen=True, slots=True)
class Numeric:
    """Two numbers that are day and month in one order or the other."""

    first: int
    second: int
    year: int | None = None


@dataclass(frozen=True, slots=True)
class NthWeekday:
    """The first, second ... (or -1, last) of a weekday in a month."""

    nth: int
    weekday: int
    month: Month = Month()


@dataclass(frozen=True, slots=True)
class DayRange:
    """From one day to another of the same month, both included."""

    first: int
    last: int
    month: Month


@dataclass(frozen=True, slots=True)
class WeekEdge:
    """The end of a week, which is Friday to some and Sunday to others."""

    offset: int


Day = Exact | DayOffset | Weekday | Weekdays | MonthDay | Numeric | NthWeekday | WeekEdge


@dataclass(frozen=True, slots=True)
class Week:
    """A week from Monday, counted from this one."""

    offset: int


@dataclass(frozen=True, slots=True)
class NumberedWeek:
    """An ISO 8601 week."""

    week: int
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Weekend:
    """A Saturday and Sunday."""

    which: Which | None = None


@dataclass(frozen=True, slots=True)
class Year:
    """A calendar year, by number or counted from this one."""

    year: int | None = None
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Around:
    """So much time before or after today: "the next three days", "last 7 days"."""

    length: Length
    forward: bool


Span = Week | NumberedWeek | Weekend | Year | Month | Around | DayRange


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; when not `exact`, an hour of 1 to 12 may mean either half of the day.

    `hour` may be 24 for the end of a day.
    """

    hour: int
    minute: int = 0
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Midnight:
    """The word, which is the start of a day to some and its end to others."""


@dataclass(frozen=True, slots=True)
class SameTime:
    """The time of day of the thing being changed."""


@dataclass(frozen=True, slots=True)
class BareNumber:
    """A number that nothing marks as an hour or a day."""

    value: int


class Part(StrEnum):
    """A part of the day."""

    MORNING = "morning"
    LUNCHTIME = "lunchtime"
    AFTERNOON = "afternoon"
    EVENING = "evening"
    NIGHT = "night"


@dataclass(frozen=True, slots=True)
class In:
    """A time counted from now."""

    length: Length


@dataclass(frozen=True, slots=True)
class Shift:
    """A time counted from the start of the thing being changed."""

    length: Length


@dataclass(frozen=True, slots=True)
class Offset:
    """A length counted from the day that follows ("a week from")."""

    length: Length


@dataclass(frozen=True, slots=True)
class For:
    """How long it lasts, or how long it repeats."""

    length: Length


@dataclass(frozen=True, slots=True)
class Zone:
    """A time zone: IANA keys that the words can mean, and the abbreviation if it was one."""

    keys: tuple[str, ...]
    abbreviation: str = ""


@dataclass(frozen=True, slots=True)
class UtcOffset:
    """A distance from UTC; `doubtful` where the sign could also be the dash of a range."""

    offset: timedelta
    doubtful: bool = False


class Frequency(StrEnum):
    """How often a repetition comes (RFC 5545 FREQ)."""

    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    MONTHLY = "MONTHLY"
    YEARLY = "YEARLY"


@dataclass(frozen=True, slots=True)
class Repeat:
    """A repetition as far as it was said."""

    frequency: Frequency
    interval: int = 1
    weekdays: tuple[int, ...] = ()
    nth: int | None = None
    month_day: int | None = None
    month: int | None = None


@dataclass(frozen=True, slots=True)
class Times:
    """How many times a repetition comes."""

    count: int


class Mark(StrEnum):
    """A word that says how the pieces around it belong together, or nothing at all."""

    FILLER = "filler"
    AT = "at"
    TO = "to"
    UNTIL = "until"
    AND = "and"
    FROM = "from"
    BETWEEN = "between"
    STARTING = "starting"
    SINCE = "since"
    ALL_DAY = "all day"
    SOMETIME = "sometime"
    WEEK_OF = "the week of"


Piece = (
    Day | Span | Clock | Midnight | SameTime | BareNumber | Part
    | In | Shift | Offset | For | Zone | UtcOffset | Repeat | Times | Mark
)  # fmt: skip
