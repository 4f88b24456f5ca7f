"""A new event is written once, whole, and only into what was looked at."""

import asyncio
import os
import resource
import sys
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Needs


async def test_files_have_the_mode_others_expect_and_leave_no_scraps(world: Any) -> None:
    umask = os.umask(0o027)
    try:
        await world.do("create_event", title="Dentist", when="friday at 12:00")
    finally:
        os.umask(umask)
    names = sorted(path.name for path in (world.folder / "home").iterdir())
    assert names[0] == "displayname" or names[1] == "displayname"
    assert len(names) == 2
    (path,) = world.folder.rglob("*.ics")
    assert path.stat().st_mode & 0o777 == 0o640


async def test_a_clash_that_comes_up_meanwhile_is_not_passed_over(world: Any) -> None:
    prepared = await world.ready("create_event", title="Dentist", when="friday at 16:00")
    world.event("SUMMARY:Review\nDTSTART:20261204T143000Z\nDTEND:20261204T153000Z")
    outcome = await world.connector.perform(prepared)
    assert outcome.needs is Needs.CONFLICT
    assert outcome.text == (
        "The calendar has changed since it was looked at, so nothing was done. Please look again."
    )
    assert len(world.snapshot()) == 1


async def test_what_changes_elsewhere_does_not_stand_in_the_way(world: Any) -> None:
    prepared = await world.ready("create_event", title="Dentist", when="friday at 16:00")
    world.event("SUMMARY:Other day\nDTSTART:20261211T143000Z\nDTEND:20261211T153000Z")
    assert (await world.connector.perform(prepared)).ok


async def test_an_approval_writes_once(world: Any) -> None:
    prepared = await world.ready("create_event", title="Dentist", when="friday at 16:00")
    assert (await world.connector.perform(prepared)).ok
    assert (await world.connector.perform(prepared)).needs is Needs.CONFLICT
    assert len(await world.agenda("friday")) == 1


async def test_with_no_room_on_the_disk_nothing_is_half_written(world: Any) -> None:
    prepared = await world.ready("create_event", title="Dentist", when="friday at 16:00")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        outcome = await world.connector.perform(prepared)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert outcome.needs is Needs.NO_SPACE
    assert outcome.text == "There is no room left on the disk, so nothing was changed."
    assert world.snapshot() == {}
    assert list(world.state.rglob("*.json")) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
async def test_a_folder_that_may_not_be_written_to_is_read_only(world: Any) -> None:
    (world.folder / "home").mkdir(parents=True)
    prepared = await world.ready("create_event", title="Dentist", when="friday at 16:00")
    (world.folder / "home").chmod(0o500)
    outcome = await world.connector.perform(prepared)
    assert outcome.needs is Needs.READ_ONLY


async def test_khal_lists_what_is_written(world: Any, tmp_path: Path) -> None:
    await world.do("create_event", title="Zahnarzt, früh; ok?", when="friday at 12:00", place="Hauptstr. 1")
    await world.do("create_event", title="Yoga", when="every tuesday at 18:00")
    await world.do("create_event", title="Fair", when="2026-12-07 to 2026-12-08")
    yoga = await world.ready("change_event", event="yoga", on="2026-12-08", when="at 19:00", series="this")
    assert (await world.connector.perform(yoga)).ok
    await world.do("delete_event", event="yoga", on="2026-12-15", series="this")
    config = tmp_path / "khal.conf"
    config.write_text(
        f"[calendars]\n[[home]]\npath = {world.folder}/home\n"
        f"[sqlite]\npath = {tmp_path}/khal.db\n"
        "[locale]\nlocal_timezone = Europe/Copenhagen\ndefault_timezone = Europe/Copenhagen\n"
        "timeformat = %H:%M\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\n"
        "datetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\n"
    )
    command = [str(Path(sys.executable).parent / "khal"), "-c", str(config), "list"]
    command += ["--format", "{start}|{end}|{title}|{location}", "--day-format", "", "2026-12-01", "22d"]
    homes = {f"XDG_{kind}_HOME": str(tmp_path) for kind in ("CONFIG", "DATA", "CACHE", "STATE")}
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, env={**os.environ, **homes}
    )
    listed, _ = await process.communicate()
    assert [line for line in listed.decode().splitlines() if line] == [
        "2026-12-01 18:00|2026-12-01 19:00|Yoga|",
        "2026-12-04 12:00|2026-12-04 13:00|Zahnarzt, früh; ok?|Hauptstr. 1",
        "2026-12-07|2026-12-08|Fair|",
        "2026-12-07|2026-12-08|Fair|",
        "2026-12-08 19:00|2026-12-08 20:00|Yoga|",
        "2026-12-22 18:00|2026-12-22 19:00|Yoga|",
    ]
