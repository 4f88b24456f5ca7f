"""A mailbox and a way out that are signed in to with tokens of a provider, on real servers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from connectors.base import Call, Context, Needs, Outcome, Prepared, Question
from connectors.config import load
from connectors.messaging.accounts import Mail, messaging
from connectors.messaging.config import Config
from connectors.messaging.connecting import connect_mail
from connectors.messaging.credentials import APP, REFRESH, credentials
from connectors.messaging.imap.connection import Connection
from connectors.messaging.providers import Provider
from connectors.messaging.server import Server, tls
from connectors.messaging.smtp.transport import SmtpTransport
from connectors.oauth.provider import KNOWN
from connectors.people import AddressBook
from connectors.secrets.base import Secret
from connectors.secrets.chain import Secrets
from tests.connectors.messaging.conftest import NOW, ZONE
from tests.connectors.messaging.dovecot import PASSWORD, Dovecot, dovecot
from tests.connectors.messaging.post_office import USER, PostOffice, post_office
from tests.connectors.oauth_server import CLIENT, OAuthServer, oauth_server
from tests.connectors.people_asked import NoKeyring, Person

pytestmark = [
    pytest.mark.timeout(120),
    pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS"),
]


@pytest.fixture(scope="module")
def server() -> Iterator[Dovecot]:
    """It takes the password for a token too."""
    with dovecot() as server:
        yield server


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with post_office() as office:
        office.token = PASSWORD
        yield office


@pytest.fixture
def provider() -> Iterator[OAuthServer]:
    with oauth_server() as provider:
        provider.access = PASSWORD
        yield provider


@pytest.fixture
def secrets(tmp_path: Path) -> Secrets:
    return Secrets(tmp_path / "secrets", {}, NoKeyring())


def settings(server: Dovecot, office: PostOffice, provider: OAuthServer) -> Config:
    told = {"host": "127.0.0.1", "security": "none", "login": "oauth", "timeout": 10}
    return Config.model_validate(
        {
            "name": "Robin Vale",
            "address": USER,
            "imap": {**told, "port": server.port},
            "smtp": {**told, "port": office.port},
            "oauth": {
                "client_id": CLIENT,
                "token": provider.provider.token,
                "device": provider.provider.device,
            },
        }
    )


@pytest.fixture
def mail(
    tmp_path: Path, server: Dovecot, office: PostOffice, provider: OAuthServer, secrets: Secrets
) -> Iterator[Mail]:
    provider.refresh.add("refresh-0")
    secrets.keep(REFRESH, Secret("refresh-0"))
    config = settings(server, office, provider)
    book = AddressBook(tmp_path / "people")
    mail = messaging(tmp_path / "mail", tmp_path / "state", config, book, secrets.find, None, secrets.keep)
    yield mail
    for each in mail.background:
        each.close()


async def look(mail: Mail, tool: str, **arguments: object) -> Prepared | Question | Outcome:
    call = Call("call-1", f"messaging.{tool}", arguments)
    return await mail.service.prepare(call, Context(NOW, ZONE))


async def done(mail: Mail, tool: str, **arguments: object) -> Outcome:
    prepared = await look(mail, tool, **arguments)
    assert isinstance(prepared, Prepared), prepared
    return await mail.service.perform(prepared)


async def test_one_token_serves_the_mailbox_and_the_way_out(
    mail: Mail, office: PostOffice, provider: OAuthServer
) -> None:
    outcome = await done(mail, "send", to=["ana@post.example"], subject="Friday", body="See you.")
    assert outcome.text == "Sent to ana@post.example. A copy is in Sent."
    assert len(office.mail) == 1
    assert len((await done(mail, "search", folder="sent")).items) >= 1
    assert len(provider.asked) == 1


async def test_a_refresh_token_that_is_changed_is_kept_with_the_secrets(
    mail: Mail, provider: OAuthServer, secrets: Secrets
) -> None:
    provider.rotates, provider.lasts = True, 0
    assert (await done(mail, "send", to=["ana@post.example"], subject="Hi", body="See you.")).ok
    assert len(provider.asked) > 1
    assert provider.refresh == {secrets.find(REFRESH).reveal()}


async def test_a_sign_in_that_is_over_says_what_to_do(mail: Mail, provider: OAuthServer) -> None:
    provider.revoked = True
    for tool, arguments in (
        ("search", {}),
        ("send", {"to": ["ana@post.example"], "body": "Hi", "subject": "x"}),
    ):
        found = await look(mail, tool, **arguments)
        outcome = await mail.service.perform(found) if isinstance(found, Prepared) else found
        assert isinstance(outcome, Outcome)
        assert outcome.needs is Needs.SIGNED_OUT
        assert outcome.text == (
            "You are not signed in at 127.0.0.1 any more; sign in again with askfirst connect messaging."
        )
    assert len(provider.asked) == 1


async def test_where_the_newer_way_is_all_that_is_offered_it_is_used() -> None:
    with dovecot(capability="IMAP4rev1 NAMESPACE SASL-IR AUTH=OAUTHBEARER") as server:
        told = Server("127.0.0.1", server.port, "none", USER, "oauth", 10)
        connection = Connection(told, lambda: PASSWORD, tls())
        with connection.client() as client:
            assert client.noop()
        connection.close()
    with post_office(without=("XOAUTH2",)) as office:
        told = Server("127.0.0.1", office.port, "none", USER, "oauth", 10)
        assert await SmtpTransport(told, USER, lambda: office.token, tls()).obstacle() is None
        refused = await SmtpTransport(told, USER, lambda: "stale", tls()).obstacle()
        assert refused is not None
        assert refused.needs is Needs.SIGNED_OUT


def test_an_account_that_is_set_up_is_only_signed_in_to_again(
    tmp_path: Path, server: Dovecot, office: PostOffice, provider: OAuthServer, secrets: Secrets
) -> None:
    path = tmp_path / "messaging.toml"
    text = (
        f'address = "{USER}"\n[imap]\nhost = "127.0.0.1"\nport = {server.port}\nsecurity = "none"\n'
        f'login = "oauth"\n'
        f'[oauth]\nclient_id = "{CLIENT}"\ntoken = "{provider.provider.token}"\n'
        f'device = "{provider.provider.device}"\n'
    )
    path.write_text(text)
    assert load(path, Config).oauth is not None
    provider.approved = True
    person = Person("")
    assert connect_mail(person, path, secrets) == ""
    assert path.read_text() == text
    assert secrets.find(REFRESH).reveal() in provider.refresh
    assert secrets.find(REFRESH).reveal() not in "".join(person.said)


def test_a_provider_that_gives_tokens_is_signed_in_to_on_its_page(
    tmp_path: Path,
    server: Dovecot,
    office: PostOffice,
    provider: OAuthServer,
    secrets: Secrets,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    imap, smtp = f"127.0.0.1:{server.port}", f"127.0.0.1:{office.port}"
    there = Provider(("home.example",), imap, smtp, "It takes no password.", "microsoft", True)
    monkeypatch.setattr("connectors.messaging.providers.PROVIDERS", (there,))
    monkeypatch.setattr("connectors.messaging.imap.connect.provider_at", lambda host: there)
    monkeypatch.setitem(KNOWN, "microsoft", provider.provider)
    provider.approved, provider.secret = True, "hush"
    person = Person(USER, "Robin", "", "", "", CLIENT, "hush", "", "", "")
    path = tmp_path / "messaging.toml"
    shown = connect_mail(person, path, secrets)
    config = load(path, Config)
    assert config.imap is not None
    assert config.smtp is not None
    assert config.oauth is not None
    assert (config.imap.login, config.smtp.login, config.smtp.keeps_copies) == ("oauth", "oauth", True)
    assert (config.oauth.provider, config.oauth.client_id) == ("microsoft", CLIENT)
    assert secrets.find(REFRESH).reveal() in provider.refresh
    assert secrets.find(APP).reveal() == "hush"
    assert not any(each in path.read_text() + shown for each in ("hush", "refresh-", PASSWORD))
    known = credentials(config, secrets.find, secrets.keep)
    assert known.mailbox(config.imap)() == PASSWORD
