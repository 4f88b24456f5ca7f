"""Invitations are proposals: put in once, brought up to date by their revision, and never a copy."""

from pathlib import Path
from typing import Any

from connectors.base import Effect, Needs
from tests.connectors.calendar.invited import DAILY, Letters, event, mailed
from tests.connectors.calendar_servers import CalendarServer

EVERY_BACKEND = "when there is time"


def kept(world: Any) -> str:
    """The one file that there is, unfolded."""
    (data,) = world.snapshot().values()
    text: str = data.decode().replace("\r\n", "\n").replace("\n ", "")
    return text


async def days(world: Any) -> list[str]:
    return [detail for _, detail in await world.agenda("december", "planning")]


async def test_an_invitation_is_shown_as_what_it_is_and_put_in(world: Any, letters: Letters) -> None:
    letters.files["plan"] = mailed(event("20261204T140000", "LOCATION:Room 2"))
    prepared = await world.ready("add_invitation", invitation="plan")
    assert prepared.preview.title == "Add “Planning” as invited"
    assert [(each.label, each.value) for each in prepared.preview.fields] == [
        ("From", "in the message “plan” from ana@example.org"),
        ("Title", "Planning"),
        ("When", "Fri 4 Dec 2026 14:00-15:00 Europe/Copenhagen"),
        ("Where", "Room 2"),
        ("Organiser", "ana@example.org"),
        ("Invited", "ben@x.example"),
        ("Your answer", "none is sent"),
        ("Calendar", "home"),
    ]
    assert prepared.effects == {Effect.WRITE}
    assert world.snapshot() == {}
    outcome = await world.connector.perform(prepared)
    assert outcome.text == "Added. It is on Fri 4 Dec 2026 14:00-15:00 Europe/Copenhagen."
    assert await days(world) == ["Fri 4 Dec 2026 14:00-15:00, Room 2"]
    assert "METHOD" not in kept(world)
    assert "UID:plan@example.org\n" in kept(world)
    assert "TZID:Europe/Copenhagen" in kept(world)
    assert (await world.take_back(outcome)).ok
    assert world.snapshot() == {}


async def test_the_same_again_is_no_second_event(world: Any, letters: Letters) -> None:
    letters.files["plan"] = mailed(event("20261204T140000"))
    await world.do("add_invitation", invitation="plan")
    refused = await world.refused("add_invitation", invitation="plan")
    assert refused.text == "The invitation changes nothing. The calendar has it already, just as it says."
    assert len(world.snapshot()) == 1


async def test_a_later_revision_is_an_update_that_shows_what_was(world: Any, letters: Letters) -> None:
    letters.files["plan"] = mailed(event("20261204T140000"))
    await world.do("add_invitation", invitation="plan")
    letters.files["moved"] = mailed(event("20261204T160000", sequence=1))
    prepared = await world.ready("add_invitation", invitation="moved")
    assert prepared.preview.title == "Update “Planning” as invited"
    when = world.field(prepared, "When")
    assert (when.before, when.value) == (
        "Fri 4 Dec 2026 14:00-15:00 Europe/Copenhagen",
        "Fri 4 Dec 2026 16:00-17:00 Europe/Copenhagen",
    )
    await world.connector.perform(prepared)
    assert await days(world) == ["Fri 4 Dec 2026 16:00-17:00"]
    assert len(world.snapshot()) == 1


async def test_an_earlier_revision_that_comes_late_changes_nothing(world: Any, letters: Letters) -> None:
    letters.files["second"] = mailed(event("20261204T160000", sequence=1))
    letters.files["first"] = mailed(event("20261204T140000"))
    letters.files["restated"] = mailed(event("20261204T170000", sequence=1, stamp="20261129T095959Z"))
    await world.do("add_invitation", invitation="second")
    for late in ("first", "restated"):
        refused = await world.refused("add_invitation", invitation=late)
        assert "It is older than what is in the calendar" in refused.text
    assert await days(world) == ["Fri 4 Dec 2026 16:00-17:00"]


