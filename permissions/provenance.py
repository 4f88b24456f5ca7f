"""Who wrote each value of a call: the person, their settings, a correspondent, a text, or the model."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import PurePosixPath

from pydantic import JsonValue

from connectors.base import Arguments, Call, Effect, Outcome, Prepared, Resolved, Role
from permissions.canonical import digest
from permissions.tokens import addresses, find_run, fold, is_name, links, one_slip, spoken
from permissions.words import Flag, Origin, Who, grave

_ALIKE = 0.88
_REMEMBERED = 100_000
_SERVICES = {"calendar": "the calendar", "messaging": "the mailbox", "files": "your files"}
_CHANGING = frozenset({Effect.MARK, Effect.WRITE, Effect.CONFIGURE})


@dataclass(frozen=True, slots=True)
class Source:
    """A foreign text that the model has read, and what a person would call it."""

    name: str
    text: str


class Provenance:
    """What is known of one session about where values come from.

    `known` are the mail domains of the person's own and their address book's addresses.
    """

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._known = frozenset(domain.lower() for domain in known)
        self._lines: list[str] = []
        self._picks: set[tuple[str, str, str]] = set()
        self._read: list[Source] = []
        self._made: dict[str, int] = {}

    def say(self, text: str) -> None:
        """The person typed a goal; what they picked for an earlier one no longer speaks for them."""
        self._lines.append(text)
        self._picks.clear()

    def endorse(self, arguments: Arguments, call: Call | None = None) -> None:
        """The person picked or retyped these arguments, of this call: what differs in them is theirs now.

        Without a call they are theirs for every tool.
        """
        before = call.arguments if call else {}
        for argument, value in arguments.items():
            kept = set(_spelled(before.get(argument)))
            for item in _spelled(value):
                if item not in kept:
                    self._picks.add((call.tool if call else "", argument, item))

    def read_content(self, source: str = "", text: str = "") -> None:
        """A text that the person did not write entered the model's context."""
        self._read.append(Source(source, text[:_REMEMBERED]))

    def learn(self, prepared: Prepared, outcome: Outcome) -> None:
        """Take in what a call that was done has shown to the model, and what it made or renamed."""
        if outcome.content is not None or outcome.items:
            listed = "\n".join(f"{item.label}\n{item.detail}" for item in outcome.items)
            self.read_content(_source(prepared), f"{outcome.content or ''}\n{listed}")
        if outcome.ok and prepared.effects & _CHANGING:
            for word in _changed(prepared, outcome):
                self._made[word] = len(self._lines)

    def trace(self, call: Call, resolved: Sequence[Resolved], *, by_code: bool = False) -> tuple[Origin, ...]:
        """The origin of every resolved thing, in order; `by_code` says that no model chose the arguments."""
        drawn = {thing.argument for thing in resolved if thing.role is Role.TARGET} | {""}
        return tuple(self._origin(call, thing, drawn, by_code) for thing in resolved)

    def origins(
        self, call: Call, resolved: Sequence[Resolved], *, by_code: bool = False
    ) -> Mapping[str, Origin]:
        """The origin of every argument: the worst of its resolved things, or that of its words."""
        found: dict[str, Origin] = {}
        for thing, origin in zip(resolved, self.trace(call, resolved, by_code=by_code), strict=True):
            if thing.argument not in found or origin.who > found[thing.argument].who:
                found[thing.argument] = origin
        for argument in call.arguments:
            if argument not in found:
                found[argument] = self._of_words(call, argument) or self._foreign(call, argument, by_code)
        return found

    def flags(self, prepared: Prepared, traced: Sequence[Origin]) -> frozenset[Flag]:
        """What only this side sees: an address that resembles a known one, a link the person never gave."""
        if not grave(prepared.effects):
            return frozenset()
        flags = set()
        if self.resemblances(prepared, traced):
            flags.add(Flag.LOOKALIKE)
        given = frozenset().union(*(links(line) for line in self._lines))
        if not _outward_links(prepared) <= given:
            flags.add(Flag.LINK_NOT_YOURS)
        return frozenset(flags)

    def _origin(self, call: Call, thing: Resolved, drawn: set[str], by_code: bool) -> Origin:
        match thing.role:
            case Role.DESTINATION if "@" in thing.value:
                return self._of_address(call, thing, thing.argument in drawn)
            case _ if not thing.argument:
                return Origin(Who.CONFIG)
            case Role.DESTINATION | Role.TARGET:
                return self._of_object(call, thing, by_code)
            case Role.CONTENT | Role.BOUND:
                return self._of_words(call, thing.argument) or self._foreign(call, thing.argument, by_code)

    def _of_address(self, call: Call, thing: Resolved, drawn: bool) -> Origin:
        """An address is the person's if typed whole, picked, or found in their address book under a name
        they typed; one drawn out of an object (the sender of a mail) is so only if typed."""
        if thing.value.isascii() and any(thing.value.lower() in addresses(line) for line in self._lines):
            return Origin(Who.YOU, thing.value)
        given = list(_spelled(call.arguments.get(thing.argument)))
        if not drawn and (vouched := self._by_name(call, thing, given)):
            return vouched
        return Origin(Who.WRITTEN_TO) if thing.written_before else self._seen(thing.value)

    def _by_name(self, call: Call, thing: Resolved, given: list[str]) -> Origin | None:
        """The origin of an address that was picked, or came out of the address book by name or handle."""
        if self._picked(call, thing.argument, thing.value) or (
            len(given) == 1 and self._picked(call, thing.argument, given[0])
        ):
            return Origin(Who.YOU, thing.label)
        written_out = [addresses(item) for item in given if "@" in item]
        if not all(written_out) or any(thing.value.lower() in found for found in written_out):
            return None
        names = [item for item in given if "@" not in item and find_run(item, thing.label)]
        if typed := next((words for name in names if (words := self._typed(name))), None):
            return Origin(Who.YOU, typed)
        fresh = any(self._made.get(value) == len(self._lines) for value in (thing.value, *given))
        known = bool(names) or (bool(given) and not written_out)
        return Origin(Who.CONFIG, "address book") if known and not fresh else None

    def _of_object(self, call: Call, thing: Resolved, by_code: bool) -> Origin:
        given = list(_spelled(call.arguments.get(thing.argument)))
        if given and all(self._picked(call, thing.argument, item) for item in given):
            return Origin(Who.YOU, thing.label)
        for name in _names(thing):
            since = max(self._made.get(thing.value, 0), self._made.get(spoken(name), 0))
            if is_name(name) and (words := self._typed(name, since)):
                return Origin(Who.YOU, words)
        return Origin(Who.CONFIG) if by_code else self._seen(thing.label)

    def _of_words(self, call: Call, argument: str) -> Origin | None:
        """YOU if every word of the argument was typed or picked, else None."""
        given = list(_spelled(call.arguments.get(argument)))
        seen = []
        for item in given:
            words = self._typed(item)
            if words is None and not self._picked(call, argument, item):
                return None
            seen.append(words or item)
        return Origin(Who.YOU, ", ".join(seen)) if given else None

    def _foreign(self, call: Call, argument: str, by_code: bool) -> Origin:
        if by_code:
            return Origin(Who.CONFIG)
        return self._seen(" ".join(_spelled(call.arguments.get(argument))))

    def _seen(self, text: str) -> Origin:
        """Not the person's: from a text that was read if there was any, else of the model's own making."""
        if not self._read:
            return Origin(Who.MODEL)
        for source in self._read:
            if find_run(text, source.text) or fold(text) in addresses(source.text):
                return Origin(Who.CONTENT, source.name)
        return Origin(Who.CONTENT)

    def _typed(self, text: str, since: int = 0) -> str | None:
        """The words of the person, newest first, that say this text, in lines from `since` on."""
        for line in reversed(self._lines[since:]):
            if words := find_run(text, line):
                return words
        return None

    def _picked(self, call: Call, argument: str, item: str) -> bool:
        return any((tool, argument, item) in self._picks for tool in (call.tool, ""))

    def resemblances(self, prepared: Prepared, traced: Sequence[Origin]) -> tuple[tuple[str, str], ...]:
        """Each destination that is not the person's, with the known domain that its own looks like."""
        found = ((value, self._resembled(_domain(value))) for value in self._strange(prepared, traced))
        return tuple((value, known) for value, known in found if known)

    def _strange(self, prepared: Prepared, traced: Sequence[Origin]) -> Iterator[str]:
        for thing, origin in zip(prepared.resolved, traced, strict=True):
            if thing.role is Role.DESTINATION and origin.who > Who.YOU and not thing.written_before:
                yield thing.value

    def _resembled(self, domain: str) -> str:
        """The known domain that this one looks most like without being it, or nothing."""
        typed = {_domain(address) for line in self._lines for address in addresses(line)}
        known = self._known | typed
        if domain in known:
            return ""
        alike = {other: SequenceMatcher(None, domain, other).ratio() for other in known}
        near = [other for other in known if alike[other] > _ALIKE or one_slip(domain, other)]
        return max(near, key=lambda other: (alike[other], other), default="")


