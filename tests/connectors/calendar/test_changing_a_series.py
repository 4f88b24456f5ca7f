"""One occurrence, those that follow, or all: exactly what was meant, and earlier changes go along."""

from typing import Any

import pytest

from connectors.base import Needs

EVERY_BACKEND = "with time"

YOGA = """
SUMMARY:Yoga
DTSTART;TZID=Europe/Copenhagen:20261103T180000
DTEND;TZID=Europe/Copenhagen:20261103T190000
RRULE:FREQ=WEEKLY;BYDAY=TU
"""
COUNTED = YOGA.replace("BYDAY=TU", "BYDAY=TU;COUNT=8")


async def days(world: Any, when: str = "2026-11-01 to 2026-12-31") -> list[str]:
    return [detail.removesuffix("-19:00") for _, detail in await world.agenda(when)]


async def test_which_are_meant_is_asked(world: Any) -> None:
    handle = world.event(YOGA)
    question = await world.asked("change_event", event="yoga", when="at 19:00")
    assert question.text == "“Yoga” repeats every Tuesday. Which of them do you mean?"
    assert [option.label for option in question.options] == [
        "Only the one on Tue 1 Dec 2026 18:00-19:00",
        "That one and all that follow",
        "All of them",
    ]
    assert [option.arguments for option in question.options] == [
        {"event": f"{handle}@20261201T170000Z", "on": None, "series": series}
        for series in ("this", "following", "all")
    ]


async def test_only_one_is_changed(world: Any) -> None:
    world.event(COUNTED)
    prepared = await world.ready(
        "change_event", event="yoga", on="2026-12-08", when="2026-12-09", series="this"
    )
    assert world.field(prepared, "Which").value.startswith("only this one, Tue 8 Dec 2026")
    outcome = await world.connector.perform(prepared)
    assert outcome.ok
    assert await days(world) == [
        "Tue 3 Nov 2026 18:00",
        "Tue 10 Nov 2026 18:00",
        "Tue 17 Nov 2026 18:00",
        "Tue 24 Nov 2026 18:00",
        "Tue 1 Dec 2026 18:00",
        "Wed 9 Dec 2026 18:00",
        "Tue 15 Dec 2026 18:00",
        "Tue 22 Dec 2026 18:00",
    ]
    assert "RECURRENCE-ID;TZID=Europe/Copenhagen:20261208T180000" in world.text()


async def test_one_changed_twice_is_one_still(world: Any) -> None:
    handle = world.event(COUNTED)
    await world.do("change_event", event=f"{handle}@20261208T170000Z", when="2026-12-09", series="this")
    await world.do("change_event", event=f"{handle}@20261208T170000Z", title="Pilates", series="this")
    assert await world.agenda("2026-12-09") == [("Pilates", "Wed 9 Dec 2026 18:00-19:00")]
    assert world.text().count("BEGIN:VEVENT") == 2


async def test_that_one_and_all_that_follow_are_changed(world: Any) -> None:
    world.event(COUNTED)
    prepared = await world.ready(
        "change_event", event="yoga", on="2026-12-08", when="2026-12-10", series="following"
    )
    assert world.field(prepared, "Which").value.endswith("all that follow; those before stay as they are")
    repeats = world.field(prepared, "Repeats")
    assert repeats.value == "every Thursday, 3 times"
    assert repeats.before == "every Tuesday, 8 times"
    outcome = await world.connector.perform(prepared)
    assert outcome.text == (
        "Changed. It is on Thu 10 Dec 2026 18:00-19:00 Europe/Copenhagen, "
        "and repeats every Thursday, 3 times."
    )
    assert await days(world) == [
        "Tue 3 Nov 2026 18:00",
        "Tue 10 Nov 2026 18:00",
        "Tue 17 Nov 2026 18:00",
        "Tue 24 Nov 2026 18:00",
        "Tue 1 Dec 2026 18:00",
        "Thu 10 Dec 2026 18:00",
        "Thu 17 Dec 2026 18:00",
        "Thu 24 Dec 2026 18:00",
    ]
    assert "UNTIL=20261207T225959Z" in world.text()
    uids = {line for file in world.snapshot().values() for line in file.split(b"\r\n") if line[:3] == b"UID"}
    assert len(world.snapshot()) == len(uids) == 2


