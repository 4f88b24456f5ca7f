"""Changing an event: what it was and would be, and nothing else in its file."""

from typing import Any

import pytest

from connectors.base import Effect, Needs

DENTIST = """
SUMMARY:Dentist
DTSTART;TZID=Europe/Copenhagen:20261203T150000
DTEND;TZID=Europe/Copenhagen:20261203T153000
"""


async def test_the_change_is_shown_before_and_after(world: Any) -> None:
    world.event(DENTIST)
    world.event("SUMMARY:Project review\nDTSTART:20261204T143000Z\nDTEND:20261204T153000Z", name="review")
    prepared = await world.ready("change_event", event="my dentist appointment", when="friday at 4")
    assert prepared.preview.title == "Change “Dentist”"
    assert prepared.preview.deed == "changes one event"
    assert prepared.effects == {Effect.WRITE}
    when = world.field(prepared, "When")
    assert when.before == "Thu 3 Dec 2026 15:00-15:30 Europe/Copenhagen"
    assert when.value == "Fri 4 Dec 2026 16:00-16:30 Europe/Copenhagen"
    assert when.note == "in 4 days"
    clash = world.field(prepared, "Clash").value
    assert clash == "Project review, Fri 4 Dec 2026 15:30-16:30 (calendar home)"

    outcome = await world.connector.perform(prepared)
    assert outcome.text == "Changed. It is on Fri 4 Dec 2026 16:00-16:30 Europe/Copenhagen."
    assert await world.agenda("2026-12-03") == []


async def test_an_event_does_not_clash_with_itself(world: Any) -> None:
    world.event(DENTIST)
    prepared = await world.ready("change_event", event="dentist", when="15 minutes later")
    assert "Clash" not in [each.label for each in prepared.preview.fields]


@pytest.mark.parametrize(
    ("arguments", "after"),
    [
        ({"when": "friday"}, "Fri 4 Dec 2026 15:00-15:30"),
        ({"when": "an hour later"}, "Thu 3 Dec 2026 16:00-16:30"),
        ({"when": "30 minutes earlier"}, "Thu 3 Dec 2026 14:30-15:00"),
        ({"when": "16:00"}, "Thu 3 Dec 2026 16:00-16:30"),
        ({"when": "2026-12-04 16:00 to 18:00"}, "Fri 4 Dec 2026 16:00-18:00"),
        ({"duration": "2 hours"}, "Thu 3 Dec 2026 15:00-17:00"),
        ({"duration": "an hour longer"}, "Thu 3 Dec 2026 15:00-16:30"),
        ({"duration": "10 minutes shorter"}, "Thu 3 Dec 2026 15:00-15:20"),
        ({"when": "friday", "duration": "1 hour"}, "Fri 4 Dec 2026 15:00-16:00"),
        ({"when": "friday all day"}, "Fri 4 Dec 2026, all day"),
        ({"when": "every thursday at 15:00"}, "Thu 3 Dec 2026 15:00-15:30"),
    ],
)
async def test_the_new_time_is_what_was_said(world: Any, arguments: dict[str, str], after: str) -> None:
    world.event(DENTIST)
    outcome = await world.do("change_event", event="dentist", **arguments)
    assert outcome.items[0].detail == f"{after} (calendar home)"


async def test_a_whole_day_can_move_and_get_a_time(world: Any) -> None:
    handle = world.event("SUMMARY:Fair\nDTSTART;VALUE=DATE:20261203\nDTEND;VALUE=DATE:20261205")
    await world.do("change_event", event=handle, when="2026-12-10")
    assert await world.agenda("2026-12-11") == [("Fair", "Thu 10 Dec 2026 to Fri 11 Dec 2026")]
    await world.do("change_event", event=handle, when="2026-12-10 14:00")
    assert await world.agenda("2026-12-10") == [("Fair", "Thu 10 Dec 2026 14:00-15:00")]
    assert "BEGIN:VTIMEZONE" in world.text()


async def test_title_place_and_people_can_change(world: Any) -> None:
    world.event(DENTIST + "LOCATION:Old Street\nATTENDEE:mailto:old@post.example")
    prepared = await world.ready(
        "change_event", event="dentist", title="Hygienist", place="New Street", invite=["new@post.example"]
    )
    assert (world.field(prepared, "Title").before, world.field(prepared, "Title").value) == (
        "Dentist",
        "Hygienist",
    )
    assert world.field(prepared, "Where").before == "Old Street"
    assert world.field(prepared, "Invited").value == "new@post.example"
    await world.connector.perform(prepared)
    assert await world.agenda("2026-12-03") == [("Hygienist", "Thu 3 Dec 2026 15:00-15:30, New Street")]
    assert world.text().count("ATTENDEE") == 2


async def test_with_nothing_said_it_is_asked(world: Any) -> None:
    world.event(DENTIST)
    question = await world.asked("change_event", event="dentist")
    assert question.text == "When should “Dentist” be instead?"
    assert question.argument == "when"


