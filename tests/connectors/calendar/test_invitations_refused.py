"""Invitations that cannot be taken, or mean harm: refused with the reason, and shown clean."""

from typing import Any

import pytest

from tests.connectors.calendar.invited import DAILY, Letters, event, mailed

EVERY_BACKEND = "when there is time"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (mailed(DAILY, method="COUNTER"), "asks for something the calendar cannot do (COUNTER)"),
        (mailed(event("20261204T140000"), event("20261204T140000", uid="b")), "several different events"),
        (mailed(event("20261204T140000", uid="")), "does not say plainly which event"),
        (mailed(event("20261204T140000", uid="x" * 300)), "does not say plainly which event"),
        (mailed("BEGIN:VTODO\nUID:a\nSUMMARY:b\nEND:VTODO"), "holds no event"),
        (b"<html>no</html>", "it is not an iCalendar file"),
        (mailed(event("20261204T140000").replace("DTSTART", "X-START")), "it has no DTSTART"),
        (
            mailed(event("20261204T140000").replace("Europe/Copenhagen", "Somewhere/Else"), zones=""),
            "its time zone Somewhere/Else is not known",
        ),
        (
            mailed(event("20261204T140000", "RECURRENCE-ID;RANGE=THISANDFUTURE:20261204T130000Z")),
            "changes a series from a date on",
        ),
        (mailed(event("20261204T140000", "RRULE:FREQ=SECONDLY")), "every few minutes or seconds"),
    ],
)
async def test_what_cannot_be_taken_is_refused_with_its_reason(
    world: Any, letters: Letters, data: bytes, said: str
) -> None:
    letters.files["plan"] = data
    refused = await world.refused("add_invitation", invitation="plan")
    assert said in refused.text
    assert world.snapshot() == {}


@pytest.mark.parametrize("uid", ["../../../etc/passwd", "a?b#c", "..", "a/b", "Ünïcode\\, and more", "-"])
async def test_no_uid_says_where_it_is_kept(world: Any, letters: Letters, uid: str) -> None:
    letters.files["plan"] = mailed(event("20261204T140000", uid=uid))
    await world.do("add_invitation", invitation="plan")
    (name,) = world.snapshot()
    assert name.startswith("home/")
    assert len(name) == len("home/12345678.ics")
    letters.files["moved"] = mailed(event("20261204T160000", uid=uid, sequence=1))
    await world.do("add_invitation", invitation="moved")
    assert list(world.snapshot()) == [name]


async def test_a_hostile_text_is_shown_clean_and_on_one_line(world: Any, letters: Letters) -> None:
    hostile = event("20261204T140000").replace("Planning", "Pay\\n[/] \x1b[31mnow‮")
    letters.files["plan"] = mailed(hostile)
    prepared = await world.ready("add_invitation", invitation="plan")
    assert not any(char in prepared.preview.title for char in "\n\x1b‮")
