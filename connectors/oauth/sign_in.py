"""Brings a person to the page where they sign in, and waits for them as long as they like."""

import time
import webbrowser
from collections.abc import Callable
from typing import Final, Protocol

from connectors.asking import Asker, GivenUp, need
from connectors.clean import clean_line
from connectors.oauth import device, loopback
from connectors.oauth.asking import NoAnswer, Refused
from connectors.oauth.browser import Browser
from connectors.oauth.provider import KNOWN
from connectors.oauth.settings import OAuth
from connectors.oauth.tokens import Client, Tokens
from connectors.secrets.base import Secret, SecretError
from connectors.secrets.settings import SecretSource

_SECONDS: Final = 3.0
_LONGEST_WAIT: Final = 60.0
_SHOWN: Final = 300
_GO_ON: Final = "Press Enter when you have signed in there, or type stop:"
_WORDS: Final = {
    "access_denied": "You said no there.",
    "expired_token": "That took too long.",
    "invalid_client": "The provider does not know that client id.",
    "unauthorized_client": "The provider does not let this app sign in like that.",
    "invalid_scope": "The provider does not let this app into your mail.",
}


class Pending(Protocol):
    """A sign-in that goes on elsewhere."""

    def __call__(self) -> Tokens | None:
        """The tokens, or None as long as nobody has signed in."""
        ...


def ask_for_client(person: Asker, name: str) -> tuple[OAuth, Secret | None]:
    """The app that the person registered at a provider, and its secret if it has one. Raises GivenUp."""
    provider = KNOWN[name]
    person.say(f"For that you need an app of your own, registered at {provider.register} (once, free).")
    while True:
        client_id = need(person.ask("Client id of the app:"))
        try:
            oauth = OAuth(provider=name, client_id=client_id)
        except ValueError:
            person.say("That is no client id.")
            continue
        secret = person.ask_secret("Secret of the app (not shown), or nothing where it has none: ")
        if secret is None:
            raise GivenUp
        if not secret.reveal():
            return oauth, None
        return oauth.model_copy(update={"client_secret": SecretSource()}), secret


def signed_in(
    person: Asker, client: Client, browser: Browser | None = None, sleep: Callable[[float], None] = time.sleep
) -> Tokens:
    """Tokens with one that renews them. Raises GivenUp where the person stops."""
    while True:
        try:
            if client.provider.device:
                tokens = _with_code(person, client, sleep)
            else:
                tokens = _in_browser(person, client, browser or webbrowser.open)
        except Refused as refused:
            person.say(f"{_WORDS.get(refused.code, f'The provider refused ({refused.code}).')}")
        except (NoAnswer, SecretError) as error:
            person.say(str(error))
        else:
            if tokens.refresh:
                return tokens
            person.say("The provider gave nothing that lasts, so you would have to sign in each hour.")
        if need(person.ask("Try once more? (yes, or no)", "yes")).lower().startswith("n"):
            raise GivenUp


def _with_code(person: Asker, client: Client, sleep: Callable[[float], None]) -> Tokens:
    going = device.begin(client)
    person.say(f"Open {going.url} on any device and type the code {going.code}.")

    def ask() -> Tokens | None:
        sleep(min(going.wait, _LONGEST_WAIT))
        return going.ask()

    return _waited(person, ask)


def _in_browser(person: Asker, client: Client, browser: Browser) -> Tokens:
    with loopback.begin(client) as going:
        if not browser(going.url):
            person.say("There is no browser here that could be opened.")
        person.say(f"Sign in at {clean_line(client.provider.host, _SHOWN)} in the browser: {going.url}")
        return _waited(person, lambda: going.ask(_SECONDS))


def _waited(person: Asker, pending: Pending) -> Tokens:
    while True:
        if need(person.ask(_GO_ON)).lower().startswith("s"):
            raise GivenUp
        if tokens := pending():
            return tokens
        person.say("Nobody has signed in there yet.")
