"""Many events on a Radicale server: first sync, a change made elsewhere, a query; beside vdirsyncer, khal."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import niquests
from calendar_query import NOW, ZONE, _fill
from rows import Row, median, seconds, timed

from connectors.base import Call, Context, Outcome, Prepared
from connectors.calendar.config import Config
from connectors.calendar.connector import CalendarConnector
from connectors.people import AddressBook
from connectors.secrets.chain import Secrets

# Radicale takes long to read a calendar for the first time; 10,000 events are for a machine with time.
EVENTS = int(os.environ.get("ASKFIRST_BENCH_EVENTS", "1000"))
_SECONDS_TO_START = 30
# Its files need not survive a power cut here.
_SERVE = """
import socket, sys, radicale.config, radicale.server
configuration = radicale.config.load()
configuration.update({
    "server": {"hosts": sys.argv[1]},
    "auth": {"type": "none"},
    "storage": {"filesystem_folder": sys.argv[2], "_filesystem_fsync": "False"},
    "logging": {"level": "critical"},
}, privileged=True)
ours, theirs = socket.socketpair()
radicale.server.serve(configuration, theirs)
"""
_EDITED = """BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Askfirst//Bench//EN\r\nBEGIN:VEVENT\r\nUID:{uid}\r\n\
DTSTAMP:20261130T090000Z\r\nSUMMARY:{title}\r\nDTSTART:20261201T090000Z\r\nDTEND:20261201T100000Z\r\n\
END:VEVENT\r\nEND:VCALENDAR\r\n"""


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as name, _radicale(Path(name) / "server") as url:
        folder = Path(name)
        # Radicale fills its own cache with the first reading; that is nobody's merit or fault.
        _warm(url)
        ours = _reader(folder / "ours", url)
        first = seconds(lambda: _agenda(ours))
        others = _Others(folder / "others", url)
        beside = seconds(others.sync)
        others.agenda()
        _edit(url, "Edited once")
        seen = seconds(lambda: _expect(ours, "Edited once"))
        _edit(url, "Edited twice")
        seen_beside = seconds(lambda: others.expect("Edited twice"))
        ours.close()
        khal = median(others.agenda, 5)
        anew = _reader(folder / "ours", url, fresh=3600)
        started = seconds(lambda: _agenda(anew))
        again = median(lambda: _agenda(anew), 5)
        anew.close()
    return [
        timed(f"first sync of {EVENTS:,} events", first, beside, "vdirsyncer"),
        timed("a change elsewhere, synced and listed", seen, seen_beside, "vdirsyncer, then khal"),
        timed("a week's agenda, started anew, server asked", started, khal, "khal, no server asked"),
        timed("a week's agenda again", again, khal, "khal"),
    ]


@contextmanager
def _radicale(folder: Path) -> Iterator[str]:
    """A server of its own process over a calendar that is filled beforehand."""
    home = folder / "collection-root" / "ana" / "home"
    _fill(home, EVENTS)
    (home / ".Radicale.props").write_text('{"tag": "VCALENDAR", "D:displayname": "home"}')
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", _SERVE, f"127.0.0.1:{port}", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _until_up(port)
        yield f"http://127.0.0.1:{port}/ana/"
    finally:
        server.terminate()
        server.wait()


def _until_up(port: int) -> None:
    until = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("Radicale did not start")


def _reader(folder: Path, url: str, fresh: int = 0) -> CalendarConnector:
    account = {
        "url": url,
        "fresh": fresh,
        "user": "ana",
        "password": {"environment": "PASSWORD"},
        "timeout": 120,
    }
    config = Config.model_validate({"local": False, "accounts": {"dav": account}})
    secrets = Secrets(folder / "secrets", {"PASSWORD": "any"})
    return CalendarConnector(
        folder / "calendar", folder / "state", config, AddressBook(folder / "p"), secrets
    )


def _agenda(connector: CalendarConnector) -> Outcome:
    async def listing() -> Outcome:
        call = Call("bench", "calendar.list_events", {"when": "this week"})
        prepared = await connector.prepare(call, Context(NOW, ZONE))
        assert isinstance(prepared, Prepared), prepared
        outcome = await connector.perform(prepared)
        assert outcome.ok, outcome.text
        assert outcome.items, outcome.text
        return outcome

    return asyncio.run(listing())


def _warm(url: str) -> None:
    with niquests.Session(disable_http3=True) as session:
        reply = session.request("PROPFIND", f"{url}home/", headers={"Depth": "1"}, timeout=3600)
    assert reply.status_code == 207, reply.status_code


def _expect(connector: CalendarConnector, title: str) -> None:
    assert title in [item.label for item in _agenda(connector).items]


def _edit(url: str, title: str) -> None:
    """Another program changes an event of this week."""
    uid = str(EVENTS // 2)
    with niquests.Session(disable_http3=True) as session:
        data = _EDITED.format(uid=uid, title=title).encode()
        reply = session.put(f"{url}home/{uid}.ics", data=data, headers={"Content-Type": "text/calendar"})
    assert reply.status_code in (200, 201, 204), reply.status_code


class _Others:
    """vdirsyncer and khal over the same server."""

    def __init__(self, folder: Path, url: str) -> None:
        folder.mkdir()
        self._environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")}
        self._environment |= {"XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache")}
        self._syncer, self._khal = folder / "vdirsyncer", folder / "khal"
        self._syncer.write_text(
            f'[general]\nstatus_path = "{folder}/status"\n'
            '[pair ana]\na = "here"\nb = "there"\ncollections = ["home"]\n'
            f'[storage here]\ntype = "filesystem"\npath = "{folder}/calendar"\nfileext = ".ics"\n'
            f'[storage there]\ntype = "caldav"\nurl = "{url}"\nusername = "ana"\npassword = "any"\n'
        )
        self._khal.write_text(
            f"[calendars]\n[[home]]\npath = {folder}/calendar/home\n"
            "[locale]\ntimeformat = %H:%M\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\n"
            "datetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\n"
            f"[sqlite]\npath = {folder}/khal.db\n"
        )
        self._run("vdirsyncer", "-c", str(self._syncer), "discover", said="y\n" * 10)

    def sync(self) -> None:
        self._run("vdirsyncer", "-c", str(self._syncer), "sync")

    def agenda(self) -> str:
        return self._run("khal", "-c", str(self._khal), "list", f"{NOW:%Y-%m-%d}", "7d")

    def expect(self, title: str) -> None:
        self.sync()
        assert title in self.agenda()

    def _run(self, program: str, *arguments: str, said: str = "") -> str:
        path = shutil.which(program, path=str(Path(sys.executable).parent)) or program
        done = subprocess.run(
            [path, *arguments], input=said, capture_output=True, text=True, env=self._environment, check=False
        )
        assert done.returncode == 0, (program, done.stdout, done.stderr)
        return done.stdout
