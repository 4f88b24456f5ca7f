"""In a home where nothing is set up, the same goals work on empty local folders."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from assistant.events import Ending
from connectors.base import Needs
from tests.goals.visit import Visit, visit

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
async def bare(tmp_path: Path, starter_cache: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Visit]:
    person = tmp_path / "person"
    person.mkdir()
    monkeypatch.setenv("HOME", str(person))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    async with visit(tmp_path / "home", starter_cache, demo=False) as opened:
        yield opened


async def test_the_first_event_makes_a_calendar_and_undo_leaves_nothing(bare: Visit) -> None:
    await bare.goal("schedule lunch with Sam on Friday at noon")
    assert "DTSTART;TZID=Europe/Copenhagen:20261204T120000" in bare.calendar()
    await bare.goal("undo")
    assert bare.calendar() == ""


async def test_an_empty_calendar_says_so(bare: Visit) -> None:
    visitor = await bare.goal("what's on tomorrow")
    assert visitor.ended.ending is Ending.DONE
    assert "Tue 1 Dec 2026" in visitor.ended.summary


async def test_a_note_goes_into_the_folder_made_for_it(bare: Visit, tmp_path: Path) -> None:
    await bare.goal("write a note called ideas.txt saying paint the fence")
    note = tmp_path / "person" / "Askfirst" / "ideas.txt"
    assert note.read_text().strip() == "paint the fence"
    await bare.goal("delete ideas.txt")
    assert not note.exists()
    assert (tmp_path / "person/.local/share/Trash/files/ideas.txt").exists()
    await bare.goal("undo")
    assert note.read_text().strip() == "paint the fence"


async def test_without_an_account_a_message_can_be_drafted_but_not_sent(bare: Visit) -> None:
    visitor = await bare.goal("send ana@post.example a message saying the report is ready")
    assert visitor.asked == []
    assert Needs.ACCOUNT in [outcome.needs for outcome in visitor.outcomes]
    await bare.goal("draft a message to ana@post.example saying the report is ready")
    assert any("the report is ready" in text for text in bare.mail("Drafts"))


async def test_a_name_that_nobody_has_is_asked_about(bare: Visit) -> None:
    visitor = await bare.goal("draft a message to Ana saying see you at eight")
    assert [question.argument for question in visitor.questions] == ["to"]
    assert bare.mail("Drafts") == []
