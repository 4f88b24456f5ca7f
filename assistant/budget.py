"""How much one goal may do, counted by attempts, and when repeating itself ends it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from connectors.base import Call, Effect

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds for one goal: attempts of any kind, effects, sends, denials, answers that cannot be read, and
    calls outside the plan that may be put to the person at all.
    """

    calls: int = 12
    effects: int = 5
    sends: int = 3
    denials: int = 3
    same: int = 3
    garbled: int = 2
    additions: int = 2


class Budget:
    """Counts what one goal has attempted; each question answers with a reason to stop, or None."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._calls = 0
        self._effects = 0
        self._sends = 0
        self._denials = 0
        self._garbled = 0
        self._additions = 0
        self._attempts: Counter[Key] = Counter()
        self._failed: set[Key] = set()

    def attempt(self, call: Call) -> str | None:
        """Count one attempt of a call, before it is prepared."""
        key = _key(call)
        self._calls += 1
        self._attempts[key] += 1
        if self._attempts[key] >= self._limits.same:
            return f"the same request came {self._limits.same} times"
        if self._calls > self._limits.calls:
            return f"one goal may make {self._limits.calls} calls at most"
        return None

    def spend(self, effects: Iterable[Effect]) -> str | None:
        """Count the effects of a call that is about to be asked for."""
        kinds = set(effects)
        changes, sends = bool(kinds - {Effect.READ, Effect.MARK}), Effect.SEND in kinds
        self._effects += changes
        self._sends += sends
        if changes and self._effects > self._limits.effects:
            return f"one goal may change {self._limits.effects} things at most"
        if sends and self._sends > self._limits.sends:
            return f"one goal may send {self._limits.sends} messages at most"
        return None

    def denied(self) -> str | None:
        self._denials += 1
        return "you said no three times" if self._denials >= self._limits.denials else None

    def may_add(self) -> bool:
        """Count one more call that wants into the plan; False once that was often enough."""
        self._additions += 1
        return self._additions <= self._limits.additions

    def misread(self) -> str | None:
        self._garbled += 1
        return "the model's answers cannot be read" if self._garbled > self._limits.garbled else None

    def has_failed(self, call: Call) -> bool:
        """True if this very call has failed and nothing has been mended since: it is not run again."""
        return _key(call) in self._failed

    def failed(self, call: Call) -> None:
        """Remember a failure, so that the unchanged call is not run again."""
        self._failed.add(_key(call))

    def mended(self, call: Call) -> None:
        """A repair removed what stood in a call's way: it may be tried again."""
        self._failed.discard(_key(call))
        self._attempts[_key(call)] = 0


def _key(call: Call) -> Key:
    return call.tool, repr(sorted(call.arguments.items()))
