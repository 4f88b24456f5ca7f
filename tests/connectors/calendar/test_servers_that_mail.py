"""Where a calendar's server mails people by itself, everybody it mails is shown, and it is asked first."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Effect, Prepared, Question, Role
from tests.connectors.calendar_servers import CalendarServer

CREATED = {"title": "Lunch", "when": "friday at noon", "invite": ["ana@example.org", "ben@example.org"]}
SERIES = """
SUMMARY:Board
DTSTART;TZID=Europe/Copenhagen:20261201T180000
DURATION:PT1H
RRULE:FREQ=WEEKLY;COUNT=4
ORGANIZER:mailto:me@example.org
ATTENDEE;CN=Me:mailto:me@example.org
ATTENDEE;CN=Ana:mailto:ana@example.org
ATTENDEE;SCHEDULE-AGENT=CLIENT:mailto:quiet@example.org
"""


@pytest.fixture
def mailing(tmp_path: Path, radicale: CalendarServer, server_world: Any) -> Iterator[Any]:
    """A world whose server is said to be of a kind that mails."""
    world = server_world(tmp_path, radicale, profile="fastmail", address="me@example.org")
    world.calendar("home")
    yield world
    world.connector.close()


def mailed(prepared: Prepared) -> list[str]:
    return [each.value for each in prepared.resolved if each.role is Role.DESTINATION]


async def test_whether_the_server_is_to_invite_is_asked(mailing: Any) -> None:
    question = await mailing.asked("create_event", **CREATED)
    assert "Shall it invite ana@example.org, ben@example.org?" in question.text
    assert [option.arguments for option in question.options] == [{"notify": True}, {"notify": False}]


async def test_an_invitation_that_is_mailed_is_a_send_with_every_address(mailing: Any) -> None:
    prepared = await mailing.ready("create_event", **CREATED, notify=True)
    assert prepared.effects == {Effect.WRITE, Effect.SEND}
    assert mailed(prepared) == ["ana@example.org", "ben@example.org"]
    invited = [field for field in prepared.preview.fields if field.label == "Invited"]
    assert [field.note for field in invited] == ["the calendar's server mails them"] * 2
    assert (await mailing.connector.perform(prepared)).ok
    (text,) = [data.decode() for data in mailing.snapshot().values()]
    assert "ORGANIZER:mailto:me@example.org" in text
    assert "SCHEDULE-AGENT" not in text


async def test_with_nobody_mailed_the_server_is_told_so(mailing: Any) -> None:
    prepared = await mailing.ready("create_event", **CREATED, notify=False)
    assert prepared.effects == {Effect.WRITE}
    assert (await mailing.connector.perform(prepared)).ok
    (data,) = mailing.snapshot().values()
    assert data.decode().replace("\r\n ", "").count("SCHEDULE-AGENT=CLIENT") == 2


@pytest.mark.parametrize(
    ("verb", "arguments"),
    [
        ("change_event", {"on": "2026-12-08", "when": "at 20:00", "series": "this"}),
        ("change_event", {"on": "2026-12-08", "when": "at 20:00", "series": "all"}),
        ("change_event", {"on": "2026-12-08", "when": "at 20:00", "series": "following"}),
        ("delete_event", {"on": "2026-12-08", "series": "this"}),
        ("delete_event", {"on": "2026-12-08", "series": "all"}),
    ],
)
async def test_whoever_was_invited_before_and_hears_of_it_is_named(
    mailing: Any, verb: str, arguments: dict[str, Any]
) -> None:
    mailing.event(SERIES)
    prepared = await mailing.ready(verb, event="board", **arguments)
    assert Effect.SEND in prepared.effects
    assert mailed(prepared) == ["ana@example.org"]
    assert mailing.field(prepared, "Notified").value == "ana@example.org"
    outcome = await mailing.connector.perform(prepared)
    undo = await mailing.connector.prepare(outcome.undo, mailing.now)
    assert Effect.SEND in undo.effects
    assert mailed(undo) == ["ana@example.org"]


async def test_an_event_without_guests_mails_nobody(mailing: Any) -> None:
    prepared = await mailing.ready("create_event", title="Run", when="friday at 07:00")
    assert prepared.effects == {Effect.WRITE}


async def test_an_account_that_is_never_to_mail_does_not_ask(
    tmp_path: Path, radicale: CalendarServer, server_world: Any
) -> None:
    world = server_world(tmp_path, radicale, profile="fastmail", notify="never")
    world.calendar("home")
    prepared = await world.prepare("create_event", **CREATED)
    assert not isinstance(prepared, Question)
    assert prepared.effects == {Effect.WRITE}
    world.event(SERIES)
    prepared = await world.ready("delete_event", event="board", on="2026-12-08", series="all")
    assert Effect.SEND in prepared.effects
    world.connector.close()
