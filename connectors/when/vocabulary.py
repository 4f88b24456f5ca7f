"""The words of time: names, numbers, and the pattern fragments that the grammar is written with."""

from collections.abc import Iterable

WEEKDAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

_WEEKDAY_SHORT = ("mon", "tue tues", "wed weds", "thu thur thurs", "fri", "sat", "sun")
_MONTH_SHORT = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep sept", "oct", "nov", "dec")

WEEKDAYS = {
    name: index
    for index, (full, short) in enumerate(zip(WEEKDAY_NAMES, _WEEKDAY_SHORT, strict=True))
    for name in (full.lower(), *short.split())
}
MONTHS = {
    name: index
    for index, (full, short) in enumerate(zip(MONTH_NAMES, _MONTH_SHORT, strict=True), start=1)
    for name in (full.lower(), *short.split())
}

_UNITS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
_ORDINAL_UNITS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth",
)  # fmt: skip

_CARDINALS = {word: value for value, word in enumerate(_UNITS, start=1)} | _TENS
_ORDINALS = {word: value for value, word in enumerate(_ORDINAL_UNITS, start=1)} | {
    "twentieth": 20,
    "thirtieth": 30,
}


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


WEEKDAY = f"(?:{_any_of(WEEKDAYS)})"
MONTH = f"(?:{_any_of(MONTHS)})"
CARDINAL = f"(?:[0-9]{{1,6}}|(?:{_any_of(_TENS)})(?:[ -](?:{_any_of(_UNITS[:9])}))?|{_any_of(_UNITS)})"
_TENS_AND_ORDINAL = f"(?:twenty|thirty)[ -](?:{_any_of(_ORDINAL_UNITS[:9])})"
ORDINAL = f"(?:[0-9]{{1,2}}(?:st|nd|rd|th)|{_TENS_AND_ORDINAL}|{_any_of(_ORDINALS)})"
YEAR = "(?:19|20|21)[0-9]{2}"


def number(words: str) -> int:
    """The value of a text that matched CARDINAL or ORDINAL."""
    digits = words.rstrip("stndrh")
    if digits.isdigit():
        return int(digits)
    return sum(_CARDINALS.get(word, 0) or _ORDINALS[word] for word in words.replace("-", " ").split())
