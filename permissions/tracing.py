"""Where each value of a call comes from: the person's own words, their address book, a text, or the model."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from connectors.base import Call, Resolved, Role
from permissions.learnt import Learnt
from permissions.said import Said
from permissions.tokens import addresses, find_run, is_name, spoken
from permissions.values import spelled
from permissions.words import Origin, Who


class Tracing:
    """Finds the origin of single values by exact rules, out of what was said and what was learnt."""

    def __init__(self, said: Said, learnt: Learnt) -> None:
        self._said = said
        self._learnt = learnt

    def origin(
        self, call: Call, thing: Resolved, drawn: set[str], by_code: bool, foreign: frozenset[str]
    ) -> Origin:
        """The origin of one thing; `drawn` are the arguments that name objects, for the rest see `trace`."""
        match thing.role:
            case Role.DESTINATION if "@" in thing.value:
                return self._of_address(call, thing, thing.argument in drawn, thing.argument in foreign)
            case _ if not thing.argument:
                return Origin(Who.CONFIG)
            case Role.DESTINATION | Role.TARGET:
                return self.of_object(call, thing, by_code)
            case Role.CONTENT | Role.BOUND:
                return self.of_words(call, thing.argument, by_code)

    def of_object(self, call: Call, thing: Resolved, by_code: bool) -> Origin:
        """An object is the person's if they picked it, or typed its name since it was made."""
        if self._said.chose(call, thing.argument):
            return Origin(Who.YOU, thing.label)
        for name in dict.fromkeys(_names(thing)):
            since = self._learnt.since(thing.value, spoken(name))
            if is_name(name) and (words := self._said.typed(name, since)):
                return Origin(Who.YOU, words)
        return Origin(Who.CONFIG) if by_code else self._learnt.seen(thing.label)

    def of_words(self, call: Call, argument: str, by_code: bool) -> Origin:
        """YOU if every word of the argument was typed or picked; what code proposes was not typed for it."""
        if by_code and not self._said.chose(call, argument):
            return Origin(Who.CONFIG)
        if words := self._said.words_of(call, argument):
            return Origin(Who.YOU, words)
        return self._learnt.seen(" ".join(spelled(call.arguments.get(argument))))

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
        if (seen := self._learnt.doubt(thing.value)) is not None:
            return Origin(Who.CONTENT, seen)
        return self._learnt.seen(thing.value)

    def _by_name(self, call: Call, thing: Resolved, given: list[str], foreign: bool) -> Origin | None:
        """The origin of an address that was picked, or came out of the address book by name or handle."""
        if self._said.picked(call, thing.argument, thing.value) or (
            len(given) == 1 and self._said.picked(call, thing.argument, given[0])
        ):
            return Origin(Who.YOU, thing.label)
        written_out = [addresses(item) for item in given if "@" in item]
        if not all(written_out) or any(thing.value.lower() in found for found in written_out):
            return None
        if self._learnt.doubt(thing.value) is not None:
            return None
        names = [item for item in given if "@" not in item and find_run(item, thing.label)]
        if typed := next((words for name in names if (words := self._said.typed(name))), None):
            return Origin(Who.YOU, typed)
        fresh = self._learnt.is_fresh((thing.value, *given))
        known = bool(names) or (bool(given) and not written_out)
        return Origin(Who.CONFIG, "address book") if known and not fresh and not foreign else None


def _names(thing: Resolved) -> Iterator[str]:
    """What a thing may be called: its label, the subject in "sender: subject", a path's last part."""
    yield from (thing.label, thing.value, thing.label.partition(": ")[2])
    yield from (PurePosixPath(place).name for place in (thing.label, thing.value) if "/" in place)
