"""What the person said: the lines they typed, and what they picked or retyped since the last one."""

from collections.abc import Iterator, Sequence

from connectors.base import Arguments, Call
from permissions.resemblance import domain_of
from permissions.tokens import addresses, find_run, links
from permissions.values import spelled

Span = tuple[int, int]
"""From the first character of a piece of text until before the one after it."""
_GAP = "\ufffc"
"""Stands where something was pasted: no word, and no address goes across it."""


class Said:
    """The person's own words in one session; whole words and whole addresses only."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._picks: set[tuple[str, str, str]] = set()

    def say(self, line: str, pasted: Sequence[Span] = ()) -> None:
        """A new line, without what was pasted into it; what was picked for an earlier one is over."""
        self.lines.append(typed_only(line, pasted))
        self._picks.clear()

    def endorse(self, arguments: Arguments, call: Call | None = None) -> None:
        """The person picked or retyped these arguments, of this call or any: what differs in them is theirs.

        An argument that was emptied is theirs to be empty; spaces around a value are no part of it.
        """
        before = call.arguments if call else {}
        tool = call.tool if call else ""
        for argument, value in arguments.items():
            kept = set(spelled(before.get(argument)))
            items = [item.strip() for item in spelled(value)] or [""]
            self._picks.update((tool, argument, item) for item in items if item not in kept)

    def picked(self, call: Call, argument: str, item: str) -> bool:
        """True if the person picked or retyped this value of an argument."""
        return any((tool, argument, item.strip()) in self._picks for tool in (call.tool, ""))

    def typed(self, text: str, since: int = 0) -> str | None:
        """The words, newest first, that say this text, in lines from `since` on."""
        for line in reversed(self.lines[since:]):
            if words := find_run(text, line):
                return words
        return None

    def typed_address(self, address: str) -> bool:
        """True if an address was typed whole; only ASCII ones can be."""
        return address.isascii() and any(address.lower() in addresses(line) for line in self.lines)

    def words_of(self, call: Call, argument: str) -> str | None:
        """The words that an argument consists of, if every one of them was typed or picked."""
        seen = []
        for item in spelled(call.arguments.get(argument)):
            words = self.typed(item)
            if words is None and not self.picked(call, argument, item):
                return None
            seen.append(words or item)
        return ", ".join(seen) if seen else None

    def chose(self, call: Call, argument: str) -> bool:
        """True if the person picked or retyped every value of an argument."""
        given = list(spelled(call.arguments.get(argument)))
        return bool(given) and all(self.picked(call, argument, item) for item in given)

    def vouches(self, address: str, call: Call) -> bool:
        """True if the person typed an address, or picked it for this call."""
        values = [(argument, item) for argument, value in call.arguments.items() for item in spelled(value)]
        picked = any(item.lower() == address and self.picked(call, name, item) for name, item in values)
        return picked or self.typed_address(address)

    @property
    def domains(self) -> frozenset[str]:
        """The mail domains that were typed."""
        return frozenset(domain_of(address) for line in self.lines for address in addresses(line))

    @property
    def links(self) -> frozenset[str]:
        """The links that were typed."""
        return frozenset().union(*map(links, self.lines))

    def texts(self) -> Iterator[str]:
        """Everything that was typed or picked."""
        yield from self.lines
        yield from (item for _, _, item in self._picks)


def typed_only(line: str, pasted: Sequence[Span]) -> str:
    """A line with a gap for each piece that was pasted; nothing runs on over a gap."""
    typed, at = "", 0
    for start, end in sorted(pasted):
        if start < end:
            typed += line[at : max(start, at)] + _GAP
            at = max(at, end)
    return typed + line[at:]
