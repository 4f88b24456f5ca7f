"""An account on Matrix that is named in the settings while the library for it is not there."""

from collections.abc import Iterable, Sequence
from typing import Final, NoReturn

from connectors.base import Needs
from connectors.messaging.chat import FIXED, MATRIX, Posted, Posting, Room
from connectors.messaging.errors import MailboxError
from connectors.messaging.mailbox import Handles, Limit
from connectors.messaging.maildir.names import Entry, Subdir
from connectors.messaging.mime.headers import Correspondent
from connectors.messaging.mime.letter import Letter

INSTALL: Final = "Matrix needs a library that is not installed: pip install 'askfirst[matrix]'."


class MissingAccount:
    """Knows nothing, and says why."""

    writable = True

    def __init__(self, user: str) -> None:
        self.account = Correspondent("", user)

    def known(self) -> Sequence[Room]:
        return ()

    def room_of(self, event: str) -> str:
        return ""

    def written(self, room: str) -> int:
        return 0

    def now(self) -> Sequence[Room]:
        _refuse()

    def post(self, posting: Posting, seconds: float) -> Posted:
        _refuse()

    def posted(self, room: str, transaction: str) -> bool | None:
        return None


class MissingBox:
    """A mailbox with nothing in it, which says why."""

    trouble = INSTALL

    def folders(self) -> tuple[str, ...]:
        return (MATRIX,)

    def entries(self, folders: Iterable[str] | None = None) -> tuple[Entry, ...]:
        return ()

    def look_again(self, folder: str) -> None:
        """There is nothing to be seen."""

    def locate(self, handle: str) -> Entry | None:
        return None

    def read(self, entry: Entry) -> bytes:
        _refuse()

    def head(self, entry: Entry) -> bytes:
        _refuse()

    def letter(self, entry: Entry) -> Letter:
        _refuse()

    def search(self, words: Sequence[Sequence[str]], among: Handles | None = None) -> frozenset[str]:
        return frozenset()

    def limits(self) -> tuple[Limit, ...]:
        return ()

    def new_name(self, data: bytes) -> str:
        _refuse()

    def deliver(self, folder: str, data: bytes, flags: str, unique: str = "") -> Entry:
        _refuse()

    def name_in(self, entry: Entry, folder: str) -> str:
        raise MailboxError(Needs.UNSUPPORTED, FIXED)

    def move(self, entry: Entry, folder: str, unique: str, subdir: Subdir) -> Entry:
        _refuse()

    def mark(self, entry: Entry, flags: str) -> Entry:
        _refuse()

    def put_back(self, entry: Entry, subdir: Subdir, file_suffix: str) -> Entry:
        _refuse()

    def remove(self, entry: Entry) -> None:
        _refuse()


def _refuse() -> NoReturn:
    raise MailboxError(Needs.UNAVAILABLE, INSTALL)
