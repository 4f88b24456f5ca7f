"""Forms that name a repetition: "every other week", "monthly", "weekdays"."""

import re

from connectors.when.answers import DoubtError
from connectors.when.grammar.scan import Rule, rule, said
from connectors.when.pieces import Frequency, Part, Piece, Repeat, Times, Weekdays
from connectors.when.vocabulary import CARDINAL, MONTH, MONTHS, ORDINAL, WEEKDAY, WEEKDAYS, number

_WORKDAYS = (0, 1, 2, 3, 4)
_FREQUENCIES = {
    "day": Frequency.DAILY,
    "week": Frequency.WEEKLY,
    "month": Frequency.MONTHLY,
    "year": Frequency.YEARLY,
}
_ONE_WEEKDAY = f"{WEEKDAY}s?"
_WEEKDAY_LIST = f"{_ONE_WEEKDAY}(?:(?: and| &|,)? {_ONE_WEEKDAY}(?! (?:week|time)))*"
_EVERY = "(?:every|each)"
_STEP = f"(?P<step>other|{ORDINAL}|{CARDINAL})"


def _listed(text: str) -> tuple[int, ...]:
    words = re.findall("[a-z]+", text)
    return tuple(
        sorted({WEEKDAYS[word if word in WEEKDAYS else word[:-1]] for word in words if word != "and"})
    )


def _step(text: str | None) -> int:
    if not text:
        return 1
    step = 2 if text == "other" else number(text)
    if not 1 <= step <= 999:
        raise DoubtError(f"I cannot repeat something every {text}.")
    return step


def _unit(match: re.Match[str]) -> tuple[Piece, ...]:
    return (Repeat(_FREQUENCIES[match["unit"]], _step(match["step"])),)


def _workdays(match: re.Match[str]) -> tuple[Piece, ...]:
    return (Repeat(Frequency.WEEKLY, weekdays=_WORKDAYS),)


def _every_weekday(match: re.Match[str]) -> tuple[Piece, ...]:
    step = match["step"]
    if step and step != "other" and not step.isdigit():
        return _every_nth(step, match)
    return (Repeat(Frequency.WEEKLY, _step(step), _listed(match["days"])),)


def _every_nth(step: str, match: re.Match[str]) -> tuple[Piece, ...]:
    days, nth = _listed(match["days"]), number(step)
    if nth > 1 and nth <= 5:
        raise DoubtError(
            f"“{match.group()}” can mean one {match['days']} in {nth}, or the {step} one of each month. "
            f"Say “every {nth} weeks on {match['days']}” or “monthly on the {step} {match['days']}”."
        )
    if nth != 1 or len(days) != 1:
        return ()
    return (Repeat(Frequency.MONTHLY, nth=1, weekdays=days),)


def _nth_of_month(match: re.Match[str]) -> tuple[Piece, ...]:
    nth = -1 if match["nth"] == "last" else number(match["nth"])
    if nth > 5:
        raise DoubtError(f"No month has a {match['nth']} {match['day']}.")
    return (Repeat(Frequency.MONTHLY, nth=nth, weekdays=(WEEKDAYS[match["day"]],)),)


def _day_of_month(match: re.Match[str]) -> tuple[Piece, ...]:
    day = -1 if match["day"] == "last day" else number(match["day"])
    return (Repeat(Frequency.MONTHLY, month_day=day),)


def _date_of_year(match: re.Match[str]) -> tuple[Piece, ...]:
    return (Repeat(Frequency.YEARLY, month_day=number(match["day"]), month=MONTHS[match["month"]]),)


def _every_part(match: re.Match[str]) -> tuple[Piece, ...]:
    return Repeat(Frequency.DAILY), Part(match["part"])


def _weekday_part(match: re.Match[str]) -> tuple[Piece, ...]:
    return Repeat(Frequency.WEEKLY, weekdays=_listed(match["day"])), Part(match["part"])


def _plural(match: re.Match[str]) -> tuple[Piece, ...]:
    return (Repeat(Frequency.WEEKLY, weekdays=_listed(match.group())),)


def _weekday_list(match: re.Match[str]) -> tuple[Piece, ...]:
    return (Weekdays(_listed(match.group())),)


def _times(match: re.Match[str]) -> tuple[Piece, ...]:
    return (Times(_step(match["count"])),)


def _too_often(match: re.Match[str]) -> tuple[Piece, ...]:
    raise DoubtError("I can repeat something daily at the most often, not several times a day.")


def _twice_or_half(match: re.Match[str]) -> tuple[Piece, ...]:
    raise DoubtError(
        f"“{match.group()}” can mean two things. Say “every two weeks” or “every monday and thursday”."
    )


_DATE_OF_YEAR = (
    f"(?:(?P<day>{ORDINAL}|[0-9]{{1,2}})(?: of)? (?P<month>{MONTH}))",
    f"(?:(?P<month>{MONTH}) (?:the )?(?P<day>{ORDINAL}|[0-9]{{1,2}}))",
)
_PART = "(?P<part>morning|afternoon|evening|night)"

REPEAT_RULES: tuple[Rule, ...] = (
    rule(f"{_EVERY}(?: {_STEP})? (?P<unit>day|week|month|year)s?", _unit),
    rule(f"(?:{_EVERY} |on )?(?:weekdays?|working days?|workdays?)", _workdays),
    said(f"(?:{_EVERY} |on )weekends?|weekends", Repeat(Frequency.WEEKLY, weekdays=(5, 6))),
    rule(f"{_EVERY}(?: {_STEP})? (?P<days>{_WEEKDAY_LIST})", _every_weekday),
    rule(
        f"{_EVERY} (?P<nth>{ORDINAL}|last) (?P<day>{WEEKDAY}) (?:of|in) (?:the|every|each|a) month",
        _nth_of_month,
    ),
    rule(f"{_EVERY} (?P<nth>last) (?P<day>{WEEKDAY})", _nth_of_month),
    rule(f"(?:the )?(?P<nth>{ORDINAL}|last) (?P<day>{WEEKDAY}) (?:of|in) {_EVERY} month", _nth_of_month),
    rule(f"{_EVERY} (?P<day>{ORDINAL}|last day)(?: of (?:the|every|each|a) month)?", _day_of_month),
    rule(f"(?:the )?(?P<day>{ORDINAL}|last day) (?:of|in) {_EVERY} month", _day_of_month),
    *(rule(f"{_EVERY} {form}", _date_of_year) for form in _DATE_OF_YEAR),
    rule(f"{_EVERY} {_PART}", _every_part),
    rule(f"{_EVERY} (?P<day>{WEEKDAY}) {_PART}", _weekday_part),
    rule(f"{WEEKDAY}s(?:(?: and| &|,)? {WEEKDAY}s)*", _plural),
    rule(f"(?<!between ){WEEKDAY}(?: {WEEKDAY})*(?: and| &) {WEEKDAY}", _weekday_list),
    said("daily", Repeat(Frequency.DAILY)),
    said("weekly", Repeat(Frequency.WEEKLY)),
    said("fortnightly|every fortnight", Repeat(Frequency.WEEKLY, 2)),
    said("monthly", Repeat(Frequency.MONTHLY)),
    said("yearly|annually", Repeat(Frequency.YEARLY)),
    rule(f"(?:for )?(?P<count>{CARDINAL}) times", _times),
    rule(f"{_EVERY}(?: {_STEP})? (?:hour|minute|second|min|sec)s?|hourly", _too_often),
    rule("bi-?(?:weekly|monthly)|bi-?annually", _twice_or_half),
)
