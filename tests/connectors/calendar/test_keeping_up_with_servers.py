"""What changes on a server is learnt of without a call that asks for it."""

from pathlib import Path

import pytest

from connectors.calendar.accounts import Account
from connectors.calendar.config import Config
from connectors.calendar.connector import CalendarConnector
from connectors.people import AddressBook
from connectors.periodic import Periodic
from connectors.secrets.chain import Secrets
from tests.connectors.calendar_servers import PASSWORD, USER, CalendarServer
from tests.connectors.people_asked import NoKeyring
from tests.waiting import until

EVENT = (
    b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y\r\nBEGIN:VEVENT\r\nUID:d1\r\nDTSTAMP:20261130T090000Z\r\n"
    b"DTSTART:20261204T140000Z\r\nDTEND:20261204T143000Z\r\nSUMMARY:Dentist\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


def connector(folder: Path, server: CalendarServer, every: int) -> CalendarConnector:
    account = Account(url=server.url, user=USER, fresh=0, timeout=5)
    secrets = Secrets(folder / "secrets", {"ASKFIRST_CALENDAR_WORK_PASSWORD": PASSWORD}, NoKeyring())
    config = Config(accounts={"work": account}, sync_every=every, local=False)
    return CalendarConnector(
        folder / "calendar", folder / "state", config, AddressBook(folder / "contacts"), secrets
    )


def known(made: CalendarConnector) -> int:
    """How many items the connector knows of, without asking the server."""
    assert made._stores is not None
    store = made._stores._remotes["work"]
    return sum(len(list(store.items(each.name))) for each in store.collections())


def test_an_event_made_elsewhere_is_known_before_anybody_asks(
    tmp_path: Path, radicale: CalendarServer
) -> None:
    radicale.clear()
    radicale.make_calendar("work", "Work")
    made = connector(tmp_path, radicale, every=1)
    made.start()
    try:
        until(lambda: made.accounts[0].synced)
        assert known(made) == 0
        radicale.put("work/d1.ics", EVENT)
        until(lambda: known(made) == 1)
    finally:
        made.close()


def test_with_0_the_server_is_asked_only_when_it_is_needed(tmp_path: Path, radicale: CalendarServer) -> None:
    radicale.clear()
    radicale.make_calendar("work", "Work")
    made = connector(tmp_path, radicale, every=0)
    made.start()
    try:
        until(lambda: made.accounts[0].synced)
        assert made._keeping_up._thread is None
    finally:
        made.close()


@pytest.mark.filterwarnings("ignore")
def test_work_that_fails_is_done_again_the_next_time() -> None:
    times: list[int] = []

    def fails() -> None:
        times.append(1)
        raise OSError("the network is gone")

    periodic = Periodic("x", fails, 0.01)
    periodic.start()
    periodic.start()
    until(lambda: len(times) > 2)
    periodic.close()
    count = len(times)
    assert periodic._thread is not None
    assert not periodic._thread.is_alive()
    assert len(times) == count