async def test_a_change_of_ones_own_does_not_make_the_next_revision_old(world: Any, letters: Letters) -> None:
    letters.files["plan"] = mailed(event("20261204T140000"))
    await world.do("add_invitation", invitation="plan")
    for title in ("Planning with Ana", "Planning again"):
        await world.do("change_event", event="planning", title=title)
    letters.files["moved"] = mailed(event("20261204T160000", sequence=1))
    prepared = await world.ready("add_invitation", invitation="moved")
    assert world.field(prepared, "Title").before == "Planning again"
    assert (await world.connector.perform(prepared)).ok
    assert await days(world) == ["Fri 4 Dec 2026 16:00-17:00"]


async def test_an_update_for_one_occurrence_leaves_all_others(world: Any, letters: Letters) -> None:
    """A mail for day 3 of 5, as Thunderbird sends it: without the series."""
    letters.files["series"] = mailed(DAILY)
    await world.do("add_invitation", invitation="series")
    third = event("20261209T100000", "RECURRENCE-ID;TZID=Europe/Copenhagen:20261209T090000", sequence=1)
    letters.files["third"] = mailed(third)
    prepared = await world.ready("add_invitation", invitation="third")
    assert world.field(prepared, "Which").value == "only this one; all others stay as they are"
    assert world.field(prepared, "When").before == "Wed 9 Dec 2026 09:00-10:00 Europe/Copenhagen"
    await world.connector.perform(prepared)
    assert [each[:21] for each in await days(world)] == [
        "Mon 7 Dec 2026 09:00-",
        "Tue 8 Dec 2026 09:00-",
        "Wed 9 Dec 2026 10:00-",
        "Thu 10 Dec 2026 09:00",
        "Fri 11 Dec 2026 09:00",
    ]
    assert len(world.snapshot()) == 1


async def test_an_occurrence_named_in_utc_is_the_one_of_the_series(world: Any, letters: Letters) -> None:
    letters.files["series"] = mailed(DAILY)
    await world.do("add_invitation", invitation="series")
    third = event("20261209T100000", "RECURRENCE-ID:20261209T080000Z", sequence=1)
    letters.files["third"] = mailed(third)
    await world.do("add_invitation", invitation="third")
    assert len(await days(world)) == 5
    assert "Wed 9 Dec 2026 10:00-11:00" in await days(world)


async def test_an_occurrence_that_the_series_has_not_is_refused(world: Any, letters: Letters) -> None:
    letters.files["series"] = mailed(DAILY)
    await world.do("add_invitation", invitation="series")
    stray = event("20261220T100000", "RECURRENCE-ID;TZID=Europe/Copenhagen:20261220T090000", sequence=1)
    letters.files["stray"] = mailed(stray)
    refused = await world.refused("add_invitation", invitation="stray")
    assert "an occurrence that is not in the calendar" in refused.text
    assert len(await days(world)) == 5


async def test_one_occurrence_without_its_series_is_shown_once(world: Any, letters: Letters) -> None:
    alone = event("20261209T100000", "RECURRENCE-ID;TZID=Europe/Copenhagen:20261209T100000")
    letters.files["alone"] = mailed(alone)
    await world.do("add_invitation", invitation="alone")
    assert await days(world) == ["Wed 9 Dec 2026 10:00-11:00"]


async def test_a_new_title_for_the_series_keeps_what_was_moved_by_itself(
    world: Any, letters: Letters
) -> None:
    third = event("20261209T100000", "RECURRENCE-ID;TZID=Europe/Copenhagen:20261209T090000")
    letters.files["series"] = mailed(DAILY, third)
    await world.do("add_invitation", invitation="series")
    again = event("20261207T090000", "RRULE:FREQ=DAILY;COUNT=5", "LOCATION:Room 3", sequence=1)
    letters.files["again"] = mailed(again)
    await world.do("add_invitation", invitation="again")
    assert "Wed 9 Dec 2026 10:00-11:00" in await days(world)
    assert "Tue 8 Dec 2026 09:00-10:00, Room 3" in await days(world)
    assert len(await days(world)) == 5