async def test_from_the_first_one_on_is_all_of_them(world: Any) -> None:
    world.event(COUNTED)
    prepared = await world.ready(
        "change_event", event="yoga", on="2026-11-03", when="at 17:00", series="following"
    )
    assert world.field(prepared, "Which").value == "all of them"
    await world.connector.perform(prepared)
    assert len(world.snapshot()) == 1


CHANGED = """
BEGIN:VEVENT
UID:a
SUMMARY:Yoga
DTSTART;TZID=Europe/Copenhagen:20261103T180000
DTEND;TZID=Europe/Copenhagen:20261103T190000
RRULE:FREQ=WEEKLY;COUNT=6
EXDATE;TZID=Europe/Copenhagen:20261110T180000
EXDATE:20261117T170000Z
RDATE;TZID=Europe/Copenhagen:20261106T180000
END:VEVENT
BEGIN:VEVENT
UID:a
SUMMARY:Yoga with Kim
DTSTART;TZID=Europe/Copenhagen:20261124T180000
DTEND;TZID=Europe/Copenhagen:20261124T190000
RECURRENCE-ID;TZID=Europe/Copenhagen:20261124T180000
END:VEVENT
BEGIN:VEVENT
UID:a
SUMMARY:Yoga
DTSTART;TZID=Europe/Copenhagen:20261203T070000
DTEND;TZID=Europe/Copenhagen:20261203T080000
RECURRENCE-ID;TZID=Europe/Copenhagen:20261201T180000
END:VEVENT
"""
AS_IT_WAS = [
    ("Yoga", "Tue 3 Nov 2026 18:00-19:00"),
    ("Yoga", "Fri 6 Nov 2026 18:00-19:00"),
    ("Yoga with Kim", "Tue 24 Nov 2026 18:00-19:00"),
    ("Yoga", "Thu 3 Dec 2026 07:00-08:00"),
    ("Yoga", "Tue 8 Dec 2026 18:00-19:00"),
]


async def test_what_was_taken_out_put_in_and_changed_goes_along_with_all(world: Any) -> None:
    handle = world.file(CHANGED)
    assert await world.agenda("2026-11-01 to 2026-12-31") == AS_IT_WAS
    prepared = await world.ready(
        "change_event", event=handle, on="2026-12-08", when="2026-12-09 19:00", series="all"
    )
    assert prepared.preview.warnings == (
        "1 occurrence moved separately before will stay at a time of its own.",
    )
    await world.connector.perform(prepared)
    assert await world.agenda("2026-11-01 to 2026-12-31") == [
        ("Yoga", "Wed 4 Nov 2026 19:00-20:00"),
        ("Yoga", "Sat 7 Nov 2026 19:00-20:00"),
        ("Yoga with Kim", "Wed 25 Nov 2026 19:00-20:00"),
        ("Yoga", "Thu 3 Dec 2026 07:00-08:00"),
        ("Yoga", "Wed 9 Dec 2026 19:00-20:00"),
    ]


async def test_a_name_for_all_leaves_the_one_with_a_name_of_its_own(world: Any) -> None:
    handle = world.file(CHANGED)
    await world.do("change_event", event=handle, on="2026-12-08", title="Pilates", series="all")
    titles = [title for title, _ in await world.agenda("2026-11-01 to 2026-12-31")]
    assert titles == ["Pilates", "Pilates", "Yoga with Kim", "Pilates", "Pilates"]


async def test_what_was_changed_is_divided_with_the_series(world: Any) -> None:
    handle = world.file(CHANGED)
    await world.do("change_event", event=handle, on="2026-11-24", title="Pilates", series="following")
    listed = await world.agenda("2026-11-01 to 2026-12-31")
    assert [detail for _, detail in listed] == [detail for _, detail in AS_IT_WAS]
    assert [title for title, _ in listed] == ["Yoga", "Yoga", "Yoga with Kim", "Pilates", "Pilates"]
    earlier = world.text()
    assert "20261110T180000" in earlier
    assert "RECURRENCE-ID" not in earlier


async def test_one_taken_out_stays_out_when_the_hour_changes(world: Any) -> None:
    handle = world.event(COUNTED)
    await world.do("delete_event", event=f"{handle}@20261208T170000Z", series="this")
    await world.do("change_event", event=handle, on="2026-12-01", when="at 19:00", series="all")
    assert await world.agenda("2026-12-08") == []
    assert len(await world.agenda("2026-11-01 to 2026-12-31")) == 7


