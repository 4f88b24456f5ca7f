"""What happens during a turn, as small values that a front end draws; named in the past tense."""

from dataclasses import dataclass
from enum import StrEnum

from connectors.base import Call, Outcome


class StepState(StrEnum):
    PENDING = "pending"
    DOING = "doing"
    DONE = "done"
    FAILED = "failed"
    DENIED = "denied"
    SKIPPED = "skipped"
    HELD = "held"


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the plan: a call in words, and how far it is. `added` says it was not in the first plan."""

    call_id: str
    words: str
    state: StepState = StepState.PENDING
    added: bool = False


@dataclass(frozen=True, slots=True)
class GoalTaken:
    text: str


@dataclass(frozen=True, slots=True)
class ModelProgressed:
    """The model loads or reads; `fraction` of 1, or None."""

    stage: str
    fraction: float | None


@dataclass(frozen=True, slots=True)
class ThoughtStreamed:
    text: str


@dataclass(frozen=True, slots=True)
class TextStreamed:
    text: str


@dataclass(frozen=True, slots=True)
class ModelNoted:
    """Something about the model's answer that the person should know, as a sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class PlanChanged:
    """The whole plan as it now stands; it replaces what was shown before."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class CallAllowed:
    """A grant covered the call, so it was not asked; `rule` names the grant."""

    call: Call
    title: str
    rule: str


@dataclass(frozen=True, slots=True)
class CallFinished:
    """A call ran or could not; `title` is the preview's, or the tool in words if none was made."""

    call: Call
    title: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class CallDenied:
    call: Call
    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class RepairOffered:
    """The application itself proposes a call that would remove what stood in the way."""

    text: str


class Ending(StrEnum):
    DONE = "done"
    NOTHING_FITS = "nothing_fits"
    STOPPED = "stopped"
    LIMIT = "limit"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The last event of every turn; `summary` is built from outcomes, never from what the model said."""

    ending: Ending
    summary: str


Event = (
    GoalTaken
    | ModelProgressed
    | ThoughtStreamed
    | TextStreamed
    | ModelNoted
    | PlanChanged
    | CallAllowed
    | CallFinished
    | CallDenied
    | RepairOffered
    | TurnEnded
)
