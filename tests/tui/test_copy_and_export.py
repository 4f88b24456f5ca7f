"""The conversation taken along: copied, or written into a file."""

import stat
from pathlib import Path

from assistant.events import CallFinished, Ending, GoalTaken, ThoughtStreamed, TurnEnded
from assistant.frontend import Frontend
from connectors.base import Item, Outcome
from tests.tui.stage import Stage, playing
from tui.blocks import Block, Kind
from tui.telling import turn_text, whole_text

TOLD = """\
You: what is on tomorrow
- 1 event, Tue 1 Dec 2026.
  - Dentist  Tue 1 Dec 2026 15:00-15:30
  > bring the card
Done
"""


async def one_event(goal: str, front: Frontend) -> None:
    await front.show(GoalTaken(goal))
    await front.show(ThoughtStreamed("hm, tomorrow"))
    items = (Item("i1", "Dentist", "Tue 1 Dec 2026 15:00-15:30"),)
    outcome = Outcome(True, "1 event, Tue 1 Dec 2026.", items=items, content="bring the card")
    await front.show(CallFinished("a", "Look", outcome))
    await front.show(TurnEnded(Ending.DONE, ""))


async def told(stage: Stage, command: str) -> None:
    await stage.say("what is on tomorrow")
    await stage.until(lambda: not stage.app.turns.busy)
    await stage.say(command)


async def test_copy_takes_the_last_goal_and_what_came_of_it_without_the_thoughts() -> None:
    async with playing(one_event) as stage:
        await told(stage, ":copy")
        await stage.until(lambda: "Copied the last goal" in stage.text)
        assert stage.app.clipboard == TOLD


async def test_copy_says_if_there_is_nothing_yet() -> None:
    async with playing() as stage:
        await stage.say(":copy")
        await stage.until(lambda: "There is nothing to copy yet." in stage.text)


async def test_export_writes_all_of_it_for_the_owner_only_and_never_over_a_file(tmp_path: Path) -> None:
    kept = tmp_path / "a talk.txt"
    async with playing(one_event, size=(200, 40)) as stage:
        await told(stage, f":export {kept}")
        await stage.until(lambda: f"The conversation is in {kept}." in stage.text)
        assert kept.read_text() == TOLD
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        kept.write_text("mine")
        await stage.say(f":export {kept}")
        await stage.until(lambda: "is there already, and is not written over." in stage.text)
        assert kept.read_text() == "mine"


async def test_export_says_what_is_missing_or_in_the_way(tmp_path: Path) -> None:
    async with playing(one_event, size=(200, 40)) as stage:
        await stage.say(":export")
        await stage.until(lambda: "Say where to: :export FILE" in stage.text)
        await stage.say(f":export {tmp_path}/none/x")
        await stage.until(lambda: "cannot be written: No such file or directory." in stage.text)


def test_hidden_characters_are_made_visible_in_what_is_taken_along() -> None:
    assert turn_text([Block(Kind.SAID, "a\x1b[2Jb")]) == "a⟨U+001B⟩[2Jb\n"


def test_turns_stand_apart_and_an_empty_one_leaves_no_gap() -> None:
    turns = [[Block(Kind.YOU, "one")], [], [Block(Kind.YOU, "two"), Block(Kind.END, "", head="Stop")]]
    assert whole_text(turns) == "You: one\n\nYou: two\nStop\n"
