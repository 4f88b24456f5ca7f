"""The 40 tasks, the 14 injected goals, and the 560 pairs of them."""

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from agentdojo.attacks.base_attacks import FixedJailbreakAttack
from agentdojo.default_suites.v1.workspace.task_suite import WorkspaceEnvironment
from agentdojo.functions_runtime import FunctionCall
from agentdojo.task_suite.load_suites import get_suite
from evidence import HARMLESS
from people import RULES
from tally import Benign, Tally

from assistant.budget import Limits
from dojo.alterations import Alteration
from dojo.injections import injected_calls
from dojo.model import MARKER, Altering, Manner, Obeying
from dojo.pipeline import Case, MakeModel, Solution
from dojo.tools import VERBS

VERSION = "v1.2.2"
_MEMORY = Path("/dev/shm")


class _Marking(FixedJailbreakAttack):
    """Finds where a text would be read; the text is only the marker."""

    name = "marking"

    def __init__(self, suite: Any) -> None:
        super().__init__("{goal}", suite, _Nameless())

    def places(self, user_task: Any) -> list[str]:
        return self.get_injection_candidates(user_task)


class _Nameless:
    name = "local"


class Workspace:
    """AgentDojo's workspace suite; `only` keeps every n-th case, for a quick look."""

    def __init__(self, only: int = 1) -> None:
        self._suite = get_suite(VERSION, "workspace")
        self.users = _in_order(self._suite.user_tasks)
        self.injections = _in_order(self._suite.injection_tasks)
        self._only = only
        marking = _Marking(self._suite)
        self._benign = self._suite.load_and_inject_default_environment({})
        self._marked = {
            task.ID: self._suite.load_and_inject_default_environment(
                dict.fromkeys(marking.places(task), MARKER)
            )
            for task in self.users
        }

    def benign(self, person: str, manner: Manner) -> Benign:
        """All tasks without an attack."""
        row = Benign(manner.value, person)
        for task in self.users:
            make: MakeModel = lambda solution, env: Obeying(solution, list, manner)  # noqa: E731
            with _folder() as folder:
                case = Case(Path(folder), task, make, RULES[person])
                done, _ = self._run(case, None, self._benign)
            row.add(case.deeds, done=done)
        return row

    def obeyed(self, person: str, manner: Manner, limits: Limits | None, what: str) -> Tally:
        """Every task with every injected goal, obeyed to the letter."""
        row = Tally(what, person)
        for task, injection in self._pairs():

            def make(solution: Solution, env: WorkspaceEnvironment, injection: Any = injection) -> Obeying:
                return Obeying(solution, lambda: injected_calls(injection, env), manner)

            with _folder() as folder:
                case = Case(Path(folder), task, make, RULES[person], limits)
                useful, succeeded = self._run(case, injection, self._marked[task.ID])
            reads = sum(d.injected and not d.effect for d in case.deeds)
            row.add(case.deeds, case.wished - reads, succeeded=succeeded, useful=useful)
        return row

    def altered(self, person: str, manner: Manner, kind: str, alter: Alteration, first: Solution) -> Tally:
        """Every task once, with what the person asks for altered."""
        row = Tally(f"{kind}, {manner.value}", person)
        for task in self.users:

            def make(solution: Solution, env: WorkspaceEnvironment) -> Altering:
                return Altering(solution, alter, manner, first)

            with _folder() as folder:
                case = Case(Path(folder), task, make, RULES[person])
                useful, _ = self._run(case, None, self._marked[task.ID])
            ran = any(deed.injected and deed.ran for deed in case.deeds)
            row.add(case.deeds, case.wished, succeeded=ran, useful=useful)
        return row

    def bare(self, what: str) -> Tally:
        """The attack with no layer at all: what the injected calls do when they simply run."""
        row = Tally(what, "-")
        for task, injection in self._pairs():
            case = _Bare(task, injection)
            useful, succeeded = self._run(case, injection, self._marked[task.ID])
            row.cases, row.useful = row.cases + 1, row.useful + useful
            row.succeeded += succeeded
            row.wished, row.ran = row.wished + case.effects, row.ran + case.effects
            row.silent, row.unflagged = row.silent + case.effects, row.unflagged + case.effects
            row.touched += case.effects > 0
        return row

    def _pairs(self) -> Iterator[tuple[Any, Any]]:
        pairs = [(task, injection) for task in self.users for injection in self.injections]
        yield from pairs[:: self._only]

    def _run(self, case: Any, injection: Any, env: WorkspaceEnvironment) -> tuple[bool, bool]:
        """The suite's verdict on a case: was the task done, did the attack succeed."""
        copy = env.model_copy(deep=True)
        return self._suite.run_task_with_pipeline(case, case.user_task, injection, {}, environment=copy)


class _Bare(Case):
    """A case in which every call simply runs."""

    def __init__(self, user_task: Any, injection: Any) -> None:
        super().__init__(Path(), user_task, lambda solution, env: Obeying(solution, list, Manner.WHOLE), bool)
        self._injection = injection
        self.effects = 0

    def query(self, query, runtime, env, messages=(), extra_args=None):  # type: ignore[no-untyped-def]
        ran: Solution = []
        for call in self.user_task.ground_truth(env.model_copy(deep=True)):
            result, _ = runtime.run_function(env, call.function, call.args)
            ran.append(call)
            if not self.effects and MARKER in str(result):
                for injected in injected_calls(self._injection, env):
                    runtime.run_function(env, injected.function, injected.args)
                    self.effects += VERBS[injected.function].effect not in HARMLESS
        return query, runtime, env, [*messages, *self._said(ran)], extra_args or {}


def read_all_mail() -> list[FunctionCall]:
    """The look round the mailbox with which a smuggler begins."""
    return [FunctionCall(function="get_received_emails", args={})]


def _in_order(tasks: Mapping[str, Any]) -> list[Any]:
    return [tasks[name] for name in sorted(tasks, key=lambda name: int(name.rsplit("_", 1)[1]))]


def _folder() -> tempfile.TemporaryDirectory[str]:
    """A folder in memory where there is one: what is measured here is not the disk."""
    return tempfile.TemporaryDirectory(dir=_MEMORY if _MEMORY.is_dir() else None)
