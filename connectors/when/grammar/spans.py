"""Forms that name a stretch of days: weeks, weekends, months, years."""

import re

from connectors.when.grammar.days import WHICH
from connectors.when.grammar.scan import Rule, rule, said
from connectors.when.lengths import read_length
from connectors.when.pieces import (
    Around,
    DayRange,
    Mark,
    Month,
    NumberedWeek,
    Piece,
    Shift,
    Week,
    Weekend,
    Year,
)
from connectors.when.vocabulary import CARDINAL, MONTH, MONTHS, ORDINAL, YEAR, number

_OFFSETS = {"this": 0, "the current": 0, "next": 1, "the coming": 1, "coming": 1, "last": -1}
_THIS_NEXT_LAST = "this|the current|next|the coming|coming|last"
_ONE_UNIT = "(?P<unit>day|week|month|year)"
_UNIT = "(?:days?|weeks?|months?|years?)"


def _week(match: re.Match[str]) -> tuple[Piece, ...]:
    return (Week(_OFFSETS[match["which"]]),)


def _weekend(match: re.Match[str]) -> tuple[Piece, ...]:
    return (Weekend(WHICH.get(match["which"] or "")),)


def _month(match: re.Match[str]) -> tuple[Piece, ...]:
    return (Month(offset=_OFFSETS[match["which"]]),)


def _named_month(match: re.Match[str]) -> tuple[Piece, ...]:
    year = int(match["year"]) if match["year"] else None
    return (Month(MONTHS[match["month"]], year, which=WHICH.get(match["which"] or "")),)


def _year(match: re.Match[str]) -> tuple[Piece, ...]:
    return (Year(offset=_OFFSETS[match["which"]]),)


def _numbered_year(match: re.Match[str]) -> tuple[Piece, ...]:
    return (Year(int(match["year"])),)


def _numbered_week(match: re.Match[str]) -> tuple[Piece, ...]:
    return (NumberedWeek(int(match["week"]), int(match["year"]) if match["year"] else None),)


def _around(match: re.Match[str]) -> tuple[Piece, ...]:
    length = read_length(f"{match['count']} {match['unit']}")
    return (Around(length, forward=match["side"] in ("next", "coming")),)


def _rolling(match: re.Match[str]) -> tuple[Piece, ...]:
    return (Around(read_length(f"1 {match['unit']}"), forward=False),)


def _day_range(match: re.Match[str]) -> tuple[Piece, ...]:
    month = Month(MONTHS[match["month"]], int(match["year"]) if match["year"] else None)
    return (DayRange(number(match["first"]), number(match["last"]), month),)


_DAY = f"(?:{ORDINAL}|[0-9]{{1,2}})"
_FIRST_TO_LAST = f"(?P<first>{_DAY}) ?(?:-|to|through) ?(?:the )?(?P<last>{_DAY})"

SPAN_RULES: tuple[Rule, ...] = (
    rule(f"(?:in |during |of )?(?P<which>{_THIS_NEXT_LAST}) week", _week),
    rule(f"(?:(?:the|over|at|on) )*(?:(?P<which>{_THIS_NEXT_LAST}) )?weekend", _weekend),
    rule(f"(?:in |during |of )?(?P<which>{_THIS_NEXT_LAST}) month", _month),
    rule(f"(?:in |during |of )?(?P<which>{_THIS_NEXT_LAST}) year", _year),
    rule(f"(?:(?:in|within|over|during|for) )?(?:the (?:last|past)|past) {_ONE_UNIT}", _rolling),
    rule(
        f"(?:in |during |of )?(?:(?P<which>this|next|last|coming) )?(?P<month>{MONTH})(?: (?P<year>{YEAR}))?",
        _named_month,
    ),
    rule(f"(?:in|during|of) (?P<year>{YEAR})", _numbered_year),
    rule(f"(?:in )?week (?P<week>[0-9]{{1,2}})(?: (?:of )?(?P<year>{YEAR}))?", _numbered_week),
    rule(
        "(?:in |within |over |during )?(?:the )?(?P<side>next|coming|last|past) "
        f"(?P<count>{CARDINAL}) (?P<unit>{_UNIT})",
        _around,
    ),
    rule(
        f"(?<!at )(?:from )?(?:the )?{_FIRST_TO_LAST}\\.?(?: of)? (?P<month>{MONTH})(?: (?P<year>{YEAR}))?",
        _day_range,
    ),
    rule(
        f"(?:from )?(?P<month>{MONTH}) {_FIRST_TO_LAST}(?![:.h][0-9]| ?[ap]m(?![a-z]))(?: (?P<year>{YEAR}))?",
        _day_range,
    ),
    said("(?:in )?(?:the )?week of", Mark.WEEK_OF),
    said("(?:the )?(?:following week|week after)", Shift(read_length("1 week"))),
    said("(?:the )?(?:week before|previous week)", Shift(-read_length("1 week"))),
)
