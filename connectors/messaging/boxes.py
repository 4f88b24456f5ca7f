"""A mailbox and the conversations beside it, looked at as one; each message is changed where it is."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol, runtime_checkable

from connectors.messaging.chat import MATRIX, ChatBox, Chats, is_chat, is_chat_draft
from connectors.messaging.mailbox import Box, Handles, Limit, Reading
from connectors.messaging.maildir.names import DRAFTS, SENT, Entry, Subdir, place
from connectors.messaging.mime.letter import Letter, parse

_SHARED: Final = frozenset({MATRIX, SENT, DRAFTS})


@runtime_checkable
class Lettered(Protocol):
    """A mailbox some messages of which are no mail."""

    def letter(self, entry: Entry) -> Letter | None:
        """What such a message says, None for mail. May raise OSError."""
        ...


def letter_of(mailbox: Reading, entry: Entry, data: Callable[[], bytes]) -> Letter:
    """What a message says, by what the mailbox knows of it or else by its bytes. May raise OSError."""
    known = mailbox.letter(entry) if isinstance(mailbox, Lettered) else None
    return known or parse(data())


class Boxes:
    """Mail, and conversations whose messages are in a folder of their own or, if one's own, in Sent."""

    def __init__(self, mail: Box, chat: ChatBox, chats: Chats) -> None:
        self._mail = mail
        self._chat = chat
        self.chats = chats

    @property
    def trouble(self) -> str:
        return " ".join(filter(None, (self._mail.trouble, self._chat.trouble)))

    def folders(self) -> tuple[str, ...]:
        mail = self._mail.folders()
        return (*mail, *(each for each in self._chat.folders() if each not in mail))

    def entries(self, folders: Iterable[str] | None = None) -> tuple[Entry, ...]:
        if folders is None:
            return (*self._mail.entries(), *self._chat.entries())
        wanted = tuple(folders)
        there = set(self._mail.folders()) | {SENT, DRAFTS}
        return (
            *self._mail.entries([each for each in wanted if each in there]),
            *self._chat.entries(wanted),
        )

    def look_again(self, folder: str) -> None:
        if folder in _SHARED:
            self._chat.look_again(folder)
        if folder != MATRIX:
            self._mail.look_again(folder)

    def locate(self, handle: str) -> Entry | None:
        where = place(handle)
        if where is None:
            return None
        found = self._chat.locate(handle) if where[0] in _SHARED else None
        return found or self._mail.locate(handle)

    def read(self, entry: Entry) -> bytes:
        return self._of(entry).read(entry)

    def head(self, entry: Entry) -> bytes:
        return self._of(entry).head(entry)

    def letter(self, entry: Entry) -> Letter | None:
        return self._chat.letter(entry) if is_chat(entry) else None

    def search(self, words: Sequence[Sequence[str]], among: Handles | None = None) -> frozenset[str]:
        return self._mail.search(words, among) | self._chat.search(words, among)

    def limits(self) -> tuple[Limit, ...]:
        return self._mail.limits()

    def new_name(self, data: bytes) -> str:
        return self._for(data).new_name(data)

    def deliver(self, folder: str, data: bytes, flags: str, unique: str = "") -> Entry:
        return self._for(data).deliver(folder, data, flags, unique)

    def name_in(self, entry: Entry, folder: str) -> str:
        return self._of(entry).name_in(entry, folder)

    def move(self, entry: Entry, folder: str, unique: str, subdir: Subdir) -> Entry:
        return self._of(entry).move(entry, folder, unique, subdir)

    def mark(self, entry: Entry, flags: str) -> Entry:
        return self._of(entry).mark(entry, flags)

    def put_back(self, entry: Entry, subdir: Subdir, file_suffix: str) -> Entry:
        return self._of(entry).put_back(entry, subdir, file_suffix)

    def remove(self, entry: Entry) -> None:
        self._of(entry).remove(entry)

    def _of(self, entry: Entry) -> Box:
        return self._chat if is_chat(entry) else self._mail

    def _for(self, data: bytes) -> Box:
        return self._chat if is_chat_draft(data) else self._mail
