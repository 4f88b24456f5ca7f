"""The words of permission: who wrote a value, what a rule says, what a person is asked and may answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum

from pydantic import JsonValue

from connectors.base import Call, Effect, Prepared, Role, Tool
from permissions.plan import Plan


class Who(IntEnum):
    """Who wrote a value; smaller is more trusted, and joining two values takes the larger."""

    YOU = 0
    CONFIG = 1
    WRITTEN_TO = 2
    CONTENT = 3
    MODEL = 4


@dataclass(frozen=True, slots=True)
class Origin:
    """Who wrote an argument's value, and the words or place where it was first seen."""

    who: Who
    seen: str = ""


class Flag(StrEnum):
    """A reason to look twice, said in words on the prompt."""

    NOT_IN_PLAN = "not_in_plan"
    DESTINATION_NOT_YOURS = "destination_not_yours"
    DESTINATION_NEW = "destination_new"
    TARGET_NOT_YOURS = "target_not_yours"
    LOOKALIKE = "lookalike"
    LINK_NOT_YOURS = "link_not_yours"
    WORDS_NOT_YOURS = "words_not_yours"
    CARRIES_PRIVATE = "carries_private"
    ROLE_CLASH = "role_clash"
    ANOTHER_PERSON = "another_person"
    MANY = "many"


class Verdict(StrEnum):
    ALLOW = "allow"
    ASK = "ask"
    ASK_TYPED = "ask_typed"
    REFUSE = "refuse"


class Key(StrEnum):
    """How a yes is given: a small letter if undo can take it back, else a capital, or a typed word."""

    SMALL = "y"
    CAPITAL = "Y"
    TYPED = "typed"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What policy says of a call: the verdict, the rule that said it, in words, and what to look at twice.

    With `key = typed`, `word` is what must be typed to say yes.
    """

    verdict: Verdict
    rule: str
    reason: str
    flags: frozenset[Flag] = frozenset()
    key: Key = Key.SMALL
    word: str = ""


class Scope(StrEnum):
    """How long a permission lasts."""

    ONCE = "once"
    GOAL = "goal"
    SESSION = "session"
    UNTIL = "until"
    ALWAYS = "always"


class Width(StrEnum):
    """How a thing's value is held against a limit's values.

    `is` wants the very same value, `domain` an address at a mail domain, `under` a place in a folder or
    below, `calendar` an event or a task in a calendar, `any` takes every value.
    """

    IS = "is"
    DOMAIN = "domain"
    UNDER = "under"
    CALENDAR = "calendar"
    ANY = "any"


EVERY_ARGUMENT = "*"


@dataclass(frozen=True, slots=True)
class Limit:
    """What the things of one argument, or of every argument (`*`), may be: one of `values`, by `width`.

    With a `role`, it is about things in that role only.
    """

    argument: str
    width: Width
    values: tuple[str, ...] = ()
    role: Role | None = None


@dataclass(frozen=True, slots=True)
class Grant:
    """A permission given: calls of `tool` that touch nothing but what it names, while `scope` lasts.

    `tool` is a tool's name, or a connector's name for everything that only reads there. `things` maps an
    argument name to the exact resolved values it may take, and `limits` say what else it may be; what neither
    names is not covered, except by a grant for reading that names nothing. `goal` is the id of the goal that
    a goal grant belongs to. `effects` are all that a covered call may do; none covers nothing. `expires` ends
    an until or always grant, and without it such a grant covers nothing. `words` say what it covers, and
    `origin` is the journal's id of the call it was given with.
    """

    tool: str
    things: tuple[tuple[str, tuple[str, ...]], ...]
    scope: Scope
    given: datetime
    goal: str = ""
    effects: frozenset[Effect] = frozenset()
    limits: tuple[Limit, ...] = ()
    expires: datetime | None = None
    words: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """A grant that may go with a yes, what it covers in words, and the past calls it would have covered."""

    grant: Grant
    words: str
    covered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ban:
    """A standing no that may be given with a no: calls of `tool` on any of `things`, while `scope` lasts.

    `things` and `limits` name values as in a grant; a ban that names none is for every call of the tool.
    """

    tool: str
    things: tuple[tuple[str, tuple[str, ...]], ...]
    scope: Scope
    given: datetime
    words: str
    goal: str = ""
    limits: tuple[Limit, ...] = ()
    origin: str = ""


class Asker(StrEnum):
    """On whose account a call is proposed."""

    PLAN = "plan"
    ADDED = "added"
    REPAIR = "repair"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class GoalRef:
    """Which goal a call belongs to: an id of its own, what the person typed, and the plan sealed for it.

    `pasted` says that some of the text was not typed.
    """

    id: str
    text: str
    plan: Plan | None = None
    pasted: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """All that a person needs in order to say yes or no to one call.

    `step` of `steps` is its place in the plan (0 of 0 where there is none); `origins` is by argument name,
    the worst of each; `traced` has the origin of every single thing, in the order of `prepared.resolved`.
    `tainted` says that foreign text has entered the model's context since the goal was typed; `bans` go with
    a no. `plan` is the digest of the sealed plan, `carried` what the text carries out of unnamed sources.
    `said` are the words of the goal; `resembles` pairs a destination with the known domain it looks like.
    `tool` says what else the call may take, for an edit; `hold` is how many seconds it waits after a yes.
    """

    id: str
    prepared: Prepared
    ruling: Ruling
    origins: Mapping[str, Origin]
    offers: tuple[Offer, ...] = ()
    asker: Asker = Asker.PLAN
    step: int = 0
    steps: int = 0
    traced: tuple[Origin, ...] = ()
    tainted: bool = False
    bans: tuple[Ban, ...] = ()
    plan: str = ""
    carried: tuple[str, ...] = ()
    said: str = ""
    resembles: tuple[tuple[str, str], ...] = ()
    tool: Tool | None = None
    hold: float = 0

    @property
    def call(self) -> Call:
        return self.prepared.call


class Reply(StrEnum):
    YES = "yes"
    NO = "no"
    EDIT = "edit"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's answer to a request.

    `grant` is one of the request's offers, taken with a yes; `typed` the word typed where one was asked;
    `reason` goes with a no; `edited` holds the arguments changed by an edit, which is then prepared and
    decided anew. `key` is the key that said yes, where the front end knows it; a lighter one than the ruling
    asks for is refused. `ban` is one of the request's bans, taken with a no.
    """

    reply: Reply
    grant: Grant | None = None
    typed: str = ""
    reason: str = ""
    edited: Mapping[str, JsonValue] | None = None
    key: Key | None = None
    ban: Ban | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a call may not run: in words, and the rule that said so."""

    reason: str
    rule: str


def grave(effects: frozenset[Effect]) -> bool:
    """True if a call leaves the machine, so that no undo can take it back."""
    return not effects.isdisjoint(_LEAVING)


_LEAVING = frozenset({Effect.SEND, Effect.SHARE})
