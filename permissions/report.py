"""What is said of a deed, and of one that went wrong: in our own words, the details only in the log."""

import logging
import traceback
from dataclasses import dataclass, replace

from connectors.base import Needs, Outcome, Prepared, failed
from connectors.clean import clean_line
from permissions.coverage import READING
from permissions.deed import Watched
from permissions.entry import State
from permissions.redact import redact

log = logging.getLogger(__name__)

_LONG = 80
_MOST = 5
_PERHAPS = "It may or may not have been done; it is not tried again by itself."


@dataclass(frozen=True, slots=True)
class Report:
    """How a deed ended: what the journal holds, and what the person and the model are told."""

    state: State
    outcome: Outcome


def broke(service: str, error: BaseException | None, seconds: float) -> Outcome:
    """The outcome for a service that raised an error, or (None) gave no answer in time, while looking."""
    if error is None:
        return failed(Needs.TIMEOUT, f"{service} did not answer within {seconds:g} seconds.")
    note(service, error)
    return failed(Needs.UNAVAILABLE, f"{service} ran into an error of its own; the log has the details.")


def note(service: str, error: BaseException) -> None:
    """Write an error to the log, whole but for what looks like a secret."""
    log.error("%s failed:\n%s", service, redact("".join(traceback.format_exception(error))))


def report(service: str, prepared: Prepared, watched: Watched, seconds: float) -> Report:
    """The report on a deed that was watched; of an effect without an answer nobody claims to know."""
    reads = prepared.effects == READING
    unanswered = State.FAILED if reads else State.UNKNOWN
    rest = "" if reads else f" {_PERHAPS}"
    if watched.error:
        note(service, watched.error)
        text = f"{service} ran into an error of its own; the log has the details.{rest}"
        return Report(unanswered, failed(Needs.UNAVAILABLE, text))
    if watched.outcome is None:
        why = "was stopped" if watched.cancelled else f"did not answer within {seconds:g} seconds"
        return Report(unanswered, failed(Needs.TIMEOUT, f"{service} {why}.{rest}"))
    outcome = watched.outcome
    if more := beyond(prepared, outcome):
        text = f"{service} did more than was shown: {more}. {outcome.text}"
        return Report(State.DIVERGED, replace(outcome, ok=False, text=text))
    if outcome.ok:
        return Report(State.DONE, outcome)
    return Report(unanswered if outcome.needs is Needs.TIMEOUT else State.FAILED, outcome)


def beyond(prepared: Prepared, outcome: Outcome) -> str:
    """What a service says that it did beyond what was prepared, in words, or nothing."""
    effects = sorted((outcome.effects or frozenset()) - prepared.effects)
    shown = {thing.value for thing in prepared.resolved}
    touched = [value for value in outcome.touched or () if value not in shown]
    return ", ".join([*effects, *(clean_line(value, _LONG) for value in touched[:_MOST])])
