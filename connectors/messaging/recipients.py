"""Whom a message goes to: names become addresses of contacts, and nothing is ever invented."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from connectors.base import Field, Option, Question, Resolved, Role
from connectors.clean import clean_line
from connectors.messaging import describe
from connectors.messaging.acquaintances import PREFIX, Acquaintances
from connectors.messaging.chat import Rooms, goes_to_chat
from connectors.messaging.config import Config
from connectors.messaging.maildir.index import Index
from connectors.messaging.maildir.names import TRASH
from connectors.messaging.mime.headers import Correspondent, bare
from connectors.messaging.words import fold, holds_whole
from connectors.people import AddressBook, Contact, is_address

_MOST_OPTIONS: Final = 8
_ONESELF: Final = frozenset({"me", "myself"})
_WITH_NAME = re.compile(r"[^<>]*<\s*(?P<address>[^<>\s]+)\s*>")
_BETWEEN = re.compile(r"\s*(?:[,;&]|\band\b)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Recipient:
    """An exact address to write to, whom it belongs to, and how often it was written to before."""

    name: str
    address: str
    written_before: int

    def field(self, argument: str) -> Field:
        """This recipient on a line of its own in a preview."""
        return Field("To", describe.person(self.name, self.address), argument, self.note)

    def resolved(self, argument: str) -> Resolved:
        label = describe.called(Correspondent(self.name, self.address))
        return Resolved(Role.DESTINATION, argument, self.address, label, self.written_before)

    @property
    def note(self) -> str:
        return f"written to before: {self.written_before}" if self.written_before else _NEW


_NEW: Final = "NEW address: never written to"


class Recipients:
    """Resolves the words for people against the address book and the mailbox; may raise OSError."""

    def __init__(
        self,
        book: AddressBook,
        index: Index,
        written: Acquaintances,
        config: Config,
        rooms: Rooms | None = None,
    ) -> None:
        self._book = book
        self._rooms = rooms
        self._index = index
        self._written = written
        self._config = config

    def resolve(self, words: Sequence[str]) -> tuple[Recipient, ...] | Question:
        """The addresses that these names and addresses stand for, each once, or a question about the first
        that is not clear; its options hold the whole list with that one made exact.
        """
        wanted = self._apart([each.strip() for each in words if each.strip()])
        written = self._written.counts()
        found: dict[str, Recipient] = {}
        for place, text in enumerate(wanted):
            people = self._choices(text)
            if len(people) != 1:
                return self._question(wanted, place, people, written)
            recipient = self.known(people[0], written)
            found.setdefault(recipient.address.lower(), recipient)
        return tuple(found.values())

    def known(self, person: Correspondent, written: Mapping[str, int] | None = None) -> Recipient:
        """An address as a recipient; the name is the contact's where there is one."""
        counts = self._written.counts() if written is None else written
        contact = self.contact_of(person.address)
        name = contact.name if contact else person.name
        return Recipient(name, person.address, counts.get(person.address.lower(), 0))

    def contact_of(self, address: str) -> Contact | None:
        wanted = address.lower()
        return next(
            (each for each in self._book.contacts() if wanted in map(str.lower, each.everywhere)), None
        )

    def borrowed_name(self, person: Correspondent) -> list[str]:
        """A name of one of the contacts over an address that is not theirs."""
        name = bare(person.name)
        contacts = self._book.find(name) if name else ()
        if not contacts or self.contact_of(person.address):
            return []
        address = clean_line(person.address)
        return [f"{clean_line(name, 80)} is one of your contacts, but {address} is not an address of theirs."]

    def _apart(self, words: Sequence[str]) -> list[str]:
        """Several people in one breath ("Ana and Ben") are taken apart, unless that is somebody's name."""
        apart: list[str] = []
        for text in words:
            pieces = [piece for piece in _BETWEEN.split(text) if piece]
            several = len(pieces) > 1 and "<" not in text and not self._known(text)
            apart.extend(pieces if several else [text])
        return apart

    def _known(self, text: str) -> bool:
        return self._reached(text) or bool(self._book.find(text)) or bool(self._called(text))

    def _choices(self, text: str) -> list[Correspondent]:
        address = with_name["address"] if (with_name := _WITH_NAME.fullmatch(text)) else text
        address = address.removeprefix(PREFIX)
        if self._reached(address):
            return self._called(address) or [Correspondent("", address)]
        if text.casefold() in _ONESELF and self._config.address:
            return [Correspondent(self._config.name, self._config.address)]
        contact = self._book.get(text) if text.startswith("contact:") else None
        contacts = (contact,) if contact else self._book.find(text)
        pairs = [(each.name, address) for each in contacts for address in each.everywhere]
        people = [Correspondent(*pair) for pair in dict.fromkeys(pairs) if self._reached(pair[1])]
        return [*people, *self._called(text)]

    def _reached(self, address: str) -> bool:
        """True for an address of mail, and for one of conversations where there are any."""
        return is_address(address) or (self._rooms is not None and goes_to_chat(address))

    def _called(self, text: str) -> list[Correspondent]:
        """The rooms of this name or id; a direct conversation goes by its person."""
        wanted = fold(text).strip()
        rooms = self._rooms.known() if self._rooms and wanted else ()
        return [
            Correspondent(each.name, each.id)
            for each in rooms
            if each.id == text or (fold(each.name).strip() == wanted and not each.direct)
        ]

    def _question(
        self, wanted: list[str], place: int, people: list[Correspondent], written: Mapping[str, int]
    ) -> Question:
        text = clean_line(wanted[place], 60)
        if people:
            return Question(
                f"Which address of “{text}” is meant?", self._options(wanted, place, people, written), "to"
            )
        seen = self._seen(wanted[place])
        if "@" in text:
            problem = f"“{text}” is not an e-mail address that can be written to."
        elif self._book.find(wanted[place]):
            problem = f"Your contacts have no e-mail address for “{text}”."
        else:
            problem = " ".join((f"“{text}” is not in your contacts.", *self._book.doubts()))
        ask = "What is the address?"
        if len(wanted) > 1:
            ask = "Whom should it go to? Name all of them, with commas between."
        return Question(f"{problem} {ask}", self._options(wanted, place, seen, written), "to")

    def _seen(self, text: str) -> list[Correspondent]:
        """People of this name in the mailbox: a hint to pick from, since anybody can take any name."""
        words = fold(text).split()
        if not words or "@" in text:
            return []
        found: dict[str, Correspondent] = {}
        for summary in self._index.summaries():
            if summary.entry.folder == TRASH:
                continue
            for person in (summary.sender, *summary.recipients):
                if self._reached(person.address) and holds_whole(fold(person.name), words):
                    found.setdefault(person.address.lower(), person)
        return list(found.values())

    def _options(
        self, wanted: list[str], place: int, people: list[Correspondent], written: Mapping[str, int]
    ) -> tuple[Option, ...]:
        by_use = sorted(
            people, key=lambda each: (-written.get(each.address.lower(), 0), each.address.lower())
        )
        options = []
        for each in by_use[:_MOST_OPTIONS]:
            everyone: list[JsonValue] = [*wanted[:place], each.address, *wanted[place + 1 :]]
            note = Recipient(each.name, each.address, written.get(each.address.lower(), 0)).note
            by = "" if self._rooms is None else "by Matrix, " if goes_to_chat(each.address) else "by mail, "
            label = describe.person(each.name, each.address)
            options.append(Option(label, {"to": everyone}, f"{by}{note}"))
        return tuple(options)
