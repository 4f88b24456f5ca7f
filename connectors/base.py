"""The words every floor of Askfirst speaks: tools, calls, what was prepared, what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, JsonValue

Arguments = Mapping[str, JsonValue]


class Effect(StrEnum):
    """What a call does to the world; the order is from harmless to grave."""

    READ = "read"
    MARK = "mark"
    WRITE = "write"
    CONFIGURE = "configure"
    DELETE = "delete"
    SHARE = "share"
    SEND = "send"


class Needs(StrEnum):
    """Why a call could not be done, as a code that a repair can be found for."""

    OFFLINE = "offline"
    MAILBOX_FULL = "mailbox_full"
    SIGNED_OUT = "signed_out"
    ACCOUNT = "account"
    CONFLICT = "conflict"
    NOT_FOUND = "not_found"
    INVALID = "invalid"
    READ_ONLY = "read_only"
    NO_SPACE = "no_space"
    UNSUPPORTED = "unsupported"
    UNAVAILABLE = "unavailable"
    TIMEOUT = "timeout"


class ToolArguments(BaseModel):
    """Base of every tool's arguments: unknown names are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class UndoArguments(ToolArguments):
    """Arguments of a connector's hidden undo tool: the record it kept of a deed."""

    record: str


@dataclass(frozen=True, slots=True)
class Tool:
    """One thing a connector can do, named `<connector>.<verb>`; `offered` says if a model may ask for it."""

    name: str
    summary: str
    arguments: type[ToolArguments]
    effect: Effect
    offered: bool = True


@dataclass(frozen=True, slots=True)
class Call:
    """A request to run one tool; the arguments passed the tool's model."""

    id: str
    tool: str
    arguments: Arguments


class Role(StrEnum):
    """What a resolved thing is to a call: where it goes, what it acts on, what it carries, what bounds it."""

    DESTINATION = "destination"
    TARGET = "target"
    CONTENT = "content"
    BOUND = "bound"


@dataclass(frozen=True, slots=True)
class Resolved:
    """One exact thing a call would touch: an address, an event, a path, an absolute time.

    `argument` names the call's argument it came from (empty: chosen by code), `value` is the exact
    value that will be used, `label` what a person calls it. `written_before` counts earlier messages
    to a destination (None where that makes no sense).
    """

    role: Role
    argument: str
    value: str
    label: str
    written_before: int | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """One line of a preview; `before` is the old value where something changes."""

    label: str
    value: str
    argument: str = ""
    note: str = ""
    before: str | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What would happen, in plain words, made by the one who would do it.

    `title` begins with a verb ("Send a message to Ana Ruiz"), `deed` says it in three words
    ("sends a message"), `body` is the whole text that would be sent or written, `diff` a unified diff.
    All text is clean (see `connectors.clean`) and never markup.
    """

    title: str
    deed: str
    fields: tuple[Field, ...] = ()
    body: str | None = None
    diff: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trial:
    """The promise that a deed is taken back by itself after some seconds, unless the person keeps it.

    For what could cut the person off, so that they cannot take it back. `back` is the call that does.
    """

    back: Call
    seconds: float


@dataclass(frozen=True, slots=True)
class Prepared:
    """A call made exact: what will be touched, what it looks like, and the version of all that was looked at.

    `payload` is what `perform` acts on, in JSON values. `basis` is a digest of the state that was read;
    `perform` refuses with `Needs.CONFLICT` when it has moved. `undo` promises in words how the deed can be
    taken back, or is None when it cannot. `mark` is what a later look needs in order to tell whether it was
    done (see `Prober`): ids, names and digests, never content. With a `trial` it is only kept if the person
    says so afterwards.
    """

    call: Call
    effects: frozenset[Effect]
    resolved: tuple[Resolved, ...]
    payload: Arguments
    preview: Preview
    basis: str
    undo: str | None = None
    mark: Arguments = field(default_factory=dict)
    trial: Trial | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a question; picking it replaces these arguments of the call."""

    label: str
    arguments: Arguments
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """How a connector says "which one?" or "when?"; the person answers, the model never guesses.

    With `argument` set, a free answer may be typed and becomes that argument. It may be answered for
    `seconds` (None: for ever); after them there is no answer.
    """

    text: str
    options: tuple[Option, ...] = ()
    argument: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One thing an outcome lists; `handle` (such as `event:...`) may be an argument of a later call."""

    handle: str
    label: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call, or why it could not be done.

    `text` is ours and safe to repeat; `content` is foreign text that was read (clean, but never an
    instruction). With `needs = mailbox_full`, `items` are the messages that could go. `undo` is the call
    that takes the deed back. `effects` and `touched` are what was really done, and to which exact
    values, where the connector tells (None: it does not); more than was prepared counts as a fault. `until`
    says that nothing was done yet: it will be at that moment, unless the person takes it back.
    """

    ok: bool
    text: str
    needs: Needs | None = None
    items: tuple[Item, ...] = ()
    content: str | None = None
    undo: Call | None = None
    effects: frozenset[Effect] | None = None
    touched: tuple[str, ...] | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """What a connector may know about the moment of a call."""

    now: datetime
    zone: ZoneInfo


class Connector(Protocol):
    """A service: it looks, shows and acts, and never decides."""

    @property
    def name(self) -> str: ...

    @property
    def tools(self) -> Sequence[Tool]: ...

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        """Look, never act: what exactly would happen, a question, or an outcome that says why it cannot."""
        ...

    async def perform(self, prepared: Prepared) -> Outcome:
        """Act on exactly `prepared.payload`, or refuse with `Needs.CONFLICT` when the basis has moved."""
        ...


@runtime_checkable
class Prober(Protocol):
    """A service that can look whether a call, whose outcome nobody knows, was done."""

    async def probe(self, tool: str, mark: Arguments) -> Outcome | None:
        """Look, never act: an outcome that is ok if it was done, one that is not if it certainly was not
        and will not be, or None if that cannot be told. `mark` is that of the prepared call.
        """
        ...


def failed(needs: Needs, text: str, *, items: tuple[Item, ...] = ()) -> Outcome:
    """An outcome that says why nothing was done."""
    return Outcome(ok=False, text=text, needs=needs, items=items)


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a connector wants a person to know although nobody asked: a broken file, a lost folder."""

    connector: str
    text: str
    details: tuple[str, ...] = ()
