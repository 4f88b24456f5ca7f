"""Two writers and a server that fails at random: no contact of another is lost, and none is made twice.

ASKFIRST_FAULT_RUNS sets how many seeded runs there are.
"""

import os
import random
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from connectors.base import Context, Needs, Outcome, Prepared
from connectors.messaging.accounts import messaging
from connectors.messaging.config import Config
from connectors.people import AddressBook
from connectors.people.vcard import read_cards
from connectors.secrets.chain import Secrets
from tests.connectors.calendar_servers import PASSWORD, USER, CalendarServer
from tests.connectors.faults import Fault, FaultProxy, fault_proxy
from tests.connectors.messaging.conftest import NOW, ZONE, World

RUNS = int(os.environ.get("ASKFIRST_FAULT_RUNS", "6"))
STEPS = 6
# Without the slow ones, which only cost time here.
FAULTS = [each for each in Fault if each not in (Fault.NONE, Fault.SLOW, Fault.SIGN_IN)]


class Run:
    """One seeded run: our service behind a proxy, and another program that writes cards of its own."""

    def __init__(self, root: Path, server: CalendarServer, proxy: FaultProxy, seed: int) -> None:
        self.server, self.proxy, self.chance = server, proxy, random.Random(seed)
        self.others: dict[str, str] = {}
        server.clear()
        server.make_book("friends", "Friends")
        self.world = World(root)
        account = {
            "url": f"http://127.0.0.1:{proxy.port}/",
            "user": USER,
            "password": {"environment": "PASSWORD"},
            "fresh": 0,
            "timeout": 2,
        }
        config = Config.model_validate({**self.world.config.model_dump(), "contacts": {"dav": account}})
        secrets = Secrets(root / "secrets", {"PASSWORD": PASSWORD})
        self.mail = messaging(self.world.mail, self.world.state, config, self.world.book, secrets.find)
        self._elsewhere(0)

    async def step(self, number: int) -> None:
        name = f"Dora {number}"
        prepared = await self.world.look("add_contact", name=name, address=f"dora{number}@x.example")
        if not isinstance(prepared, Prepared):
            return
        where = next(each.value for each in prepared.preview.fields if each.label == "Kept in")
        outcome = await self._troubled(prepared, number)
        self._check(name, outcome, where)
        if outcome.ok and outcome.undo and self.chance.random() < 0.6:
            await self._take_back(name, outcome, number)

    async def _take_back(self, name: str, outcome: Outcome, number: int) -> None:
        assert outcome.undo is not None
        changed = self.chance.random() < 0.4 and self._edit(name)
        undo = await self.world.connector.prepare(outcome.undo, Context(NOW, ZONE))
        if not isinstance(undo, Prepared):
            assert changed or undo.needs is not Needs.CONFLICT, undo
            return
        if not changed and self.chance.random() < 0.4:
            changed = self._edit(name)
        taken = await self._troubled(undo, number)
        left = len(self._named(name))
        if changed:
            assert left == 1, taken
            assert not taken.ok
        elif taken.ok:
            assert left == 0, taken
        elif taken.needs is not Needs.TIMEOUT:
            assert left == 1, taken

    async def _troubled(self, prepared: Prepared, number: int) -> Outcome:
        self.proxy.choose = self._trouble
        outcome = await self.world.connector.perform(prepared)
        self.proxy.choose = lambda method, path: Fault.NONE
        if self.chance.random() < 0.3:
            self._elsewhere(number + 100)
        return outcome

    def _trouble(self, method: str, path: str) -> Fault:
        if method in ("PUT", "DELETE") and self.chance.random() < 0.2:
            self._elsewhere(self.chance.randrange(5))
        return self.chance.choice(FAULTS) if self.chance.random() < 0.4 else Fault.NONE

    def _elsewhere(self, number: int) -> None:
        """Another program writes a card of its own."""
        name = f"other{number}"
        self.others[name] = f"{name}-{self.chance.randrange(10_000)}@post.example"
        self._put(f"{name}.vcf", name, self.others[name])

    def _edit(self, name: str) -> bool:
        """Another program changes the address in a card of ours."""
        for item in self.server.names("friends/"):
            (card,) = read_cards(self.server.get(f"friends/{item}") or b"")
            if card.name == name:
                self._put(item, name, "edited@post.example")
                return True
        return False

    def _put(self, item: str, name: str, address: str) -> None:
        uid = item.removesuffix(".vcf")
        kept = self.server.get(f"friends/{item}")
        if kept is not None:
            uid = kept.decode().partition("UID:")[2].partition("\r\n")[0]
        lines = ("BEGIN:VCARD", "VERSION:3.0", f"UID:{uid}", "N:;;;;", f"FN:{name}", f"EMAIL:{address}")
        card = "\r\n".join((*lines, "END:VCARD", ""))
        self.server.ask("PUT", f"friends/{item}", card, {"Content-Type": "text/vcard"})

    def _named(self, name: str) -> list[tuple[str, ...]]:
        """The addresses of everybody of that name on the server."""
        cards = [
            card
            for item in self.server.names("friends/")
            for card in read_cards(self.server.get(f"friends/{item}") or b"")
        ]
        for other, address in self.others.items():
            assert [card.addresses for card in cards if card.name == other] == [(address,)]
        return [card.addresses for card in cards if card.name == name]

    def _check(self, name: str, outcome: Outcome, where: str) -> None:
        there = len(self._named(name))
        here = sum(1 for each in AddressBook(self.world.contacts).contacts() if each.name == name)
        if outcome.ok:
            assert (there, here) == ((1, 0) if where == "Friends (dav)" else (0, 1)), outcome
        elif outcome.needs is Needs.TIMEOUT:
            assert (there <= 1, here) == (True, 0), outcome
        else:
            assert (there, here) == (0, 0), outcome


@pytest.mark.timeout(60 + RUNS * 5)
async def test_no_contact_is_lost_or_made_twice(tmp_path: Path, radicale: CalendarServer) -> None:
    parts = urlsplit(radicale.url)
    assert parts.hostname
    assert parts.port
    with fault_proxy(parts.hostname, parts.port) as proxy:
        for seed in range(RUNS):
            folder = tmp_path / str(seed)
            folder.mkdir()
            run = Run(folder, radicale.of_books, proxy, seed)
            for number in range(STEPS):
                await run.step(number)
            for each in run.mail.background:
                each.close()
