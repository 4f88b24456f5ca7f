"""Servers that the tests of several services share."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.connectors.calendar_servers import CalendarServer, radicale_server, xandikos_server
from tests.connectors.cyrus_server import cyrus_server
from tests.connectors.faults import FaultProxy, fault_proxy


@pytest.fixture(scope="session")
def radicale() -> Iterator[CalendarServer]:
    with radicale_server() as server:
        yield server


@pytest.fixture(scope="session")
def xandikos() -> Iterator[CalendarServer]:
    with xandikos_server() as server:
        yield server


@pytest.fixture(scope="session")
def cyrus() -> Iterator[CalendarServer]:
    with cyrus_server() as server:
        yield server


@pytest.fixture
def proxy(radicale: CalendarServer) -> Iterator[FaultProxy]:
    """A proxy in front of Radicale."""
    parts = urlsplit(radicale.url)
    assert parts.hostname
    assert parts.port
    with fault_proxy(parts.hostname, parts.port) as proxy:
        yield proxy
