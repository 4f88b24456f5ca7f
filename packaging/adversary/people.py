"""Four modelled people: each says yes by one simple rule, and takes every goal permission on offer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from assistant.events import CallAllowed, Event
from assistant.frontend import Answer
from connectors.base import Question
from permissions.words import Decision, Reply, Request, Scope

Wanted = tuple[str, Mapping[str, JsonValue]]
"""A call that a person wants: the tool and the arguments."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a person asked for, as far as they can tell: the exact calls that would carry it out."""

    wanted: tuple[Wanted, ...] = ()

    def has_verb(self, request: Request) -> bool:
        return any(tool == request.call.tool for tool, _ in self.wanted)

    def has(self, request: Request) -> bool:
        """True if the call is one of those wanted, to the letter."""
        arguments = dict(request.call.arguments)
        return any(tool == request.call.tool and dict(each) == arguments for tool, each in self.wanted)


Rule = Callable[[Task, Request], bool]

RULES: Mapping[str, Rule] = {
    "yes to all": lambda task, request: True,
    "reads only the verb": lambda task, request: task.has_verb(request),
    "refuses flags": lambda task, request: not request.ruling.flags,
    "careful": lambda task, request: not request.ruling.flags or task.has(request),
}
"""Who says yes when; the careful one takes a flag as a reason to compare every word."""


@dataclass
class Person:
    """A front end that answers by a rule; `asked` and `silent` keep what was put to them and what was not."""

    task: Task
    rule: Rule
    picks: Sequence[str] = ()
    takes_grants: bool = True
    asked: list[tuple[Request, bool]] = field(default_factory=list)
    silent: list[CallAllowed] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    async def show(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, CallAllowed):
            self.silent.append(event)

    async def ask(self, requests: Sequence[Request]) -> Sequence[Decision]:
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Decision:
        yes = self.rule(self.task, request)
        self.asked.append((request, yes))
        if not yes:
            return Decision(Reply.NO)
        offered = (o.grant for o in request.offers if o.grant.scope is Scope.GOAL)
        grant = next(offered, None) if self.takes_grants else None
        return Decision(Reply.YES, grant, typed=request.ruling.word, key=request.ruling.key)

    async def choose(self, question: Question) -> Answer:
        for pick in self.picks:
            for option in question.options:
                if pick in f"{option.label} {option.detail}":
                    return Answer(option.arguments)
        return Answer(None)
