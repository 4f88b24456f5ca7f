"""The mailbox's settings: wrong ones are named."""

import pytest
from pydantic import ValidationError

from connectors.base import Effect, Needs, Outcome
from connectors.messaging.accounts import way_out
from connectors.messaging.config import Account, Config
from connectors.messaging.credentials import credentials
from connectors.messaging.server import IMAP_PORTS
from connectors.messaging.transport import Obstacle
from connectors.secrets.base import Secret, SecretError
from connectors.secrets.settings import SecretSource
from tests.connectors.messaging.conftest import World
from tests.connectors.messaging.post_office import post_office

_CHANGES = {"save_attachment", "draft", "send", "reply", "move", "delete", "add_contact", "undo"}
ALL = {"search", "read", "find_contact", *_CHANGES}


def test_nothing_needs_to_be_set() -> None:
    assert Config().address == ""
    assert Config().most_messages is None


@pytest.mark.parametrize(
    "settings",
    [
        {"address": "robin"},
        {"address": "é@x.example"},
        {"name": "a\nb"},
        {"most_messages": 0},
        {"colour": "blue"},
        {"mode": "some"},
        {"imap": {"host": "mail.example", "security": "none"}},
        {"imap": {"host": "mail.example", "password": "secret"}},
        {"imap": {"host": "mail example"}},
        {"smtp": {"host": "mail.example"}},
        {"sendmail": ["msmtp"]},
        {"address": "robin@x.example", "sendmail": ["msmtp"], "smtp": {"host": "mail.example"}},
    ],
)
def test_what_does_not_fit_is_an_error(settings: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Config.model_validate(settings)


@pytest.mark.parametrize(
    ("settings", "port"),
    [
        ({}, 993),
        ({"security": "starttls"}, 143),
        ({"port": 1143, "security": "none", "host": "127.0.0.1"}, 1143),
    ],
)
def test_a_server_has_the_usual_port_and_the_address_as_user(settings: dict[str, object], port: int) -> None:
    account = Account.model_validate({"host": "mail.example", **settings})
    server = account.server(IMAP_PORTS, "robin@x.example")
    assert (server.port, server.user) == (port, "robin@x.example")


def test_a_trusted_network_may_be_named() -> None:
    assert Account(host="nas.home", security="none", plain_text="nas.home").host == "nas.home"


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
@pytest.mark.parametrize(("user", "name"), [("", "messaging/imap"), ("other", "messaging/smtp")])
async def test_sending_uses_the_mailboxs_password_where_none_is_named_for_it(user: str, name: str) -> None:
    def find(name: str, source: SecretSource | None) -> Secret:
        raise SecretError(f"There is no secret called {name}.")

    with post_office() as office:
        told = {"host": "127.0.0.1", "port": office.port, "security": "none"}
        settings = {"address": "a@x.example", "imap": told, "smtp": {**told, "user": user}}
        config = Config.model_validate(settings)
        obstacle = await way_out(config, credentials(config, find)).obstacle()
    assert obstacle == Obstacle(Needs.SIGNED_OUT, f"There is no secret called {name}.")


@pytest.mark.parametrize(
    ("mode", "verbs"),
    [
        ("off", set()),
        ("read-only", {"search", "read", "find_contact"}),
        ("draft-only", ALL - {"send", "reply"}),
        ("full", ALL),
    ],
)
async def test_only_what_the_mode_allows_is_there(world: World, mode: str, verbs: set[str]) -> None:
    world.receive()
    world.build(mode=mode)
    assert {tool.name.partition(".")[2] for tool in world.connector.tools} == verbs
    told = await world.look("send", to=["ana@post.example"], body="Hello.")
    assert isinstance(told, Outcome) is ("send" not in verbs)


async def test_reading_in_a_mailbox_that_is_only_read_marks_nothing(world: World) -> None:
    world.receive()
    world.build(mode="read-only")
    assert (await world.prepared("read", sender="ana")).effects == {Effect.READ}
    await world.do("read", sender="ana")
    assert world.files()[0].startswith("new/")
