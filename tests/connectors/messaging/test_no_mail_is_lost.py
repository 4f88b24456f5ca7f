"""Two writers and lines that break: nothing is sent twice, lost, filed twice, or trashed without being named.

ASKFIRST_FAULT_RUNS sets how many seeded runs there are.
"""

import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Final

import pytest

from connectors.base import Context, Needs, Outcome, Prepared
from connectors.messaging.server import Server, tls
from connectors.messaging.smtp.transport import SmtpTransport
from tests.connectors.messaging.conftest import NOW, ZONE
from tests.connectors.messaging.cutting import Cut, cutting
from tests.connectors.messaging.dovecot import Dovecot, dovecot
from tests.connectors.messaging.other_program import LAKE, OtherProgram
from tests.connectors.messaging.post_office import PASSWORD, USER, PostOffice, post_office
from tests.connectors.messaging.server_world import ServerWorld

RUNS: Final = int(os.environ.get("ASKFIRST_FAULT_RUNS", "24"))
FIRST: Final = int(os.environ.get("ASKFIRST_FAULT_FIRST", "0"))
STEPS: Final = 4
WORDS: Final = ("canoe", "paddle", "lantern", "compass", "rucksack", "kettle")
# Commands before which the other program may do something: they are what we act by.
ACTING: Final = (b"UID FETCH", b"UID MOVE", b"UID COPY", b"UID STORE", b"APPEND")
pytestmark = [
    pytest.mark.timeout(120 + RUNS * 6),
    pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS"),
]


