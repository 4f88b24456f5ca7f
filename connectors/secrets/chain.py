"""Looks for a secret where it was said to be, or else in one keeper after the other."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from connectors.secrets.base import Keeper, Keyring, Secret, SecretError
from connectors.secrets.command import CommandKeeper
from connectors.secrets.desktop import DesktopKeyring
from connectors.secrets.environment import EnvironmentKeeper, variable_of
from connectors.secrets.private_file import FileKeeper
from connectors.secrets.settings import SecretSource


class Secrets:
    """The chain of keepers; `folder` has a private file for each name."""

    def __init__(
        self,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        keyring: Keyring | None = None,
    ) -> None:
        self._folder = folder
        self._environment = os.environ if environment is None else environment
        self._keyring = keyring or DesktopKeyring()

    def find(self, name: str, source: SecretSource | None = None) -> Secret:
        """The secret of a name such as `calendar/work`.

        Raises SecretError with one plain sentence for each place that was looked in.
        """
        said = source or SecretSource()
        if said.command is not None:
            return CommandKeeper(said.command).find(name)
        if said.file is not None:
            return self._one(FileKeeper(said.file.expanduser()), name)
        if said.environment is not None:
            return self._one(EnvironmentKeeper(self._environment, said.environment), name)
        if said.keyring is not None:
            return self._one(self._keyring, said.keyring)
        return self._first(
            (self._keyring, FileKeeper(self._folder, folder=True), EnvironmentKeeper(self._environment)), name
        )

    def keep(self, name: str, secret: Secret) -> str:
        """Keep a secret where `find` looks: in the keyring, or else in a private file. Returns where.

        Raises OSError where it can be kept in neither.
        """
        try:
            self._keyring.keep(name, secret)
        except SecretError:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = self._folder / name.replace("/", "-")
            handle = os.open(
                path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
            )
            with open(handle, "w", encoding="utf-8") as file:
                os.fchmod(handle, 0o600)
                file.write(f"{secret.reveal()}\n")
            return f"in {path}, for you alone"
        return "in the keyring"

    def _one(self, keeper: Keeper, name: str) -> Secret:
        found = keeper.find(name)
        if found is None:
            raise SecretError(f"The keyring holds nothing called {name}.")
        return found

    def _first(self, keepers: Sequence[Keeper], name: str) -> Secret:
        reasons = []
        for keeper in keepers:
            try:
                if (found := keeper.find(name)) is not None:
                    return found
            except SecretError as error:
                reasons.append(str(error))
        file = self._folder / name.replace("/", "-")
        raise SecretError(
            " ".join(
                [
                    f"No password for {name} was found in the keyring, in {file} or in {variable_of(name)}.",
                    *reasons,
                ]
            )
        )
