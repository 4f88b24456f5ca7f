"""Recurrence rules (RFC 5545 3.3.10): which can be worked out, how they end, how they move."""

from datetime import UTC, date, datetime, time, timedelta

from icalendar.prop import vRecur

from connectors.calendar.ical import part, parts
from connectors.calendar.moments import DAY, Moment, at_wall, wall

_TOO_FREQUENT = ("SECONDLY", "MINUTELY")
_MOST_A_DAY = 48
_TIMES = ("BYHOUR", "BYMINUTE", "BYSECOND")
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def objection(rule: vRecur) -> str | None:
    """Why a rule is not worked out, or None where it can be.

    Refuses rules that repeat many times an hour or that do not advance: each could keep a computer busy for
    minutes.
    """
    frequency = part(rule, "FREQ")
    if frequency is None:
        return "its repetition says no frequency"
    if str(frequency) in _TOO_FREQUENT or times_a_day(rule) > _MOST_A_DAY:
        return "it repeats every few minutes or seconds"
    if interval(rule) < 1:
        return "it repeats at an interval of zero"
    return None


def times_a_day(rule: vRecur) -> int:
    """How often a rule can come round in a day at most."""
    hours = 24 if str(part(rule, "FREQ")) == "HOURLY" else max(len(parts(rule, "BYHOUR")), 1)
    return hours * max(len(parts(rule, "BYMINUTE")), 1) * max(len(parts(rule, "BYSECOND")), 1)


def interval(rule: vRecur) -> int:
    """How many days, weeks, months or years lie between repetitions."""
    said = part(rule, "INTERVAL")
    return 1 if said is None else int(said)


def settle_until(rule: vRecur, start: Moment) -> None:
    """Set UNTIL to the form that goes with the start: UTC for a time in a zone, else as the start is.

    A date, or a time in no zone, is read as the end of that day where the event is.
    """
    until = part(rule, "UNTIL")
    if until is None:
        return
    if not isinstance(start, datetime):
        rule["UNTIL"] = [until.date() if isinstance(until, datetime) else until]
    elif start.tzinfo is None:
        rule["UNTIL"] = [wall(until) if isinstance(until, datetime) else _day_end(until)]
    elif not isinstance(until, datetime) or until.tzinfo is None:
        end = at_wall(_day_end(wall(until).date()), start.tzinfo)
        rule["UNTIL"] = [end.astimezone(UTC)]


def end_before(rule: vRecur, moment: Moment) -> None:
    """End a rule before `moment`, which is one of its occurrences on the wall clock of the series.

    A rule that comes round once a day at most ends with the day before, which is how people read it.
    """
    rule.pop("COUNT", None)
    if not isinstance(moment, datetime):
        rule["UNTIL"] = [moment - DAY]
        return
    once_a_day = str(part(rule, "FREQ")) != "HOURLY" and not any(name in rule for name in _TIMES)
    last = _day_end(moment.date() - DAY) if once_a_day else wall(moment) - timedelta(seconds=1)
    exact = at_wall(last, moment.tzinfo)
    rule["UNTIL"] = [exact.astimezone(UTC) if moment.tzinfo else exact]


def move_rule(rule: vRecur, by: timedelta, start: Moment) -> bool:
    """Move a rule along with its start, by wall-clock time; False, and nothing done, where no rule says that.

    `start` is where the series began before. A rule on fixed weekdays or days of the month moves with them;
    one on "the last Friday" cannot move to another day.
    """
    moved = wall(start) + by
    if moved.time() != wall(start).time() and any(name in rule for name in _TIMES):
        return False
    days = moved.date().toordinal() - wall(start).date().toordinal()
    if days and not _move_days(rule, days, moved.date()):
        return False
    until = part(rule, "UNTIL")
    if until is not None:
        rule["UNTIL"] = [_moved_until(until, by, start)]
    return True


def _move_days(rule: vRecur, days: int, first: date) -> bool:
    if any(name in rule for name in ("BYSETPOS", "BYYEARDAY", "BYWEEKNO")):
        return False
    weekdays = [str(day) for day in rule.get("BYDAY", ())]
    month_days = [int(day) for day in rule.get("BYMONTHDAY", ())]
    moved = [day + days for day in month_days]
    if "BYMONTH" in rule and (weekdays or first.month not in [int(month) for month in rule["BYMONTH"]]):
        return False
    if (weekdays and month_days) or any(not 1 <= day <= 28 for day in (*month_days, *moved)):
        return False
    if weekdays:
        if str(part(rule, "FREQ")) != "WEEKLY" or any(day not in _WEEKDAYS for day in weekdays):
            return False
        if interval(rule) > 1 and len(weekdays) > 1:
            return False
        rule["BYDAY"] = [_WEEKDAYS[(_WEEKDAYS.index(day) + days) % 7] for day in weekdays]
    if month_days:
        rule["BYMONTHDAY"] = moved
    return True


def _moved_until(until: Moment, by: timedelta, start: Moment) -> Moment:
    if isinstance(until, datetime) and until.tzinfo and isinstance(start, datetime) and start.tzinfo:
        return at_wall(wall(until.astimezone(start.tzinfo)) + by, start.tzinfo).astimezone(UTC)
    return until + by


def _day_end(day: date) -> datetime:
    return datetime.combine(day, time(23, 59, 59))
