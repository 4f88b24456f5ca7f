"""A long conversation: a window of turns is mounted, older ones come in on demand."""

from assistant.events import Ending, GoalTaken, TextStreamed, TurnEnded
from assistant.frontend import Frontend
from tests.tui.stage import Stage, playing
from tui.blocks import Block, Kind, block_lines
from tui.transcript import PAGE, WINDOW, TurnView


def fill(stage: Stage, turns: int) -> None:
    for number in range(1, turns + 1):
        stage.app.conversation.transcript.begin(Block(Kind.YOU, f"goal {number}"))
        stage.app.conversation.transcript.add(Block(Kind.DONE, f"outcome {number}"))


def mounted(stage: Stage) -> int:
    return len(stage.app.conversation.transcript.query(TurnView))


async def test_only_the_latest_turns_are_mounted() -> None:
    async with playing() as stage:
        fill(stage, 100)
        await stage.until(lambda: mounted(stage) == WINDOW)
        assert "outcome 100" in stage.text


async def test_page_up_at_the_top_brings_older_turns_in() -> None:
    async with playing() as stage:
        fill(stage, 100)
        await stage.until(lambda: mounted(stage) == WINDOW)
        for _ in range(40):
            if mounted(stage) != WINDOW:
                break
            await stage.press("pageup")
        await stage.until(lambda: mounted(stage) == WINDOW + PAGE)
        assert "goal 70" in stage.text
        for _ in range(40):
            if "goal 61\n" in stage.text:
                break
            await stage.press("pageup")
        assert f"{60} earlier turns" in stage.text


async def test_every_turn_can_be_reached_in_order() -> None:
    async with playing() as stage:
        fill(stage, 45)
        await stage.until(lambda: mounted(stage) == WINDOW)
        for _ in range(40):
            await stage.press("pageup")
            if "goal 1\n" in stage.text:
                break
        await stage.until(lambda: mounted(stage) == 45)
        goals = [view.blocks[0].text for view in stage.app.conversation.transcript.query(TurnView)]
        assert goals == [f"goal {number}" for number in range(1, 46)]
        assert "earlier" not in stage.text


async def test_the_view_follows_the_end_until_somebody_scrolls_up() -> None:
    async with playing() as stage:
        fill(stage, 20)
        await stage.until(lambda: "outcome 20" in stage.text)
        await stage.press("pageup")
        assert "outcome 20" not in stage.text
        stage.app.conversation.transcript.add(Block(Kind.NOTE, "something new"))
        await stage.settle()
        assert "something new" not in stage.text
        await stage.press("pagedown", "pagedown")
        assert "something new" in stage.text
        stage.app.conversation.transcript.add(Block(Kind.NOTE, "something newer"))
        await stage.until(lambda: "something newer" in stage.text)


async def test_a_new_goal_goes_back_to_the_end() -> None:
    async def at_once(goal: str, front: Frontend) -> None:
        await front.show(GoalTaken(goal))
        await front.show(TurnEnded(Ending.DONE, ""))

    async with playing(at_once) as stage:
        fill(stage, 20)
        await stage.press("pageup", "pageup")
        await stage.say("the newest goal")
        await stage.until(lambda: "the newest goal" in stage.text)


def test_a_very_long_text_that_was_read_gives_way_in_the_middle_visibly() -> None:
    block = Block(Kind.DONE, "Read.", content="\n".join(f"line {number}" for number in range(1000)))
    lines = [line.plain.strip() for line in block_lines(block, 80, thoughts=False)]
    assert lines[1] == "┃ line 0"
    assert lines[-1] == "┃ line 999"
    assert "… 700 lines not shown …" in lines


async def test_a_long_answer_streams_in_as_one_block() -> None:
    async def streaming(goal: str, front: Frontend) -> None:
        await front.show(GoalTaken(goal))
        for number in range(300):
            await front.show(TextStreamed(f"word{number} "))
        await front.show(TurnEnded(Ending.DONE, ""))

    async with playing(streaming) as stage:
        await stage.say()
        await stage.until(lambda: "word299" in stage.text)
        blocks = stage.app.conversation.transcript.turn.blocks
        assert [block.kind for block in blocks] == [Kind.YOU, Kind.SAID, Kind.END]
        assert blocks[1].text.split() == [f"word{number}" for number in range(300)]


async def test_a_slash_and_words_goes_to_the_last_turn_that_has_them() -> None:
    async with playing() as stage:
        fill(stage, 25)
        stage.app.conversation.transcript.turn.add(Block(Kind.NOTE, "after all"))
        await stage.say("/OUTCOME 7")
        await stage.until(lambda: "outcome 7" in stage.text)
        assert "after all" not in stage.text


async def test_a_slash_alone_seeks_on_further_up() -> None:
    async with playing() as stage:
        fill(stage, 25)
        await stage.say("/outcome 1")
        await stage.until(lambda: "outcome 19" in stage.text and "outcome 25" not in stage.text)
        await stage.say("/")
        await stage.until(lambda: "outcome 18" in stage.text and "outcome 24" not in stage.text)


async def test_what_is_sought_is_found_among_turns_that_are_not_mounted() -> None:
    async with playing() as stage:
        fill(stage, 100)
        await stage.until(lambda: mounted(stage) == WINDOW)
        await stage.say("/goal 12")
        await stage.until(lambda: "goal 12" in stage.text)
        assert f"{11} earlier turns" in stage.text


async def test_words_that_stand_nowhere_leave_the_view_where_it_is() -> None:
    async with playing() as stage:
        fill(stage, 25)
        await stage.say("/aardvark")
        await stage.until(lambda: "no “aardvark” further up" in stage.text)
        assert "outcome 25" in stage.text
        await stage.say("/")
        await stage.until(lambda: "no more further up" in stage.text)


async def test_seeking_is_no_goal() -> None:
    async with playing() as stage:
        await stage.say("/anything")
        await stage.until(lambda: "further up" in stage.text)
        assert "You" not in stage.text
