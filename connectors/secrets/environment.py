"""A secret in an environment variable."""

from collections.abc import Mapping

from connectors.secrets.base import Secret, SecretError


class EnvironmentKeeper:
    """The variable of a given name, or without one the variable of each secret's name.

    `calendar/work` is ASKFIRST_CALENDAR_WORK_PASSWORD.
    """

    def __init__(self, environment: Mapping[str, str], variable: str | None = None) -> None:
        self._environment = environment
        self._variable = variable

    def find(self, name: str) -> Secret | None:
        """The secret, None where the variable of the name is not set; one that was asked for must be."""
        value = self._environment.get(self._variable or variable_of(name))
        if value:
            return Secret(value)
        if self._variable is not None:
            raise SecretError(f"The environment variable {self._variable} is not set.")
        return None


def variable_of(name: str) -> str:
    """The environment variable of a secret's name."""
    letters = "".join(each if each.isalnum() else "_" for each in name.upper())
    return f"ASKFIRST_{letters}_PASSWORD"
