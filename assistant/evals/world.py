"""What a measurement needs of a world; the composition root makes one out of real services."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from assistant.evals.scenario import FaultRule
from assistant.evals.worldspec import WorldSpec
from assistant.model.base import Model
from assistant.session import Session
from connectors.base import Prepared
from permissions.gate import Gate


class World(Protocol):
    """A throw-away world with the real services over it."""

    @property
    def gate(self) -> Gate: ...

    @property
    def now(self) -> datetime: ...

    def session(self, model: Model) -> Session:
        """A conversation in this world."""
        ...

    def state(self) -> tuple[str, ...]:
        """All that can be brought about here, as sorted lines that can be compared."""
        ...

    def done(self) -> Sequence[Prepared]:
        """What the services have carried out so far."""
        ...

    def move(self, rule: FaultRule) -> None:
        """Let the world change as the rule says, as by another program. Raises ValueError or OSError."""
        ...


class Worlds(Protocol):
    """Makes worlds."""

    def open(self, spec: WorldSpec, faults: Sequence[FaultRule] = ()) -> AbstractAsyncContextManager[World]:
        """A world that is gone afterwards. Raises ValueError for one that cannot be."""
        ...
