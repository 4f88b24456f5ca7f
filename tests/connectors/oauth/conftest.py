"""A provider on this machine, and a clock that is put on by hand."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from connectors.oauth.asking import Web
from connectors.oauth.tokens import Client
from tests.connectors.oauth_server import CLIENT, OAuthServer, oauth_server


@dataclass
class Clock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def server() -> Iterator[OAuthServer]:
    with oauth_server() as server:
        yield server


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(server: OAuthServer, clock: Clock) -> Client:
    return Client(server.provider, CLIENT, clock, Web(seconds=5))
