"""Who wrote each value of a call: the person, their settings, a correspondent, a text, or the model."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from connectors.base import Arguments, Call, Effect, Outcome, Prepared, Resolved, Role
from permissions.facts import Doubt, Fact, Made, Read, kept_addresses, making, reading
from permissions.limits import folder_of
from permissions.private import carried
from permissions.resemblance import domain_of, resembled
from permissions.said import Said
from permissions.tokens import addresses, find_run, fold, is_name, links, spoken
from permissions.values import spelled
from permissions.words import Flag, Origin, Who, grave

_REMEMBERED = 100_000


class Provenance:
    """What is known of one session about where values come from.

    `known` are the mail domains of the person's own and their address book's addresses, or what gives them as
    they are by now; `doubts` the addresses that earlier sessions wrote down without the person having said
    them.
    """

    def __init__(
        self, known: Collection[str] | Callable[[], Collection[str]] = (), doubts: Iterable[Doubt] = ()
    ) -> None:
        self._known = known
        self._said = Said()
        self._read: list[Read] = []
        self._made: dict[str, int] = {}
        self._doubts = {doubt.address: doubt.seen for doubt in doubts}
        self._tainted = False
        self._news: list[Fact] = []

    @property
    def tainted(self) -> bool:
        """True once foreign text has entered the model's context after the last goal was typed."""
        return self._tainted

    @property
    def lines(self) -> tuple[str, ...]:
        """What the person typed, line by line."""
        return tuple(self._said.lines)

    def say(self, text: str) -> None:
        """The person typed a goal, for which the model begins with nothing read; earlier picks are over."""
        self._said.say(text)
        self._tainted = False

    def endorse(self, arguments: Arguments, call: Call | None = None) -> None:
        """The person picked or retyped these arguments, of this call: what differs in them is theirs now.

        Without a call they are theirs for every tool. An argument that was emptied is theirs to be empty.
        """
        self._said.endorse(arguments, call)

    def picked(self, call: Call, argument: str, item: str) -> bool:
        """True if the person picked or retyped this value of an argument."""
        return self._said.picked(call, argument, item)

    def read_content(self, source: str = "", text: str = "") -> None:
        """A text that the person did not write entered the model's context."""
        self._note(Read(source, text[:_REMEMBERED]))

    def learn(self, prepared: Prepared, outcome: Outcome) -> None:
        """Take in what a call that was done has shown to the model, and what it made or renamed."""
        if read := reading(prepared, outcome, named=False):
            self._note(replace(read, text=read.text[:_REMEMBERED], named=self._named(prepared)))
        if made := making(prepared, outcome):
            self._note(made)
        for address in kept_addresses(prepared, outcome):
            if not self._said.vouches(address, prepared.call):
                self._note(Doubt(address, self._seen(address).seen))

    def recall(self, fact: Fact) -> None:
        """Take in what was learnt in an earlier session."""
        match fact:
            case Read():
                self._read.append(fact)
                self._tainted = True
            case Made(words=words):
                self._made.update((word, len(self._said.lines)) for word in words)
            case Doubt(address=address, seen=seen):
                self._doubts[address] = seen

    def news(self) -> tuple[Fact, ...]:
        """What was learnt since this was last asked, for keeping."""
        news, self._news = tuple(self._news), []
        return news

    def trace(
        self,
        call: Call,
        resolved: Sequence[Resolved],
        *,
        by_code: bool = False,
        foreign: frozenset[str] = frozenset(),
    ) -> tuple[Origin, ...]:
        """The origin of every resolved thing, in order.

        `by_code` says that no model chose the arguments; `foreign` are those that the model wrote with
        foreign text in its context, so that they are that text's unless the person said them.
        """
        drawn = {thing.argument for thing in resolved if thing.role is Role.TARGET} | {""}
        return tuple(self._origin(call, thing, drawn, by_code, foreign) for thing in resolved)

    def origins(
        self,
        call: Call,
        resolved: Sequence[Resolved],
        *,
        by_code: bool = False,
        foreign: frozenset[str] = frozenset(),
        traced: Sequence[Origin] | None = None,
    ) -> Mapping[str, Origin]:
        """The origin of every argument: the worst of its resolved things, or that of its words.

        `traced` are the origins of the things, where they are known.
        """
        found: dict[str, Origin] = {}
        if traced is None:
            traced = self.trace(call, resolved, by_code=by_code, foreign=foreign)
        for thing, origin in zip(resolved, traced, strict=True):
            found[thing.argument] = worst(origin, found.get(thing.argument, origin))
        for argument in call.arguments:
            if argument not in found:
                found[argument] = self._of_words(call, argument, by_code)
        return found

    def flags(self, prepared: Prepared, traced: Sequence[Origin]) -> frozenset[Flag]:
        """What only this side sees of a call that goes out: look-alikes, links, words and secrets in it."""
        if not grave(prepared.effects):
            return frozenset()
        flags = set()
        if self.resemblances(prepared, traced):
            flags.add(Flag.LOOKALIKE)
        if not _outward_links(prepared) <= self._said.links:
            flags.add(Flag.LINK_NOT_YOURS)
        if _nothing_said(prepared, traced):
            flags.add(Flag.WORDS_NOT_YOURS)
        if self.carried(prepared) or self._shares_unnamed(prepared, traced):
            flags.add(Flag.CARRIES_PRIVATE)
        return frozenset(flags)

    def carried(self, prepared: Prepared) -> tuple[str, ...]:
        """The texts, by name, out of which a call that goes out carries what the person did not mention."""
        if not grave(prepared.effects):
            return ()
        text = "\n".join(_outward(prepared))
        known = [*self._said.texts(), *(read.text for read in self._read if read.named)]
        sources = (read for read in self._read if not read.named)
        return tuple(dict.fromkeys(read.name for read in sources if carried(text, read.text, known)))

    def resemblances(self, prepared: Prepared, traced: Sequence[Origin]) -> tuple[tuple[str, str], ...]:
        """Each destination that is not the person's, with the known domain that its own looks like."""
        strange = list(_strange(prepared, traced))
        if not strange:
            return ()
        domains = self._known() if callable(self._known) else self._known
        known = {domain.lower() for domain in domains} | self._said.domains
        found = ((value, resembled(domain_of(value), known)) for value in strange)
        return tuple((value, like) for value, like in found if like)

    def _shares_unnamed(self, prepared: Prepared, traced: Sequence[Origin]) -> bool:
        """True if a file goes along that the person neither named, nor the words that it was found by."""
        if Effect.SHARE not in prepared.effects:
            return False
        things = zip(prepared.resolved, traced, strict=True)
        unnamed = (
            thing for thing, origin in things if thing.role is Role.TARGET and origin.who >= Who.CONTENT
        )
        return any(
            folder_of(thing.value) and self._said.words_of(prepared.call, thing.argument) is None
            for thing in unnamed
        )

    def _note(self, fact: Fact) -> None:
        self.recall(fact)
        self._news.append(fact)

    def _origin(
        self, call: Call, thing: Resolved, drawn: set[str], by_code: bool, foreign: frozenset[str]
    ) -> Origin:
        match thing.role:
            case Role.DESTINATION if "@" in thing.value:
                return self._of_address(call, thing, thing.argument in drawn, thing.argument in foreign)
            case _ if not thing.argument:
                return Origin(Who.CONFIG)
            case Role.DESTINATION | Role.TARGET:
                return self._of_object(call, thing, by_code)
            case Role.CONTENT | Role.BOUND:
                return self._of_words(call, thing.argument, by_code)

    def _of_address(self, call: Call, thing: Resolved, drawn: bool, foreign: bool) -> Origin:
        """An address is the person's if typed whole, picked, or found in their address book under a name
        they typed; one drawn out of an object (the sender of a mail) is so only if typed."""
        if self._said.typed_address(thing.value):
            return Origin(Who.YOU, thing.value)
        given = list(spelled(call.arguments.get(thing.argument)))
        if not drawn and (vouched := self._by_name(call, thing, given, foreign)):
            return vouched
        if thing.written_before:
            return Origin(Who.WRITTEN_TO)
        if (seen := self._doubts.get(thing.value.lower())) is not None:
            return Origin(Who.CONTENT, seen)
        return self._seen(thing.value)

    def _by_name(self, call: Call, thing: Resolved, given: list[str], foreign: bool) -> Origin | None:
        """The origin of an address that was picked, or came out of the address book by name or handle."""
        if self._said.picked(call, thing.argument, thing.value) or (
            len(given) == 1 and self._said.picked(call, thing.argument, given[0])
        ):
            return Origin(Who.YOU, thing.label)
        written_out = [addresses(item) for item in given if "@" in item]
        if not all(written_out) or any(thing.value.lower() in found for found in written_out):
            return None
        if thing.value.lower() in self._doubts:
            return None
        names = [item for item in given if "@" not in item and find_run(item, thing.label)]
        if typed := next((words for name in names if (words := self._said.typed(name))), None):
            return Origin(Who.YOU, typed)
        fresh = any(self._made.get(value) == len(self._said.lines) for value in (thing.value, *given))
        known = bool(names) or (bool(given) and not written_out)
        return Origin(Who.CONFIG, "address book") if known and not fresh and not foreign else None

    def _of_object(self, call: Call, thing: Resolved, by_code: bool) -> Origin:
        if self._said.chose(call, thing.argument):
            return Origin(Who.YOU, thing.label)
        for name in dict.fromkeys(_names(thing)):
            if is_name(name) and (words := self._said.typed(name, self._since(thing, name))):
                return Origin(Who.YOU, words)
        return Origin(Who.CONFIG) if by_code else self._seen(thing.label)

    def _since(self, thing: Resolved, name: str) -> int:
        """The line from which on a name speaks for a thing: what was made or renamed is named anew."""
        return max(self._made.get(thing.value, 0), self._made.get(spoken(name), 0))

    def _of_words(self, call: Call, argument: str, by_code: bool) -> Origin:
        """YOU if every word of the argument was typed or picked; what code proposes was not typed for it."""
        if by_code and not self._said.chose(call, argument):
            return Origin(Who.CONFIG)
        if words := self._said.words_of(call, argument):
            return Origin(Who.YOU, words)
        return self._seen(" ".join(spelled(call.arguments.get(argument))))

    def _seen(self, text: str) -> Origin:
        """Not the person's: from a text that was read if there was any, else of the model's own making."""
        if not self._read:
            return Origin(Who.MODEL)
        for source in self._read:
            if find_run(text, source.text) or fold(text) in addresses(source.text):
                return Origin(Who.CONTENT, source.name)
        return Origin(Who.CONTENT)

    def _named(self, prepared: Prepared) -> bool:
        """True if a call is about one thing, and the person named it."""
        targets = [thing for thing in prepared.resolved if thing.role is Role.TARGET]
        return len(targets) == 1 and self._of_object(prepared.call, targets[0], False).who is Who.YOU


