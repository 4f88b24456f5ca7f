"""Which message is meant: by its handle, or by words that are in it and who it is from."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from connectors.base import Needs, Option, Outcome, Question, failed
from connectors.clean import clean_line
from connectors.messaging import describe
from connectors.messaging.chat import goes_to_chat
from connectors.messaging.folders import junk, received
from connectors.messaging.maildir.index import Index, Summary
from connectors.messaging.maildir.names import DRAFTS, SENT, TRASH, is_handle
from connectors.messaging.words import fold, holds, holds_whole, parts
from connectors.people import AddressBook, is_address

MOST_OPTIONS: Final = 8
_FILLER: Final = frozenset(
    {"a", "about", "an", "e", "email", "emails", "from", "in", "inbox", "letter", "mail", "mails", "message"}
    | {
        "her",
        "his",
        "it",
        "its",
        "me",
        "messages",
        "my",
        "of",
        "on",
        "one",
        "our",
        "s",
        "that",
        "the",
        "their",
    }
    | {"this", "to", "with", "your"}
)
_NEWEST: Final = frozenset({"last", "latest", "most", "newest", "recent"})
_UNREAD: Final = "unread"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person's words say of a message: words to look for, and if the newest or unread is meant.

    `words` are folded, `said` the same as the person wrote them.
    """

    phrase: str
    words: tuple[str, ...]
    said: tuple[str, ...]
    newest: bool
    unread: bool

    @classmethod
    def from_words(cls, text: str | None) -> "Wanted":
        phrase = fold(text or "")
        words = phrase.split()
        said = [each for each in parts(text or "") if fold(each).strip()]
        # A letter such as ½ folds to several words: then the folded ones have to do.
        pairs = list(zip(words, said if len(said) == len(words) else words, strict=True))
        telling = [pair for pair in pairs if not {pair[0]} & (_FILLER | _NEWEST | {_UNREAD})]
        return cls(
            phrase,
            tuple(word for word, _ in telling),
            tuple(each for _, each in telling),
            bool(_NEWEST & set(words)),
            _UNREAD in words,
        )


@dataclass(frozen=True, slots=True)
class Found:
    """The messages that match, newest first, and whether the words ask for the newest of them."""

    summaries: tuple[Summary, ...]
    newest: bool = False


class Finder:
    """Looks for messages in the index; every method may raise OSError."""

    def __init__(self, index: Index, book: AddressBook) -> None:
        self._index = index
        self._book = book

    def by_handle(self, handle: str) -> Summary | Outcome:
        """The message of a handle, or why there is none."""
        found = next((each for each in self._index.summaries() if each.handle == handle), None)
        return found or failed(Needs.NOT_FOUND, "That message is not there any more.")

    def matching(self, message: str | None, sender: str | None, now: datetime) -> Found:
        """The messages that words and a sender name, from the first kind of folder that has any.

        Received mail comes before one's own, then junk, then the trash.
        """
        wanted = Wanted.from_words(message)
        everything = self.from_whom(self._index.summaries(), sender)
        if wanted.unread:
            everything = [each for each in everything if each.entry.unread]
        for kind in _KINDS:
            matches = self._matches([each for each in everything if kind(each.entry.folder)], wanted)
            if matches:
                return Found(newest_first(matches, now), wanted.newest)
        return Found((), wanted.newest)

    def one(self, message: str | None, sender: str | None, now: datetime) -> Summary | Question | Outcome:
        """The one message that is meant; several are asked about, never guessed between."""
        if message and is_handle(message):
            return self.by_handle(message)
        found = self.matching(message, sender, now)
        if not found.summaries:
            return self.nothing(message, sender, now)
        if len(found.summaries) == 1 or found.newest:
            return found.summaries[0]
        return which(found.summaries, now)

    def nothing(self, message: str | None, sender: str | None, now: datetime) -> Question | Outcome:
        """What is said where no message fits: if the sender is known, which of their messages is meant."""
        missing = nothing_found(message, sender, self._index.unreadable)
        others = self.matching(None, sender, now).summaries if message and sender else ()
        if not others:
            return missing
        return Question(f"{missing.text} Which one is meant?", _options(others, now), "message")

    def from_whom(self, summaries: Iterable[Summary], sender: str | None) -> list[Summary]:
        """Those messages that are from somebody: by address, by a contact's addresses, or by name."""
        if not sender:
            return list(summaries)
        if is_address(sender) or goes_to_chat(sender):
            return [each for each in summaries if each.sender.address.lower() == sender.lower()]
        known = {address.lower() for each in self._book.find(sender) for address in each.everywhere}
        words = fold(sender).split()
        return [
            each
            for each in summaries
            if each.sender.address.lower() in known
            or (words and holds_whole(fold(f"{each.sender.name} {each.sender.address}"), words))
        ]

    def _matches(self, summaries: list[Summary], wanted: Wanted) -> list[Summary]:
        phrase = wanted.phrase if wanted.phrase.strip() else None
        titled = [each for each in summaries if fold(each.subject) == phrase]
        if titled or not summaries:
            return titled
        heads = [each for each in summaries if holds(each.head, wanted.words)]
        if heads or not wanted.words:
            return heads
        among = frozenset(each.handle for each in summaries)
        handles = self._index.holding(wanted.words, wanted.said, among)
        return [each for each in summaries if each.handle in handles]


def newest_first(summaries: Iterable[Summary], now: datetime) -> tuple[Summary, ...]:
    return tuple(sorted(summaries, key=lambda each: (each.came(now), each.handle), reverse=True))


def which(summaries: tuple[Summary, ...], now: datetime) -> Question:
    """Which of these messages is meant?"""
    text = f"Which message? {describe.counted(len(summaries))} match."
    if len(summaries) > MOST_OPTIONS:
        text += f" The newest {MOST_OPTIONS} are shown; say more about it to find another."
    return Question(text, _options(summaries, now), "message")


def nothing_found(message: str | None, sender: str | None, unreadable: tuple[str, ...]) -> Outcome:
    """No message matches, said with what was looked for and what could not be looked at."""
    by = f" from “{clean_line(sender, 60)}”" if sender else ""
    about = f" about “{clean_line(message, 60)}”" if message else ""
    text = f"No message{by}{about} was found."
    if unreadable:
        text += f" {describe.counted(len(unreadable))} could not be read, so it may be among them."
    return failed(Needs.NOT_FOUND, text)


def _options(summaries: tuple[Summary, ...], now: datetime) -> tuple[Option, ...]:
    return tuple(_option(each, now) for each in summaries[:MOST_OPTIONS])


def _option(summary: Summary, now: datetime) -> Option:
    item = describe.item(summary, now)
    return Option(item.label, {"message": item.handle}, f"{item.detail}, {summary.sender.address}")


_KINDS: Final[tuple[Callable[[str], bool], ...]] = (
    received,
    lambda folder: folder in (SENT, DRAFTS),
    junk,
    lambda folder: folder == TRASH,
)
