"""The front end as the conversation sees it: it shows, it asks, it lets choose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from assistant.events import Event
from connectors.base import Question
from permissions.words import Decision, Request


@dataclass(frozen=True, slots=True)
class Answer:
    """A person's answer to a question: arguments that replace those of the call, or None for no answer."""

    arguments: Mapping[str, JsonValue] | None


class Frontend(Protocol):
    """Who sits in front; silence, an error or nobody there is a no."""

    async def show(self, event: Event) -> None: ...

    async def ask(self, requests: Sequence[Request]) -> Sequence[Decision]:
        """One decision for each request, in their order; several come together only if each stands alone.

        A decision that is missing is a no.
        """
        ...

    async def choose(self, question: Question) -> Answer: ...