async def test_a_series_at_another_time_says_how_many_changes_of_single_ones_go(
    world: Any, letters: Letters
) -> None:
    third = event("20261209T100000", "RECURRENCE-ID;TZID=Europe/Copenhagen:20261209T090000")
    letters.files["series"] = mailed(DAILY, third)
    await world.do("add_invitation", invitation="series")
    letters.files["later"] = mailed(event("20261207T110000", "RRULE:FREQ=DAILY;COUNT=5", sequence=1))
    prepared = await world.ready("add_invitation", invitation="later")
    assert prepared.preview.warnings == (
        "1 occurrence changed separately before will be as the series says.",
    )
    await world.connector.perform(prepared)
    assert {each.partition(":")[0][-2:] for each in await days(world)} == {"11"}
    assert len(await days(world)) == 5


async def test_what_is_cancelled_stays_in_the_file_but_not_in_the_agenda(
    world: Any, letters: Letters
) -> None:
    letters.files["series"] = mailed(DAILY)
    await world.do("add_invitation", invitation="series")
    third = event("20261209T090000", "RECURRENCE-ID;TZID=Europe/Copenhagen:20261209T090000", sequence=1)
    letters.files["third"] = mailed(third, method="CANCEL")
    prepared = await world.ready("add_invitation", invitation="third")
    assert prepared.preview.title == "Mark “Planning” as cancelled"
    assert world.field(prepared, "When").value == "cancelled"
    outcome = await world.connector.perform(prepared)
    assert (outcome.ok, outcome.text) == (True, "Marked as cancelled.")
    assert len(await days(world)) == 4
    letters.files["all"] = mailed(event("20261207T090000", sequence=2), method="CANCEL")
    await world.do("add_invitation", invitation="all")
    assert await days(world) == []
    assert kept(world).count("STATUS:CANCELLED") == 2
    refused = await world.refused("add_invitation", invitation="all")
    assert "The calendar has it already" in refused.text


async def test_a_cancellation_of_what_is_not_there_changes_nothing(world: Any, letters: Letters) -> None:
    letters.files["all"] = mailed(event("20261207T090000"), method="CANCEL")
    refused = await world.refused("add_invitation", invitation="all")
    assert refused.needs is Needs.NOT_FOUND


async def test_a_cancellation_in_the_name_of_another_is_warned_of(world: Any, letters: Letters) -> None:
    letters.files["plan"] = mailed(event("20261204T140000"))
    await world.do("add_invitation", invitation="plan")
    forged = event("20261204T140000", sequence=1).replace("ana@example.org", "eve@evil.example")
    letters.files["forged"] = mailed(forged, method="CANCEL")
    prepared = await world.ready("add_invitation", invitation="forged")
    assert "In the calendar the organiser is ana@example.org, another than in this." in (
        prepared.preview.warnings
    )


async def test_an_answer_is_noted_beside_the_one_who_gave_it(world: Any, letters: Letters) -> None:
    letters.files["plan"] = mailed(event("20261204T140000"))
    await world.do("add_invitation", invitation="plan")
    reply = event("20261204T140000").replace("PARTSTAT=NEEDS-ACTION", "PARTSTAT=ACCEPTED")
    letters.files["reply"] = mailed(reply, method="REPLY")
    prepared = await world.ready("add_invitation", invitation="reply")
    assert world.field(prepared, "Answer").value == "ben@x.example accepts"
    assert (await world.connector.perform(prepared)).text == "Noted: ben@x.example accepts."
    assert "PARTSTAT=ACCEPTED" in kept(world)
    letters.files["other"] = mailed(reply.replace("ben@x", "eve@x"), method="REPLY")
    assert "is not among those invited" in (await world.refused("add_invitation", invitation="other")).text
    newer = event("20261204T150000", sequence=3)
    letters.files["newer"] = mailed(newer)
    await world.do("add_invitation", invitation="newer")
    assert "an earlier version" in (await world.refused("add_invitation", invitation="reply")).text


