"""The shape of a verb, and how one that only touches files is kept off the event loop."""

import asyncio
from typing import Protocol

from connectors.base import Call, Context, Outcome, Prepared, Question


class Verb(Protocol):
    """One thing that can be asked of the mailbox; both may raise OSError."""

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome: ...

    async def perform(self, prepared: Prepared) -> Outcome: ...


class LocalVerb(Protocol):
    """A verb that waits for nothing but the disk."""

    def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome: ...

    def perform(self, prepared: Prepared) -> Outcome: ...


class Threaded:
    """Runs a local verb in a thread, so that a slow disk stops nobody else."""

    def __init__(self, verb: LocalVerb) -> None:
        self._verb = verb

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        return await asyncio.to_thread(self._verb.prepare, call, context)

    async def perform(self, prepared: Prepared) -> Outcome:
        return await asyncio.to_thread(self._verb.perform, prepared)
