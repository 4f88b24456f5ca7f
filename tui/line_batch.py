"""Several requests at once on a plain terminal: each in full, ticked by number, and no permission given."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from permissions.words import Decision, Key, Reply, Request, grave
from tui import plain

Decisions = tuple[Decision, ...]


class Lines(Protocol):
    """Where lines go and come from; `read` gives None when nobody can answer any more."""

    def say(self, *lines: str) -> None: ...

    async def read(self, prompt: str) -> str | None: ...


class AskedTogether:
    """Requests that are answered by one line; what is not ticked is a no."""

    def __init__(self, lines: Lines, requests: Sequence[Request]) -> None:
        self._lines = lines
        self._requests = tuple(requests)
        self._ticked = [True] * len(self._requests)

    async def decisions(self) -> Decisions | None:
        """One decision for each, or None where the person wants them asked one by one."""
        self._show()
        while (answer := await self._lines.read("> ")) not in (None, "q"):
            assert answer is not None
            if answer == "o":
                return None
            if found := self._understood(answer):
                return found
        return (Decision(Reply.STOP),) * len(self._requests)

    def _understood(self, answer: str) -> Decisions | None:
        letter, _, rest = answer.partition(" ")
        numbers = answer.replace(",", " ").split()
        if answer in (Key.SMALL.value, Key.CAPITAL.value):
            return self._yes(answer)
        if numbers and all(map(self._is_one, numbers)):
            self._tick(int(number) for number in numbers)
            return None
        match letter:
            case "n" | "r" if letter == "n" or rest.strip():
                return (Decision(Reply.NO, reason=rest.strip()),) * len(self._requests)
            case "d" if not rest:
                self._show()
            case "w" | "v" if not rest:
                self._aside(letter)
            case _:
                self._lines.say(self._keys())
        return None

    def _yes(self, letter: str) -> Decisions | None:
        if not any(self._ticked):
            self._lines.say("  nothing is ticked: n says no to all")
        elif letter != self._key.value:
            light = self._key is Key.SMALL
            self._lines.say(
                "  all that is ticked can be taken back: a small y"
                if light
                else "  something here goes out or stays: a capital Y"
            )
        else:
            yes, no = Decision(Reply.YES, key=self._key), Decision(Reply.NO)
            return tuple(yes if tick else no for tick in self._ticked)
        return None

    @property
    def _agreed(self) -> list[Request]:
        return [request for request, tick in zip(self._requests, self._ticked, strict=True) if tick]

    @property
    def _key(self) -> Key:
        """How the yes must be given: the gravest of those that are ticked decides."""
        heavy = any(request.ruling.key is not Key.SMALL for request in self._agreed)
        return Key.CAPITAL if heavy else Key.SMALL

    def _is_one(self, word: str) -> bool:
        return word.isascii() and word.isdecimal() and 1 <= int(word) <= len(self._requests)

    def _tick(self, numbers: Iterator[int]) -> None:
        for number in numbers:
            self._ticked[number - 1] = not self._ticked[number - 1]
        titles = (request.prepared.preview.title for request in self._requests)
        self._lines.say(
            *(f"{self._head(n)} {title}" for n, title in enumerate(titles, start=1)), self._keys()
        )

    def _show(self) -> None:
        """Every one of them with all that it would show by itself."""
        count = len(self._requests)
        self._lines.say("", f"══ {count} requests together; each can be taken out by its number ══")
        for number, request in enumerate(self._requests, start=1):
            self._lines.say("", self._head(number), *plain.drawn(request))
        self._lines.say("", self._keys())

    def _aside(self, letter: str) -> None:
        tell = plain.why if letter == "w" else plain.exact
        for number, request in enumerate(self._requests, start=1):
            self._lines.say(self._head(number), *tell(request))

    def _head(self, number: int) -> str:
        return f"[{'✓ yes' if self._ticked[number - 1] else '✗ no '}] {number}"

    def _keys(self) -> str:
        """The answers that they take."""
        agreed, count = self._agreed, len(self._requests)
        how_many = f"all {count}" if len(agreed) == count else f"{len(agreed)} of {count}"
        out = sum(grave(request.prepared.effects) for request in agreed)
        sends = f", {out} {'message' if out == 1 else 'messages'} out" if out else ""
        yes = [f"{self._key.value} yes to {how_many}{sends}"] if agreed else []
        first = [*yes, "n no to all", "r REASON", f"1-{count} tick or not"]
        more = ["o one by one", "d show again", "w why", "v exact values", "q stop"]
        return "\n".join(f"  {'   '.join(line)}" for line in (first, more))


def together(requests: Sequence[Request]) -> bool:
    """True if one line may answer them all: several, none of which wants a word typed."""
    return len(requests) > 1 and all(request.ruling.key is not Key.TYPED for request in requests)
