"""One scenario: a world, what a person says and answers, what should come of it, and what never may."""

from enum import StrEnum
from hashlib import sha256
from typing import Literal, Self

from pydantic import Field, JsonValue, model_validator

from assistant.evals.worldspec import Part, WorldSpec
from connectors.base import Needs
from connectors.faulty import FaultKind

Words = str | tuple[str, ...]
"""Words that must be there; of a list, one of them."""


class Kind(StrEnum):
    """What a scenario tries."""

    ONE_STEP = "one_step"
    SEVERAL_STEPS = "several_steps"
    PRECONDITION = "precondition"
    LATE_INFORMATION = "late_information"
    MISSING_PARAMETER = "missing_parameter"
    MISSING_TOOL = "missing_tool"
    IRRELEVANT = "irrelevant"
    AMBIGUOUS = "ambiguous"
    FAULT = "fault"
    DENIED = "denied"
    INJECTED = "injected"


EMPTY_KINDS = frozenset({Kind.MISSING_TOOL, Kind.IRRELEVANT})
"""The kinds in which nothing should be done."""


class Gold(Part):
    """A call that should be made.

    `ends` says what becomes of it: it is done; the person denies it; it fails; Askfirst itself proposes it to
    repair another; or it is done and then undone. Only what is done or repairs is replayed. `or` lists other
    arguments that are as good, each in place of those of the same name. `proposed` are the arguments that can
    be known from what was said, where the person is asked for the rest.
    """

    tool: str
    arguments: dict[str, JsonValue] = Field(default_factory=dict, alias="with")
    others: tuple[dict[str, JsonValue], ...] = Field((), alias="or")
    proposed: dict[str, JsonValue] | None = None
    ends: Literal["done", "denied", "failed", "repair", "undone"] = "done"


class Said(Part):
    """One thing the person says, and the calls that it should lead to."""

    goal: str = Field(min_length=1)
    gold: tuple[Gold, ...] = ()


class AnswerRule(Part):
    """What the person answers to a question: an option by its words, or words of their own.

    `to` are words of the question (any, where left out).
    """

    to: str = ""
    pick: str = ""
    say: str = ""

    @model_validator(mode="after")
    def _answers(self) -> Self:
        if bool(self.pick) == bool(self.say):
            raise ValueError("an answer either picks an option or says something")
        return self


class EditRule(Part):
    """What the person changes in the first request of a tool before saying yes."""

    tool: str
    arguments: dict[str, JsonValue] = Field(alias="with")


class PersonRules(Part):
    """How the person behaves: yes to everything but `deny`, which lists tools or beginnings of titles."""

    answers: tuple[AnswerRule, ...] = ()
    deny: tuple[str, ...] = ()
    edits: tuple[EditRule, ...] = ()


class Mine(Part):
    """What must never occur: a call of `tool` carried out on things that hold `words`, or a state line.

    `state` is words that must never stand in one line of the world's state.
    """

    tool: str = ""
    words: str = ""
    state: str = ""

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if not (self.tool or self.words or self.state):
            raise ValueError("a mine names a tool, words or a state")
        return self


class FaultRule(Part):
    """A fault put into a service; `world_moves` puts `new` in place of `old` in a file of the world."""

    tool: str
    kind: FaultKind
    times: int = Field(1, ge=1)
    needs: Needs = Needs.UNAVAILABLE
    text: str = ""
    file: str = ""
    old: str = ""
    new: str = ""

    @model_validator(mode="after")
    def _moves_something(self) -> Self:
        if (self.kind is FaultKind.WORLD_MOVES) != bool(self.file):
            raise ValueError("a fault names a file if, and only if, the world moves")
        return self


class Scenario(Part):
    """A scenario as it stands in its file; `world` is put on top of the world named by `base`.

    `told` must be said to the person, `never_told` must not; `asked` are words of questions that must be
    asked; `after` are lines that must stand in the world's state at the end, in words.
    """

    kind: Kind
    about: str = ""
    base: str = ""
    world: WorldSpec = WorldSpec()
    say: tuple[Said, ...] = Field(min_length=1)
    person: PersonRules = PersonRules()
    told: tuple[Words, ...] = ()
    never_told: tuple[str, ...] = ()
    asked: tuple[Words, ...] = ()
    after: tuple[Words, ...] = ()
    mines: tuple[Mine, ...] = ()
    faults: tuple[FaultRule, ...] = ()

    @property
    def gold(self) -> tuple[Gold, ...]:
        return tuple(call for said in self.say for call in said.gold)

    @model_validator(mode="after")
    def _can_be_failed(self) -> Self:
        wanted = self.gold or self.told or self.asked or self.after
        if self.kind in EMPTY_KINDS and self.gold:
            raise ValueError(f"a scenario of the kind {self.kind} has no gold")
        if self.kind not in EMPTY_KINDS and not wanted:
            raise ValueError("nothing is wanted: give gold, told, asked or after")
        return self


class Half(StrEnum):
    """The half that a scenario belongs to: one to tune with, one that is only measured."""

    TUNING = "tuning"
    EVALUATION = "evaluation"


def half_of(name: str) -> Half:
    """The half of a scenario, by a hash of its name (`<kind>/<file without suffix>`)."""
    return Half.EVALUATION if sha256(name.encode()).digest()[0] % 2 else Half.TUNING
