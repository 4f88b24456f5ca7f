"""What goes between Askfirst and the model's process: one JSON object to a line."""

from typing import Annotated, Literal

from pydantic import Field, JsonValue, TypeAdapter
from pydantic.dataclasses import dataclass

from assistant.model.shapes import ToolShape


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is chosen; a temperature of 0 takes the likeliest.

    `presence` is taken from, and `repetition` divides or multiplies, the logits of tokens that are among the
    last `window` of the answer, or anywhere in it where that is 0; not within calls that are held to a form,
    which have to repeat what was said.
    """

    temperature: float = 0.0
    top_k: int = 20
    top_p: float = 1.0
    min_p: float = 0.0
    presence: float = 0.0
    repetition: float = 1.0
    window: int = 64


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation for the model's own chat template.

    `follows` says that the last message of the assistant is the answer that this process gave last: what it
    said stands, token for token, and only what comes after is read.
    """

    messages: tuple[dict[str, JsonValue], ...]
    tools: tuple[dict[str, JsonValue], ...]
    thinking: bool
    follows: bool = False


@dataclass(frozen=True, slots=True)
class Load:
    """Load a model; with `plain`, without the processor's special matrix instructions.

    `states` is the folder that keeps what was read of the beginnings of prompts from one run to the next.
    """

    path: str
    adapter: str | None
    context: int
    threads: int
    plain: bool = False
    states: str | None = None
    kind: Literal["load"] = "load"


# How calls are written: the starter's lines, Qwen's XML, or Hermes' JSON.
Form = Literal["lines", "xml", "json"]


@dataclass(frozen=True, slots=True)
class Generate:
    """Go on from a prompt. With `calls`, the answer is held to these tools in this `form` of writing calls.

    Calls in the form of XML or JSON are held to the tools of the chat where `calls` does not say which; the
    rest of such an answer is free. An answer in lines that has a call less sure than `doubt` is given a
    second time, otherwise. Reasoning of more than `thoughts` tokens is closed, and the answer goes on; 0 sets
    no limit. In a chat, reasoning that goes round in a circle is closed too, and such an answer ended.
    """

    id: int
    prompt: str | Chat
    most_tokens: int
    sampling: Sampling = Sampling()
    calls: tuple[ToolShape, ...] | None = None
    seed: int | None = None
    doubt: float = 0.0
    form: Form = "lines"
    thoughts: int = 0
    kind: Literal["generate"] = "generate"


@dataclass(frozen=True, slots=True)
class Prepare:
    """Read a conversation ahead, as it will stand before the next goal, while nothing else is to be done."""

    id: int
    prompt: Chat
    kind: Literal["prepare"] = "prepare"


@dataclass(frozen=True, slots=True)
class Count:
    """Say how many tokens each of these texts and conversations would be, and read none of them."""

    id: int
    prompts: tuple[str | Chat, ...]
    kind: Literal["count"] = "count"


@dataclass(frozen=True, slots=True)
class Cancel:
    """Stop a generation at the next token or part of the prompt."""

    id: int
    kind: Literal["cancel"] = "cancel"


@dataclass(frozen=True, slots=True)
class Ping:
    """Say that you live, whatever you are doing."""

    kind: Literal["ping"] = "ping"


@dataclass(frozen=True, slots=True)
class Ready:
    """The model is loaded. `marks` are its own special tokens, such as `<tool_call>`, as texts."""

    context: int
    hybrid: bool
    vocabulary: int
    marks: tuple[str, ...]
    kind: Literal["ready"] = "ready"


@dataclass(frozen=True, slots=True)
class Opened:
    """The prompt is made: its end as text, its length, and how much of it was read before, in tokens."""

    id: int
    tail: str
    tokens: int
    reused: int
    kind: Literal["opened"] = "opened"


@dataclass(frozen=True, slots=True)
class Read:
    """So many tokens of the prompt are read."""

    id: int
    done: int
    total: int
    kind: Literal["read"] = "read"


@dataclass(frozen=True, slots=True)
class Said:
    """A piece of the answer; `mark` says that it is one special token and not text that looks like one."""

    id: int
    text: str
    mark: bool = False
    kind: Literal["said"] = "said"


@dataclass(frozen=True, slots=True)
class Closed:
    """The model's reasoning was closed for it, because it was too long or went round in a circle."""

    id: int
    why: Literal["long", "circle"]
    kind: Literal["closed"] = "closed"


@dataclass(frozen=True, slots=True)
class Sure:
    """How likely the line that ends now was, from 0 to 1: the product over all places it could part at."""

    id: int
    confidence: float
    kind: Literal["sure"] = "sure"


@dataclass(frozen=True, slots=True)
class Second:
    """What the answer would have been with the next likeliest token where the model was least sure."""

    id: int
    text: str
    kind: Literal["second"] = "second"


@dataclass(frozen=True, slots=True)
class Counted:
    """The lengths that were asked for, in tokens and in their order."""

    id: int
    tokens: tuple[int, ...]
    kind: Literal["counted"] = "counted"


Reason = Literal["stop", "limit", "full", "cancelled", "circle"]


@dataclass(frozen=True, slots=True)
class Ended:
    """The answer ended by itself, at its limit of tokens, because the context is full, by a cancel, or going
    round in a circle.
    """

    id: int
    reason: Reason
    tokens: int
    kind: Literal["ended"] = "ended"


@dataclass(frozen=True, slots=True)
class Alive:
    """The process runs and hears; it may still be reading or computing."""

    kind: Literal["alive"] = "alive"


@dataclass(frozen=True, slots=True)
class Failed:
    """The request cannot be done; `text` is a plain clause."""

    id: int | None
    text: str
    kind: Literal["failed"] = "failed"


Request = Load | Generate | Prepare | Count | Cancel | Ping
Event = Ready | Opened | Read | Said | Closed | Sure | Second | Counted | Ended | Alive | Failed

_REQUESTS: TypeAdapter[Request] = TypeAdapter(Annotated[Request, Field(discriminator="kind")])
_EVENTS: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])


def encode_request(request: Request) -> bytes:
    return _REQUESTS.dump_json(request) + b"\n"


def decode_request(line: bytes) -> Request:
    """A request read from one line; pydantic.ValidationError if it is none."""
    return _REQUESTS.validate_json(line)


def encode_event(event: Event) -> bytes:
    return _EVENTS.dump_json(event) + b"\n"


def decode_event(line: bytes) -> Event:
    """An event read from one line; pydantic.ValidationError if it is none."""
    return _EVENTS.validate_json(line)
