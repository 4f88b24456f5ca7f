"""Deleting: one event, one of a series, or more; never more than was meant, and never for good."""

from typing import Any

import pytest

from connectors.base import Effect, Needs, Role

EVERY_BACKEND = "with time"

YOGA = """
SUMMARY:Yoga
DTSTART;TZID=Europe/Copenhagen:20261124T180000
DTEND;TZID=Europe/Copenhagen:20261124T190000
RRULE:FREQ=WEEKLY;COUNT=4
"""


async def test_what_goes_is_shown(world: Any) -> None:
    handle = world.event(
        "SUMMARY:Dentist\nDTSTART:20261203T140000Z\nDTEND:20261203T143000Z\nLOCATION:Main St"
    )
    prepared = await world.ready("delete_event", event="dentist")
    assert prepared.preview.title == "Delete “Dentist”"
    assert prepared.preview.deed == "deletes one event"
    assert prepared.effects == {Effect.DELETE}
    assert prepared.undo == "It is kept for 90 days and can be brought back."
    assert world.field(prepared, "When").value == "Thu 3 Dec 2026 15:00-15:30 Europe/Copenhagen"
    assert world.field(prepared, "When").note == "in 3 days"
    assert [(thing.role, thing.value, thing.label) for thing in prepared.resolved] == [
        (Role.TARGET, handle, "Dentist")
    ]
    outcome = await world.connector.perform(prepared)
    assert outcome.text == "Deleted. It is in the calendar no more."
    assert world.snapshot() == {}


async def test_deleting_one_never_deletes_the_series(world: Any) -> None:
    world.event(YOGA)
    for left in (3, 2, 1, 0):
        listed = await world.do("list_events", when="2026-11-24 to 2026-12-31")
        await world.do("delete_event", event=listed.items[0].handle, series="this")
        assert len(await world.agenda("2026-11-24 to 2026-12-31")) == left
        assert len(world.snapshot()) == 1


async def test_which_are_meant_is_asked_and_one_picked_is_the_one(world: Any) -> None:
    world.event(YOGA)
    question = await world.asked("delete_event", event="yoga", on="2026-12-08")
    outcome = await world.do("delete_event", **world.picked(question, "Only the one on Tue 8 Dec 2026"))
    assert outcome.text == "Deleted. The next one is on Tue 1 Dec 2026 18:00-19:00 Europe/Copenhagen."
    assert [detail[:10] for _, detail in await world.agenda("2026-11-24 to 2026-12-31")] == [
        "Tue 24 Nov",
        "Tue 1 Dec ",
        "Tue 15 Dec",
    ]


async def test_from_one_on_all_are_gone(world: Any) -> None:
    world.event(YOGA)
    outcome = await world.do("delete_event", event="yoga", on="2026-12-08", series="following")
    assert outcome.text == "Deleted. The next one is on Tue 1 Dec 2026 18:00-19:00 Europe/Copenhagen."
    assert len(await world.agenda("2026-11-24 to 2026-12-31")) == 2


@pytest.mark.parametrize(("on", "series"), [("2026-12-08", "all"), ("2026-11-24", "following")])
async def test_all_are_gone_with_their_file(world: Any, on: str, series: str) -> None:
    world.event(YOGA)
    prepared = await world.ready("delete_event", event="yoga", on=on, series=series)
    assert prepared.preview.deed == "deletes several events"
    assert world.field(prepared, "Which").value == "all of them"
    await world.connector.perform(prepared)
    assert world.snapshot() == {}


async def test_one_that_was_moved_is_gone_too(world: Any) -> None:
    handle = world.event(YOGA)
    await world.do("change_event", event=f"{handle}@20261208T170000Z", when="2026-12-10", series="this")
    await world.do("delete_event", event="yoga", on="2026-12-10", series="this")
    assert [detail[:10] for _, detail in await world.agenda("2026-11-24 to 2026-12-31")] == [
        "Tue 24 Nov",
        "Tue 1 Dec ",
        "Tue 15 Dec",
    ]
    assert "RECURRENCE-ID" not in world.text()


async def test_with_people_invited_one_is_kept_as_cancelled(world: Any) -> None:
    world.needs_folder("a server that announces scheduling mails the people itself")
    handle = world.event(YOGA + "ATTENDEE;CN=Ana:mailto:ana@post.example")
    prepared = await world.ready("delete_event", event=f"{handle}@20261208T170000Z", series="this")
    invited = world.field(prepared, "Invited")
    assert (invited.value, invited.note) == ("Ana <ana@post.example>", "nobody is notified")
    await world.connector.perform(prepared)
    assert await world.agenda("2026-12-08") == []
    assert "STATUS:CANCELLED" in world.text()


async def test_a_series_of_extra_dates_loses_only_one(world: Any) -> None:
    world.event("SUMMARY:Talk\nDTSTART:20261201T170000Z\nRDATE:20261203T170000Z,20261205T170000Z")
    await world.do("delete_event", event="talk", on="2026-12-03", series="this")
    assert [detail[:10] for _, detail in await world.agenda("december")] == ["Tue 1 Dec ", "Sat 5 Dec "]


async def test_an_event_changed_since_it_was_shown_stays(world: Any) -> None:
    world.event(YOGA)
    prepared = await world.ready("delete_event", event="yoga", series="all")
    world.event(YOGA + "LOCATION:Hall 2")
    outcome = await world.connector.perform(prepared)
    assert outcome.needs is Needs.CONFLICT
    assert "Hall 2" in world.text()
