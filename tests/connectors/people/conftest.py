"""Address books as other programs see them: a folder, and real servers with an account on each."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from connectors.account_state import AccountState
from connectors.people import AddressBook
from connectors.people.accounts import Account, opened
from connectors.people.book import Shelf
from connectors.secrets.chain import Secrets
from tests.connectors.calendar_servers import PASSWORD, USER, CalendarServer
from tests.connectors.faults import FaultProxy

BACKENDS = ("folder", "radicale", "xandikos")
ANA = ("FN:Ana Ruiz", "EMAIL:ana@example.org")


class Books:
    """An address book over a folder, and what another program does there."""

    handle = "contact:"
    place = ""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "contacts"
        self.book = AddressBook(self.folder)

    def put(self, name: str, *lines: str) -> None:
        """Put a vCard there as another program would."""
        text = "\r\n".join(["BEGIN:VCARD", "VERSION:3.0", f"UID:{name}", "N:;;;;", *lines, "END:VCARD", ""])
        self.raw(name, text.encode())

    def raw(self, name: str, data: bytes) -> None:
        self.folder.mkdir(exist_ok=True)
        (self.folder / f"{name}.vcf").write_bytes(data)

    def remove(self, name: str) -> None:
        (self.folder / f"{name}.vcf").unlink()

    def files(self) -> dict[str, bytes]:
        """Every vCard there, by the name of its file."""
        return {path.stem: path.read_bytes() for path in sorted(self.folder.glob("*.vcf"))}

    def people(self) -> list[str]:
        return [each.name for each in self.book.contacts()]

    def again(self) -> None:
        """Forget all that is held in memory, as a restart does."""
        self.book = AddressBook(self.folder)

    def close(self) -> None:
        """Let go of whatever is open."""


class ServerBooks(Books):
    """The same over a server: the folder on this machine stays empty."""

    handle = "contact:dav~friends/"
    place = "Friends (dav)"

    def __init__(self, root: Path, server: CalendarServer, **account: object) -> None:
        self.server = server.of_books
        self.account = account
        self.shelves: Mapping[str, Shelf] = {}
        self.server.clear()
        self.server.make_book("friends", "Friends")
        super().__init__(root)
        self.again()

    def raw(self, name: str, data: bytes) -> None:
        self.server.ask("PUT", f"friends/{quote(name)}.vcf", data, {"Content-Type": "text/vcard"})

    def remove(self, name: str) -> None:
        self.server.delete(f"friends/{quote(name)}.vcf")

    def files(self) -> dict[str, bytes]:
        found = {}
        for name in self.server.names("friends/"):
            data = self.server.get(f"friends/{name}")
            assert data is not None
            found[name.removesuffix(".vcf")] = data
        return found

    def again(self, **more: object) -> None:
        """Make the account anew, with these settings besides."""
        self.account |= more
        given = {
            "url": self.server.url,
            "user": USER,
            "password": {"environment": "PASSWORD"},
            "fresh": 0,
            **self.account,
        }
        self.use({"dav": Account.model_validate(given)}, self.root / "state")

    def use(self, accounts: dict[str, Account], state: Path) -> None:
        """Have these accounts instead of those before."""
        self.close()
        secrets = Secrets(self.root / "secrets", {"PASSWORD": PASSWORD})
        self.shelves = opened(accounts, state, secrets.find)
        self.book.use(self.shelves)

    def state(self) -> AccountState:
        """How the account is doing."""
        return self.shelves["dav"].state

    def close(self) -> None:
        for each in self.shelves.values():
            each.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests that take `books` over every backend."""
    if "books" in metafunc.fixturenames:
        metafunc.parametrize("books", BACKENDS, indirect=True)


@pytest.fixture
def books(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Books]:
    kind = request.param
    made = Books(tmp_path) if kind == "folder" else ServerBooks(tmp_path, request.getfixturevalue(kind))
    yield made
    made.close()


@pytest.fixture
def server_books() -> type[ServerBooks]:
    """How an address book over a server is made, for tests that need one of their own."""
    return ServerBooks


@pytest.fixture
def near(tmp_path: Path, radicale: CalendarServer, server_books: Any) -> Iterator[ServerBooks]:
    """An account with Ana in it."""
    made = server_books(tmp_path, radicale)
    made.put("ana", *ANA)
    yield made
    made.close()


@pytest.fixture
def far(
    tmp_path: Path, radicale: CalendarServer, proxy: FaultProxy, server_books: Any
) -> Iterator[ServerBooks]:
    """The same, reached only through the proxy."""
    made = server_books(tmp_path, radicale, url=f"http://127.0.0.1:{proxy.port}/", timeout=1)
    made.put("ana", *ANA)
    yield made
    made.close()
