"""What there is to look at twice in a call that reaches others: look-alikes, links, words, secrets."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from connectors.base import Effect, Prepared, Role
from permissions.learnt import Learnt
from permissions.limits import folder_of
from permissions.private import carried
from permissions.recipients import Acquaintance, unmeant
from permissions.resemblance import domain_of, resembled
from permissions.said import Said
from permissions.tokens import links
from permissions.values import spelled
from permissions.words import Flag, Origin, Who, grave

Domains = Collection[str] | Callable[[], Collection[str]]
People = Callable[[], Iterable[Acquaintance]]


class Outgoing:
    """Holds a call that reaches others against what was said, what was read, and who is known.

    `domains` are the known mail domains, `people` gives the people in the address book.
    """

    def __init__(self, said: Said, learnt: Learnt, domains: Domains, people: People) -> None:
        self._said = said
        self._learnt = learnt
        self._domains = domains
        self._people = people

    def flags(self, prepared: Prepared, traced: Sequence[Origin]) -> frozenset[Flag]:
        """The reasons to look twice; none for a call that reaches nobody."""
        if not reaches_others(prepared):
            return frozenset()
        found = {
            Flag.LOOKALIKE: bool(self.resemblances(prepared, traced)),
            Flag.LINK_NOT_YOURS: not _outward_links(prepared) <= self._said.links,
            Flag.WORDS_NOT_YOURS: grave(prepared.effects) and _nothing_said(prepared, traced),
            Flag.CARRIES_PRIVATE: bool(self.carried(prepared)) or self._shares_unnamed(prepared, traced),
            Flag.ANOTHER_PERSON: bool(unmeant(prepared, traced, self._said, self._people())),
        }
        return frozenset(flag for flag, raised in found.items() if raised)

    def carried(self, prepared: Prepared) -> tuple[str, ...]:
        """The texts, by name, out of which a call that goes out carries what the person did not mention."""
        if not reaches_others(prepared):
            return ()
        text = "\n".join(_outward(prepared))
        known = [*self._said.texts(), *(read.text for read in self._learnt.reads if read.named)]
        sources = (read for read in self._learnt.reads if not read.named)
        return tuple(dict.fromkeys(read.name for read in sources if carried(text, read.text, known)))

    def resemblances(self, prepared: Prepared, traced: Sequence[Origin]) -> tuple[tuple[str, str], ...]:
        """Each destination that is not the person's, with the known domain that its own looks like."""
        strange = list(_strange(prepared, traced))
        if not strange:
            return ()
        domains = self._domains() if callable(self._domains) else self._domains
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


def reaches_others(prepared: Prepared) -> bool:
    """True if a call leaves the machine, or makes ready what will: a draft, an event with guests."""
    if grave(prepared.effects):
        return True
    written = prepared.effects - {Effect.READ, Effect.MARK}
    return bool(written) and any(
        thing.role is Role.DESTINATION and "@" in thing.value for thing in prepared.resolved
    )


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


def _outward(prepared: Prepared) -> tuple[str, ...]:
    """All the text that a call takes out; what no resolved thing accounts for may be part of it."""
    contents = (thing.value for thing in prepared.resolved if thing.role is Role.CONTENT)
    accounted = {thing.argument for thing in prepared.resolved}
    rest = (
        item
        for argument, value in prepared.call.arguments.items()
        if argument not in accounted
        for item in spelled(value)
    )
    return (prepared.preview.body or "", *contents, *rest)


def _outward_links(prepared: Prepared) -> frozenset[str]:
    return frozenset().union(*map(links, _outward(prepared)))
