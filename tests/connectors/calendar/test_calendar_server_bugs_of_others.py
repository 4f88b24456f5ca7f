"""What users of other programs met with calendar servers, and what is right."""

import re
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Needs
from connectors.calendar.accounts import Account
from connectors.calendar.caldav.kind import CALENDARS
from connectors.dav.faults import NotDav
from connectors.dav.fetch import item_name
from connectors.dav.quirks import PROFILES, recognise
from connectors.dav.server import Server
from connectors.secrets.base import Secret
from tests.connectors.calendar_servers import USER, CalendarServer
from tests.connectors.faults import Fault, FaultProxy

ONCE = "SUMMARY:Dentist\nDTSTART:20261204T140000Z\nDTEND:20261204T143000Z"


@pytest.fixture
def near(tmp_path: Path, radicale: CalendarServer, server_world: Any) -> Any:
    world = server_world(tmp_path, radicale)
    world.event(ONCE)
    yield world
    world.connector.close()


async def test_the_environment_does_not_change_who_signs_in(
    near: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("CALDAV_PASSWORD", "CALDAV_USERNAME", "CALDAV_URL", "HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login ben password other\n")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    near.restart()
    assert await near.agenda("friday") != []


async def test_one_account_that_is_signed_out_does_not_stop_the_others(near: Any, proxy: FaultProxy) -> None:
    accounts = near.config.model_dump()["accounts"]
    accounts["old"] = {
        **accounts["dav"],
        "url": f"http://127.0.0.1:{proxy.port}/",
        "password": {"command": ("false",)},
    }
    accounts["dav"]["password"] = {"environment": "PASSWORD"}
    near.restart(accounts=accounts)
    for _ in range(3):
        outcome = await near.do("list_events", when="friday")
        assert [item.label for item in outcome.items] == ["Dentist"]
        assert "old cannot be signed in to. The command false ended with the code 1." in outcome.text
    assert proxy.seen == []
    states = {each.name: each.word for each in near.connector.accounts}
    assert states == {"calendar dav": "ready", "calendar old": "unavailable"}


async def test_a_version_left_out_after_writing_is_asked_for(far: Any, proxy: FaultProxy) -> None:
    proxy.alter = lambda method, path, answer: re.sub(rb"(?i)\r\netag:[^\r]*", b"", answer)
    assert (await far.do("change_event", event="dentist", when="at 16:00")).ok
    assert (await far.do("change_event", event="dentist", when="at 17:00")).ok
    assert len(far.snapshot()) == 1


async def test_a_version_left_out_of_a_listing_is_asked_for_and_doubles_nothing(
    far: Any, proxy: FaultProxy
) -> None:
    def forget(method: str, path: str, answer: bytes) -> bytes:
        return (
            re.sub(rb"<getetag>.*?</getetag>", b"<getetag></getetag>", answer)
            if method == "REPORT"
            else answer
        )

    proxy.alter = forget
    for _ in range(3):
        assert len(await far.agenda("friday")) == 1
    assert (await far.do("change_event", event="dentist", when="at 16:00")).ok
    assert len(far.snapshot()) == 1


async def test_without_any_version_an_event_is_read_and_never_written(far: Any, proxy: FaultProxy) -> None:
    def forget(method: str, path: str, answer: bytes) -> bytes:
        answer = re.sub(rb"<getetag>.*?</getetag>", b"<getetag></getetag>", answer)
        return re.sub(rb"(?i)\r\netag:[^\r]*", b"", answer)

    proxy.alter = forget
    assert len(await far.agenda("friday")) >= 1
    prepared = await far.ready("change_event", event="dentist", when="at 16:00")
    outcome = await far.connector.perform(prepared)
    assert outcome.needs is Needs.UNSUPPORTED
    assert "does not say which version" in outcome.text
    assert "DTSTART:20261204T140000Z" in far.text()


async def test_a_version_weakened_on_the_way_is_still_the_version(far: Any, proxy: FaultProxy) -> None:
    def weaken(method: str, path: str, answer: bytes) -> bytes:
        answer = re.sub(rb"<getetag>", b"<getetag>W/", answer)
        return re.sub(rb"(?i)\r\netag: *", b"\r\nETag: W/", answer)

    proxy.alter = weaken
    assert (await far.do("change_event", event="dentist", when="at 16:00")).ok


async def test_a_forgotten_token_means_comparing_everything(far: Any, proxy: FaultProxy) -> None:
    assert len(await far.agenda("friday")) == 1
    far.event("SUMMARY:Lunch\nDTSTART:20261204T110000Z\nDURATION:PT1H", name="lunch")
    far.server.delete("home/event.ics")
    refused: list[int] = []

    def choose(method: str, path: str) -> Fault:
        if method == "REPORT" and not refused:
            refused.append(1)
            return Fault.CHANGED
        return Fault.NONE

    proxy.choose = choose
    assert [title for title, _ in await far.agenda("friday")] == ["Lunch"]
    assert refused


async def test_what_is_made_changed_and_deleted_elsewhere_is_seen_at_the_next_look(near: Any) -> None:
    assert [title for title, _ in await near.agenda("friday")] == ["Dentist"]
    near.event("SUMMARY:Lunch\nDTSTART:20261204T110000Z\nDURATION:PT1H", name="lunch")
    near.event(ONCE.replace("Dentist", "Doctor"))
    assert [title for title, _ in await near.agenda("friday")] == ["Lunch", "Doctor"]
    near.server.delete("home/event.ics")
    assert [title for title, _ in await near.agenda("friday")] == ["Lunch"]


async def test_when_nothing_changed_one_question_is_all_that_is_asked(far: Any, proxy: FaultProxy) -> None:
    await far.agenda("friday")
    far.account["fresh"] = 60
    far.restart()
    before = len(proxy.seen)
    for _ in range(3):
        await far.agenda("friday")
    assert [method for method, _ in proxy.seen[before:]] == ["PROPFIND"]


async def test_what_was_seen_is_shown_after_a_restart_without_the_server(far: Any, proxy: FaultProxy) -> None:
    await far.agenda("friday")
    far.restart()
    proxy.choose = lambda method, path: Fault.NEVER_ARRIVES
    outcome = await far.do("list_events", when="friday")
    assert [item.label for item in outcome.items] == ["Dentist"]


async def test_another_persons_calendars_are_not_kept_for_a_new_user(near: Any) -> None:
    await near.agenda("friday")
    near.account["user"] = "ben"
    near.restart()
    outcome = await near.refused("list_events", when="friday")
    assert "Dentist" not in outcome.text


async def test_a_broken_event_is_named_and_hides_nothing(far: Any, proxy: FaultProxy) -> None:
    far.event("SUMMARY:Lunch\nDTSTART:20261204T110000Z\nDURATION:PT1H", name="lunch")
    proxy.alter = lambda method, path, answer: answer.replace(
        b"DTSTART:20261204T140000Z", b"DTSTART:20261204T24000XZ"
    )
    outcome = await far.do("list_events", when="friday")
    assert [item.label for item in outcome.items] == ["Lunch"]
    assert "dav~home/event.ics: its DTSTART cannot be read." in outcome.text


async def test_a_calendar_of_somebody_else_is_forbidden_and_not_empty(near: Any) -> None:
    near.account["url"] = f"{near.server.url}ben/"
    near.restart()
    outcome = await near.refused("list_events", when="friday")
    assert "does not allow this user to do that" in outcome.text


async def test_an_account_that_is_only_read_is_never_written_to(far: Any, proxy: FaultProxy) -> None:
    far.account["mode"] = "read-only"
    far.restart()
    assert (await far.refused("delete_event", event="dentist")).needs is Needs.READ_ONLY
    assert proxy.writes() == []


async def test_an_account_that_is_off_is_not_asked(far: Any, proxy: FaultProxy) -> None:
    far.account["mode"] = "off"
    far.restart()
    await far.do("list_events", when="friday")
    assert proxy.seen == []


@pytest.mark.parametrize("status", [b"403 Forbidden", b"409 Conflict", b"412 Precondition Failed"])
async def test_what_a_server_finds_wrong_with_an_event_is_no_conflict(
    far: Any, proxy: FaultProxy, status: bytes
) -> None:
    prepared = await far.ready("create_event", title="Call", when="friday at noon")
    body = b'<error xmlns="DAV:"><no-uid-conflict xmlns="urn:ietf:params:xml:ns:caldav"/></error>'
    proxy.alter = lambda method, path, answer: (
        b"HTTP/1.1 " + status + b"\r\nContent-Type: text/xml\r\nContent-Length: 0\r\n\r\n" + body
        if method == "PUT"
        else answer
    )
    outcome = await far.connector.perform(prepared)
    assert outcome.needs is Needs.UNSUPPORTED
    assert outcome.text == "dav does not take it (no-uid-conflict)."


@pytest.mark.parametrize(
    ("url", "headers", "name"),
    [
        ("https://p05-caldav.icloud.com/", {}, "icloud"),
        ("https://apidata.googleusercontent.com/caldav/v2/x/", {}, "google"),
        ("https://caldav.fastmail.com/dav/", {}, "fastmail"),
        ("https://c.example/", {"DAV": "1, 3, calendar-access, nc-calendar-search"}, "nextcloud"),
        ("https://c.example/", {"X-Sabre-Version": "4.6.0"}, "baikal"),
        ("https://c.example/", {"Server": "DavMail Gateway 6.2"}, "davmail"),
        ("https://c.example/", {"Server": "nginx"}, ""),
    ],
)
def test_servers_are_known_by_where_they_are_and_what_they_say(
    url: str, headers: dict[str, str], name: str
) -> None:
    assert recognise(url, headers).name == name


def test_every_profile_has_a_name_of_its_own() -> None:
    assert len({each.name for each in PROFILES}) == len(PROFILES)
    assert {"google", "icloud", "nextcloud", "baikal", "radicale", "fastmail", "davmail"} <= {
        each.name for each in PROFILES
    }


@pytest.mark.parametrize(
    ("href", "name"),
    [
        ("/ana/home/3f9a1c2e.ics", "3f9a1c2e.ics"),
        ("/ana/home/a%20b%40c.ics", "a b@c.ics"),
        ("/ana/home/x.EML", None),
        ("/ana/home/..%2F..%2Fetc.ics", "etc.ics"),
        ("/ana/home/.hidden.ics", None),
        ("/ana/home/" + "a" * 300 + ".ics", None),
    ],
)
def test_an_address_gives_a_name_that_is_one_part_of_a_path(href: str, name: str | None) -> None:
    found = item_name(href, ".ics")
    assert found == name if name else re.fullmatch(r"[0-9a-f]{16}\.ics", found)


def test_a_page_that_is_no_calendar_is_said_to_be_none(far: Any, proxy: FaultProxy) -> None:
    proxy.choose = lambda method, path: Fault.LOGIN_PAGE
    account = Account(url=f"http://127.0.0.1:{proxy.port}/", user=USER)
    server = Server("work", account, Secret("x"), CALENDARS)
    with pytest.raises(NotDav):
        server.propfind(account.url, "")
    server.close()
