"""Which folder is meant by a word, and what each is for."""

from collections.abc import Iterable
from typing import Final

from connectors.base import Option, Question
from connectors.clean import clean_line
from connectors.messaging import describe
from connectors.messaging.maildir.names import ARCHIVE, DRAFTS, INBOX, SENT, TRASH
from connectors.messaging.words import fold

_USUAL: Final = (INBOX, ARCHIVE, DRAFTS, SENT, TRASH)
_JUNK: Final = frozenset({"junk", "spam"})
_ALSO_CALLED: Final = {
    "archived": ARCHIVE,
    "archives": ARCHIVE,
    "bin": TRASH,
    "deleted": TRASH,
    "draft": DRAFTS,
    "rubbish": TRASH,
}
_FILLER: Final = frozenset({"the", "my", "folder", "mail", "mails", "message", "messages", "items", "box"})


def received(folder: str) -> bool:
    """True for folders with what others wrote: not one's own messages, the trash or junk."""
    return folder not in (SENT, DRAFTS, TRASH) and not junk(folder)


def junk(folder: str) -> bool:
    return folder.casefold() in _JUNK


def folder_called(words: str, there: Iterable[str], argument: str) -> str | Question:
    """The folder that words name, be it there or one of the usual ones, or a question with all of them."""
    known = tuple(dict.fromkeys((*_USUAL, *there)))
    wanted = fold(words)
    bare = " ".join(word for word in wanted.split() if word not in _FILLER)
    for folder in known:
        name = fold(describe.folder(folder)).strip()
        if name in (wanted.strip(), bare):
            return folder
    if bare in _ALSO_CALLED:
        return _ALSO_CALLED[bare]
    options = tuple(Option(describe.folder(folder), {argument: describe.folder(folder)}) for folder in known)
    return Question(f"There is no folder “{clean_line(words, 60)}”. Which one is meant?", options, argument)