@pytest.mark.parametrize(
    ("rule", "start", "when", "after"),
    [
        ("FREQ=DAILY", "20261201", "2 hours later", "every day"),
        ("FREQ=WEEKLY;BYDAY=TU,TH", "20261201", "one day later", "every Wednesday and Friday"),
        ("FREQ=MONTHLY;BYMONTHDAY=1", "20261201", "2026-12-03", "every month on the 3rd"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "20261201", "2026-12-02", "every 2 weeks on Wednesday"),
        ("FREQ=MONTHLY;BYDAY=1TU", "20261201", "at 20:00", "every month on the first Tuesday"),
    ],
)
async def test_the_rule_moves_with_the_series(
    world: Any, rule: str, start: str, when: str, after: str
) -> None:
    handle = world.event(f"SUMMARY:X\nDTSTART;TZID=Europe/Copenhagen:{start}T180000\nRRULE:{rule}")
    prepared = await world.ready("change_event", event=handle, on="2026-12-01", when=when, series="all")
    assert world.field(prepared, "Repeats").value == after
    assert (await world.connector.perform(prepared)).ok


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=MONTHLY;BYDAY=1TU",
        "FREQ=MONTHLY;BYDAY=TU;BYSETPOS=1",
        "FREQ=YEARLY;BYYEARDAY=335",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH",
    ],
)
async def test_a_rule_that_cannot_move_to_another_day_says_so(world: Any, rule: str) -> None:
    handle = world.event(f"SUMMARY:X\nDTSTART;TZID=Europe/Copenhagen:20261201T180000\nRRULE:{rule}")
    arguments = {"event": handle, "on": "2026-12-01", "when": "2026-12-02"}
    outcome = await world.refused("change_event", **arguments, series="all")
    assert outcome.needs is Needs.UNSUPPORTED
    assert (await world.do("change_event", **arguments, series="this")).ok


async def test_a_single_event_can_be_made_to_repeat(world: Any) -> None:
    world.event("SUMMARY:Run\nDTSTART;TZID=Europe/Copenhagen:20261201T070000\nDURATION:PT30M")
    prepared = await world.ready("change_event", event="run", when="every tuesday at 7:00")
    assert world.field(prepared, "Repeats").value == "every Tuesday"
    await world.connector.perform(prepared)
    assert len(await world.agenda("2026-12-01 to 2026-12-31")) == 5


async def test_a_series_can_be_given_another_rule(world: Any) -> None:
    handle = world.event(YOGA)
    prepared = await world.ready(
        "change_event", event=handle, on="2026-12-01", when="every thursday at 18:00", series="all"
    )
    assert world.field(prepared, "Repeats").value == "every Thursday"
    await world.connector.perform(prepared)
    assert await days(world, "2026-12-01 to 2026-12-12") == ["Thu 3 Dec 2026 18:00", "Thu 10 Dec 2026 18:00"]


async def test_whole_days_of_a_series_move_as_days(world: Any) -> None:
    handle = world.event("SUMMARY:Bins\nDTSTART;VALUE=DATE:20261201\nRRULE:FREQ=WEEKLY;COUNT=3;BYDAY=TU")
    await world.do("delete_event", event=f"{handle}@20261208", series="this")
    await world.do("change_event", event=f"{handle}@20261201", when="2026-12-02", series="all")
    assert [detail for _, detail in await world.agenda("december")] == [
        "Wed 2 Dec 2026, all day",
        "Wed 16 Dec 2026, all day",
    ]
    outcome = await world.refused(
        "change_event", event=f"{handle}@20261202", when="2026-12-02 10:00", series="all"
    )
    assert outcome.needs is Needs.UNSUPPORTED


async def test_a_series_in_another_zone_keeps_that_clock_through_summer_time(world: Any) -> None:
    handle = world.event(
        "SUMMARY:Sync\nDTSTART;TZID=America/New_York:20270302T090000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=5"
    )
    await world.do("change_event", event=handle, on="2027-03-02", when="at 16:00", series="all")
    assert [detail for _, detail in await world.agenda("2027-03-01 to 2027-04-02")] == [
        "Tue 2 Mar 2027 16:00-17:00",
        "Tue 9 Mar 2027 16:00-17:00",
        "Tue 16 Mar 2027 15:00-16:00",
        "Tue 23 Mar 2027 15:00-16:00",
        "Tue 30 Mar 2027 16:00-17:00",
    ]
    assert "DTSTART;TZID=America/New_York:20270302T100000" in world.text()