class Run:
    """One seeded run: our service behind lines that break, and the other program."""

    def __init__(self, root: Path, server: Dovecot, office: PostOffice, seed: int) -> None:
        self.chance = random.Random(seed)
        self.server, self.office = server, office
        office.mail.clear()
        self.world = ServerWorld(root, server)
        self._lines(server.port, office.port)
        self.other = OtherProgram(self.world, self.chance)
        self.there = {self.other.put(word, self.chance.choice(("INBOX", LAKE))): word for word in WORDS}
        self.named: set[str] = set()
        self.drafts: set[str] = set()
        self.undrafted: set[str] = set()
        self.said: list[object] = [seed]

    def _lines(self, imap: int, smtp: int) -> None:
        """Have the service speak to these ports."""
        self.world.server = Server("127.0.0.1", imap, "none", self.world.user, timeout=3)
        way = Server("127.0.0.1", smtp, "none", USER, timeout=3)
        self.world.transport = SmtpTransport(way, USER, lambda: PASSWORD, tls())
        self.world.build()

    async def step(self, number: int) -> None:
        word = self.chance.choice(WORDS)
        tool = self.chance.choice(("send", "send", "reply", "draft", "delete", "delete", "move"))
        arguments: dict[str, object] = {
            "send": {"to": ["ben@okafor.example"], "subject": f"News {number}", "body": "One\n.two"},
            "draft": {"to": ["ben@okafor.example"], "subject": f"Plan {number}", "body": "Bring it."},
            "reply": {"message": word, "body": "It is here."},
            "delete": {"message": word},
            "move": {"message": word, "folder": "archive"},
        }[tool]
        found = await self.world.look(tool, **arguments)
        self.said += [tool, word, found if isinstance(found, Outcome) else ""]
        if not isinstance(found, Prepared):
            return
        self._note(tool, found)
        trash = self.other.folders()["Trash"]
        if self.chance.random() < 0.3:
            self.other.something()
        outcome = await self._troubled(found)
        await self._check(tool, found, outcome)
        if tool == "delete":
            self._check_delete(outcome, trash)
        if outcome.ok and outcome.undo and self.chance.random() < 0.5:
            await self._take_back(tool, found, outcome)

    def _note(self, tool: str, prepared: Prepared) -> None:
        """Which message may be touched."""
        if tool in ("delete", "move"):
            word = next(each for each in WORDS if each in str(prepared.payload["label"]))
            self.named |= {each for each, about in self.there.items() if about == word}

    async def _troubled(self, prepared: Prepared) -> Outcome:
        """Do it over lines of which each may break, while the other program may act before any command."""
        chances = self.chance.random() * 0.1

        def meanwhile(line: bytes) -> None:
            # While a folder is open it is not made anew: that breaks Dovecot itself.
            opening = b"EXAMINE" in line or b"SELECT" in line.replace(b"UNSELECT", b"")
            if (opening or any(each in line for each in ACTING)) and self.chance.random() < chances:
                self.other.meanwhile(renumbering=opening)

        imap = Cut(self._when(40), self._perhaps, meanwhile, heals=self._perhaps)
        smtp = Cut(self._when(24), self._perhaps, heals=self._perhaps)
        self.office.hang_up_after_data = self.chance.random() < 0.1
        self.office.keep_before_hanging_up = self._perhaps
        self.office.refuse_data = "451 4.3.0 later" if self.chance.random() < 0.1 else ""
        with ExitStack() as lines:
            imap_port = lines.enter_context(cutting(self.server.port, imap))
            smtp_port = lines.enter_context(cutting(self.office.port, smtp))
            self._lines(imap_port, smtp_port)
            self.other.may_act.set()
            outcome = await self.world.connector.perform(prepared)
            self.other.be_still()
        self.office.hang_up_after_data, self.office.refuse_data = False, ""
        self._lines(self.server.port, self.office.port)
        self.said += [outcome.ok, outcome.needs, outcome.text, imap.said[-3:], smtp.said[-2:]]
        return outcome

    @property
    def _perhaps(self) -> bool:
        return self.chance.random() < 0.5

    def _when(self, most: int) -> int:
        return self.chance.randint(1, most) if self.chance.random() < 0.6 else 0

    async def _check(self, tool: str, prepared: Prepared, outcome: Outcome) -> None:
        look = await self.world.connector.probe(prepared.call.tool, prepared.mark)
        if tool in ("send", "reply"):
            await self._check_send(prepared, outcome, look)
        elif tool == "draft":
            self._check_draft(prepared, outcome, look)
        self._check_all()

    async def _check_send(self, prepared: Prepared, outcome: Outcome, look: Outcome | None) -> None:
        message_id = str(prepared.mark["message_id"])
        taken = self._taken()[message_id]
        if outcome.ok:
            assert taken == 1, self.said
        elif outcome.needs is not Needs.TIMEOUT:
            assert taken == 0, self.said
        assert look is None or look.ok is (taken == 1), (look, self.said)
        again = await self.world.connector.perform(prepared)
        self.said += ["again", again.text]
        if outcome.ok or outcome.needs is Needs.TIMEOUT:
            assert not again.ok, self.said
        assert self._taken()[message_id] == max(taken, again.ok), self.said

    def _check_draft(self, prepared: Prepared, outcome: Outcome, look: Outcome | None) -> None:
        message_id = _id_in(str(prepared.payload["message"]))
        kept = self.other.folders()["Drafts"][message_id]
        assert kept <= 1, self.said
        if outcome.ok or (look is not None and look.ok):
            assert kept == 1, self.said
            self.drafts.add(message_id)
        elif outcome.needs is not Needs.TIMEOUT or (look is not None and not look.ok):
            assert kept == 0, (look, self.said)

    def _check_delete(self, outcome: Outcome, before: Counter[str]) -> None:
        """What is said to have failed has not been done; nobody else puts anything into the trash."""
        more = self.other.folders()["Trash"] - before
        if outcome.ok:
            assert more.total() == 1, (more, self.said)
        elif outcome.needs in (Needs.OFFLINE, Needs.CONFLICT):
            assert not more, (more, self.said)

    def _check_all(self) -> None:
        folders = self.other.folders()
        assert max(folders["Sent Items"].values(), default=0) <= 1, (folders, self.said)
        assert max(self._taken().values(), default=0) <= 1, self.said
        named = self.named
        for message_id in self.there:
            where = {name: held[message_id] for name, held in folders.items() if held[message_id]}
            if message_id not in named:
                assert "Trash" not in where, (where, self.said)
                assert sum(where.values()) == (message_id not in self.other.taken), (where, self.said)
            elif message_id not in self.other.taken:
                assert 1 <= sum(where.values()) <= 4, (where, self.said)
        for message_id in self.drafts - self.undrafted:
            assert folders["Drafts"][message_id] == 1, self.said

    async def _take_back(self, tool: str, prepared: Prepared, outcome: Outcome) -> None:
        assert outcome.undo is not None
        undo = await self.world.connector.prepare(outcome.undo, Context(NOW, ZONE))
        if not isinstance(undo, Prepared):
            return
        if tool == "draft":
            self.undrafted.add(_id_in(str(prepared.payload["message"])))
        self.said.append("undo")
        await self._troubled(undo)
        self._check_all()

    def _taken(self) -> Counter[str]:
        """How often the post office took each message, by Message-ID."""
        return Counter(
            _id_in(bytes(each.content or b"").decode("ascii", "replace")) for each in self.office.mail
        )

    def end(self) -> None:
        with suppress(Exception):
            self.other.client.logout()
        self.world.end()


def _id_in(text: str) -> str:
    return str(BytesHeaderParser().parsebytes(text.encode("ascii", "replace"))["Message-ID"])


@pytest.fixture(scope="module", params=["", "IMAP4rev1 NAMESPACE UIDPLUS UNSELECT"], ids=["move", "copy"])
def server(request: pytest.FixtureRequest) -> Iterator[Dovecot]:
    with dovecot(capability=request.param) as server:
        yield server


async def test_no_mail_is_lost_sent_twice_or_trashed_unnamed(tmp_path: Path, server: Dovecot) -> None:
    with post_office() as office:
        for seed in range(FIRST, FIRST + (RUNS + 1) // 2):
            folder = tmp_path / str(seed)
            folder.mkdir()
            run = Run(folder, server, office, seed)
            try:
                for number in range(STEPS):
                    await run.step(number)
            finally:
                run.end()
