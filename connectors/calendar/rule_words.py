"""Says a recurrence rule in words: "every 2 weeks on Tuesday, 5 times"."""

from datetime import datetime, tzinfo

from icalendar.prop import vRecur

from connectors.calendar.ical import part, rule_text
from connectors.calendar.moments import Moment

_UNITS = {"HOURLY": "hour", "DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_DAYS = {
    "MO": "Monday",
    "TU": "Tuesday",
    "WE": "Wednesday",
    "TH": "Thursday",
    "FR": "Friday",
    "SA": "Saturday",
    "SU": "Sunday",
}
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_WORKDAYS = ["MO", "TU", "WE", "TH", "FR"]
_SPOKEN = frozenset({"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", "BYMONTHDAY", "BYMONTH"})
_LONG_MONTH_DAY = 29


def say_rule(rule: vRecur, start: Moment) -> str:
    """A rule in words; one with parts that have no plain words is given as iCalendar writes it."""
    frequency = str(part(rule, "FREQ"))
    if not set(rule) <= _SPOKEN or frequency not in _UNITS:
        return f"by the rule {rule_text(rule)}"
    every = int(part(rule, "INTERVAL") or 1)
    unit = _UNITS[frequency]
    words = f"every {unit}" if every == 1 else f"every {every} {unit}s"
    return words + _on_days(rule, frequency) + _end(rule, start)


def peculiarity(rule: vRecur, start: Moment) -> str | None:
    """What surprises people about a rule although the standard says so, or None."""
    frequency = str(part(rule, "FREQ"))
    days = [int(day) for day in rule.get("BYMONTHDAY", ())] or [start.day]
    if "BYDAY" in rule:
        return None
    if frequency == "MONTHLY" and max(days) >= _LONG_MONTH_DAY:
        return f"Months without a day {max(days)} are skipped."
    if frequency == "YEARLY" and (start.month, start.day) == (2, _LONG_MONTH_DAY):
        return "Only leap years have a 29 February; the others are skipped."
    return None


def _on_days(rule: vRecur, frequency: str) -> str:
    words = ""
    weekdays = [str(day) for day in rule.get("BYDAY", ())]
    if weekdays == _WORKDAYS:
        words += " on weekdays"
    elif weekdays:
        words += " on " + _listed([_weekday(day, frequency) for day in weekdays])
    if days := rule.get("BYMONTHDAY", ()):
        words += " on " + _listed([_month_day(int(day)) for day in days])
    if months := rule.get("BYMONTH", ()):
        words += " in " + _listed([_MONTHS[int(month) - 1] for month in months])
    return words


def _weekday(day: str, frequency: str) -> str:
    place, name = day[:-2], _DAYS[day[-2:]]
    if not place:
        return f"every {name}" if frequency in ("MONTHLY", "YEARLY") else name
    return f"the {_ordinal(int(place))} {name}"


def _month_day(day: int) -> str:
    return f"the {_ordinal(day)}" + (" day" if day < 0 else "")


def _ordinal(number: int) -> str:
    if number == -1:
        return "last"
    size = abs(number)
    ending = "th" if size % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(size % 10, "th")
    return f"{size}{ending}" + (" last" if number < 0 else "")


def _end(rule: vRecur, start: Moment) -> str:
    count, until = part(rule, "COUNT"), part(rule, "UNTIL")
    if count is not None:
        return f", {count} times" if int(count) != 1 else ", once"
    if until is None:
        return ""
    zone: tzinfo | None = start.tzinfo if isinstance(start, datetime) else None
    last = until.astimezone(zone) if isinstance(until, datetime) and until.tzinfo and zone else until
    return f", until {last:%a} {last.day} {last:%b %Y}"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
