"""What is written to a server is fetched by vdirsyncer and listed by khal."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.connectors.calendar_servers import PASSWORD, USER, CalendarServer


def program(name: str) -> str:
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


async def test_vdirsyncer_fetches_and_khal_lists_what_was_written(
    tmp_path: Path, radicale: CalendarServer, server_world: Any
) -> None:
    syncer, khal = program("vdirsyncer"), program("khal")
    (tmp_path / "ours").mkdir()
    world = server_world(tmp_path / "ours", radicale)
    world.calendar("home")
    await world.do("create_event", title="Yoga", when="every Tuesday at 18:00")
    await world.do("change_event", event="yoga", on="2026-12-08", when="at 20:00", series="this")
    await world.do("delete_event", event="yoga", on="2026-12-15", series="this")
    await world.do("create_event", title="Fair", when="2026-12-10 to 2026-12-11")
    world.connector.close()

    (tmp_path / "vdirsyncer").write_text(
        f'[general]\nstatus_path = "{tmp_path}/status"\n'
        '[pair ana]\na = "here"\nb = "there"\ncollections = ["home"]\n'
        f'[storage here]\ntype = "filesystem"\npath = "{tmp_path}/calendar"\nfileext = ".ics"\n'
        f'[storage there]\ntype = "caldav"\nurl = "{radicale.home}"\n'
        f'username = "{USER}"\npassword = "{PASSWORD}"\n'
    )
    (tmp_path / "khal").write_text(
        f"[calendars]\n[[home]]\npath = {tmp_path}/calendar/home\n"
        "[locale]\nlocal_timezone = Europe/Copenhagen\ntimeformat = %H:%M\ndateformat = %Y-%m-%d\n"
        "longdateformat = %Y-%m-%d\ndatetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\n"
        f"[sqlite]\npath = {tmp_path}/khal.db\n"
    )
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "LANG": "C.UTF-8"}

    def run(*command: str, said: str = "") -> str:
        done = subprocess.run(
            command, input=said, capture_output=True, text=True, env=environment, check=False
        )
        assert done.returncode == 0, done
        return done.stdout

    run(syncer, "-c", str(tmp_path / "vdirsyncer"), "discover", said="y\n" * 10)
    run(syncer, "-c", str(tmp_path / "vdirsyncer"), "sync")
    form = ["--format", "{start-date} {start-time} {title}", "--day-format", ""]
    listed = run(khal, "-c", str(tmp_path / "khal"), "list", *form, "2026-12-01", "22d").split("\n")
    assert [line.strip() for line in listed if "Yoga" in line] == [
        "2026-12-01 18:00 Yoga",
        "2026-12-08 20:00 Yoga",
        "2026-12-22 18:00 Yoga",
    ]
    assert [line.strip()[:10] for line in listed if "Fair" in line] == ["2026-12-10"] * 2
