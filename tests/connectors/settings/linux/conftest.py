"""Private servers for the Linux device: a D-Bus daemon with mocked services, and a real sound server."""

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from dbus_fast import BusType

from connectors.settings.device import DeviceError
from connectors.settings.linux.bus import Bus
from tests.missing import missing
from tests.waiting import until

_SYSTEM_PYTHON = "/usr/bin/python3"
_MOCK = "org.freedesktop.DBus.Mock"
_WAIT = 15.0
_BUS_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>custom</type>
  <listen>unix:path={folder}/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


class PrivateBus:
    """A bus of the test's own, on which services can be mocked and told what to be."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address = address
        self.bus = Bus(BusType.SYSTEM, 5.0, address)
        self._folder = folder
        self._mocks: list[subprocess.Popen[bytes]] = []

    def mock(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a mock that takes the name, and wait until it has."""
        log = (self._folder / f"mock{len(self._mocks)}.log").open("wb")
        environment = {
            "PATH": os.environ["PATH"],
            "DBUS_SYSTEM_BUS_ADDRESS": self.address,
            "DBUS_SESSION_BUS_ADDRESS": self.address,
        }
        with log:
            process = subprocess.Popen(
                [_SYSTEM_PYTHON, "-m", "dbusmock", "--system", *arguments],
                env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        self._mocks.append(process)
        until(lambda: process.poll() is not None or asyncio.run(self._owned(name)))
        assert process.poll() is None, (self._folder / f"mock{len(self._mocks) - 1}.log").read_text()
        return process

    async def tell(
        self, service: str, path: str, member: str, signature: str, body: Sequence[object]
    ) -> None:
        """Call one of a mock's own methods."""
        async with self.bus.open() as bus:
            await bus.call(service, path, _MOCK, member, signature, body)

    async def get(self, service: str, path: str, interface: str, name: str) -> object:
        async with self.bus.open() as bus:
            return await bus.get(service, path, interface, name)

    def stop(self) -> None:
        for process in self._mocks:
            end(process)
        self._mocks.clear()

    async def _owned(self, name: str) -> bool:
        try:
            async with self.bus.open() as bus:
                return await bus.is_owned(name)
        except DeviceError:
            return False


def end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        process.send_signal(signal.SIGCONT)
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def private_bus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrivateBus]:
    """A D-Bus daemon without services."""
    if shutil.which("dbus-daemon") is None:
        missing("there is no dbus-daemon (Debian: dbus)")
    probe = subprocess.run([_SYSTEM_PYTHON, "-c", "import dbusmock"], capture_output=True, check=False)
    if probe.returncode != 0:
        missing("there is no dbusmock for the system's Python (Debian: python3-dbusmock)")
    folder = tmp_path_factory.mktemp("bus")
    (folder / "bus.conf").write_text(_BUS_CONFIG.format(folder=folder))
    with (folder / "bus.log").open("wb") as log:
        daemon = subprocess.Popen(
            ["dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--nopidfile"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        until(lambda: (folder / "bus").is_socket() or daemon.poll() is not None)
        yield PrivateBus(f"unix:path={folder}/bus", folder)
    finally:
        end(daemon)


@pytest.fixture
def mocks(private_bus: PrivateBus) -> Iterator[PrivateBus]:
    """The private bus, whose mocks end with the test."""
    yield private_bus
    private_bus.stop()


@pytest.fixture
def no_bus(tmp_path: Path) -> str:
    """An address at which there is no bus."""
    return f"unix:path={tmp_path}/nobody"


class SoundServer:
    """A PulseAudio with two silent outputs."""

    def __init__(self, address: str, process: subprocess.Popen[bytes]) -> None:
        self.address = address
        self.process = process


@pytest.fixture
def sound_server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[SoundServer]:
    """A real sound server on a socket of its own, whose output goes nowhere; its name may be a parameter."""
    with serving_sound(tmp_path, getattr(request, "param", "speakers")) as server:
        yield server


@pytest.fixture(scope="module")
def module_sound(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SoundServer]:
    """One real sound server for all tests of a module."""
    with serving_sound(tmp_path_factory.mktemp("sound"), "speakers") as server:
        yield server


@contextmanager
def serving_sound(folder: Path, output: str) -> Iterator[SoundServer]:
    if shutil.which("pulseaudio") is None:
        missing("there is no pulseaudio")
    script, socket = folder / "sound.pa", folder / "socket"
    script.write_text(
        "load-module module-null-sink sink_name=other\n"
        f"load-module module-null-sink sink_name={output}\n"
        f"load-module module-native-protocol-unix socket={socket} auth-anonymous=1\n"
        f"set-default-sink {output}\n"
    )
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder),
        "PULSE_RUNTIME_PATH": str(folder / "pulse"), "PULSE_STATE_PATH": str(folder / "state"),
    }  # fmt: skip
    with (folder / "sound.log").open("wb") as log:
        process = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
             "--disable-shm=yes", "--realtime=no", "--high-priority=no", f"--file={script}"],
            env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        until(lambda: socket.is_socket() or process.poll() is not None)
        assert process.poll() is None, (folder / "sound.log").read_text()
        yield SoundServer(f"unix:{socket}", process)
    finally:
        end(process)


_NETWORK = "org.freedesktop.NetworkManager"
_NETWORK_CONFIG = """[main]
auth-polkit=false
dns=none
rc-manager=unmanaged
plugins=keyfile
[keyfile]
path={folder}/connections
unmanaged-devices=*
"""
# Its folders are fixed when it is built, so that it sees empty ones in their place.
_APART = (
    "for each in /run/NetworkManager /var/lib/NetworkManager; do [ -d $each ] && mount -t tmpfs none $each;"
    ' done; exec NetworkManager "$@"'
)


@pytest.fixture
def network_manager(mocks: PrivateBus, tmp_path: Path) -> Iterator[PrivateBus]:
    """A real NetworkManager in a network of its own, on the private bus; no device is touched."""
    if os.getuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("a network of one's own takes root and unshare")
    if shutil.which("NetworkManager") is None:
        missing("there is no NetworkManager (Debian: network-manager)")
    (tmp_path / "nm.conf").write_text(_NETWORK_CONFIG.format(folder=tmp_path))
    for name in ("connections", "config"):
        (tmp_path / name).mkdir()
    command = [
        "unshare", "--net", "--mount", "sh", "-c", _APART, "sh", "--no-daemon",
        f"--config={tmp_path}/nm.conf", f"--config-dir={tmp_path}/config", f"--pid-file={tmp_path}/pid",
        f"--state-file={tmp_path}/state", f"--intern-config={tmp_path}/intern.conf",
    ]  # fmt: skip
    environment = {"PATH": os.environ["PATH"], "DBUS_SYSTEM_BUS_ADDRESS": mocks.address}
    with (tmp_path / "nm.log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        until(lambda: process.poll() is not None or asyncio.run(mocks._owned(_NETWORK)))
        if process.poll() is not None:
            pytest.skip(f"NetworkManager does not run here: {(tmp_path / 'nm.log').read_text()[-200:]}")
        yield mocks
    finally:
        end(process)
