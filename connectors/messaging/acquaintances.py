"""The people written to before, known from Sent: less than contacts, since nobody looked at their names."""

import threading
from collections.abc import Iterable, Mapping
from typing import Final

from connectors.messaging.maildir.index import Index, Summary
from connectors.messaging.maildir.names import SENT
from connectors.people import Contact, is_address, is_matrix_id
from connectors.people.contacts import matching

PREFIX: Final = "written:"
"""What the handle of somebody written to begins with; the address follows."""

# Of more messages in Sent than this, only the newest are looked at.
_MOST: Final = 50_000


class Acquaintances:
    """Whom the messages in Sent went to; a message that came or went is all that is looked at again.

    Every method may raise OSError.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._lock = threading.Lock()
        self._last: tuple[Summary, ...] | None = None
        self._sent: dict[str, Summary] = {}
        self._to: dict[str, set[str]] = {}
        self._named: dict[str, float] = {}
        self._people: dict[str, Contact] = {}
        self._counts: Mapping[str, int] = {}

    def counts(self) -> Mapping[str, int]:
        """How many messages went to each address (in lower case)."""
        with self._lock:
            self._look()
            return self._counts

    def find(self, words: str) -> tuple[Contact, ...]:
        """Those written to whom the words name, most often written to first: see `contacts.matching`."""
        with self._lock:
            self._look()
            people, counts = tuple(self._people.values()), self._counts
        found = matching(people, words)
        return tuple(sorted(found, key=lambda one: (-counts.get(_address(one), 0), one.handle)))

    def _look(self) -> None:
        summaries = self._index.summaries()
        if summaries is self._last:
            return
        now = {each.handle: each for each in _newest(each for each in summaries if each.entry.folder == SENT)}
        for handle in self._sent.keys() - now.keys():
            self._forget(self._sent[handle])
        for handle in now.keys() - self._sent.keys():
            self._learn(now[handle])
        self._sent, self._last = now, summaries
        self._counts = {address: len(letters) for address, letters in self._to.items()}

    def _learn(self, summary: Summary) -> None:
        moment = _moment(summary)
        for person in summary.recipients:
            address = person.address.lower()
            self._to.setdefault(address, set()).add(summary.handle)
            # The name is that of the newest message that has one.
            named = moment if person.name else float("-inf")
            if _reachable(person.address) and named >= self._named.get(address, float("-inf")):
                self._named[address] = named
                name = person.name or address
                self._people[address] = _person(address, name, person.address)

    def _forget(self, summary: Summary) -> None:
        for person in summary.recipients:
            address = person.address.lower()
            letters = self._to.get(address, set())
            letters.discard(summary.handle)
            if not letters:
                for known in (self._to, self._people, self._named):
                    known.pop(address, None)


def _newest(sent: Iterable[Summary]) -> list[Summary]:
    found = list(sent)
    return found if len(found) <= _MOST else sorted(found, key=_moment)[-_MOST:]


def _moment(summary: Summary) -> float:
    return summary.sent.timestamp() if summary.sent else summary.entry.mtime_ns / 1e9


def _reachable(address: str) -> bool:
    return is_address(address.lower()) or is_matrix_id(address)


def _person(key: str, name: str, address: str) -> Contact:
    if is_matrix_id(address):
        return Contact(f"{PREFIX}{key}", name, matrix=(address,))
    return Contact(f"{PREFIX}{key}", name, (address,))


def _address(person: Contact) -> str:
    return person.everywhere[0].lower()
