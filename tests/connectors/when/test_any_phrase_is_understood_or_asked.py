"""What holds for every phrase: no exception, exact answers, and answers that mean what they say."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.when import Unclear, When, describe, describe_range, label_for, phrase_for, understand

ZONES = tuple(
    ZoneInfo(key)
    for key in (
        "Europe/Copenhagen", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Europe/Dublin",
        "America/Sao_Paulo", "Africa/Cairo", "Pacific/Apia", "UTC",
    )
)  # fmt: skip
WORDS = (
    "on", "at", "the", "to", "from", "between", "and", "until", "for", "in", "every", "next", "last",
    "this", "a", "week", "month", "day", "hour", "hours", "two", "4", "10", "16:00", "4pm", "half",
    "past", "quarter", "friday", "monday", "tuesday", "december", "5", "5th", "5/12", "31", "2026",
    "2026-12-04", "14:00-15:30", "morning", "evening", "night", "tonight", "tomorrow", "today",
    "weekend", "first", "of", "march", "london", "time", "EST", "Z", "+02:00", "-05:00", "daily",
    "weekly", "monthly", "starting", "all", "ago", "later", "earlier", "same", "noon", "midnight",
    "since", "times", "year", "end", "-", "now", "other", "days", "minutes", "999999",
)  # fmt: skip

moments = st.builds(
    lambda moment, zone: moment.replace(tzinfo=UTC).astimezone(zone),
    st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1)),  # noqa: DTZ001
    st.sampled_from(ZONES),
)
abouts = st.one_of(st.none(), st.dates(date(2020, 1, 1), date(2035, 1, 1)), moments)
phrases = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join))


def same(one: When, other: When) -> bool:
    """Equal, and the same pass of a repeated hour."""
    told = [(repr(when.start), repr(when.end), when.rule, when.vague) for when in (one, other)]
    return told[0] == told[1]


def check(when: When, now: datetime, about: datetime | date | None) -> None:
    for moment in (when.start, when.end):
        if isinstance(moment, datetime):
            assert isinstance(moment.tzinfo, ZoneInfo)
            assert moment.astimezone(UTC).astimezone(moment.tzinfo).replace(fold=0) == moment.replace(fold=0)
    assert type(when.end) in (type(None), type(when.start))
    assert when.end is None or _order(when.start) < _order(when.end)
    assert describe(when.start, now).startswith(f"{when.start:%a} {when.start.day} {when.start:%b %Y}")
    assert describe_range(when.start, when.end, now).startswith(f"{when.start:%a} ")
    again = understand(phrase_for(when, now, about=about), now, about=about)
    assert isinstance(again, When), phrase_for(when, now, about=about)
    assert same(again, when), (again, when)


def _order(moment: datetime | date) -> float:
    return moment.timestamp() if isinstance(moment, datetime) else moment.toordinal()


@given(phrases, moments, abouts, st.booleans())
@settings(deadline=None, max_examples=200)
def test_any_text_is_understood_exactly_or_asked(
    phrase: str, now: datetime, about: datetime | date | None, past: bool
) -> None:
    found = understand(phrase, now, about=about, past=past)
    if isinstance(found, When):
        check(found, now, about)
        return
    assert found.text
    for label, answer in found.options:
        assert label
        assert answer


@given(st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join), moments)
@settings(deadline=None, max_examples=120)
def test_every_answer_that_is_offered_is_an_exact_time_or_asks_less(phrase: str, now: datetime) -> None:
    found = understand(phrase, now)
    for label, answer in found.options if isinstance(found, Unclear) else ():
        again = understand(answer, now)
        if isinstance(again, When):
            check(again, now, None)
            assert label_for(again, now) == label
        else:
            assert 0 < len(again.options) <= 2


@given(moments, st.integers(0, 4000), st.integers(1, 3000), st.booleans(), st.sampled_from(ZONES))
@settings(deadline=None)
def test_an_exact_time_survives_being_written_as_a_phrase(
    now: datetime, ahead: int, minutes: int, with_end: bool, zone: ZoneInfo
) -> None:
    start = (now.astimezone(UTC).replace(second=0, microsecond=0) + timedelta(hours=ahead)).astimezone(zone)
    end = (start.astimezone(UTC) + timedelta(minutes=minutes)).astimezone(zone) if with_end else None
    when = When(start, end, None, "")
    again = understand(phrase_for(when, now), now)
    assert isinstance(again, When)
    assert same(again, when)


@pytest.mark.parametrize(
    "phrase",
    ["a" * 5000, "1" * 5000, "every monday " * 400, "and a half " * 500, "((((" * 900, "9" * 150, "one " * 40,
     "twenty-" * 28, "half past " * 19, "\x00\x1b[31m", "‮friday", "١٢:٠٠", "½ hour", "in ½ hour"],
)  # fmt: skip
def test_long_and_odd_text_is_asked_about_at_once(phrase: str) -> None:
    found = understand(phrase, datetime(2026, 11, 30, 10, tzinfo=ZONES[0]))
    assert isinstance(found, Unclear)
    assert "\x1b" not in found.text
    assert len(found.text) < 400
