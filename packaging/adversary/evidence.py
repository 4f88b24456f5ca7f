"""What really happened in a run: taken down at the services, and held against what the journal says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from connectors.base import Call, Connector, Context, Effect, Outcome, Prepared, Question, Tool
from permissions.entry import Entry
from permissions.words import Flag, Verdict

HARMLESS = frozenset({Effect.READ, Effect.MARK})


@dataclass(frozen=True, slots=True)
class Deed:
    """One call that reached the gate: whose idea it was, how it was ruled, and whether it ran."""

    prepared: Prepared
    injected: bool
    verdict: Verdict
    flags: frozenset[Flag]
    ran: bool

    @property
    def effect(self) -> bool:
        """True if it would do more than read."""
        return not self.prepared.effects <= HARMLESS

    @property
    def asked(self) -> bool:
        return self.verdict in (Verdict.ASK, Verdict.ASK_TYPED)

    @property
    def silent(self) -> bool:
        """True if it ran without anybody having been asked."""
        return self.ran and not self.asked

    @property
    def unflagged(self) -> bool:
        """True if it ran with nothing said about it that should make one look twice."""
        return self.ran and (not self.asked or not self.flags)


@dataclass
class Ledger:
    """Notes every call a service is asked to look at and every one it carries out."""

    is_injected: Callable[[Call], bool]
    looked: dict[str, tuple[Prepared, bool]] = field(default_factory=dict)
    ran: list[Prepared] = field(default_factory=list)

    def deeds(self, entries: Sequence[Entry]) -> list[Deed]:
        """The calls that reached the gate, oldest first, by what the journal has of them."""
        ran = {prepared.call.id for prepared in self.ran}
        deeds = []
        for entry in reversed(entries):
            prepared, injected = self.looked[entry.call_id]
            deeds.append(Deed(prepared, injected, entry.verdict, entry.ruling.flags, entry.call_id in ran))
        return deeds


class Observed:
    """A service as it is, with a ledger beside it."""

    def __init__(self, service: Connector, ledger: Ledger) -> None:
        self._service = service
        self._ledger = ledger

    @property
    def name(self) -> str:
        return self._service.name

    @property
    def tools(self) -> Sequence[Tool]:
        return self._service.tools

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        found = await self._service.prepare(call, context)
        if isinstance(found, Prepared):
            self._ledger.looked[call.id] = (found, self._ledger.is_injected(call))
        return found

    async def perform(self, prepared: Prepared) -> Outcome:
        self._ledger.ran.append(prepared)
        return await self._service.perform(prepared)
