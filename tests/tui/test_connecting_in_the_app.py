"""Setting up a service inside the app: the same questions, nothing shown of a secret, nothing kept by Esc."""

import gc
import threading
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from connectors.asking import Asker, GivenUp, need
from connectors.config import load
from connectors.files.config import Config as FilesConfig
from connectors.files.connecting import connect_files
from connectors.secrets.base import Secret
from tests.tui.stage import Stage, playing
from tui.screens.connect import ConnectScreen, ScreenAsker
from tui.screens.connectors import ConnectorsScreen

SECRET = "correct-horse-7531"


class Wizard:
    """Asks for a user and a password, and keeps what it got."""

    def __init__(self) -> None:
        self.service = ""
        self.user: str | None = None
        self.secret: Secret | None = None
        self.picked: object = None
        self.ended = threading.Event()
        self.written = False

    def __call__(self, service: str, person: Asker) -> str | None:
        self.service = service
        try:
            person.say("Found [a server] at x.example.")
            self.user = need(person.ask("User:", "robin"))
            self.secret = person.ask_secret("Password (not shown): ")
            if self.secret is None:
                raise GivenUp
            self.picked = person.pick("Which of them?", ["Home", "Work"])
            person.begin_writing()
            self.written = True
            return "[accounts.x]\n"
        finally:
            self.ended.set()


@pytest.fixture
def wizard() -> Wizard:
    return Wizard()


def opened(wizard: Any) -> AbstractAsyncContextManager[Stage]:
    return playing(connect=wizard)


async def begin(stage: Stage, command: str = ":connect calendar") -> ConnectScreen:
    await stage.say(command)
    await stage.until(lambda: isinstance(stage.app.screen, ConnectScreen))
    screen = stage.app.screen
    assert isinstance(screen, ConnectScreen)
    return screen


async def asked(stage: Stage, text: str) -> None:
    """Wait until a question is on the screen and what is typed goes to it."""
    await stage.until(lambda: text in stage.text and isinstance(stage.app.focused, Input))


async def test_the_questions_of_the_command_line_are_asked_in_the_app(wizard: Wizard) -> None:
    async with opened(wizard) as stage:
        await begin(stage)
        await asked(stage, "User:")
        assert "Found [a server] at x.example." in stage.text
        await stage.press("enter")
        await asked(stage, "Password (not shown):")
        await stage.type(SECRET)
        await stage.press("enter")
        await asked(stage, "2  Work")
        await stage.press("2", "enter")
        await stage.until(lambda: "Set up: calendar." in stage.text)
        assert "[accounts.x]" in stage.text
    assert (wizard.service, wizard.user, wizard.picked) == ("calendar", "robin", [1])
    assert wizard.secret == Secret(SECRET)
    assert wizard.written


async def test_a_secret_is_never_on_the_screen_and_no_widget_remembers_it(wizard: Wizard) -> None:
    async with opened(wizard) as stage:
        await begin(stage)
        await asked(stage, "User:")
        await stage.press("enter")
        await asked(stage, "Password")
        await stage.type(SECRET)
        assert SECRET not in stage.text
        assert "•" * len(SECRET) in stage.text
        line = stage.app.focused
        await stage.press("enter")
        await asked(stage, "2  Work")
        assert SECRET not in stage.text
        assert "•" not in stage.text
        assert "(not shown)" in stage.text
        assert isinstance(line, Input)
        assert line.value == ""
        assert not [w for w in stage.app.screen.walk_children() if SECRET in repr(vars(w))]
        assert SECRET not in stage.app.clipboard
        await stage.press("escape")
        await stage.press("up")
        assert SECRET not in stage.app.conversation.dock.composer.text
    gc.collect()
    assert not [each for each in gc.get_objects() if isinstance(each, Input) and each.value == SECRET]


@pytest.mark.parametrize("steps", [0, 1, 2])
async def test_escape_leaves_everything_as_it_was_at_every_question(wizard: Wizard, steps: int) -> None:
    async with opened(wizard) as stage:
        await begin(stage)
        for text in ("User:", "Password", "2  Work")[: steps + 1]:
            await asked(stage, text)
            if text != ("User:", "Password", "2  Work")[steps]:
                await stage.press("x", "enter")
        await stage.press("escape")
        await stage.until(lambda: stage.app.screen is stage.app.conversation)
        assert "Nothing was set up." in stage.text
        assert await_ended(wizard)
    assert not wizard.written


