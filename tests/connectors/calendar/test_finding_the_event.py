"""Which event is meant: by words and day, and asked where more than one fits."""

from typing import Any

import pytest

from connectors.base import Needs


@pytest.fixture
def full(world: Any) -> Any:
    world.event("SUMMARY:Dentist\nDTSTART:20261203T140000Z\nDTEND:20261203T143000Z", name="dentist")
    world.event("SUMMARY:Lunch with Ana Ruiz\nDTSTART:20261204T110000Z\nDTEND:20261204T120000Z", name="lunch")
    world.event(
        "SUMMARY:Meeting with Ana\nDTSTART:20261208T110000Z\nDTEND:20261208T120000Z\nLOCATION:Café Blå",
        name="meeting",
    )
    world.event("SUMMARY:Café opening\nDTSTART:20261209T110000Z", name="cafe")
    world.event(
        "SUMMARY:Standup\nDTSTART;TZID=Europe/Copenhagen:20261102T090000\nDURATION:PT15M\n"
        "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
        name="standup",
    )
    return world


async def found(world: Any, event: str | None, on: str | None = None) -> str:
    prepared = await world.ready("delete_event", event=event, on=on, series="this")
    shown: str = world.field(prepared, "When").value
    return f"{prepared.preview.title} {shown}"


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("dentist", "Dentist"),
        ("my dentist appointment", "Dentist"),
        ("the DENTIST", "Dentist"),
        ("lunch", "Lunch with Ana Ruiz"),
        ("lunch with ana", "Lunch with Ana Ruiz"),
        ("ana ruiz", "Lunch with Ana Ruiz"),
        ("meeting with ana", "Meeting with Ana"),
        ("cafe", "Café opening"),
        ("café blå", "Meeting with Ana"),
        ("the cafe opening", "Café opening"),
        ("standups", "Standup"),
        ("event:home/dentist", "Dentist"),
    ],
)
async def test_words_find_the_event_they_fit_best(full: Any, words: str, title: str) -> None:
    assert (await found(full, words)).startswith(f"Delete “{title}”")


async def test_words_that_fit_two_are_asked_about(full: Any) -> None:
    question = await full.asked("delete_event", event="ana")
    assert question.text == "More than one event fits “ana”. Which one?"
    assert question.argument == "event"
    assert [(option.label, option.detail) for option in question.options] == [
        ("Lunch with Ana Ruiz", "Fri 4 Dec 2026 12:00-13:00 (calendar home)"),
        ("Meeting with Ana", "Tue 8 Dec 2026 12:00-13:00, Café Blå (calendar home)"),
    ]
    answer = full.picked(question, "Meeting")
    prepared = await full.ready("delete_event", **answer)
    assert prepared.preview.title == "Delete “Meeting with Ana”"


async def test_a_day_tells_two_apart(full: Any) -> None:
    assert (await found(full, "ana", "friday")).startswith("Delete “Lunch with Ana Ruiz”")


async def test_a_time_tells_two_apart(full: Any) -> None:
    full.event("SUMMARY:Call\nDTSTART:20261202T140000Z\nDTEND:20261202T150000Z", name="call")
    assert (await found(full, "meeting", "2026-12-02 15:00")).startswith("Delete “Call”")


async def test_words_that_say_nothing_name_all_that_is_soon(full: Any) -> None:
    question = await full.asked("delete_event", event="my next appointment")
    assert [option.label for option in question.options] == [
        "Standup",
        "Dentist",
        "Lunch with Ana Ruiz",
        "Meeting with Ana",
        "Café opening",
    ]


async def test_without_words_the_day_is_offered(full: Any) -> None:
    question = await full.asked("delete_event", on="thursday")
    assert question.text == "Which event on Thu 3 Dec 2026?"
    assert [option.label for option in question.options] == ["Standup", "Dentist"]


async def test_on_the_wrong_day_others_are_offered_and_none_is_taken(full: Any) -> None:
    question = await full.asked("delete_event", event="dentist", on="friday")
    assert question.text == "Nothing called “dentist” is on Fri 4 Dec 2026. Is it one of these?"
    assert [option.arguments for option in question.options] == [{"event": "event:home/dentist", "on": None}]


async def test_what_is_not_there_is_not_found(full: Any) -> None:
    outcome = await full.refused("delete_event", event="plumber")
    assert outcome.needs is Needs.NOT_FOUND
    assert outcome.text == "No event called “plumber” is in the calendar."
    for handle in ("event:home/nothing", "event:../../etc/passwd", "event:home/standup@20260101T000000Z"):
        assert (await full.refused("delete_event", event=handle)).needs is Needs.NOT_FOUND


