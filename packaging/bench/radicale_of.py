"""A Radicale server of its own process over a calendar that is filled, and read once, beforehand."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, timedelta
from pathlib import Path

import niquests
from calendar_query import NOW

_SECONDS_TO_START = 30
_SECONDS_TO_READ = 3600
# Radicale takes minutes to read 10,000 events for the first time; what it read is kept for the next run.
_KEPT = Path(os.environ.get("ASKFIRST_BENCH_CACHE", "~/.cache/askfirst-bench")).expanduser()
_ITEM = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Askfirst//Bench//EN\r\nBEGIN:VEVENT\r\nUID:{number}\r\n"
    "DTSTAMP:20261130T090000Z\r\nSUMMARY:Event {number}\r\nDTSTART:{start:%Y%m%dT%H%M%SZ}\r\n"
    "DTEND:{end:%Y%m%dT%H%M%SZ}\r\n{rule}END:VEVENT\r\nEND:VCALENDAR\r\n"
)
_WEEKLY, _EVERY = "RRULE:FREQ=WEEKLY;COUNT=20\r\n", 50
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


@contextmanager
def radicale_of(events: int, folder: Path) -> Iterator[str]:
    """The address of a server whose one calendar has so many events; its data is in `folder`."""
    kept = _KEPT / f"radicale-{events}"
    if not kept.exists():
        _make(events, kept)
    shutil.copytree(kept, folder)
    with _serving(folder) as url:
        yield url


def _make(events: int, kept: Path) -> None:
    unfinished = kept.with_suffix(f".{os.getpid()}")
    home = unfinished / "collection-root" / "ana" / "home"
    _fill(home, events)
    (home / ".Radicale.props").write_text('{"tag": "VCALENDAR", "D:displayname": "home"}')
    with _serving(unfinished) as url, niquests.Session(disable_http3=True) as session:
        reply = session.request("PROPFIND", f"{url}home/", headers={"Depth": "1"}, timeout=_SECONDS_TO_READ)
        assert reply.status_code == 207, reply.status_code
    unfinished.rename(kept)


def _fill(home: Path, events: int) -> None:
    """An event an hour round now, each fiftieth weekly; in UTC, as Radicale takes long over every zone."""
    home.mkdir(parents=True)
    for number in range(events):
        start = NOW.astimezone(UTC) + timedelta(hours=number - events // 2)
        rule = "" if number % _EVERY else _WEEKLY
        text = _ITEM.format(number=number, start=start, end=start + timedelta(minutes=45), rule=rule)
        (home / f"{number}.ics").write_bytes(text.encode())


@contextmanager
def _serving(folder: Path) -> Iterator[str]:
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
