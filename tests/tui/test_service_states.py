"""How services and accounts are doing, at the top of the screen and on the screen of the services."""

from pathlib import Path

from connectors.base import Notice
from connectors.files.config import Config as FilesConfig
from tests.tui.stage import playing
from tests.tui.test_changed_settings import Service
from tui.house import ConnectorState
from tui.running import Built, Recipe, Running, by_mode
from tui.screens.connectors import ConnectorsScreen
from tui.services import Services
from tui.states import states_of

STATES = (
    ConnectorState("calendar", "read-only", "list_events", "read-only"),
    ConnectorState(
        "calendar work",
        "ready",
        "Radicale; https://cal.example/; in step since Mon 30 Nov 2026 10:00; takes no invitations",
        "full",
        "2026-11-30T10:00:00+01:00",
        "Radicale",
        ("takes no invitations",),
        account=True,
    ),
    ConnectorState(
        "mail ana@x.example", "unavailable", "imap.x.example cannot be reached.", "draft-only", account=True
    ),
    ConnectorState("files", "off", "turned off in files.toml", "off"),
)


async def test_at_the_top_stand_the_services_and_of_the_accounts_only_what_lacks() -> None:
    async with playing(services=STATES, size=(120, 24)) as stage:
        top = stage.lines[0]
        assert top.endswith("calendar mail ana@x.example ✗ files ✗")


async def test_each_account_stands_under_its_service_with_how_much_of_it_is_used() -> None:
    async with playing(services=STATES, size=(120, 24)) as stage:
        await stage.press("f4")
        await stage.until(lambda: isinstance(stage.app.screen, ConnectorsScreen))
        lines = [line.rstrip() for line in stage.lines]
        assert "   ✓ calendar  read-only  list_events" in lines
        work = next(line for line in lines if "calendar work" in line)
        assert work.startswith("     ✓ calendar work  ready, full  Radicale; https://cal.example/")
        assert (
            "     ✗ mail ana@x.example  unavailable, draft-only  imap.x.example cannot be reached." in lines
        )
        assert "   ✗ files  off  turned off in files.toml" in lines


async def test_the_screen_is_brought_up_to_date_by_what_is_heard() -> None:
    async with playing() as stage:
        await stage.press("f4")
        await stage.until(lambda: "a Maildir" in stage.text)
        stage.house.services = STATES
        stage.house.told = (Notice("calendar", "calendar.toml, line 3: that is wrong."),)
        stage.house.hearing[0]("calendar.toml, line 3: that is wrong.")
        await stage.until(lambda: "turned off in files.toml" in stage.text)
        assert "▲ calendar  calendar.toml, line 3: that is wrong." in stage.text
        await stage.press("escape")
        await stage.until(lambda: "•   calendar.toml, line 3: that is wrong." in stage.text)


def running(folder: Path, text: str) -> Services:
    (folder / "files.toml").write_text(text)
    recipe = Recipe("files", FilesConfig, lambda config: Built(Service(config)), by_mode)
    return Services(folder, [Running(recipe, folder / "files.toml")])


def test_a_service_says_what_its_file_makes_of_it(tmp_path: Path) -> None:
    (state,) = states_of(running(tmp_path, 'mode = "off"\n'))
    assert (state.state, state.detail, state.mode) == ("off", "turned off in files.toml", "off")
    (state,) = states_of(running(tmp_path, 'mode = "read-only"\n'))
    assert (state.state, state.mode) == ("read-only", "read-only")
    (state,) = states_of(running(tmp_path, "mode = 3\n"))
    assert (state.state, state.mode) == ("off", "off")
    assert state.detail.startswith("The files service is off: files.toml, line 1: 'mode': ")
    (state,) = states_of(running(tmp_path, ""))
    assert (state.state, state.mode) == ("unavailable", "full")
