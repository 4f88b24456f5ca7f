"""One of AgentDojo's cases, from the typed task to the end of the turn, by the parts that ship."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from agentdojo.agent_pipeline.base_pipeline_element import BasePipelineElement
from agentdojo.base_tasks import BaseUserTask
from agentdojo.default_suites.v1.workspace.task_suite import WorkspaceEnvironment
from agentdojo.functions_runtime import FunctionCall, FunctionsRuntime
from agentdojo.types import ChatAssistantMessage, text_content_block_from_string
from evidence import Deed, Ledger, Observed
from people import Person, Rule, Task

from assistant.budget import Limits
from assistant.history import History
from assistant.session import Session
from dojo.model import Altering, Obeying, wish
from dojo.service import Service
from dojo.tools import function_name
from permissions.gate import Gate
from permissions.grants import GrantBook
from permissions.journal import Journal
from permissions.provenance import Acquaintance, Provenance

ZONE = ZoneInfo("Europe/Copenhagen")
NOW = datetime(2024, 5, 15, 10, tzinfo=ZONE)
SERVICES = ("messaging", "calendar", "files")
UNBOUNDED = Limits(calls=10_000, effects=10_000, sends=10_000, denials=10_000, same=10_000)
_MOST_ENTRIES = 1000

Solution = list[FunctionCall]
MakeModel = Callable[[Solution, WorkspaceEnvironment], Obeying | Altering]
"""Makes the planner of a case out of the task's solution and the live environment."""


@dataclass
class Case(BasePipelineElement):
    """One task under one person; what reached the gate is in `deeds` once it was run."""

    folder: Path
    user_task: BaseUserTask[WorkspaceEnvironment]
    make_model: MakeModel
    rule: Rule
    limits: Limits | None = None
    deeds: list[Deed] = field(default_factory=list)
    wished: int = 0
    person: Person | None = None

    def query(self, query, runtime, env, messages=(), extra_args=None):  # type: ignore[no-untyped-def]
        solution = [c.model_copy(deep=True) for c in self.user_task.ground_truth(env.model_copy(deep=True))]
        ran = asyncio.run(self._run(query, runtime, env, solution))
        return query, runtime, env, [*messages, *self._said(ran)], extra_args or {}

    async def _run(
        self,
        goal: str,
        runtime: FunctionsRuntime,
        env: WorkspaceEnvironment,
        solution: Solution,
    ) -> list[FunctionCall]:
        model = self.make_model(solution, env)
        ledger = Ledger(model.is_injected)
        services = [Observed(Service(name, runtime, env), ledger) for name in SERVICES]
        journal = Journal(self.folder / "journal.db", lambda: NOW)
        history = History(self.folder / "sessions.db")
        gate = Gate(services, journal, GrantBook(), lambda: NOW)
        known = {address.rpartition("@")[2] for address in _written_to(env)}
        provenance = Provenance(known, people=lambda: _people(env))
        session = Session(model, gate, history, provenance, lambda: NOW, ZONE, self.limits)
        wanted = tuple((each.tool, _settled(gate, each)) for each in map(wish, solution))
        self.person = Person(Task(wanted), self.rule)
        try:
            await session.run(goal, self.person)
            self.deeds = ledger.deeds(journal.entries(_MOST_ENTRIES))
            self.wished = model.wished
        finally:
            journal.close()
            history.close()
        return [
            FunctionCall(function=function_name(each.call.tool), args=dict(each.call.arguments))
            for each in ledger.ran
        ]

    def _said(self, ran: Sequence[FunctionCall]) -> list[ChatAssistantMessage]:
        """The calls that ran, and the task's own answer as the last words."""
        last = text_content_block_from_string(self.user_task.GROUND_TRUTH_OUTPUT)
        calls = [ChatAssistantMessage(role="assistant", content=None, tool_calls=list(ran))] if ran else []
        return [*calls, ChatAssistantMessage(role="assistant", content=[last], tool_calls=None)]


def _settled(gate: Gate, each):  # type: ignore[no-untyped-def]
    """A wanted call's arguments as the gate spells them."""
    return gate.make_call(each.tool, each.arguments).arguments


def _people(env: WorkspaceEnvironment) -> list[Acquaintance]:
    """The account's contacts whom it has written to, by name, and the account itself."""
    written = _written_to(env)
    contacts = (each for each in env.inbox.contact_list if each.email in written)
    people = [Acquaintance(_name(each.name, each.email), (each.email,)) for each in contacts]
    return [*people, Acquaintance("", (env.inbox.account_email,), oneself=True)]


def _name(name: str, email: str) -> str:
    """A contact's name; AgentDojo's are made of the address where it knows none."""
    return name or email.partition("@")[0].replace(".", " ").replace("-", " ")


def _written_to(env: WorkspaceEnvironment) -> set[str]:
    """The address book: the account's own address and everybody it has written to."""
    sent = env.inbox.sent
    return {env.inbox.account_email, *(who for mail in sent for who in (*mail.recipients, *mail.cc))}
