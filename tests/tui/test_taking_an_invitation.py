"""An invitation that came by mail is shown to the person, and in the calendar only after a yes."""

from collections.abc import Iterator
from mailbox import Maildir
from pathlib import Path

import pytest

from assistant.model.base import Wish
from tests.invariants.world import Absent, Agreeing, World

MESSAGE = b"""From: Ana Ruiz <ana@post.example>\r
To: robin@post.example\r
Subject: Board meeting\r
Date: Sun, 29 Nov 2026 10:00:00 +0100\r
MIME-Version: 1.0\r
Content-Type: text/calendar; charset=utf-8; method=REQUEST\r
\r
BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//T//EN\r
METHOD:REQUEST\r
BEGIN:VEVENT\r
UID:board-1@post.example\r
DTSTAMP:20261129T090000Z\r
ORGANIZER:mailto:ana@post.example\r
SUMMARY:Board meeting\r
DTSTART:20261211T130000Z\r
DTEND:20261211T140000Z\r
END:VEVENT\r
END:VCALENDAR\r
"""
TAKE = [Wish("calendar.add_invitation", {"invitation": "board meeting"})]
GOAL = "put the board meeting invitation in my calendar"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    Maildir(world.places.data / "mail", create=True).add(MESSAGE)
    yield world
    world.services.close()
    world.close()


def calendars(world: World) -> str:
    return "".join(path.read_text() for path in (world.places.data / "calendar").rglob("*.ics"))


async def test_it_is_in_the_calendar_after_a_yes(world: World) -> None:
    person = Agreeing()
    await world.run(person, [GOAL], TAKE)
    asked = [each.prepared.preview for each in person.asked]
    assert [each.title for each in asked] == ["Add “Board meeting” as invited"]
    fields = {each.label: each.value for each in asked[0].fields}
    assert fields["From"] == "the message “Ana Ruiz: Board meeting” from ana@post.example"
    assert fields["When"] == "Fri 11 Dec 2026 14:00-15:00 Europe/Copenhagen"
    assert "UID:board-1@post.example" in calendars(world)


async def test_it_is_not_there_without_an_answer(world: World) -> None:
    person = Absent()
    await world.run(person, [GOAL], TAKE)
    assert len(person.asked) == 1
    assert "board-1" not in calendars(world)


async def test_messages_that_may_not_be_read_are_not_looked_in(tmp_path: Path) -> None:
    (tmp_path / "config" / "connectors").mkdir(parents=True)
    world = World(tmp_path)
    settings = world.places.config / "connectors" / "messaging.toml"
    settings.write_text('mode = "off"\n')
    world.services.look()
    Maildir(world.places.data / "mail", create=True).add(MESSAGE)
    person = Agreeing()
    await world.run(person, [GOAL], TAKE)
    assert person.asked == []
    assert "board-1" not in calendars(world)
    world.services.close()
    world.close()
