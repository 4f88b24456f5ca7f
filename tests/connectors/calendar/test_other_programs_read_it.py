"""What is written is read by other programs as it is meant: khal, vdirsyncer, todoman."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.connectors.calendar_servers import PASSWORD, USER, CalendarServer
from tests.missing import missing

ALARM = "BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:now\nTRIGGER:-PT15M\nEND:VALARM"
SERIES = """
BEGIN:VEVENT
UID:choir
DTSTAMP:20260101T000000Z
SUMMARY:Choir
DTSTART;TZID=Europe/Copenhagen:20261201T180000
DTEND;TZID=Europe/Copenhagen:20261201T190000
RRULE:FREQ=WEEKLY;COUNT=8
EXDATE;TZID=Europe/Copenhagen:20270105T180000
END:VEVENT
BEGIN:VEVENT
UID:choir
DTSTAMP:20260101T000000Z
SUMMARY:Choir
RECURRENCE-ID;TZID=Europe/Copenhagen:20261222T180000
DTSTART;TZID=Europe/Copenhagen:20261222T203000
DTEND;TZID=Europe/Copenhagen:20261222T213000
END:VEVENT
"""


class Programs:
    """Other programs on this machine, over one folder of calendars."""

    def __init__(self, folder: Path, calendars: Path) -> None:
        self.folder, self._calendars = folder, calendars
        folder.mkdir()
        xdg = {name: str(folder / name) for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
        self._environment = {**os.environ, **xdg, "HOME": str(folder), "LANG": "C.UTF-8"}
        self._environment["TZ"] = "Europe/Copenhagen"

    def khal(self, *days: str, form: str = "{start-date} {start-time} {title}{alarm-symbol}") -> list[str]:
        """What khal lists, a line for each event and day."""
        settings = self.folder / "khal"
        settings.write_text(
            f"[calendars]\n[[home]]\npath = {self._calendars}/home\n"
            "[locale]\nlocal_timezone = Europe/Copenhagen\ntimeformat = %H:%M\ndateformat = %Y-%m-%d\n"
            "longdateformat = %Y-%m-%d\ndatetimeformat = %Y-%m-%d %H:%M\n"
            f"longdatetimeformat = %Y-%m-%d %H:%M\n[sqlite]\npath = {self.folder}/khal.db\n"
        )
        listed = self.run("khal", "-c", str(settings), "list", "--format", form, "--day-format", "", *days)
        return [line.strip() for line in listed.split("\n") if line.strip()]

    def todoman(self, *words: str) -> list[str]:
        """The titles of the tasks that todoman lists."""
        settings = self.folder / "todoman.py"
        settings.write_text(
            f'path = "{self._calendars}/*"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\n'
            f'cache_path = "{self.folder}/todoman.db"\n'
        )
        listed = json.loads(self.run("todo", "--porcelain", "--config", str(settings), "list", *words))
        return sorted(each["summary"] for each in listed)

    def run(self, name: str, *arguments: str, said: str = "") -> str:
        found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
        if found is None:
            missing(f"{name} is not installed")
        done = subprocess.run(
            [found, *arguments],
            input=said,
            capture_output=True,
            text=True,
            env=self._environment,
            check=False,
        )
        assert done.returncode == 0, done
        return done.stdout


@pytest.fixture
def programs(world: Any, tmp_path: Path) -> Programs:
    return Programs(tmp_path / "programs", world.folder)


async def ours(world: Any) -> list[str]:
    """What we list, as khal would."""
    found = await world.do("list_events", when="2026-12-01 to 2027-02-28")
    return [f"{item.label}, {item.detail}" for item in found.items]


@pytest.mark.parametrize(
    ("verb", "series", "change", "expected"),
    [
        (
            "change_event",
            "this",
            {"when": "at 17:00"},
            ["1201 18", "1208 18", "1215 17", "1222 20", "1229 18", "0112 18", "0119 18"],
        ),
        (
            "change_event",
            "following",
            {"when": "at 17:00"},
            ["1201 18", "1208 18", "1215 17", "1222 20", "1229 17", "0112 17", "0119 17"],
        ),
        (
            "change_event",
            "all",
            {"when": "at 17:00"},
            ["1201 17", "1208 17", "1215 17", "1222 20", "1229 17", "0112 17", "0119 17"],
        ),
        (
            "delete_event",
            "this",
            {},
            ["1201 18", "1208 18", "1222 20", "1229 18", "0112 18", "0119 18"],
        ),
        ("delete_event", "following", {}, ["1201 18", "1208 18"]),
        ("delete_event", "all", {}, []),
    ],
)
async def test_khal_lists_a_series_as_it_was_changed(
    world: Any, programs: Programs, verb: str, series: str, change: dict[str, str], expected: list[str]
) -> None:
    world.file(SERIES, name="choir")
    await world.do(verb, event="choir", on="2026-12-15", series=series, **change)
    listed = programs.khal("2026-12-01", "90d", form="{start-date} {start-time}")
    assert [f"{line[5:7]}{line[8:10]} {line[11:13]}" for line in listed] == expected
    assert len(await ours(world)) == len(expected)


async def test_khal_sees_an_alarm_that_was_there_before_a_change(world: Any, programs: Programs) -> None:
    when = "DTSTART;TZID=Europe/Copenhagen:20261204T140000\nDURATION:PT30M"
    world.event(f"SUMMARY:Dentist\n{when}\n{ALARM}", name="dentist")
    weekly = "DTSTART;TZID=Europe/Copenhagen:20261201T180000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=3"
    world.event(f"SUMMARY:Yoga\n{weekly}\n{ALARM}", name="yoga")
    (bare,) = programs.khal("2026-12-04", "1d")
    await world.do("change_event", event="dentist", when="at 16:00")
    await world.do("change_event", event="yoga", on="2026-12-08", when="at 20:00", series="this")
    (moved,) = programs.khal("2026-12-04", "1d")
    assert bare.replace("14:00", "16:00") == moved
    alarm = bare.partition("Dentist")[2]
    assert alarm
    assert programs.khal("2026-12-08", "1d") == [f"2026-12-08 20:00 Yoga{alarm}"]
    assert world.text("dentist").count("TRIGGER:-PT15M") == 1


async def test_khal_lists_what_was_made_in_other_letters_and_on_whole_days(
    world: Any, programs: Programs
) -> None:
    world.calendar("home")
    await world.do("create_event", title="Café, 会议; “Größe”", when="friday at noon", place="Zoë’s")
    await world.do("create_event", title="Fair", when="2026-12-10 to 2026-12-11")
    assert programs.khal("2026-12-04", "1d", form="{start-time} {title} @ {location}") == [
        "12:00 Café, 会议; “Größe” @ Zoë’s"
    ]
    assert programs.khal("2026-12-08", "7d", form="{start-date} {title}") == ["2026-12-10 Fair"] * 2


async def test_todoman_lists_tasks_that_were_added_and_ticked_off(world: Any, programs: Programs) -> None:
    world.calendar("home")
    await world.do("add_task", title="Pay rent, at last", due="friday")
    await world.do("add_task", title="Call Zoë")
    assert programs.todoman() == ["Call Zoë", "Pay rent, at last"]
    await world.do("complete_task", task="rent")
    assert programs.todoman() == ["Call Zoë"]
    assert programs.todoman("--status", "COMPLETED") == ["Pay rent, at last"]


async def test_a_task_that_comes_again_has_its_next_date_in_todoman(world: Any, programs: Programs) -> None:
    water = "SUMMARY:Water plants\nDUE;VALUE=DATE:20261201\nDTSTART;VALUE=DATE:20261201\nRRULE:FREQ=WEEKLY"
    world.event(water, name="water", kind="VTODO")
    await world.do("complete_task", task="water")
    assert programs.todoman() == ["Water plants"]


async def test_vdirsyncer_fetches_and_khal_lists_what_was_written(
    tmp_path: Path, radicale: CalendarServer, server_world: Any
) -> None:
    (tmp_path / "ours").mkdir()
    world = server_world(tmp_path / "ours", radicale)
    world.calendar("home")
    await world.do("create_event", title="Yoga", when="every Tuesday at 18:00")
    await world.do("change_event", event="yoga", on="2026-12-08", when="at 20:00", series="this")
    await world.do("delete_event", event="yoga", on="2026-12-15", series="this")
    await world.do("create_event", title="Fair", when="2026-12-10 to 2026-12-11")
    await world.do("add_task", title="Pay rent")
    world.connector.close()
    programs = Programs(tmp_path / "programs", tmp_path / "calendar")
    (tmp_path / "vdirsyncer").write_text(
        f'[general]\nstatus_path = "{tmp_path}/status"\n'
        '[pair ana]\na = "here"\nb = "there"\ncollections = ["home"]\n'
        f'[storage here]\ntype = "filesystem"\npath = "{tmp_path}/calendar"\nfileext = ".ics"\n'
        f'[storage there]\ntype = "caldav"\nurl = "{radicale.home}"\n'
        f'username = "{USER}"\npassword = "{PASSWORD}"\n'
    )
    programs.run("vdirsyncer", "-c", str(tmp_path / "vdirsyncer"), "discover", said="y\n" * 10)
    programs.run("vdirsyncer", "-c", str(tmp_path / "vdirsyncer"), "sync")
    listed = programs.khal("2026-12-01", "22d", form="{start-date} {start-time} {title}")
    assert [line for line in listed if "Yoga" in line] == [
        "2026-12-01 18:00 Yoga",
        "2026-12-08 20:00 Yoga",
        "2026-12-22 18:00 Yoga",
    ]
    assert [line[:10] for line in listed if "Fair" in line] == ["2026-12-10"] * 2
    assert programs.todoman() == ["Pay rent"]
