"""What one session has learnt: the texts that were read, what was made, whose word an address is."""

from collections.abc import Iterable

from permissions.facts import Doubt, Fact, Made, Read
from permissions.said import Said
from permissions.tokens import addresses, find_run, fold
from permissions.words import Origin, Who


class Learnt:
    """The facts of one session; `tainted` says that foreign text was read since the last goal was typed.

    `doubts` are the addresses that earlier sessions wrote down without the person having said them.
    """

    def __init__(self, said: Said, doubts: Iterable[Doubt] = ()) -> None:
        self._said = said
        self._made: dict[str, int] = {}
        self._doubts = {doubt.address: doubt.seen for doubt in doubts}
        self._news: list[Fact] = []
        self.reads: list[Read] = []
        self.tainted = False

    def note(self, fact: Fact) -> None:
        """Take in what is new, for keeping."""
        self.recall(fact)
        self._news.append(fact)

    def recall(self, fact: Fact) -> None:
        """Take in what was learnt in an earlier session."""
        match fact:
            case Read():
                self.reads.append(fact)
                self.tainted = True
            case Made(words=words):
                self._made.update((word, len(self._said.lines)) for word in words)
            case Doubt(address=address, seen=seen):
                self._doubts[address] = seen

    def news(self) -> tuple[Fact, ...]:
        """What was learnt since this was last asked."""
        news, self._news = tuple(self._news), []
        return news

    def since(self, value: str, name: str) -> int:
        """The line from which on a name speaks for a thing: what was made or renamed is named anew."""
        return max(self._made.get(value, 0), self._made.get(name, 0))

    def is_fresh(self, values: Iterable[str]) -> bool:
        """True if one of them was made since the last line was typed."""
        return any(self._made.get(value) == len(self._said.lines) for value in values)

    def doubt(self, address: str) -> str | None:
        """Where an address came from that was kept without the person's word; None for any other."""
        return self._doubts.get(address.lower())

    def seen(self, text: str) -> Origin:
        """Not the person's: from a text that was read if there was any, else of the model's own making."""
        if not self.reads:
            return Origin(Who.MODEL)
        for source in self.reads:
            if find_run(text, source.text) or fold(text) in addresses(source.text):
                return Origin(Who.CONTENT, source.name)
        return Origin(Who.CONTENT)
