"""A person at a terminal who answers the questions that set up an account."""

from collections.abc import Sequence
from typing import Protocol

from connectors.mode import Mode
from connectors.secrets.base import Secret


class Asker(Protocol):
    """A person at a terminal. Each answer is None where the person gives up."""

    def say(self, text: str) -> None: ...

    def ask(self, question: str, usual: str = "") -> str | None: ...

    def ask_secret(self, question: str) -> Secret | None:
        """A secret, typed without being shown."""
        ...

    def pick(self, question: str, options: Sequence[str]) -> Sequence[int] | None:
        """Several of the options, by their place; none where nothing is typed."""
        ...

    def begin_writing(self) -> None:
        """All is answered, and is kept now. Raises GivenUp if the person has left meanwhile."""
        ...


class GivenUp(Exception):
    """The person ended the questions."""


def need(answer: str | None) -> str:
    """An answer without the spaces round it. Raises GivenUp."""
    if answer is None:
        raise GivenUp
    return answer.strip()


def may_change(person: Asker, what: str) -> Mode:
    """Whether things may be changed, or only be read. Raises GivenUp."""
    said = need(person.ask(f"May Askfirst change {what} when you say yes? (yes, or no: only read)", "yes"))
    return Mode.FULL if said.lower().startswith("y") else Mode.READ_ONLY