def worst(one: Origin, other: Origin) -> Origin:
    """The origin of what is made of two values: that of the less trusted."""
    return max(one, other, key=lambda origin: (origin.who, origin.seen))


def _strange(prepared: Prepared, traced: Sequence[Origin]) -> Iterator[str]:
    for thing, origin in zip(prepared.resolved, traced, strict=True):
        if thing.role is Role.DESTINATION and origin.who > Who.YOU and not thing.written_before:
            yield thing.value


def _nothing_said(prepared: Prepared, traced: Sequence[Origin]) -> bool:
    """True if some words that go out are not the person's, and somebody they go to was not named either."""
    things = list(zip(prepared.resolved, traced, strict=True))
    unnamed = any(thing.role is Role.DESTINATION and origin.who > Who.YOU for thing, origin in things)
    return unnamed and any(
        thing.role is Role.CONTENT and origin.who >= Who.CONTENT for thing, origin in things
    )


def _names(thing: Resolved) -> Iterator[str]:
    """What a thing may be called: its label, the subject in "sender: subject", a path's last part."""
    yield from (thing.label, thing.value, thing.label.partition(": ")[2])
    yield from (PurePosixPath(place).name for place in (thing.label, thing.value) if "/" in place)


def _outward(prepared: Prepared) -> tuple[str, ...]:
    """All the text that a call takes out."""
    contents = (thing.value for thing in prepared.resolved if thing.role is Role.CONTENT)
    return (prepared.preview.body or "", *contents)


def _outward_links(prepared: Prepared) -> frozenset[str]:
    return frozenset().union(*map(links, _outward(prepared)))
