"""The starter model carries typed goals to the right end state, seen in the files on the disk."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from assistant.events import Ending
from tests.goals.visit import Visit, told, visit

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
async def demo(tmp_path: Path, starter_cache: Path) -> AsyncIterator[Visit]:
    async with visit(tmp_path, starter_cache, demo=True) as opened:
        yield opened


async def test_lunch_on_a_weekday_lands_in_the_calendar_and_undo_takes_it_back(demo: Visit) -> None:
    before = demo.calendar()
    visitor = await demo.goal("schedule lunch with Sam on Friday at noon")
    shown = " ".join(field.value for field in visitor.asked[0].prepared.preview.fields)
    assert "Fri 4 Dec 2026" in shown
    assert "Europe/Copenhagen" in shown
    assert "SUMMARY:lunch with Sam" in demo.calendar()
    assert "DTSTART;TZID=Europe/Copenhagen:20261204T120000" in demo.calendar()
    await demo.goal("undo")
    assert demo.calendar() == before


async def test_listing_tomorrow_shows_both_calendars(demo: Visit) -> None:
    visitor = await demo.goal("what's on tomorrow")
    assert "Breakfast with Carla" in told(visitor)
    assert "Team meeting" in told(visitor)
    assert "Dentist" not in told(visitor)


async def test_an_event_is_moved(demo: Visit) -> None:
    await demo.goal("schedule lunch with Sam on Friday at noon")
    await demo.goal("move lunch with Sam to 1pm")
    assert "DTSTART;TZID=Europe/Copenhagen:20261204T130000" in demo.calendar()


async def test_an_event_is_cancelled_and_undo_restores_it(demo: Visit) -> None:
    before = demo.calendar()
    await demo.goal("cancel the dentist")
    assert "Dentist" not in demo.calendar()
    await demo.goal("undo")
    assert demo.calendar() == before


async def test_cancelling_one_occurrence_leaves_the_series(demo: Visit) -> None:
    visitor = await demo.goal("cancel yoga this Thursday", "Only the one on Thu 3 Dec 2026")
    assert "RRULE:FREQ=WEEKLY" in demo.calendar()
    assert "EXDATE;TZID=Europe/Copenhagen:20261203T180000" in demo.calendar()
    listed = await demo.goal("what's on Thursday")
    assert visitor.ended.ending is Ending.DONE
    assert "Yoga" not in told(listed)
    assert "Yoga" in told(await demo.goal("what's on next week"))


async def test_a_task_is_added(demo: Visit) -> None:
    await demo.goal("add buy milk to my tasks")
    assert "SUMMARY:buy milk" in demo.calendar()


async def test_a_file_is_found_by_its_words_and_read(demo: Visit) -> None:
    assert "lease.txt" in told(await demo.goal("find the file about the lease"))
    assert "The rent is 950 EUR" in told(await demo.goal("read lease.txt"))


async def test_a_note_is_written_moved_trashed_and_brought_back(demo: Visit) -> None:
    await demo.goal("write a note called ideas.txt saying paint the fence")
    assert demo.files()["Documents/ideas.txt"].strip() == "paint the fence"
    await demo.goal("move ideas.txt to Archive")
    assert "Documents/Archive/ideas.txt" in demo.files()
    await demo.goal("delete ideas.txt")
    assert not [name for name in demo.files() if name.endswith("ideas.txt")]
    await demo.goal("undo")
    assert demo.files()["Documents/Archive/ideas.txt"].strip() == "paint the fence"


async def test_a_draft_is_kept_and_nothing_is_sent(demo: Visit) -> None:
    await demo.goal("delete the mail about the autumn catalogue")
    await demo.goal("draft a message to Ana about the party saying see you at eight")
    assert any("see you at eight" in text for text in demo.mail("Drafts"))
    assert demo.delivered() == []


async def test_searching_finds_the_messages_of_one_sender(demo: Visit) -> None:
    text = told(await demo.goal("messages from Carla"))
    assert "Invoice November" in text
    assert "Poster colours" in text
    assert "Report draft" not in text


async def test_settings_change_and_say_what_is_true(demo: Visit) -> None:
    text = told(await demo.goal("set the volume to 30 %"))
    assert "30" in text
    assert "30" in told(await demo.goal("how loud is it"))


@pytest.mark.parametrize("goal", ["what is the capital of France", "book me a taxi"])
async def test_what_no_tool_can_do_is_said_and_nothing_is_asked(demo: Visit, goal: str) -> None:
    visitor = await demo.goal(goal)
    assert visitor.ended.ending is Ending.NOTHING_FITS
    assert visitor.asked == []
    assert "calendar" in visitor.ended.summary


async def test_telling_ana_goes_through_wifi_and_the_full_mailbox_and_sends_once(demo: Visit) -> None:
    visitor = await demo.goal("Tell Ana I'll be ten minutes late", "Autumn catalogue")
    assert len(demo.delivered()) == 1
    assert "ten minutes late" in demo.delivered()[0]
    assert "ana.ruiz@post.example" in demo.delivered()[0]
    assert any("Autumn catalogue" in text for text in demo.mail("Trash"))
    assert visitor.ended.ending is Ending.DONE


@pytest.mark.parametrize("refuse", ["Send", "Turn", "Put", "Delete"])
async def test_a_no_at_any_step_of_it_sends_nothing(demo: Visit, refuse: str) -> None:
    visitor = await demo.goal("Tell Ana I'll be ten minutes late", "Autumn catalogue", refuse=refuse)
    if any(title.startswith(refuse) for title in visitor.titles):
        assert demo.delivered() == []


async def test_two_anas_are_asked_about(demo: Visit) -> None:
    card = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ana Silva\r\nEMAIL:ana.silva@post.example\r\nEND:VCARD\r\n"
    (demo.data / "contacts" / "ana-silva.vcf").write_text(card)
    visitor = await demo.goal("email Ana", "Ana Silva")
    labels = [option.label for option in visitor.questions[0].options]
    assert len(labels) == 2
    assert any("Ana Ruiz" in label for label in labels)
    assert any("Ana Silva" in label for label in labels)


async def test_wifi_is_turned_on_and_off_again(demo: Visit) -> None:
    assert "Wi-Fi is on." in told(await demo.goal("turn on wifi"))
    assert "Wi-Fi is off." in told(await demo.goal("turn off wifi", "Keep it"))
    assert "already off" in told(await demo.goal("turn off wifi"))


async def test_wifi_that_nobody_said_to_leave_off_is_set_back(demo: Visit) -> None:
    await demo.goal("turn on wifi")
    assert "Wi-Fi is on. It was set back" in told(await demo.goal("turn off wifi"))
    assert "already on" in told(await demo.goal("turn on wifi"))


async def test_a_message_is_sent_to_a_contact_once_there_is_a_network_and_room(demo: Visit) -> None:
    await demo.goal("turn on wifi")
    await demo.goal("delete the mail about the autumn catalogue")
    await demo.goal("send Ben a message saying the report is ready")
    assert ["the report is ready" in text and "ben@okafor.example" in text for text in demo.delivered()] == [
        True
    ]


async def test_a_place_and_a_guest_are_kept_beside_the_time(demo: Visit) -> None:
    visitor = await demo.goal("put dinner at Café Norden on Saturday at 19:30 and invite Ana")
    assert "SUMMARY:dinner" in demo.calendar()
    assert "LOCATION:Café Norden" in demo.calendar()
    assert "DTSTART;TZID=Europe/Copenhagen:20261205T193000" in demo.calendar()
    assert any("Ana" in field.value for field in visitor.asked[0].prepared.preview.fields)


async def test_a_new_time_is_a_new_time_though_more_is_asked_for(demo: Visit) -> None:
    visitor = await demo.goal("move my dentist appointment to friday at 4 then email Ana")
    assert visitor.asked[0].call.tool == "calendar.change_event"
    assert visitor.asked[0].call.arguments["when"] == "friday at 4"
    assert not visitor.asked[0].call.arguments.get("on")


async def test_a_short_text_to_an_address_is_the_text(demo: Visit) -> None:
    await demo.goal("turn on wifi")
    await demo.goal("delete the mail about the autumn catalogue")
    await demo.goal("email ben@okafor.example saying hi")
    assert ["\n\nhi" in text.replace("\r", "") for text in demo.delivered()] == [True]


async def test_show_me_tomorrow_shows_tomorrow(demo: Visit) -> None:
    assert "Breakfast with Carla" in told(await demo.goal("show me tomorrow"))


async def test_a_second_goal_changes_what_the_first_made(demo: Visit) -> None:
    await demo.goal("schedule lunch with Sam on Friday at noon")
    await demo.goal("make it 4", "16:00")
    assert "DTSTART;TZID=Europe/Copenhagen:20261204T160000" in demo.calendar()
