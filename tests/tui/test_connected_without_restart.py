"""A service that is set up while Askfirst runs is there at once, against a real server."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from tests.connectors.calendar_servers import PASSWORD, USER, CalendarServer, radicale_server
from tests.connectors.people_asked import Person
from tui.cli import main
from tui.compose import open_home
from tui.composition.connecting import connect_service
from tui.home import Home
from tui.house import ConnectorState
from tui.places import Places, below

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    monkeypatch.setenv("HOME", str(tmp_path))
    # There is no desktop here, whatever machine the test runs on.
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/nobody")
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path}/nobody")
    made = below(tmp_path / "askfirst")
    made.make()
    return made


@pytest.fixture
async def home(places: Places) -> AsyncIterator[Home]:
    home = open_home(places)
    home.reloading.begin()
    home._services.start()
    yield home
    await home.close()


@pytest.fixture(scope="module")
def server() -> Iterator[CalendarServer]:
    with radicale_server() as server:
        server.make_calendar("work", "Work")
        yield server


def account(home: Home) -> ConnectorState | None:
    return next((each for each in home.connectors() if each.name == "calendar home"), None)


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not true():  # noqa: ASYNC110 - the file is heard of on a thread of the system's watch
            await asyncio.sleep(0.02)


async def test_an_account_is_used_and_left_again_without_a_restart(
    places: Places, home: Home, server: CalendarServer
) -> None:
    news: list[str] = []
    home.watch_news(news.append)
    assert account(home) is None
    person = Person(server.url, "", USER, PASSWORD, "")
    assert await asyncio.to_thread(connect_service, "calendar", person, places)
    await until(lambda: (found := account(home)) and found.state == "ready" and found.synced)
    found = account(home)
    assert found is not None
    assert (found.mode, found.server) == ("full", "a CalDAV server")
    assert "calendars: Work" in found.detail
    await until(lambda: news)
    assert news == ["The settings of calendar.toml were taken over."]
    assert PASSWORD not in str(news) + str(home.connectors())
    (places.config / "connectors" / "calendar.toml").unlink()
    await until(lambda: account(home) is None)


def test_the_command_line_tells_of_every_account(
    places: Places,
    server: CalendarServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ASKFIRST_HOME", str(places.config.parent))
    assert connect_service("calendar", Person(server.url, "", USER, PASSWORD, "no"), places)
    assert main(["connectors", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    found = rows["calendar home"]
    assert (found["state"], found["mode"], found["account"]) == ("read-only", "read-only", True)
    assert found["synced"].startswith("20")
    assert isinstance(found["notes"], list)
    assert rows["calendar"]["mode"] == "full"
    main(["connectors"])
    assert "\n  calendar home  read-only     a CalDAV server; " in capsys.readouterr().out
    main(["doctor"])
    assert "✓ calendar home  read-only; a CalDAV server; " in capsys.readouterr().out
    assert main(["check"]) == 0
    path = places.config / "connectors" / "calendar.toml"
    path.write_text(path.read_text() + "colour = 'red'\n")
    capsys.readouterr()
    assert main(["check"]) == 1
    line = len(path.read_text().splitlines())
    assert (
        f"calendar.toml, line {line}: 'accounts.home.colour' is not a setting here" in capsys.readouterr().err
    )
