"""A secret that a program prints, such as a password manager's."""

import os
import subprocess
from collections.abc import Sequence

from connectors.clean import clean_line
from connectors.secrets.base import Secret, SecretError

_SECONDS = 30.0
_SHOWN = 60


class CommandKeeper:
    """Runs a program, by its argument list and with no shell; the first line it prints is the secret.

    It gets no terminal and no input, so that nothing can ask on the screen.
    """

    def __init__(self, command: Sequence[str], seconds: float = _SECONDS) -> None:
        self._command = tuple(command)
        self._seconds = seconds

    def find(self, name: str) -> Secret:
        """The secret. Raises SecretError where the program gives none."""
        program = clean_line(os.path.basename(self._command[0]), _SHOWN)
        try:
            done = subprocess.run(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=self._seconds,
                start_new_session=True,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise SecretError(
                f"The command {program} did not answer in {self._seconds:g} seconds."
            ) from error
        except OSError as error:
            raise SecretError(f"The command {program} could not be run: {error.strerror}.") from error
        if done.returncode:
            raise SecretError(f"The command {program} ended with the code {done.returncode}.")
        return secret_in(done.stdout, f"The command {program}")


def secret_in(output: bytes, source: str) -> Secret:
    """The first line of what a source gave. Raises SecretError where that is none."""
    try:
        line = output.decode().split("\n", 1)[0].rstrip("\r")
    except UnicodeDecodeError as error:
        raise SecretError(f"{source} gave something that is not text.") from error
    if not line:
        raise SecretError(f"{source} gave nothing.")
    return Secret(line)