def _domain(address: str) -> str:
    return address.rpartition("@")[2].lower()


def _spelled(value: JsonValue) -> Iterator[str]:
    """The single values of an argument as text: a list's items one by one; on and off as JSON says them."""
    match value:
        case None:
            return
        case str():
            yield value
        case bool():
            yield "true" if value else "false"
        case int() | float():
            yield str(value)
        case list() | tuple():
            for item in value:
                yield from _spelled(item)
        case _:
            yield digest(value)


def _names(thing: Resolved) -> Iterator[str]:
    """What a thing may be called: its label, the subject in "sender: subject", a path's last part."""
    yield from (thing.label, thing.value, thing.label.partition(": ")[2])
    yield from (PurePosixPath(thing.label).name, PurePosixPath(thing.value).name)


def _changed(prepared: Prepared, outcome: Outcome) -> Iterator[str]:
    """All that may be the value or name of what a deed made or renamed: what it touched, listed, was told."""
    for thing in prepared.resolved:
        if thing.role is not Role.DESTINATION or "@" not in thing.value:
            yield from (thing.value, spoken(thing.label))
    for item in outcome.items:
        yield from (item.handle, spoken(item.label))
    for value in prepared.call.arguments.values():
        yield from (spoken(item) for item in _spelled(value) if "@" not in item)


def _source(prepared: Prepared) -> str:
    """What a text that was read is called: the one thing that was read, else the service."""
    targets = [thing.label for thing in prepared.resolved if thing.role is Role.TARGET]
    service = prepared.call.tool.partition(".")[0]
    reads = prepared.effects <= {Effect.READ, Effect.MARK}
    return f"“{targets[0]}”" if reads and len(targets) == 1 else _SERVICES.get(service, service)


def _outward_links(prepared: Prepared) -> frozenset[str]:
    contents = (thing.value for thing in prepared.resolved if thing.role is Role.CONTENT)
    return frozenset().union(*(links(text) for text in (prepared.preview.body or "", *contents)))
