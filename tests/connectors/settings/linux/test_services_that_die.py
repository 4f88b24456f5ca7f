"""A service that dies in the middle of a change: what is not known is called so, and nothing is claimed."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Needs, Prepared
from connectors.settings.config import Config
from connectors.settings.connector import SettingsConnector
from connectors.settings.linux import LinuxDevice

RFKILL = "org.gnome.SettingsDaemon.Rfkill"
CHILD = Path(__file__).with_name("dying_airplane_mode.py")
Serve = Callable[[str], "subprocess.Popen[str]"]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    path = tmp_path / "state"
    path.write_text("off")
    return path


def says(state: Path) -> str:
    return state.read_text()


def end(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.wait()


@pytest.fixture
def serve(mocks: Any, state: Path) -> Iterator[Serve]:
    """Starts the service, as often as it has died."""
    started: list[subprocess.Popen[str]] = []

    def start(how: str) -> "subprocess.Popen[str]":
        command = [sys.executable, str(CHILD), mocks.address, str(state), how]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert started[-1].stdout is not None
        assert started[-1].stdout.readline() == "ready\n"
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def settings(mocks: Any, tmp_path: Path) -> SettingsConnector:
    device = LinuxDevice(
        Config(timeout=5.0),
        system_bus=mocks.address,
        session_bus=mocks.address,
        sound_server=f"unix:{tmp_path}/nobody",
        backlights=tmp_path,
    )
    return SettingsConnector(device, patience=0.3)


async def test_a_service_that_dies_while_it_is_told_leaves_it_unknown(
    serve: Serve, settings: SettingsConnector, ask: Any
) -> None:
    serve("stays")
    prepared = await ask(settings, "set", setting="airplane_mode", value="on")
    assert isinstance(prepared, Prepared)
    outcome = await settings.perform(prepared)
    assert (outcome.ok, outcome.needs, outcome.undo) == (False, Needs.TIMEOUT, None)
    assert outcome.text == (
        f"It is not known whether airplane mode was changed: the service {RFKILL} is not running."
    )


@pytest.mark.parametrize(("how", "now"), [("changes", "on"), ("stays", "off")])
async def test_once_it_is_back_the_state_that_is_is_told(
    serve: Serve, settings: SettingsConnector, ask: Any, do: Any, how: str, now: str
) -> None:
    serve(how)
    await settings.perform(await ask(settings, "set", setting="airplane_mode", value="on"))
    serve(how)
    outcome = await do(settings, "get", setting="airplane_mode")
    assert outcome.ok
    assert f"Airplane mode is {now}." in outcome.text


async def test_a_service_that_died_before_the_change_is_told_and_nothing_is_done(
    serve: Serve, settings: SettingsConnector, ask: Any, state: Path
) -> None:
    process = serve("changes")
    prepared = await ask(settings, "set", setting="airplane_mode", value="on")
    end(process)
    outcome = await settings.perform(prepared)
    assert not outcome.ok
    assert f"the service {RFKILL} is not running" in outcome.text
    assert says(state) == "off"
