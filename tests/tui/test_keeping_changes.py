"""A change that could cut the person off is kept by a word of theirs: in the app, on a line, or before."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assistant.frontend import Answer, Frontend
from assistant.model.base import Wish
from connectors.base import Call, Context, Outcome, Question
from permissions.trials import Keeping
from tests.invariants.world import NOW, ZONE, Agreeing, World
from tests.permissions.on_trial import Machine, dies
from tests.tui.stage import playing
from tui.cli import main
from tui.compose import open_home
from tui.line import LineFront
from tui.places import below
from tui.reloading import Reloading

AIRPLANE = Wish("settings.set", {"setting": "airplane_mode", "value": "on"})
GOAL = "turn on airplane mode"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.close()


def airplane(folder: Path) -> bool:
    """How the device stands, by what it remembers."""
    found = json.loads((folder / "device.json").read_text())["airplane_mode"]
    assert isinstance(found, bool)
    return found


class Terminal:
    """Types these lines; None where there is no line in time."""

    def __init__(self, *lines: str | None) -> None:
        self._lines = list(lines)
        self.written: list[str] = []

    def write(self, text: str) -> None:
        self.written.append(text)

    def read(self, prompt: str) -> str | None:
        return self._lines.pop(0) if self._lines else None

    def read_within(self, prompt: str, seconds: float, unwanted: Callable[[], bool]) -> str | None:
        return self.read(prompt)


@pytest.mark.parametrize(("answer", "stays"), [("2", True), ("1", False), (None, False), ("", False)])
async def test_on_a_line_it_is_asked_at_once_and_only_keep_it_keeps(
    world: World, answer: str | None, stays: bool
) -> None:
    terminal = Terminal("y", answer)
    await world.run(LineFront(terminal), [GOAL], [AIRPLANE])
    screen = "\n".join(terminal.written)
    assert "it is set back to off by itself after 15 seconds, unless you keep it" in screen
    assert "Airplane mode is on. Keep it so?" in screen
    assert airplane(world.places.data) is stays
    assert ("It was kept." in screen) is stays


async def test_in_the_app_it_counts_down_and_is_kept_by_its_number(world: World) -> None:
    async def script(goal: str, front: Frontend) -> None:
        await world.run(front, [goal], [AIRPLANE])

    async with playing(script) as stage:
        await stage.say(GOAL)
        await stage.asked()
        await stage.press("y")
        await stage.questioned()
        assert "Without an answer it is set back in 15" in stage.text
        assert "14 s ─┐" in stage.text
        await stage.press("2")
        await stage.until(lambda: "Airplane mode is on. It was kept." in stage.text)
    assert airplane(world.places.data)


async def test_in_the_app_escape_sets_it_back_and_says_so(world: World) -> None:
    async def script(goal: str, front: Frontend) -> None:
        await world.run(front, [goal], [AIRPLANE])

    async with playing(script) as stage:
        await stage.say(GOAL)
        await stage.asked()
        await stage.press("y")
        await stage.questioned()
        await stage.press("escape")
        await stage.until(lambda: "It was set back" in stage.text)
    assert not airplane(world.places.data)


async def test_stopping_the_goal_meanwhile_sets_it_back(world: World) -> None:
    async def script(goal: str, front: Frontend) -> None:
        await world.run(front, [goal], [AIRPLANE])

    async with playing(script) as stage:
        await stage.say(GOAL)
        await stage.asked()
        await stage.press("y")
        await stage.questioned()
        await stage.press("ctrl+c")
        await stage.until(lambda: not stage.app.turns.busy)
    assert not airplane(world.places.data)


async def test_turning_the_service_off_meanwhile_does_not_keep_it_from_being_set_back(world: World) -> None:
    reloading = Reloading(world.services, lambda: False, lambda text: None)

    class Switching(Agreeing):
        async def choose(self, question: Question) -> Answer:
            (world.places.config / "connectors" / "settings.toml").write_text('mode = "off"\n')
            reloading.look()
            return Answer(None)

    person = Switching()
    await world.run(person, [GOAL], [AIRPLANE])
    assert "Airplane mode is off. It was set back" in person.ended.summary
    assert not airplane(world.places.data)
    live = next(each for each in world.services.built if each.name == "settings")
    call = world.gate.make_call(AIRPLANE.tool, AIRPLANE.arguments)
    assert isinstance(call, Call)
    refused = await live.prepare(call, Context(NOW, ZONE))
    assert isinstance(refused, Outcome)
    assert "rules it out by now" in refused.text


RULES = """service = "settings"
[[rule]]
name = "switches"
tool = "set"
args.setting = { any = true }
args.value = { any = true }
decide = "allow"
"""


@pytest.mark.parametrize(("keep", "words"), [([], "nobody is there"), (["--keep"], "It was kept.")])
def test_with_nobody_there_it_needs_a_word_given_before(
    tmp_path: Path,
    starter_cache: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    keep: list[str],
    words: str,
) -> None:
    monkeypatch.setenv("ASKFIRST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ASKFIRST_CACHE", str(starter_cache))
    monkeypatch.setattr("tui.commands.present", lambda: False)
    (tmp_path / "rules.toml").write_text(RULES)
    main(["--demo", "do", *keep, "--grant", str(tmp_path / "rules.toml"), GOAL])
    assert words in capsys.readouterr().out


def test_who_says_what_is_kept_is_a_person_unless_it_is_said_otherwise(world: World) -> None:
    assert world.gate.trials.keeping is Keeping.ASK


async def test_an_askfirst_that_was_killed_is_made_good_at_the_next_start_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = below(tmp_path)
    places.make()
    dies(places.state, "while asked")
    machine = Machine(places.state)
    assert not machine.online()
    monkeypatch.setattr("tui.composition.own.this_device", lambda config: machine)
    home = open_home(places, clock=lambda: NOW)
    news: list[str] = []
    home.watch_news(news.append)
    await home._set_back()
    assert machine.online()
    assert news == [
        "Askfirst ended before a change was kept (Turn Wi-Fi off), so it is set back: Wi-Fi is on."
    ]
    assert list(home.unclear()) == []
    await home.close()
