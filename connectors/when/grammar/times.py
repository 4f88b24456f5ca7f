"""Forms that name a time of day, and lengths counted from a moment."""

import re
from datetime import timedelta

from connectors.when.answers import DoubtError
from connectors.when.grammar.days import utc_offset
from connectors.when.grammar.scan import Rule, rule, said
from connectors.when.lengths import LENGTH, read_length
from connectors.when.pieces import (
    BareNumber,
    Clock,
    DayOffset,
    For,
    In,
    Mark,
    Midnight,
    Offset,
    Part,
    Piece,
    SameTime,
    Shift,
    UtcOffset,
)
from connectors.when.vocabulary import CARDINAL, WEEKDAY, number

_HALF = "(?P<half>am|pm|a m|p m)"
_PART = "(?P<part>morning|afternoon|evening|night)"
_WORD_MINUTE = "(?:five|ten|twenty|twenty[ -]five)"
_SPOKEN_MINUTE = f"(?:half|an? quarter|quarter|{_WORD_MINUTE}|(?:[0-9]{{1,2}}|{_WORD_MINUTE}) min(?:ute)?s?)"


def clock(hour: int, minute: int, half: str | None, *, exact: bool) -> tuple[Piece, ...]:
    """A time of day from its numbers, or nothing when there is no such time."""
    if minute > 59 or hour > 24 or (hour == 24 and minute):
        return ()
    if not half:
        return (Clock(hour, minute, exact or not 1 <= hour <= 12),)
    if half[0] == "a":
        return (Clock(hour % 12, minute),) if hour <= 12 else ()
    return (Clock(hour % 12 + 12, minute),) if 1 <= hour <= 23 else ()


def _digital(match: re.Match[str]) -> tuple[Piece, ...]:
    hour, minute = match["hour"], int(match["minute"])
    if match["sep"] == "." and not match["half"] and 1 <= minute <= 12:
        return ()
    read = clock(int(hour), minute, match["half"], exact=len(hour) == 2 or bool(match["zulu"]))
    return (*read, UtcOffset(timedelta())) if read and match["zulu"] else read


def _plain(match: re.Match[str]) -> tuple[Piece, ...]:
    return clock(number(match["hour"]), 0, match["half"], exact=False)


def _military(match: re.Match[str]) -> tuple[Piece, ...]:
    digits = match["digits"]
    read = clock(int(digits[:2]), int(digits[2:]), None, exact=True)
    year_too = "1900" <= digits < "2160" and not match["unit"]
    return (BareNumber(int(digits)),) if year_too else read


def _continental(match: re.Match[str]) -> tuple[Piece, ...]:
    return clock(int(match["hour"]), 0, None, exact=True) if int(match["hour"]) > 12 else ()


