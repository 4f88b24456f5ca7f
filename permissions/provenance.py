"""Who wrote each value of a call: the person, their settings, a correspondent, a text, or the model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from connectors.base import Arguments, Call, Outcome, Prepared, Resolved, Role
from permissions.facts import Doubt, Fact, Read, kept_addresses, making, reading
from permissions.learnt import Learnt
from permissions.outgoing import Domains, Outgoing, People
from permissions.recipients import Acquaintance
from permissions.said import Said, Span
from permissions.tracing import Tracing
from permissions.words import Flag, Origin, Who

__all__ = ["PASTED", "Acquaintance", "Provenance", "worst"]

PASTED = "what you pasted"
"""What a pasted text is called where a value comes from it."""
_REMEMBERED = 100_000


def _nobody() -> Iterable[Acquaintance]:
    return ()


class Provenance:
    """What is known of one session about where values come from.

    `known` are the mail domains of the person's own and their address book's addresses, or what gives them as
    they are by now; `doubts` the addresses that earlier sessions wrote down without the person having said
    them; `people` gives everybody in the address book, and the person.
    """

    def __init__(self, known: Domains = (), doubts: Iterable[Doubt] = (), people: People = _nobody) -> None:
        self._said = Said()
        self._learnt = Learnt(self._said, doubts)
        self._tracing = Tracing(self._said, self._learnt)
        self._outgoing = Outgoing(self._said, self._learnt, known, people)

    @property
    def tainted(self) -> bool:
        """True once foreign text has entered the model's context after the last goal was typed."""
        return self._learnt.tainted

    @property
    def lines(self) -> tuple[str, ...]:
        """What the person typed, line by line."""
        return tuple(self._said.lines)

    def say(self, text: str, pasted: Sequence[Span] = ()) -> None:
        """The person typed a goal, for which the model begins with nothing read; earlier picks are over.

        `pasted` are the pieces of it that were not typed: others may have written them.
        """
        self._said.say(text, pasted)
        self._learnt.tainted = False
        for start, end in pasted:
            self._learnt.recall(Read(PASTED, text[start:end][:_REMEMBERED], named=True))

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
        self._learnt.note(Read(source, text[:_REMEMBERED]))

    def learn(self, prepared: Prepared, outcome: Outcome) -> None:
        """Take in what a call that was done has shown to the model, and what it made or renamed."""
        if read := reading(prepared, outcome, named=False):
            named = self._named(prepared)
            self._learnt.note(replace(read, text=read.text[:_REMEMBERED], named=named))
        if made := making(prepared, outcome):
            self._learnt.note(made)
        for address in kept_addresses(prepared, outcome):
            if not self._said.vouches(address, prepared.call):
                self._learnt.note(Doubt(address, self._learnt.seen(address).seen))

    def recall(self, fact: Fact) -> None:
        """Take in what was learnt in an earlier session."""
        self._learnt.recall(fact)

    def news(self) -> tuple[Fact, ...]:
        """What was learnt since this was last asked, for keeping."""
        return self._learnt.news()

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
        return tuple(self._tracing.origin(call, thing, drawn, by_code, foreign) for thing in resolved)

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
                found[argument] = self._tracing.of_words(call, argument, by_code)
        return found

    def flags(self, prepared: Prepared, traced: Sequence[Origin]) -> frozenset[Flag]:
        """What only this side sees of a call that goes out."""
        return self._outgoing.flags(prepared, traced)

    def carried(self, prepared: Prepared) -> tuple[str, ...]:
        """The texts, by name, out of which a call that goes out carries what the person did not mention."""
        return self._outgoing.carried(prepared)

    def resemblances(self, prepared: Prepared, traced: Sequence[Origin]) -> tuple[tuple[str, str], ...]:
        """Each destination that is not the person's, with the known domain that its own looks like."""
        return self._outgoing.resemblances(prepared, traced)

    def _named(self, prepared: Prepared) -> bool:
        """True if a call is about one thing, and the person named it."""
        targets = [thing for thing in prepared.resolved if thing.role is Role.TARGET]
        if len(targets) != 1:
            return False
        return self._tracing.of_object(prepared.call, targets[0], False).who is Who.YOU


def worst(one: Origin, other: Origin) -> Origin:
    """The origin of what is made of two values: that of the less trusted."""
    return max(one, other, key=lambda origin: (origin.who, origin.seen))
