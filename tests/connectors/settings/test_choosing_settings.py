"""Saying what of a device is left alone, by questions; what is written is read by the service."""

from pathlib import Path

import pytest

from connectors.asking import GivenUp
from connectors.config import load
from connectors.mode import Mode
from connectors.settings.config import Config
from connectors.settings.connecting import connect_settings
from connectors.settings.device import DeviceError
from connectors.settings.simulated import SimulatedDevice
from connectors.settings.tools import Setting
from tests.connectors.people_asked import Person


def small(_: Config) -> SimulatedDevice:
    return SimulatedDevice({Setting.WIFI: True, Setting.VOLUME: 30})


def test_what_is_offered_is_shown_and_what_is_left_alone_is_written(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    person = Person("1", "")
    lines = connect_settings(person, path, small)
    assert "Not here: dark mode (this device has none)" in person.said
    assert person.said[-3:-1] == ["Wi-Fi", "the volume"]
    config = load(path, Config)
    assert (config.hidden, config.mode) == ((Setting.WIFI,), Mode.FULL)
    assert lines == (
        'mode = "full"  # off, read-only or full\nhidden = ["wifi"]  # neither shown nor changed\n'
    )


def test_asked_again_what_was_left_alone_is_said_and_the_rest_of_the_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("# mine\nhidden = ['wifi']\ntimeout = 5.0 # slow\n")
    person = Person("", "no")
    connect_settings(person, path, small)
    assert "Wi-Fi (left alone now)" in person.said
    config = load(path, Config)
    assert (config.hidden, config.mode, config.timeout) == ((), Mode.READ_ONLY, 5.0)
    assert "# mine\n" in path.read_text()
    assert "timeout = 5.0 # slow\n" in path.read_text()


def test_a_device_with_nothing_is_said_to_have_nothing(tmp_path: Path) -> None:
    class Dead(SimulatedDevice):
        async def probe(self) -> dict[Setting, str]:
            raise DeviceError("the bus is gone")

    person = Person()
    with pytest.raises(GivenUp):
        connect_settings(person, tmp_path / "settings.toml", lambda _: Dead({}))
    assert person.said[-1] == "This device offers nothing that could be set."
    assert "Not here: Wi-Fi (the bus is gone)" in person.said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("answers", [(None,), ("", None)])
def test_giving_up_writes_nothing(tmp_path: Path, answers: tuple[str | None, ...]) -> None:
    with pytest.raises(GivenUp):
        connect_settings(Person(*answers), tmp_path / "settings.toml", small)
    assert list(tmp_path.iterdir()) == []


def test_only_shown_nothing_is_written(tmp_path: Path) -> None:
    lines = connect_settings(Person("", ""), tmp_path / "s.toml", small, only_show=True)
    assert "hidden = []" in lines
    assert list(tmp_path.iterdir()) == []