def _spoken(match: re.Match[str]) -> tuple[Piece, ...]:
    words = match["minute"]
    if (
        match["side"] == "to"
        and words in ("five", "ten", "twenty")
        and match["hour"].isalpha()
        and not match["half"]
    ):
        _refuse_two_readings(match)
    minute = _spoken_minute(words)
    hour = {"noon": 12, "midday": 12, "midnight": 24}.get(match["hour"]) or number(match["hour"])
    if hour > 24 or minute > 59:
        return ()
    before = match["side"] in ("to", "before", "till")
    total = hour * 60 + (-minute if before else minute)
    if match["half"] or not 1 <= hour <= 12 or not match["hour"].isalnum():
        read = clock(hour, 0, match["half"], exact=True)
        if not read or not isinstance(read[0], Clock):
            return ()
        total = (read[0].hour * 60 + (-minute if before else minute)) % 1440
        return (Clock(total // 60, total % 60),)
    named = match["hour"] in ("noon", "midday")
    return (Clock(total // 60 or 12, total % 60, exact=named),)


def _refuse_two_readings(match: re.Match[str]) -> None:
    raise DoubtError(
        f"“{match.group()}” can be one time or a time from {match['minute']} to {match['hour']}. "
        "Write it in digits, such as 9:50 or 10:00-11:00."
    )


def _spoken_minute(words: str) -> int:
    words = re.sub(" min(?:ute)?s?$", "", words)
    if words == "half":
        return 30
    return 15 if words.endswith("quarter") else number(words)


def _bare(match: re.Match[str]) -> tuple[Piece, ...]:
    value = number(match["number"])
    return (BareNumber(value),) if value <= 31 else ()


def _from_words(match: re.Match[str]) -> tuple[Piece, ...]:
    first, last = number(match["first"]), number(match["last"])
    return (Mark.FROM, BareNumber(first), Mark.TO, BareNumber(last)) if max(first, last) <= 24 else ()


def _part(match: re.Match[str]) -> tuple[Piece, ...]:
    return (Part(match["part"]),)


def _this_part(match: re.Match[str]) -> tuple[Piece, ...]:
    return DayOffset(0), Part(match["part"])


def _in(match: re.Match[str]) -> tuple[Piece, ...]:
    return (In(read_length(match["length"])),)


def _ago(match: re.Match[str]) -> tuple[Piece, ...]:
    return (In(-read_length(match["length"])),)


def _shift(match: re.Match[str]) -> tuple[Piece, ...]:
    length = read_length(match["length"])
    return (Shift(length if match["side"] == "later" else -length),)


def _offset(match: re.Match[str]) -> tuple[Piece, ...]:
    length = read_length(match["length"])
    return (Offset(-length if match["side"] == "before" else length),)


def _offset_on(match: re.Match[str]) -> tuple[Piece, ...]:
    return (Offset(read_length(match["length"])),)


def _for(match: re.Match[str]) -> tuple[Piece, ...]:
    return (For(read_length(match["length"])),)


def _utc_offset(match: re.Match[str]) -> tuple[Piece, ...]:
    named = match.group()[0] in "ug"
    return (utc_offset(match["offset"], doubtful=match["offset"].startswith("-") and not named),)


TIME_RULES: tuple[Rule, ...] = (
    rule(
        f"(?P<hour>[0-9]{{1,2}})(?P<sep>[:.h])(?P<minute>[0-9]{{2}})(?::00)?(?: ?{_HALF}|(?P<zulu>z))?",
        _digital,
    ),
    rule(f"(?P<hour>{CARDINAL}) ?{_HALF}", _plain),
    rule(f"(?P<hour>{CARDINAL}) ?o'? ?clock(?: ?{_HALF})?", _plain),
    rule("(?P<digits>[0-9]{4}) ?(?P<unit>h(?:(?:ou)?rs?)?)?", _military),
    rule("(?P<hour>[0-9]{2}) ?h", _continental),
    rule(
        f"(?P<minute>{_SPOKEN_MINUTE}) (?P<side>past|after|to|before|till) "
        f"(?P<hour>noon|midday|midnight|{CARDINAL})(?: o'? ?clock)?(?: ?{_HALF})?",
        _spoken,
    ),
    rule(f"(?P<number>{CARDINAL})(?![:.,/][0-9])", _bare),
    rule("from (?P<first>five|ten|twenty) to (?P<last>[a-z]+)", _from_words),
    said("(?:12 )?noon|midday", Clock(12)),
    said("(?:12 )?midnight", Midnight()),
    said("(?:the |at the )?same time", SameTime()),
    rule(f"(?:in |at |during )?(?:the )?{_PART}", _part),
    rule(f"this {_PART}", _this_part),
    said("tonight|tonite", DayOffset(0), Part.NIGHT),
    said("last night", DayOffset(-1), Part.NIGHT),
    said("lunch ?time|(?:at|over) lunch", Part.LUNCHTIME),
    said("all[ -]day(?: long)?|(?:the )?whole day", Mark.ALL_DAY),
    said("(?:right )?now|immediately", In(read_length("0 min"))),
    rule(f"in (?P<length>{LENGTH})", _in),
    rule(f"(?P<length>{LENGTH}) from now", _in),
    rule(f"(?P<length>{LENGTH}) ago", _ago),
    rule(f"(?:by )?(?P<length>{LENGTH}) (?P<side>later|earlier|sooner)", _shift),
    rule(f"(?P<length>{LENGTH}) (?P<side>from|after|before)(?= )", _offset),
    rule(f"(?P<length>{LENGTH})(?: on)?(?= (?:{WEEKDAY}|today|tomorrow)(?![a-z]))", _offset_on),
    rule(f"for (?:about )?(?P<length>{LENGTH})", _for),
    rule(f"(?P<length>{LENGTH}) long", _for),
    rule("(?:utc|gmt)? ?(?P<offset>[+](?:0[0-9]|1[0-4]):?[0-5][0-9])", _utc_offset),
    rule("(?<= )(?P<offset>-(?:0[0-9]|1[0-2]):?[0-5][0-9])", _utc_offset),
    rule("(?:utc|gmt) ?(?P<offset>[+-](?:1[0-4]|0?[0-9])(?::?[0-5][0-9])?)", _utc_offset),
)
