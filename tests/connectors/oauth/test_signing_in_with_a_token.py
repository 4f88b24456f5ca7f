"""Signing in at a provider: in the browser, with a code, and a token that is renewed by itself."""

import urllib.error
import urllib.request
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic import ValidationError

from connectors.asking import GivenUp
from connectors.oauth import device, loopback
from connectors.oauth.asking import NoAnswer, Refused
from connectors.oauth.provider import KNOWN
from connectors.oauth.settings import OAuth
from connectors.oauth.sign_in import ask_for_client, signed_in
from connectors.oauth.tokens import Client, Tokens
from tests.connectors.oauth.conftest import Clock
from tests.connectors.oauth_server import OAuthServer
from tests.connectors.people_asked import Person

pytestmark = pytest.mark.timeout(60)


def browse(url: str) -> bool:
    """A browser in which the person says yes; it follows where that leads."""
    with urllib.request.urlopen(url, timeout=5) as page:
        return b"close this page" in page.read()


def status_of(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=5) as page:
            return int(page.status)
    except urllib.error.HTTPError as error:
        return error.code


# In the browser


def test_the_browser_comes_back_with_a_code_that_becomes_tokens(server: OAuthServer, client: Client) -> None:
    with loopback.begin(client) as going:
        assert urlsplit(going.redirect).hostname == "127.0.0.1"
        assert browse(going.url)
        tokens = going.ask(5)
    assert tokens == Tokens("access-2", 1000 + 3600 - 60, "refresh-3")
    assert "access" not in repr(tokens)
    assert server.asked[-1]["code_verifier"] not in going.url


@pytest.mark.parametrize(
    "change", ["state=wrong&code=evil", "code=evil", "state={state}", "error=x&state=no"]
)
def test_what_does_not_belong_to_the_sign_in_is_not_taken(client: Client, change: str) -> None:
    with loopback.begin(client) as going:
        (state,) = parse_qs(urlsplit(going.url).query)["state"]
        assert status_of(f"{going.redirect}?{change.format(state=state)}") == 404
        assert status_of(f"{going.redirect}elsewhere?code=evil&state={state}") == 404
        assert going.ask(0) is None
        assert browse(going.url)
        assert going.ask(5) is not None


def test_a_code_is_taken_once(client: Client) -> None:
    with loopback.begin(client) as going:
        (state,) = parse_qs(urlsplit(going.url).query)["state"]
        assert browse(going.url)
        assert status_of(f"{going.redirect}?code=evil&state={state}") == 404


def test_a_no_in_the_browser_is_a_no(client: Client) -> None:
    with loopback.begin(client) as going:
        (state,) = parse_qs(urlsplit(going.url).query)["state"]
        assert status_of(f"{going.redirect}?error=access_denied&state={state}") == 200
        with pytest.raises(Refused, match="access_denied"):
            going.ask(5)


def test_another_verifier_gets_no_token(client: Client) -> None:
    with loopback.begin(client) as going:
        browse(going.url)
        going._verifier = "x" * 50
        with pytest.raises(Refused, match="invalid_grant"):
            going.ask(5)


# With a code


def test_a_code_is_typed_elsewhere_and_asked_for_no_faster_than_allowed(
    server: OAuthServer, client: Client, clock: Clock
) -> None:
    going = device.begin(client)
    assert (going.code, urlsplit(going.url).path) == ("WDJB-MJHT", "/activate")
    assert going.ask() is None
    asked = len(server.asked)
    assert going.ask() is None
    assert len(server.asked) == asked
    clock.sleep(going.wait)
    server.slow_down = 1
    assert going.ask() is None
    assert going.wait == 10
    clock.sleep(going.wait)
    server.approved = True
    tokens = going.ask()
    assert tokens is not None
    assert tokens.refresh in server.refresh


def test_a_code_that_is_too_old_is_not_asked_for(client: Client, clock: Clock) -> None:
    going = device.begin(client)
    clock.sleep(600)
    with pytest.raises(Refused, match="expired_token"):
        going.ask()


@pytest.mark.parametrize("url", ["http://evil.example/activate", "javascript:alert(1)", ""])
def test_a_page_that_is_not_safe_is_not_shown(client: Client, server: OAuthServer, url: str) -> None:
    server.device = lambda form: {
        "device_code": "d",
        "user_code": "c",
        "verification_uri": url,
    }
    with pytest.raises(NoAnswer):
        device.begin(client)


# The questions


def test_a_person_signs_in_in_the_browser(client: Client) -> None:
    only_browser = replace(client, provider=replace(client.provider, device=""))
    person = Person("")
    assert signed_in(person, only_browser, browse).refresh
    assert any("Sign in at 127.0.0.1 in the browser: http://127.0.0.1" in said for said in person.said)


def test_a_person_types_a_code(server: OAuthServer, client: Client, clock: Clock) -> None:
    person = Person("", "")
    answers = iter([False, True])

    def sleep(seconds: float) -> None:
        clock.sleep(seconds)
        server.approved = next(answers)

    assert signed_in(person, client, sleep=sleep).refresh
    assert any("type the code WDJB-MJHT" in said for said in person.said)
    assert "Nobody has signed in there yet." in person.said


@pytest.mark.parametrize("answers", [["stop"], [None]])
def test_a_person_may_stop(client: Client, answers: list[str | None]) -> None:
    with pytest.raises(GivenUp):
        signed_in(Person(*answers), client, sleep=lambda seconds: None)


def test_a_client_id_that_is_not_known_is_said(client: Client) -> None:
    person = Person("no")
    with pytest.raises(GivenUp):
        signed_in(person, replace(client, id="another"), browse)
    assert "The provider does not know that client id." in person.said


def test_the_app_of_the_person_is_asked_for() -> None:
    person = Person("not an id", "robins.app", "hush")
    oauth, secret = ask_for_client(person, "google")
    assert (oauth.client_id, oauth.server) == ("robins.app", replace(KNOWN["google"]))
    assert secret is not None
    assert oauth.client_secret is not None
    assert ask_for_client(Person("robins.app", ""), "microsoft")[1] is None


# The settings


@pytest.mark.parametrize(
    "settings",
    [
        {"client_id": "x"},
        {"client_id": "", "provider": "google"},
        {"client_id": "x", "provider": "nobody"},
        {"client_id": "x", "token": "https://a.example/t"},
        {"client_id": "x", "token": "http://a.example/t", "device": "https://a.example/d"},
        {"client_id": "x", "provider": "google", "client_secret": "hush"},
    ],
)
def test_settings_that_cannot_be_used_are_refused(settings: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        OAuth.model_validate(settings)


def test_a_provider_of_ones_own_is_given_by_its_addresses() -> None:
    own = {
        "client_id": "x",
        "token": "https://a.example/t",
        "device": "https://a.example/d",
        "scopes": ["mail"],
    }
    server = OAuth.model_validate(own).server
    assert (server.name, server.device, server.scopes) == ("a.example", "https://a.example/d", ("mail",))
