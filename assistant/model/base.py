"""What the conversation asks of a model, and the pieces it answers in."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from pydantic import JsonValue

from connectors.base import Call, Outcome, Tool


@dataclass(frozen=True, slots=True)
class Goal:
    """What the person typed; `pasted` are the pieces of it, each from a place until before another, that
    came from elsewhere.
    """

    text: str
    pasted: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A call that was taken up, as the model wrote it; `tainted` if it had read foreign text for the goal.

    Calls of one answer have the same number `answer`; 0 where it is not known what was one answer.
    """

    call: Call
    tainted: bool = False
    answer: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a call: its outcome, or a denial in words; foreign text is fenced for the model.

    `edited` are the arguments that the person wrote anew before it ran.
    """

    call_id: str
    outcome: Outcome
    edited: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model said to the person; `tainted` if it had read foreign text for the goal."""

    text: str
    tainted: bool = False


Turn = Goal | Proposal | Result | Reply


@dataclass(frozen=True, slots=True)
class Loading:
    """The model is being made ready or is reading; `fraction` of 1, or None where it is not known."""

    stage: str
    fraction: float | None = None


@dataclass(frozen=True, slots=True)
class Thought:
    """A piece of the model's reasoning: shown folded, never read for calls."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of what the model says; `asked` says that it is a question in the form of a call."""

    text: str
    asked: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Wish:
    """A call the model asks for; the tool and arguments are its own words and not yet checked.

    `confidence` is how sure it was, from 0 to 1, where that is known.
    """

    tool: str
    arguments: Mapping[str, JsonValue]
    confidence: float | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Garbled:
    """Output that was meant as a call but cannot be read; `why` is a short sentence for the model."""

    raw: str
    why: str


@dataclass(frozen=True, slots=True)
class NoToolFits:
    """The model says that none of the tools can do this; `confidence` as of a wish."""

    confidence: float | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Otherwise:
    """The answer is doubtful: what else the goal may mean; no wishes mean that no tool fits."""

    wishes: tuple[Wish, ...]


@dataclass(frozen=True, slots=True)
class Cut:
    """The answer ended at a limit; nothing unfinished in it may run."""

    why: str


@dataclass(frozen=True, slots=True)
class Remark:
    """Something the person should know about how an answer came about, as a sentence."""

    text: str


Piece = Loading | Thought | Text | Wish | Garbled | NoToolFits | Otherwise | Cut | Remark


class Model(Protocol):
    """A planner. `respond` ends when the model has no more to say to this transcript; closing it cancels."""

    @property
    def name(self) -> str: ...

    def respond(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> AsyncGenerator[Piece]: ...

    async def close(self) -> None: ...


@runtime_checkable
class ReadsAhead(Protocol):
    """A model that can read a conversation before the next goal is typed: it has less to read then."""

    async def read_ahead(self, transcript: Sequence[Turn], tools: Sequence[Tool]) -> None:
        """Read what is known of the next request, while nothing else is to be done. Raises ModelError."""
        ...


class ModelError(Exception):
    """The model cannot answer; the text is a plain sentence for the person.

    ModelError
     ├─ ModelLost       its process ended in the middle
     └─ ModelUnusable   the file is missing, broken or of an unknown kind
    """


class ModelLost(ModelError):
    """The model's process ended in the middle; the next request starts it again."""


class ModelUnusable(ModelError):
    """The model file is missing, broken or of a kind that cannot be used."""
