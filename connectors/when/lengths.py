"""Lengths of time in words: "an hour and a half", "90 min", "two weeks"."""

import re
from dataclasses import dataclass
from datetime import timedelta

from connectors.when.vocabulary import CARDINAL, number

_LONGEST_DAYS = 36_600

_UNIT_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_UNIT_DAYS = {"day": 1, "week": 7, "fortnight": 14}
_UNIT_MONTHS = {"month": 1, "year": 12}
_SHORT = {
    "sec": "second",
    "min": "minute",
    "hr": "hour",
    "h": "hour",
    "m": "minute",
    "d": "day",
    "wk": "week",
}

_UNIT = "(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|wks?|fortnights?|months?|years?)"
_DECIMAL = "[0-9]{1,4}[.,][0-9]{1,2}"
_AMOUNT = (
    f"(?:three quarters of an|(?:a )?quarter of an|half an?|half a|one and a half|a couple of|{_DECIMAL}"
    f"|(?:{CARDINAL}) and a half|an?|{CARDINAL})"
)
_PART = f"(?:{_AMOUNT}[ -]?{_UNIT}(?: and a half| and a quarter)?)"
_COMPACT = "(?:[0-9]{1,3} ?h ?[0-9]{1,2}(?: ?m(?:in)?)?|[0-9]{1,5} ?[hm])"

LENGTH = f"(?:{_COMPACT}|{_PART}(?:(?: and|,)? {_PART}){{0,2}})"

_ONE_PART = re.compile(
    f"(?P<amount>{_AMOUNT})[ -]?(?P<unit>{_UNIT})(?P<more> and a half| and a quarter)?(?![a-z0-9])"
)
_ONE_COMPACT = re.compile(
    r"(?P<hours>[0-9]{1,3}) ?h ?(?P<minutes>[0-9]{1,2})(?: ?m(?:in)?)?|(?P<one>[0-9]{1,5}) ?(?P<unit>[hm])"
)
_WHOLE = re.compile(LENGTH)
_ISO = re.compile(r"pt(?=[0-9])(?:(?P<hours>[0-9]{1,4})h)?(?:(?P<minutes>[0-9]{1,5})m)?")


@dataclass(frozen=True, slots=True)
class Length:
    """A length whose months and days follow the calendar and whose seconds follow the clock."""

    months: int = 0
    days: int = 0
    seconds: int = 0

    def __neg__(self) -> "Length":
        return Length(-self.months, -self.days, -self.seconds)

    def __add__(self, other: "Length") -> "Length":
        return Length(self.months + other.months, self.days + other.days, self.seconds + other.seconds)


def duration(phrase: str) -> timedelta | None:
    """How long "45 minutes" or "an hour and a half" is; None when the phrase is no definite length."""
    text = (
        " ".join(phrase.lower().split())[:100]
        .removeprefix("for ")
        .removeprefix("about ")
        .removesuffix(" long")
    )
    if text == "all day":
        return timedelta(days=1)
    if iso := _ISO.fullmatch(text):
        length = Length(seconds=3600 * int(iso["hours"] or 0) + 60 * int(iso["minutes"] or 0))
    elif _WHOLE.fullmatch(text):
        length = read_length(text)
    else:
        return None
    if length.months or not (length.days or length.seconds) or length.days > _LONGEST_DAYS:
        return None
    return timedelta(days=length.days, seconds=length.seconds)


def read_length(text: str) -> Length:
    """The length in a text that matched LENGTH."""
    if compact := _ONE_COMPACT.fullmatch(text):
        if compact["one"]:
            return Length(seconds=int(compact["one"]) * (3600 if compact["unit"] == "h" else 60))
        return Length(seconds=3600 * int(compact["hours"]) + 60 * int(compact["minutes"]))
    total = Length()
    for part in _ONE_PART.finditer(text):
        extra = {" and a half": 0.5, " and a quarter": 0.25}.get(part["more"] or "", 0.0)
        total += _scaled(_amount(part["amount"]) + extra, part["unit"].rstrip("s"))
    return total


def _amount(words: str) -> float:
    fixed = {"half": 0.5, "quarter": 0.25, "a quarter": 0.25, "three quarters": 0.75, "a couple": 2.0}
    words = words.removesuffix(" of").removesuffix(" of an").removesuffix(" an").removesuffix(" a")
    if words in fixed:
        return fixed[words]
    if words in ("a", "an"):
        return 1.0
    if words.endswith(" and a half"):
        return number(words.removesuffix(" and a half")) + 0.5
    if "." in words or "," in words:
        return float(words.replace(",", "."))
    return float(number(words))


def _scaled(amount: float, unit: str) -> Length:
    unit = _SHORT.get(unit, unit)
    if unit in _UNIT_SECONDS:
        return Length(seconds=round(amount * _UNIT_SECONDS[unit]))
    if unit in _UNIT_MONTHS:
        months = amount * _UNIT_MONTHS[unit]
        return Length(months=int(months)) if months == int(months) else Length(months=int(months), days=15)
    days = amount * _UNIT_DAYS[unit]
    return Length(days=int(days), seconds=round((days - int(days)) * 86_400))
