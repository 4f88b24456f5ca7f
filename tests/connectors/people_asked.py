"""Somebody who answers the questions of a set-up, on a machine without a keyring."""

from collections.abc import Sequence

from connectors.secrets.base import Secret, SecretError


class Person:
    """Answers the questions in order, and keeps what was said; an empty answer takes what is usual."""

    def __init__(self, *answers: str | None) -> None:
        self.answers = list(answers)
        self.said: list[str] = []

    def say(self, text: str) -> None:
        self.said.append(text)

    def ask(self, question: str, usual: str = "") -> str | None:
        self.said.append(question)
        answer = self.answers.pop(0)
        return usual if answer == "" else answer

    def ask_secret(self, question: str) -> Secret | None:
        answer = self.answers.pop(0)
        return None if answer is None else Secret(answer)

    def pick(self, question: str, options: Sequence[str]) -> Sequence[int] | None:
        self.said += options
        answer = self.answers.pop(0)
        return None if answer is None else [int(each) - 1 for each in answer.split()]

    def begin_writing(self) -> None:
        """They do not leave any more."""


class NoKeyring:
    def find(self, name: str) -> Secret | None:
        raise SecretError("There is no keyring here.")

    def keep(self, name: str, secret: Secret) -> None:
        raise SecretError("There is no keyring here.")
