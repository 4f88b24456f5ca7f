"""Lengths of time in words."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.when import duration

MINUTES = {
    "45 minutes": 45,
    "45 min": 45,
    "45m": 45,
    "an hour": 60,
    "one hour": 60,
    "1h": 60,
    "1 hr": 60,
    "half an hour": 30,
    "a quarter of an hour": 15,
    "three quarters of an hour": 45,
    "an hour and a half": 90,
    "one and a half hours": 90,
    "two and a half hours": 150,
    "2 hours and 30 minutes": 150,
    "2 hours, 30 minutes": 150,
    "1h30": 90,
    "1h 30m": 90,
    "1.5 hours": 90,
    "PT1H30M": 90,
    "for 2 hours": 120,
    "twenty-five minutes": 25,
    "a couple of hours": 120,
    "a day": 1440,
    "all day": 1440,
    "two days": 2880,
    "a week": 10080,
    "a day and a half": 2160,
    "About an Hour": 60,
}

NONE = [
    "", "30", "long", "a month", "2 years", "0 minutes", "an hour or two", "-5 minutes", "friday",
    "999999 days", "hour", "1:30", "PT", "P1D", "a few hours",
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "minutes"), MINUTES.items())
def test_a_length_is_so_many_minutes(phrase: str, minutes: int) -> None:
    assert duration(phrase) == timedelta(minutes=minutes)


@pytest.mark.parametrize("phrase", NONE)
def test_what_is_no_definite_length_is_none(phrase: str) -> None:
    assert duration(phrase) is None


@given(st.text(max_size=120))
@settings(deadline=None)
def test_any_text_has_a_length_or_none(phrase: str) -> None:
    found = duration(phrase)
    assert found is None or found > timedelta()


@given(
    st.lists(
        st.sampled_from(
            (
                "an",
                "a",
                "half",
                "hour",
                "minutes",
                "1",
                "30",
                "999999",
                "h",
                "m",
                "and",
                "week",
                "of",
                "1.5",
                "-",
            )
        ),
        max_size=8,
    )
)
@settings(deadline=None)
def test_any_words_of_length_have_a_length_or_none(words: list[str]) -> None:
    found = duration(" ".join(words))
    assert found is None or found > timedelta()
