"""Short names for things that were listed: the model points with `event:2`, and code knows what that is."""

from collections import Counter
from collections.abc import Sequence

from pydantic import JsonValue

from assistant.model.base import Result, Turn


class Handles:
    """The short names of one conversation, numbered by kind in the order in which things were first listed.

    They follow from the turns alone, so that a conversation that is taken up again has the same.
    """

    def __init__(self, turns: Sequence[Turn] = ()) -> None:
        self._short: dict[str, str] = {}
        self._long: dict[str, str] = {}
        self._counts: Counter[str] = Counter()
        for turn in turns:
            self.learn(turn)

    def learn(self, turn: Turn) -> None:
        """Name what a turn lists."""
        if isinstance(turn, Result):
            for item in turn.outcome.items:
                self._name(item.handle)

    def short(self, value: JsonValue) -> JsonValue:
        """A value with every handle in it by its short name; what was never listed stays as it is."""
        return _mapped(value, self._short)

    def long(self, value: JsonValue) -> JsonValue:
        """A value with every short name in it as the handle that it stands for."""
        return _mapped(value, self._long)

    def name(self, handle: str) -> str:
        """The short name of one handle."""
        return self._short.get(handle, handle)

    def _name(self, handle: str) -> None:
        kind = handle.partition(":")[0]
        if not kind or handle in self._short:
            return
        self._counts[kind] += 1
        short = f"{kind}:{self._counts[kind]}"
        self._short[handle] = short
        self._long[short] = handle


def _mapped(value: JsonValue, names: dict[str, str]) -> JsonValue:
    match value:
        case str():
            return names.get(value.strip(), value)
        case list() | tuple():
            return [_mapped(item, names) for item in value]
        case dict():
            return {key: _mapped(item, names) for key, item in value.items()}
        case _:
            return value
