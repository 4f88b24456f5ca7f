"""What Askfirst itself can propose when a call could not be done: pure decisions from the outcome's code."""

from collections.abc import Collection
from dataclasses import dataclass

from connectors.base import Arguments, Needs, Option, Outcome, Question


@dataclass(frozen=True, slots=True)
class Repair:
    """A call that may remove what stood in the way; `choice` lets the person pick its arguments first."""

    text: str
    tool: str
    arguments: Arguments
    choice: Question | None = None


def repair(outcome: Outcome, tools: Collection[str]) -> Repair | None:
    """The one repair known for an outcome's `needs`, if the tool for it is there."""
    found = _repair(outcome)
    return found if found and found.tool in tools else None


def _repair(outcome: Outcome) -> Repair | None:
    match outcome.needs:
        case Needs.OFFLINE:
            text = f"{outcome.text} Askfirst can turn Wi-Fi on and try again."
            return Repair(text, "settings.set", {"setting": "wifi", "value": "on"})
        case Needs.MAILBOX_FULL if outcome.items:
            text = f"{outcome.text} Askfirst can put one message in the trash and try again."
            options = tuple(
                Option(item.label, {"message": item.handle}, item.detail) for item in outcome.items
            )
            question = Question("Which message may go to the trash?", options)
            return Repair(text, "messaging.delete", {}, question)
        case _:
            return None
