"""Recurrence rules (RFC 5545 3.3.10): which can be worked out, what they say in words, how they move."""

from calendar import monthrange
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from icalendar.prop import vRecur

from connectors.calendar.ical import part
from connectors.calendar.moments import DAY, Moment, at_wall, wall

_TOO_FREQUENT = ("SECONDLY", "MINUTELY")
_MOST_STEPS = 15_000
_TIMES = ("BYHOUR", "BYMINUTE", "BYSECOND")
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_NO_MATCH = "it repeats by a rule that never or hardly ever comes round"


def objection(rule: vRecur, start: Moment) -> str | None:
    """Why a rule is not worked out, or None where it can be.

    Refuses rules that repeat every second or minute, that do not advance, and that find no day within years:
    each could keep a computer busy for minutes.
    """
    frequency = part(rule, "FREQ")
    if frequency is None:
        return "its repetition says no frequency"
    if str(frequency) in _TOO_FREQUENT:
        return "it repeats every minute or second"
    if interval(rule) < 1:
        return "it repeats at an interval of zero"
    limits = {name for name in ("BYMONTH", "BYMONTHDAY", "BYYEARDAY", "BYDAY") if name in rule}
    if limits and not any(_fits(rule, moment) for moment in _steps(rule, start)):
        return _NO_MATCH
    if any(abs(int(position)) > _set_size(rule) for position in rule.get("BYSETPOS", ())):
        return _NO_MATCH
    return None


def interval(rule: vRecur) -> int:
    """How many days, weeks, months or years lie between repetitions."""
    return int(part(rule, "INTERVAL") or 1)


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
    """End a rule just before `moment`, which is one of its occurrences."""
    rule.pop("COUNT", None)
    if not isinstance(moment, datetime):
        rule["UNTIL"] = [moment - DAY]
    elif moment.tzinfo is None:
        rule["UNTIL"] = [moment - timedelta(seconds=1)]
    else:
        rule["UNTIL"] = [moment.astimezone(UTC) - timedelta(seconds=1)]


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


def _steps(rule: vRecur, start: Moment) -> Iterator[datetime]:
    hourly = str(part(rule, "FREQ")) == "HOURLY"
    daily = str(part(rule, "FREQ")) == "DAILY"
    unit = timedelta(hours=1) if hourly else DAY
    step = unit * (interval(rule) if hourly or daily else 1)
    moment = wall(start)
    for _ in range(_MOST_STEPS):
        yield moment
        try:
            moment += step
        except OverflowError:
            return


def _fits(rule: vRecur, moment: datetime) -> bool:
    month_end = monthrange(moment.year, moment.month)[1]
    year_end = date(moment.year, 12, 31).timetuple().tm_yday
    ordinal = moment.timetuple().tm_yday
    return (
        _among(rule, "BYMONTH", (moment.month,))
        and _among(rule, "BYMONTHDAY", (moment.day, moment.day - month_end - 1))
        and _among(rule, "BYYEARDAY", (ordinal, ordinal - year_end - 1))
        and ("BYDAY" not in rule or _WEEKDAYS[moment.weekday()] in {str(day)[-2:] for day in rule["BYDAY"]})
    )


def _among(rule: vRecur, name: str, values: tuple[int, ...]) -> bool:
    return name not in rule or any(int(value) in values for value in rule[name])


def _set_size(rule: vRecur) -> int:
    times = 1
    for name in _TIMES:
        times *= max(len(rule.get(name, ())), 1)
    days = {"YEARLY": 366, "MONTHLY": 31, "WEEKLY": 7}.get(str(part(rule, "FREQ")), 1)
    return times * days