async def test_a_change_to_what_is_already_so_is_no_change(world: Any) -> None:
    world.event(DENTIST)
    outcome = await world.refused("change_event", event="dentist", when="thursday at 15:00")
    assert outcome.needs is Needs.INVALID


async def test_all_else_in_the_file_stays_as_it_was(world: Any) -> None:
    kept = [
        'X-CUSTOM;X-P="a;b":raw,comma;semi\\, esc\\n',
        "CATEGORIES:A,B\\,C",
        "GEO:37.386013;-122.082932",
        "PRIORITY:not a number",
        "ORGANIZER;CN=Me:MAILTO:me@example.org",
        "DESCRIPTION:Zähne\\nputzen\\; bitte",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "TRIGGER;RELATED=START:-PT15M",
        "END:VALARM",
    ]
    world.event(DENTIST + "\n".join(kept))
    await world.do("change_event", event="dentist", when="friday")
    lines = world.text().splitlines()
    assert [line for line in kept if line not in lines] == []
    assert "UID:event@test.example" in lines
    assert "SEQUENCE:1" in lines


async def test_the_zone_of_the_one_who_made_it_is_kept(world: Any) -> None:
    world.event("SUMMARY:Call\nDTSTART;TZID=America/New_York:20261203T090000\nDURATION:PT1H")
    prepared = await world.ready("change_event", event="call", when="at 16:00")
    when = world.field(prepared, "When")
    assert when.before == "Thu 3 Dec 2026 15:00-16:00 Europe/Copenhagen"
    assert when.value == "Thu 3 Dec 2026 16:00-17:00 Europe/Copenhagen"
    assert when.note == "in 3 days; the event stays in the time zone America/New_York"
    await world.connector.perform(prepared)
    assert "DTSTART;TZID=America/New_York:20261203T100000" in world.text()
    assert "DURATION" not in world.text()


async def test_a_changed_time_has_its_zone_defined_beside_it(world: Any) -> None:
    world.event(DENTIST)
    await world.do("change_event", event="dentist", when="friday")
    text = world.text()
    assert text.count("BEGIN:VTIMEZONE") == 1
    assert text.index("TZID:Europe/Copenhagen") < text.index("BEGIN:VEVENT")


async def test_times_in_utc_and_in_no_zone_stay_of_their_kind(world: Any) -> None:
    world.event("SUMMARY:Utc\nDTSTART:20261203T140000Z", name="utc")
    world.event("SUMMARY:Floating\nDTSTART:20261203T150000", name="floating")
    await world.do("change_event", event="utc", when="16:00")
    await world.do("change_event", event="floating", when="16:00")
    assert "DTSTART:20261203T150000Z" in world.text("utc")
    assert "DTSTART:20261203T160000\n" in world.text("floating")


async def test_an_event_changed_meanwhile_is_not_overwritten(world: Any) -> None:
    world.event(DENTIST)
    prepared = await world.ready("change_event", event="dentist", when="friday")
    world.event(DENTIST + "LOCATION:Elsewhere")
    outcome = await world.connector.perform(prepared)
    assert outcome.needs is Needs.CONFLICT
    assert "LOCATION:Elsewhere" in world.text()


async def test_an_event_deleted_meanwhile_is_not_made_again(world: Any) -> None:
    world.event(DENTIST)
    prepared = await world.ready("change_event", event="dentist", when="friday")
    (world.folder / "home" / "event.ics").unlink()
    assert (await world.connector.perform(prepared)).needs is Needs.CONFLICT
    assert world.snapshot() == {}


@pytest.mark.parametrize(
    "second",
    [
        "BEGIN:VEVENT\nUID:b\nSUMMARY:Second\nDTSTART:20261203T140000Z\nEND:VEVENT",
        "BEGIN:VTODO\nUID:b\nSUMMARY:Second\nEND:VTODO",
        "BEGIN:VEVENT\nUID:b\nSUMMARY:Second\nDTSTART:never\nEND:VEVENT",
    ],
)
async def test_a_file_with_two_things_is_left_as_it_is(world: Any, second: str) -> None:
    world.file(f"BEGIN:VEVENT\nUID:a\nSUMMARY:First\nDTSTART:20261203T140000Z\nEND:VEVENT\n{second}")
    for verb, arguments in (("change_event", {"when": "friday"}), ("delete_event", {})):
        outcome = await world.refused(verb, event="first", **arguments)
        assert outcome.needs is Needs.UNSUPPORTED
        assert outcome.text == "The file holds several different things, so it is left as it is."


async def test_a_read_only_calendar_is_not_changed(world: Any) -> None:
    world.event(DENTIST)
    world.restart(read_only=("home",))
    for verb in ("change_event", "delete_event"):
        outcome = await world.refused(
            verb, event="dentist", **({"when": "friday"} if "change" in verb else {})
        )
        assert outcome.needs is Needs.READ_ONLY
        assert outcome.text == "The calendar home is read-only, so nothing in it is changed."
