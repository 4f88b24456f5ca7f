"""Somebody else's mail program, which acts while ours does."""

import random
import threading
from collections import Counter
from collections.abc import Callable
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.utils import format_datetime
from typing import Final

from imapclient import IMAPClient

from tests.connectors.messaging.conftest import NOW
from tests.connectors.messaging.post_office import USER
from tests.connectors.messaging.server_world import ServerWorld

LAKE: Final = "Lake"


class OtherProgram:
    """Somebody else's mail program on the same account, on a line of its own that never breaks."""

    def __init__(self, world: ServerWorld, chance: random.Random) -> None:
        self.world, self.chance = world, chance
        self.client: IMAPClient = world.other()
        self.taken: set[str] = set()
        self.moved: set[str] = set()
        self.may_act = threading.Event()
        self._acting = threading.Lock()
        self.client.create_folder(LAKE)

    def put(self, word: str, folder: str) -> str:
        """A message about something; returns its Message-ID."""
        message = EmailMessage()
        message_id = f"<{word}-{self.chance.randrange(10**9)}@post.example>"
        message["From"], message["To"] = "Ana Ruiz <ana@post.example>", USER
        message["Subject"], message["Message-ID"] = f"About the {word}", message_id
        message["Date"] = format_datetime(NOW)
        message.set_content(f"Where is the {word}?")
        self.client.append(folder, message.as_bytes().replace(b"\n", b"\r\n"), (), NOW)
        return message_id

    def folders(self) -> dict[str, Counter[str]]:
        """What is in each folder now, by Message-ID."""
        found = {}
        for _, _, name in self.client.list_folders():
            self.client.select_folder(name, readonly=True)
            uids = self.client.search(["UNDELETED"])
            heads = self.client.fetch(uids, ["BODY.PEEK[HEADER]"]) if uids else {}
            parser = BytesHeaderParser()
            ids = [str(parser.parsebytes(each[b"BODY[HEADER]"])["Message-ID"]) for each in heads.values()]
            found[str(name)] = Counter(ids)
            self.client.unselect_folder()
        return found

    def expunge(self) -> None:
        """Delete one message for good."""
        self._one(
            lambda uid: (self.client.delete_messages([uid]), self.client.uid_expunge([uid])), self.taken
        )

    def file(self) -> None:
        """Put one message into the archive."""
        if not self.client.folder_exists("Archive"):
            self.client.create_folder("Archive")
        self._one(self._archive, self.moved)

    def _archive(self, uid: int) -> None:
        self.client.copy([uid], "Archive")
        self._expunge(uid)

    def _expunge(self, uid: int) -> None:
        self.client.delete_messages([uid])
        self.client.uid_expunge([uid])

    def renumber(self) -> None:
        """Make a folder anew with the same messages under each other's numbers: its UIDVALIDITY changes."""
        self.client.create_folder("Anew")
        self.client.select_folder(LAKE)
        for uid in sorted(self.client.search(), reverse=True):
            self.client.copy([uid], "Anew")
        self.client.unselect_folder()
        self.client.delete_folder(LAKE)
        self.client.rename_folder("Anew", LAKE)

    def _one(self, act: Callable[[int], None], noted: set[str]) -> None:
        folder = self.chance.choice(("INBOX", LAKE))
        self.client.select_folder(folder)
        if uids := self.client.search(["UNDELETED"]):
            uid = self.chance.choice(uids)
            told = self.client.fetch([uid], ["BODY.PEEK[HEADER]"])[uid][b"BODY[HEADER]"]
            noted.add(str(BytesHeaderParser().parsebytes(told)["Message-ID"]))
            act(uid)
        self.client.unselect_folder()

    def meanwhile(self, *, renumbering: bool) -> None:
        """Do something, as long as that is allowed; this comes from the lines' threads."""
        with self._acting:
            if self.may_act.is_set():
                self.something(renumbering=renumbering)

    def be_still(self) -> None:
        """Act no more; what is being done comes to its end first."""
        self.may_act.clear()
        with self._acting:
            pass

    def something(self, *, renumbering: bool = True) -> None:
        self.chance.choice((self.expunge, self.file, self.renumber if renumbering else self.file))()
