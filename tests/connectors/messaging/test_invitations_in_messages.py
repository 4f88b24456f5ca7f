"""Invitations that messages carry are found by words, once each, and read only as they were looked at."""

from datetime import timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

import pytest

from connectors.base import Needs, Outcome, Question
from connectors.lending import Lent
from tests.connectors.messaging.conftest import ME, NOW, ZONE

INVITATION = (
    b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//T//EN\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:a\r\n"
    b"ORGANIZER:mailto:ana@po\r\n st.example\r\nSUMMARY:Planning\r\nDTSTAMP:20261129T100000Z\r\n"
    b"DTSTART:20261204T130000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


def invite(
    world: Any, subject: str = "Planning", sender: str = "Ana Ruiz <ana@post.example>", **how: Any
) -> str:
    """A message as most programs send invitations: a part that is one, and the same again as a file."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, ME, subject
    message["Date"] = format_datetime(NOW - timedelta(days=how.get("days", 1)))
    message.set_content("You are invited.")
    message.add_alternative(INVITATION, maintype="text", subtype="calendar", params={"method": "REQUEST"})
    message.add_attachment(INVITATION, maintype="application", subtype="ics", filename="invite.ics")
    handle: str = world.receive_bytes(message.as_bytes())
    return handle


def found(world: Any, said: str, most: int = 10_000) -> Lent | Question | Outcome:
    answer: Lent | Question | Outcome = world.connector.invitations.find(said, most, "invitation", ZONE)
    return answer


def lent(world: Any, said: str) -> Lent:
    answer = found(world, said)
    assert isinstance(answer, Lent), answer
    return answer


@pytest.mark.parametrize(
    "said",
    ["planning", "the invitation from Ana", "planning invitation", "", "the latest invitation", "Planning"],
)
def test_words_find_the_one_message_that_carries_an_invitation(world: Any, said: str) -> None:
    handle = invite(world)
    world.receive(subject="Lunch")
    answer = lent(world, said)
    assert answer.handle.startswith(handle)
    assert answer.path == "the message “Ana Ruiz: Planning” from ana@post.example"
    assert answer.warnings == ()
    assert world.connector.invitations.read(answer) == INVITATION


def test_several_are_asked_about_and_the_pick_is_exact(world: Any) -> None:
    invite(world, "Planning", days=2)
    second = invite(world, "Planning again")
    question = found(world, "the invitation from Ana")
    assert isinstance(question, Question)
    assert [option.label for option in question.options] == [
        "Ana Ruiz: Planning again",
        "Ana Ruiz: Planning",
    ]
    picked = str(question.options[0].arguments["invitation"])
    assert lent(world, picked).handle == picked
    assert picked.startswith(second)
    assert lent(world, "the newest invitation").handle == picked


def test_a_message_without_one_is_no_invitation(world: Any) -> None:
    handle = world.receive(subject="Planning")
    answer = found(world, "planning")
    assert isinstance(answer, Outcome)
    assert (answer.needs, answer.text) == (
        Needs.NOT_FOUND,
        "No message about “planning” carries an invitation.",
    )
    assert isinstance(found(world, handle), Outcome)


def test_one_sent_by_somebody_who_is_not_named_in_it_is_warned_of(world: Any) -> None:
    invite(world, sender="Eve <eve@evil.example>")
    assert lent(world, "planning").warnings == (
        "It was sent by eve@evil.example, who is not named in the invitation.",
    )


def test_one_that_is_too_large_is_refused(world: Any) -> None:
    invite(world)
    answer = found(world, "planning", most=10)
    assert isinstance(answer, Outcome)
    assert answer.needs is Needs.INVALID


def test_a_message_that_changed_or_went_is_not_read(world: Any) -> None:
    invite(world)
    answer = lent(world, "planning")
    (path,) = [each for each in world.mail.rglob("*") if each.is_file() and each.parent.name == "new"]
    path.write_bytes(path.read_bytes().replace(b"You are", b"We are")[:200])
    changed = world.connector.invitations.read(answer)
    assert isinstance(changed, Outcome)
    assert changed.needs is Needs.CONFLICT
    path.unlink()
    gone = world.connector.invitations.read(answer)
    assert isinstance(gone, Outcome)
    assert gone.needs is Needs.CONFLICT
