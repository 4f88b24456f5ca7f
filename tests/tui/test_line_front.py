"""On a plain terminal the same questions are asked, and only the right word is a yes."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assistant.events import Ending
from assistant.frontend import Answer
from assistant.headless import Headless
from assistant.model.base import Remark, Text, Thought, Wish
from connectors.base import Option, Question
from tests.assistant.bench import Bench
from tui.line import LineFront
from tui.tty import Tty

TELL_BEN = Wish("messaging.send", {"to": "Ben", "text": "late"})
DELETE_KEYS = Wish("messaging.delete", {"message": "keys"})


class Terminal:
    """Types the given lines, then hangs up; keeps what was written."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.written: list[str] = []

    def write(self, text: str) -> None:
        self.written.append(text)

    def read(self, prompt: str) -> str | None:
        return self._lines.pop(0) if self._lines else None

    @property
    def screen(self) -> str:
        return "\n".join(self.written)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.close()


async def typed(bench: Bench, wish: Wish, *lines: str) -> tuple[LineFront, Terminal]:
    terminal = Terminal(*lines)
    return await bench.run("tell Ben late", LineFront(terminal), [wish]), terminal


async def test_a_send_shows_all_of_it_and_takes_a_capital_yes(bench: Bench) -> None:
    _, terminal = await typed(bench, TELL_BEN, "Y")
    assert "SENDS OUT · MESSAGING" in terminal.screen
    assert "Send a message to Ben" in terminal.screen
    assert "written to before: 2" in terminal.screen
    assert "no permission covers messaging.send yet" in terminal.screen
    assert bench.world.sent == [("ben@x.example", "late")]


@pytest.mark.parametrize("answer", ["", " ", "y", "yes", "YES", "Yes", "1", "\x1b", "Y Y"])
async def test_nothing_else_sends(bench: Bench, answer: str) -> None:
    front, _ = await typed(bench, TELL_BEN, answer)
    assert bench.world.sent == []
    assert front.ended is not None
    assert front.ended.ending is Ending.STOPPED


async def test_the_end_of_input_stops_the_goal(bench: Bench) -> None:
    front, _ = await typed(bench, TELL_BEN)
    assert front.ended is not None
    assert front.ended.ending is Ending.STOPPED


async def test_a_no_may_have_a_reason(bench: Bench) -> None:
    await typed(bench, DELETE_KEYS, "n not those")
    assert bench.world.trash == []
    assert "not those" in bench.journal.entries()[0].answer


async def test_a_small_yes_is_enough_for_what_undo_can_take_back(bench: Bench) -> None:
    _, terminal = await typed(bench, DELETE_KEYS, "y")
    assert bench.world.trash == ["keys"]
    assert "it stays in the trash" in terminal.screen


async def test_an_edit_is_shown_and_asked_again(bench: Bench) -> None:
    _, terminal = await typed(bench, TELL_BEN, "e", "", "very late", "Y")
    assert bench.world.sent == [("ben@x.example", "very late")]
    assert terminal.screen.count("── SENDS OUT") == 2


async def test_exact_values_can_be_looked_at_first(bench: Bench) -> None:
    _, terminal = await typed(bench, TELL_BEN, "v", "Y")
    assert 'messaging.send {"to": "Ben", "text": "late"}' in terminal.screen
    assert 'destination "ben@x.example"' in terminal.screen


async def test_a_question_takes_a_number_or_nothing(bench: Bench) -> None:
    wish = Wish("messaging.send", {"to": "Ana", "text": "late"})
    await typed(bench, wish, "2", "Y")
    assert bench.world.sent == [("ruiz@post.example", "late")]
    await typed(bench, wish, "", "Y")
    assert len(bench.world.sent) == 1


async def test_with_nobody_there_all_is_refused_at_once_and_listed(bench: Bench) -> None:
    front = await bench.run("tell Ben and tidy", Headless(lambda text: None), [TELL_BEN, DELETE_KEYS])
    assert (bench.world.sent, bench.world.trash) == ([], [])
    assert front.needs == [
        "messaging.send (does it): Send a message to Ben [asked every time]",
        "messaging.delete (does it): Delete keys [asked every time]",
    ]


KEEP = Question(
    "Keep it so?", (Option("Set it back", {"keep": False}), Option("Keep it", {"keep": True})), seconds=15
)


class HastyTerminal(Terminal):
    """Waits for a line no longer than it is told."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)
        self.waited: list[float] = []

    def read_within(self, prompt: str, seconds: float, unwanted: Callable[[], bool]) -> str | None:
        self.waited.append(seconds)
        return self.read(prompt)


async def test_a_question_that_ends_is_read_for_so_long_and_no_line_is_no_answer() -> None:
    kept, silent = HastyTerminal("2"), HastyTerminal()
    assert await LineFront(kept).choose(KEEP) == Answer({"keep": True})
    assert await LineFront(silent).choose(KEEP) == Answer(None)
    assert kept.waited == silent.waited == [15]


async def test_a_terminal_that_cannot_hurry_is_not_asked_what_would_never_end() -> None:
    assert await LineFront(Terminal("2")).choose(KEEP) == Answer(None)


def test_the_terminal_waits_for_a_line_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs, ours = os.openpty()
    with open(ours, closefd=False) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        began = time.monotonic()
        assert Tty().read_within("> ", 0.1, lambda: False) is None
        assert Tty().read_within("> ", 60, lambda: True) is None
        assert time.monotonic() - began < 5
        threading.Timer(0.2, lambda: os.write(theirs, b"2\n")).start()
        assert Tty().read_within("> ", 10, lambda: False) == "2"
    os.close(theirs)
    os.close(ours)


async def test_what_the_model_says_comes_in_whole_lines_and_cannot_command_the_terminal(bench: Bench) -> None:
    terminal = Terminal()
    said = [Text("I will"), Text(" tell"), Text(" Ben.\nThen \x1b[2J"), Text("no more."), Thought("hm")]
    await bench.run("tell Ben late", LineFront(terminal), said)
    assert terminal.written == ["I will tell Ben.", "Then ⟨U+001B⟩[2Jno more."]


async def test_what_is_to_be_known_of_an_answer_is_a_line(bench: Bench) -> None:
    terminal = Terminal()
    await bench.run("tell Ben late", LineFront(terminal), [Text("Well"), Remark("It was cut short.")])
    assert terminal.written == ["Well", "  It was cut short."]
