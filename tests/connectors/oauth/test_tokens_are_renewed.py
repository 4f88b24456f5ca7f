"""A token that is renewed by itself, and what is said once it cannot be."""

from dataclasses import dataclass, replace

import pytest

from connectors.oauth.asking import NoAnswer
from connectors.oauth.signed import SignedIn
from connectors.oauth.tokens import Client
from connectors.secrets.base import Secret, SecretError
from tests.connectors.messaging.post_office import free_port
from tests.connectors.oauth.conftest import Clock
from tests.connectors.oauth_server import OAuthServer

pytestmark = pytest.mark.timeout(60)


@dataclass
class Kept:
    """Where the refresh token is kept."""

    secret: Secret

    def find(self) -> Secret:
        return self.secret

    def keep(self, secret: Secret) -> None:
        self.secret = secret


@pytest.fixture
def kept(server: OAuthServer) -> Kept:
    server.refresh.add("refresh-0")
    return Kept(Secret("refresh-0"))


def test_a_token_is_used_until_shortly_before_it_ends(
    server: OAuthServer, client: Client, kept: Kept, clock: Clock
) -> None:
    signed = SignedIn(client, kept.find, kept.keep)
    first = signed.token()
    clock.sleep(3600 - 61)
    assert signed.token() == first
    clock.sleep(1)
    assert signed.token() != first
    assert len(server.asked) == 2


def test_a_refresh_token_that_changes_is_kept(
    server: OAuthServer, client: Client, kept: Kept, clock: Clock
) -> None:
    server.rotates = True
    signed = SignedIn(client, kept.find, kept.keep)
    for _ in range(3):
        signed.token()
        clock.sleep(3600)
    assert kept.secret.reveal() in server.refresh
    assert SignedIn(client, kept.find, kept.keep).token()


def test_a_sign_in_that_is_over_is_said_and_not_asked_for_again(
    server: OAuthServer, client: Client, kept: Kept
) -> None:
    server.revoked = True
    signed = SignedIn(client, kept.find, kept.keep)
    for _ in range(3):
        with pytest.raises(SecretError, match="sign in again with askfirst connect messaging"):
            signed.token()
    assert len(server.asked) == 1
    server.revoked = False
    server.refresh.add("refresh-new")
    kept.secret = Secret("refresh-new")
    assert signed.token()


def test_a_provider_that_is_away_is_asked_again_later(
    server: OAuthServer, client: Client, kept: Kept
) -> None:
    signed = SignedIn(client, kept.find, kept.keep)
    server.fails = 503
    with pytest.raises(SecretError, match="answered with the code 503"):
        signed.token()
    server.fails = 0
    assert signed.token()


def test_nothing_is_sent_without_encryption_or_to_where_an_answer_leads(client: Client) -> None:
    with pytest.raises(NoAnswer, match="not be encrypted"):
        client.web.post("http://provider.example/token", {"a": "b"})
    nowhere = replace(client.provider, token=f"http://127.0.0.1:{free_port()}/token")
    with pytest.raises(NoAnswer, match="cannot be reached"):
        replace(client, provider=nowhere).ask("refresh_token", refresh_token="x")


@pytest.mark.parametrize("token", ["", "a b", "a\r\nb", "é", None, 7])
def test_a_token_that_could_break_a_line_is_refused(
    server: OAuthServer, client: Client, token: object
) -> None:
    server.token = lambda form: {"access_token": token}
    with pytest.raises(NoAnswer):
        client.ask("refresh_token", refresh_token="x")