async def test_of_a_series_the_next_one_is_meant(full: Any) -> None:
    assert (await found(full, "standup")).endswith("Tue 1 Dec 2026 09:00-09:15 Europe/Copenhagen")


async def test_of_a_series_the_one_on_the_day_is_meant(full: Any) -> None:
    assert (await found(full, "standup", "2026-12-10")).endswith(
        "Thu 10 Dec 2026 09:00-09:15 Europe/Copenhagen"
    )


async def test_what_is_over_is_found_if_nothing_is_to_come(full: Any) -> None:
    full.event("SUMMARY:Concert\nDTSTART:20261101T190000Z\nDTEND:20261101T210000Z", name="concert")
    assert "Sun 1 Nov 2026" in await found(full, "concert")


async def test_what_is_years_away_is_found(full: Any) -> None:
    full.event("SUMMARY:Reunion\nDTSTART:20290601T190000Z\nDTEND:20290601T210000Z", name="reunion")
    assert "Fri 1 Jun 2029" in await found(full, "reunion")
    assert "Fri 1 Jun 2029" in await found(full, "event:home/reunion")


async def test_a_day_that_is_not_clear_is_asked_about(full: Any) -> None:
    question = await full.asked("delete_event", event="dentist", on="next friday")
    assert question.argument == "on"


async def test_a_file_renamed_by_another_program_is_still_found(full: Any) -> None:
    folder = full.folder / "home"
    (folder / "dentist.ics").rename(folder / "other name @ 1.ics")
    outcome = await full.do("list_events", search="dentist")
    (item,) = outcome.items
    assert item.handle == "event:home/other%20name%20%40%201"
    assert (await found(full, item.handle)).startswith("Delete “Dentist”")


class TestListing:
    async def test_the_coming_week_is_listed_when_nothing_is_said(self, full: Any) -> None:
        outcome = await full.do("list_events")
        assert outcome.text == (
            "7 events, Mon 30 Nov 2026 to Sun 6 Dec 2026; times are in Europe/Copenhagen (UTC+1)."
        )
        assert outcome.items[0].handle == "event:home/standup@20261130T080000Z"
        assert outcome.items[0].detail == "Mon 30 Nov 2026 09:00-09:15 (calendar home)"

    async def test_words_are_looked_for_through_the_coming_year(self, full: Any) -> None:
        outcome = await full.do("list_events", search="my meeting with ana")
        assert [item.label for item in outcome.items] == ["Meeting with Ana"]

    async def test_one_calendar_can_be_asked_for(self, full: Any) -> None:
        full.event("SUMMARY:Shift\nDTSTART:20261203T080000Z", name="shift", calendar="work")
        outcome = await full.do("list_events", calendar="work")
        assert [item.label for item in outcome.items] == ["Shift"]
        question = await full.asked("list_events", calendar="school")
        assert question.argument == "calendar"

    async def test_part_of_a_day_can_be_asked_for(self, full: Any) -> None:
        assert await full.agenda("thursday afternoon") == [("Dentist", "Thu 3 Dec 2026 15:00-15:30")]

    async def test_an_event_across_midnight_is_on_both_days(self, full: Any) -> None:
        full.event("SUMMARY:Night\nDTSTART:20261212T210000Z\nDTEND:20261213T030000Z", name="night")
        night = [("Night", "Sat 12 Dec 2026 22:00 to Sun 13 Dec 2026 04:00")]
        assert await full.agenda("2026-12-12") == night
        assert await full.agenda("2026-12-13") == night

    async def test_a_long_list_is_cut_and_says_so(self, full: Any) -> None:
        outcome = await full.do("list_events", when="2027-01-01 to 2027-12-31")
        assert len(outcome.items) == 100
        assert outcome.text.startswith("261 events, ")
        assert "these are the first 100" in outcome.text

    async def test_a_day_on_the_other_side_of_the_date_line_is_not_missed(self, world: Any) -> None:
        world.be_in("Pacific/Kiritimati")
        world.event("SUMMARY:Call\nDTSTART;TZID=Pacific/Pago_Pago:20261201T233000")
        assert await world.agenda("2026-12-03") == [("Call", "Thu 3 Dec 2026 00:30-00:30")]
