"""Setting up an account by questions, against a real server; what is written is read by the calendar."""

from pathlib import Path

import pytest

from connectors.asking import GivenUp
from connectors.calendar.caldav.kind import CALENDARS
from connectors.calendar.config import Config
from connectors.calendar.connecting import connect_calendar
from connectors.config import ConfigError, load
from connectors.dav.start import start_of
from connectors.secrets.chain import Secrets
from tests.connectors.calendar_servers import PASSWORD, USER, CalendarServer
from tests.connectors.people_asked import NoKeyring, Person


@pytest.fixture
def server(radicale: CalendarServer) -> CalendarServer:
    radicale.clear()
    radicale.make_calendar("work", "Work")
    radicale.make_calendar("private", "Private")
    return radicale


@pytest.fixture
def secrets(tmp_path: Path) -> Secrets:
    return Secrets(tmp_path / "secrets", {}, NoKeyring())


def test_an_account_is_found_tested_and_written_down(
    tmp_path: Path, server: CalendarServer, secrets: Secrets
) -> None:
    path = tmp_path / "connectors" / "calendar.toml"
    person = Person(server.url, "", USER, PASSWORD, "2", "")
    lines = connect_calendar(person, path, secrets)
    assert person.answers == []
    assert "Work" in person.said
    account = load(path, Config).accounts["home"]
    assert (account.url, account.user, account.mode, account.calendars) == (
        server.url,
        USER,
        "full",
        ("work",),
    )
    assert secrets.find("calendar/home").reveal() == PASSWORD
    assert PASSWORD not in path.read_text() + lines + "".join(person.said)
    assert "# off, read-only or full" in lines


def test_a_second_account_leaves_every_line_of_the_first_as_it_was(
    tmp_path: Path, server: CalendarServer, secrets: Secrets
) -> None:
    path = tmp_path / "calendar.toml"
    path.write_text("# by hand\nminutes = 30  # short\n\n[accounts.home]\nurl = 'https://x.example/'\n")
    before = path.read_text()
    connect_calendar(Person(server.url, "", USER, PASSWORD, "", "no"), path, secrets)
    assert path.read_text().startswith(before)
    found = load(path, Config)
    assert found.minutes == 30
    assert list(found.accounts) == ["home", "home-2"]
    assert found.accounts["home-2"].mode == "read-only"
    assert found.accounts["home-2"].calendars == ()


def test_only_shown_nothing_is_written_or_kept(
    tmp_path: Path, server: CalendarServer, secrets: Secrets
) -> None:
    path = tmp_path / "calendar.toml"
    lines = connect_calendar(Person(server.url, "", USER, PASSWORD, "", ""), path, secrets, only_show=True)
    assert "[accounts.home]" in lines
    assert sorted(each.name for each in tmp_path.iterdir()) == []


def test_a_wrong_password_is_told_and_asked_again(
    tmp_path: Path, server: CalendarServer, secrets: Secrets
) -> None:
    person = Person(server.url, "", USER, "wrong", server.url, "", USER, PASSWORD, "", "")
    connect_calendar(person, tmp_path / "calendar.toml", secrets)
    assert any("does not accept the user and password" in each for each in person.said)


@pytest.mark.parametrize("answers", [(None,), ("URL", "", None), ("URL", "", USER, None)])
def test_giving_up_writes_nothing(
    tmp_path: Path, server: CalendarServer, secrets: Secrets, answers: tuple[str | None, ...]
) -> None:
    person = Person(*(server.url if each == "URL" else each for each in answers))
    with pytest.raises(GivenUp):
        connect_calendar(person, tmp_path / "calendar.toml", secrets)
    assert list(tmp_path.iterdir()) == []


def test_an_address_in_the_clear_is_refused_before_anything_is_sent(
    tmp_path: Path, server: CalendarServer, secrets: Secrets
) -> None:
    person = Person("http://cal.example.org/", "", USER, PASSWORD, None)
    with pytest.raises(GivenUp):
        connect_calendar(person, tmp_path / "calendar.toml", secrets)
    assert any("not encrypted" in each for each in person.said)


def test_settings_that_cannot_be_read_are_not_written_over(tmp_path: Path, secrets: Secrets) -> None:
    path = tmp_path / "calendar.toml"
    path.write_text("minutes = \n")
    with pytest.raises(ConfigError):
        connect_calendar(Person(), path, secrets)
    assert path.read_text() == "minutes = \n"


@pytest.mark.parametrize(
    ("said", "url", "user"),
    [
        ("fastmail", "https://caldav.fastmail.com/dav/", ""),
        ("ana@fastmail.com", "https://caldav.fastmail.com/dav/", "ana@fastmail.com"),
        ("ana@icloud.com", "https://caldav.icloud.com/", "ana@icloud.com"),
        ("ana@example.org", "https://example.org/.well-known/caldav", "ana@example.org"),
        ("cloud.example.org", "https://cloud.example.org/.well-known/caldav", ""),
        ("https://dav.example.org/x", "https://dav.example.org/x", ""),
    ],
)
def test_what_was_typed_says_where_to_begin(said: str, url: str, user: str) -> None:
    start = start_of(said, CALENDARS)
    assert (start.urls, start.user) == ((url,), user)
