"""Volume and mute against a real PipeWire with its stand-in for PulseAudio, on a session of its own."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from connectors.settings.connector import SettingsConnector
from connectors.settings.linux import LinuxDevice
from connectors.settings.tools import Setting
from tests.missing import missing

_NOBODY = 65534
_WAIT = 20.0
_PROGRAMS = ("pipewire", "pipewire-pulse", "wireplumber", "pactl", "dbus-run-session", "setpriv")
_SCRIPT = """
pipewire &
until [ -S pipewire-0 ]; do sleep 0.1; done
wireplumber &
pipewire-pulse &
until pactl load-module module-null-sink sink_name=speakers; do sleep 0.1; done
pactl set-default-sink speakers
until pactl info | grep -q 'Default Sink: speakers'; do sleep 0.1; done
touch ready
wait
"""


@pytest.fixture
def pipewire() -> Iterator[str]:
    """The address of the server; as root it runs as nobody, who has watches of his own."""
    if absent := [name for name in _PROGRAMS if shutil.which(name) is None]:
        missing(f"there is no {absent[0]} (Debian: pipewire-pulse, wireplumber, pulseaudio-utils)")
    with TemporaryDirectory(prefix="askfirst-") as name:
        folder, user = Path(name), []
        if os.getuid() == 0:
            os.chown(folder, _NOBODY, _NOBODY)
            user = ["setpriv", f"--reuid={_NOBODY}", "--clear-groups"]
        address = f"unix:{folder}/pulse/native"
        environment = {
            "PATH": os.environ["PATH"], "HOME": name, "XDG_RUNTIME_DIR": name, "PULSE_SERVER": address,
        }  # fmt: skip
        process = subprocess.Popen(
            [*user, "dbus-run-session", "--", "sh", "-c", _SCRIPT], env=environment, cwd=folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        try:
            over = time.monotonic() + _WAIT
            while not (folder / "ready").exists():
                if time.monotonic() > over or process.poll() is not None:
                    pytest.skip("PipeWire does not run here")
                time.sleep(0.05)
            yield address
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


async def test_volume_and_mute_are_set_read_back_and_taken_back(
    pipewire: str, no_bus: str, do: Any, undo: Any
) -> None:
    device = LinuxDevice(system_bus=no_bus, session_bus=no_bus, sound_server=pipewire)
    known = await device.probe()
    assert (known[Setting.VOLUME], known[Setting.MUTE]) == ("", "")
    settings = SettingsConnector(device)
    first = await do(settings, "set", setting="volume", value="40 %")
    assert (first.ok, first.text) == (True, "The volume is at 40 %.")
    louder = await do(settings, "set", setting="volume", value="a bit louder")
    assert louder.text == "The volume is at 45 %."
    assert (await undo(settings, louder)).text == "The volume is at 40 %."
    assert (await do(settings, "set", setting="mute", value="on")).text == "Mute is on."
    for level in (0, 100):
        await device.write(Setting.VOLUME, level)
        assert await device.read(Setting.VOLUME) == level
    await device.write(Setting.VOLUME, 150)
    assert await device.read(Setting.VOLUME) == 100
    assert await device.read(Setting.MUTE) is True
