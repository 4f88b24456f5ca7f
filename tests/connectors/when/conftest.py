"""A short way to write down what a phrase was understood as."""

from collections.abc import Callable
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from connectors.when import Unclear, When, understand

Tell = Callable[..., str]


@pytest.fixture
def tell() -> Tell:
    """What a phrase means, said on Monday 30 November 2026 at 10:00, as one line.

    `2026-12-04` is a day, `a/b` from a to before b, `~` marks a stretch to choose from, a rule follows it;
    `? a | b` is a question with these answers, each understood again.
    """

    def tell(
        phrase: str,
        zone: str = "America/New_York",
        now: str = "2026-11-30T10:00",
        about: datetime | date | None = None,
        past: bool = False,
    ) -> str:
        moment = datetime.fromisoformat(now).replace(tzinfo=ZoneInfo(zone))
        found = understand(phrase, moment, about=about, past=past)
        if isinstance(found, When):
            return _line(found)
        again = [understand(answer, moment, about=about, past=past) for _, answer in found.options]
        assert found.text
        return " ".join(
            ["?", " | ".join("?" if isinstance(one, Unclear) else _line(one) for one in again)]
        ).strip()

    return tell


def _line(when: When) -> str:
    text = _moment(when.start) + ("" if when.end is None else f"/{_moment(when.end)}")
    return ("~" if when.vague else "") + text + (f" {when.rule}" if when.rule else "")


def _moment(moment: datetime | date) -> str:
    if not isinstance(moment, datetime):
        return moment.isoformat()
    assert isinstance(moment.tzinfo, ZoneInfo)
    return moment.isoformat(timespec="minutes")
