"""The VTIMEZONE written for a zone says the same as the zone itself, in every reader."""

import io
import random
from datetime import UTC, datetime, timedelta
from importlib import resources
from zoneinfo import ZoneInfo

import pytest
from dateutil.tz import tzical
from icalendar import Calendar

from connectors.calendar.zones import parse_footer, vtimezone, yearly_rule

YEAR = 2026
DATABASE = resources.files("tzdata")


def one_zone_of_each_rule() -> list[str]:
    found: dict[bytes, str] = {}
    for name in DATABASE.joinpath("zones").read_text("utf-8").split():
        data = DATABASE.joinpath("zoneinfo", *name.split("/")).read_bytes()
        found.setdefault(data.rstrip().rsplit(b"\n", 1)[-1], name)
    return sorted(found.values())


def written(zone: str) -> str:
    data: bytes = vtimezone(ZoneInfo(zone), YEAR).to_ical(sorted=False)
    return data.decode()


def moments(seed: str) -> list[datetime]:
    chance = random.Random(seed)
    start = datetime(YEAR, 1, 1, tzinfo=UTC)
    return [start + timedelta(hours=chance.randrange(8 * 8766)) for _ in range(60)]


def test_every_rule_of_the_database_is_written_right() -> None:
    wrong = []
    for name in one_zone_of_each_rule():
        zone = ZoneInfo(name)
        own = vtimezone(zone, YEAR).to_tz(lookup_tzid=False)
        walls = (moment.astimezone(zone).replace(tzinfo=None) for moment in moments(name))
        wrong += [(name, wall) for wall in walls if own.utcoffset(wall) != zone.utcoffset(wall)]
    assert wrong == []


@pytest.mark.parametrize(
    "name",
    [
        "America/New_York",
        "Europe/Copenhagen",
        "Europe/Dublin",
        "Australia/Lord_Howe",
        "Africa/Cairo",
        "America/Nuuk",
        "America/Sao_Paulo",
        "Asia/Gaza",
        "Africa/Casablanca",
    ],
)
def test_another_reader_of_iCalendar_agrees_around_every_change(name: str) -> None:
    zone = ZoneInfo(name)
    calendar = Calendar()
    calendar.add_component(vtimezone(zone, YEAR))
    theirs = tzical(io.StringIO(calendar.to_ical().decode().replace("\r\n", "\n"))).get(name)
    days = (datetime(YEAR, 1, 1, 12, tzinfo=UTC) + timedelta(days=day) for day in range(2 * 365))
    walls = [day.astimezone(zone).replace(tzinfo=None) for day in days]
    assert [wall for wall in walls if theirs.utcoffset(wall) != zone.utcoffset(wall)] == []


def test_a_zone_with_summer_time_has_a_rule_for_each_switch() -> None:
    text = written("America/New_York")
    assert "RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3" in text
    assert "RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11" in text
    assert "DTSTART:20250309T020000" in text


def test_irish_time_has_its_summer_half_as_daylight_time() -> None:
    text = written("Europe/Dublin")
    daylight = text[text.index("BEGIN:DAYLIGHT") : text.index("END:DAYLIGHT")]
    assert "TZOFFSETTO:+0100" in daylight
    assert "BYDAY=-1SU;BYMONTH=3" in daylight


def test_half_an_hour_of_summer_time_is_half_an_hour() -> None:
    text = written("Australia/Lord_Howe")
    assert "TZOFFSETFROM:+1030\r\nTZOFFSETTO:+1100" in text


@pytest.mark.parametrize("name", ["UTC", "America/Sao_Paulo", "Asia/Tokyo"])
def test_a_zone_without_summer_time_has_one_offset(name: str) -> None:
    text = written(name)
    assert text.count("BEGIN:STANDARD") == 1
    assert "DAYLIGHT" not in text
    assert "RRULE" not in text


@pytest.mark.parametrize("name", ["Africa/Casablanca", "Asia/Gaza"])
def test_changes_that_follow_no_yearly_rule_are_spelled_out(name: str) -> None:
    text = written(name)
    assert "RRULE" not in text
    assert text.count("BEGIN:DAYLIGHT") > 15


@pytest.mark.parametrize(
    ("footer", "rules"),
    [
        (
            "EST5EDT,M3.2.0,M11.1.0",
            ("FREQ=YEARLY;BYMONTH=3;BYDAY=2SU", "FREQ=YEARLY;BYMONTH=11;BYDAY=1SU"),
        ),
        (
            "EET-2EEST,M3.4.4/50,M10.4.4/50",
            (
                "FREQ=YEARLY;BYMONTH=3;BYDAY=SA;BYMONTHDAY=24,25,26,27,28,29,30",
                "FREQ=YEARLY;BYMONTH=10;BYDAY=SA;BYMONTHDAY=24,25,26,27,28,29,30",
            ),
        ),
        (
            "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
            (
                "FREQ=YEARLY;BYMONTH=3;BYDAY=SA;BYMONTHDAY=24,25,26,27,28,29,30",
                "FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
            ),
        ),
        (
            "EET-2EEST,M4.5.5/0,M10.5.4/24",
            (
                "FREQ=YEARLY;BYMONTH=4;BYDAY=-1FR",
                "FREQ=YEARLY;BYDAY=FR;BYYEARDAY=-67,-66,-65,-64,-63,-62,-61",
            ),
        ),
    ],
)
def test_a_switch_at_an_hour_beyond_its_day_falls_on_the_right_day(
    footer: str, rules: tuple[str, str]
) -> None:
    parsed = parse_footer(footer)
    assert parsed is not None
    assert parsed.to_daylight is not None
    assert parsed.to_standard is not None
    assert (yearly_rule(parsed.to_daylight), yearly_rule(parsed.to_standard)) == rules


@pytest.mark.parametrize("text", ["", "EST5EDT", "EST5EDT,J60,J300", "nonsense!"])
def test_a_rule_of_another_form_is_not_guessed(text: str) -> None:
    assert parse_footer(text) is None