async def test_an_answer_for_one_occurrence_is_noted_for_that_one(world: Any, letters: Letters) -> None:
    letters.files["series"] = mailed(DAILY)
    await world.do("add_invitation", invitation="series")
    third = event("20261209T090000", "RECURRENCE-ID;TZID=Europe/Copenhagen:20261209T090000")
    letters.files["third"] = mailed(third.replace("NEEDS-ACTION", "DECLINED"), method="REPLY")
    await world.do("add_invitation", invitation="third")
    assert kept(world).count("PARTSTAT=DECLINED") == kept(world).count("PARTSTAT=NEEDS-ACTION") == 1
    assert len(await days(world)) == 5


async def test_alarms_of_others_are_left_out_and_ones_own_stay(world: Any, letters: Letters) -> None:
    alarm = "BEGIN:VALARM\nACTION:EMAIL\nTRIGGER:-PT5M\nSUMMARY:x\nDESCRIPTION:x\nEND:VALARM"
    letters.files["plan"] = mailed(event("20261204T140000", alarm))
    await world.do("add_invitation", invitation="plan")
    assert "VALARM" not in kept(world)
    (name,) = world.snapshot()
    own = "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT10M\nDESCRIPTION:mine\nEND:VALARM\nEND:VEVENT"
    changed = kept(world).replace("END:VEVENT", own).replace("\n", "\r\n").encode()
    world.raw(changed, name=name.rpartition("/")[2].removesuffix(".ics"))
    letters.files["moved"] = mailed(event("20261204T160000", sequence=1))
    await world.do("add_invitation", invitation="moved")
    assert "DESCRIPTION:mine" in kept(world)


async def test_an_event_in_two_calendars_is_asked_about(world: Any, letters: Letters) -> None:
    world.calendar("work")
    for calendar in ("home", "work"):
        world.raw(mailed(event("20261204T140000"), method=""), calendar=calendar)
    letters.files["moved"] = mailed(event("20261204T160000", sequence=1))
    question = await world.asked("add_invitation", invitation="moved")
    assert [each.label for each in question.options] == ["home", "work"]
    picked = world.picked(question, "work")
    await world.do("add_invitation", invitation="moved", **picked)
    assert "T160000" in world.text(calendar="work")
    assert "T160000" not in world.text(calendar="home")


async def test_a_server_that_mails_is_told_to_mail_nobody(
    tmp_path: Path, xandikos: CalendarServer, server_world: Any
) -> None:
    letters, world = Letters(), server_world(tmp_path, xandikos)
    world.lenders = (letters,)
    world.restart()
    world.calendar("home")
    letters.files["plan"] = mailed(event("20261204T140000"))
    prepared = await world.ready("add_invitation", invitation="plan")
    assert prepared.effects == {Effect.WRITE}
    await world.connector.perform(prepared)
    letters.files["moved"] = mailed(event("20261204T160000", sequence=1))
    again = await world.ready("add_invitation", invitation="moved")
    assert again.effects == {Effect.WRITE}
    await world.connector.perform(again)
    assert kept(world).count("SCHEDULE-AGENT=CLIENT") == 2
    world.connector.close()


async def test_without_anybody_to_look_for_invitations_there_is_no_such_tool(world: Any) -> None:
    assert "calendar.add_invitation" not in {tool.name for tool in world.connector.tools}
    assert (await world.refused("add_invitation", invitation="x")).needs is Needs.UNSUPPORTED


async def test_what_is_not_found_is_said_by_the_one_who_looked(world: Any, letters: Letters) -> None:
    assert (await world.refused("add_invitation", invitation="x")).text == "No message is called x."