def await_ended(wizard: Wizard) -> bool:
    return wizard.ended.wait(20)


async def test_a_server_that_hangs_does_not_hold_the_person(wizard: Wizard) -> None:
    release = threading.Event()

    def hangs(service: str, person: Asker) -> str | None:
        release.wait(20)
        return wizard(service, person)

    async with opened(hangs) as stage:
        await begin(stage)
        await stage.press("escape")
        await stage.until(lambda: stage.app.screen is stage.app.conversation)
        assert "Nothing was set up." in stage.text
        release.set()
        assert await_ended(wizard)
    assert not wizard.written


async def test_what_goes_wrong_is_a_sentence(wizard: Wizard) -> None:
    def full(service: str, person: Asker) -> str | None:
        raise OSError(28, "No space left on device")

    async with opened(full) as stage:
        await stage.say(":connect files")
        await stage.until(lambda: "It could not be written: No space left on device." in stage.text)


async def test_a_number_that_is_none_is_asked_again(wizard: Wizard) -> None:
    async with opened(wizard) as stage:
        await begin(stage)
        await asked(stage, "User:")
        await stage.press("enter")
        await asked(stage, "Password")
        await stage.press("x", "enter")
        await asked(stage, "2  Work")
        await stage.press("9", "enter")
        await asked(stage, "Numbers from 1 to 2, please.")
        await stage.type("1,2")
        await stage.press("enter")
        await stage.until(lambda: wizard.written)
    assert wizard.picked == [0, 1]


async def test_the_connectors_screen_has_a_key_for_it_and_asks_which_service(wizard: Wizard) -> None:
    async with opened(wizard) as stage:
        await stage.press("f4")
        await stage.until(lambda: isinstance(stage.app.screen, ConnectorsScreen))
        await stage.press("c")
        await asked(stage, "2  messaging")
        await stage.press("2")
        await asked(stage, "User:")
        await stage.press("escape")
    assert wizard.service == "messaging"


async def test_in_the_demo_there_is_nothing_to_connect_to() -> None:
    async with playing() as stage:
        await stage.say(":connect calendar")
        await stage.until(lambda: "nothing to connect it to" in stage.text)


async def test_a_service_that_does_not_exist_is_no_command(wizard: Wizard) -> None:
    async with opened(wizard) as stage:
        await stage.say(":connect telephone")
        await stage.until(lambda: "There is no command :connect" in stage.text)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("Documents", "Pictures", "Work notes"):
        (tmp_path / name).mkdir()
    for each in ("documents", "pictures"):
        monkeypatch.setattr(f"platformdirs.user_{each}_path", lambda each=each: tmp_path / each.capitalize())
    for each in ("downloads", "desktop", "music", "videos"):
        monkeypatch.setattr(f"platformdirs.user_{each}_path", lambda: tmp_path / "gone")
    return tmp_path


async def test_folders_are_chosen_in_the_app(home: Path) -> None:
    path = home / "files.toml"
    async with opened(lambda _, person: connect_files(person, path, home)) as stage:
        await begin(stage, ":connect files")
        await asked(stage, "2  ~/Pictures")
        await stage.press("1", "enter")
        await asked(stage, "The path of another folder")
        await stage.type("~/Work notes")
        await stage.press("enter")
        await asked(stage, "The path of another folder")
        await stage.press("enter")
        await asked(stage, "May Askfirst change")
        await stage.press("enter")
        await stage.until(path.exists)
    config = load(path, FilesConfig)
    assert config.folders == {"Documents": Path("~/Documents"), "Work notes": Path("~/Work notes")}


def test_leaving_after_the_last_answer_comes_too_late() -> None:
    asker = ScreenAsker(lambda _: None)
    asker.begin_writing()
    assert not asker.leave()
    left = ScreenAsker(lambda _: None)
    assert left.leave()
    with pytest.raises(GivenUp):
        left.begin_writing()
