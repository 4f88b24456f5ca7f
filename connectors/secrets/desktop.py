"""The desktop's keyring, asked with patience and never in a way that could open a prompt on the terminal."""

import importlib
import logging
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from connectors.secrets.base import Secret, SecretError

log = logging.getLogger(__name__)

SERVICE = "askfirst"
_SECONDS = 5.0
# Named one by one: the library's own choice may be a file keyring that asks for a password on the terminal.
_BACKENDS = {"linux": "SecretService", "darwin": "macOS", "win32": "Windows"}
_NO_KEYRING = "There is no keyring here."
_LOCKED = "The keyring is locked."

T = TypeVar("T")


class DesktopKeyring:
    """The keyring of the desktop session: the Secret Service, the macOS keychain or Windows' credentials.

    `service` is the name that entries are kept under.
    """

    def __init__(self, service: str = SERVICE, seconds: float = _SECONDS) -> None:
        self._service = service
        self._seconds = seconds

    def find(self, name: str) -> Secret | None:
        """The secret, None where there is none. Raises SecretError: no keyring, a locked one, no answer."""
        value = self._ask(lambda backend: backend.get_password(self._service, name))
        return Secret(value) if value else None

    def keep(self, name: str, secret: Secret) -> None:
        """Keep a secret. Raises SecretError."""
        self._ask(lambda backend: backend.set_password(self._service, name, secret.reveal()))

    def forget(self, name: str) -> None:
        """Remove a secret if it is there. Raises SecretError."""
        if self.find(name) is not None:
            self._ask(lambda backend: backend.delete_password(self._service, name))

    def _ask(self, question: Callable[[Any], T]) -> T:
        """The answer of the keyring, from a thread that may hang for all we care."""
        answers: queue.Queue[tuple[bool, Any]] = queue.Queue()

        def work() -> None:
            try:
                answers.put((True, question(_backend())))
            # The library and the bus raise a great many things, and each means: not from here.
            except Exception as error:
                answers.put((False, error))

        threading.Thread(target=work, name="keyring", daemon=True).start()
        try:
            good, answer = answers.get(timeout=self._seconds)
        except queue.Empty as error:
            raise SecretError(f"The keyring did not answer in {self._seconds:g} seconds.") from error
        if good:
            return answer  # type: ignore[no-any-return]
        if isinstance(answer, SecretError):
            raise answer
        log.info("the keyring could not be used: %s", type(answer).__name__)
        raise SecretError(_NO_KEYRING) from answer


def _backend() -> Any:
    """The keyring of this system. Raises SecretError where there is none or it is locked."""
    name = _BACKENDS.get(sys.platform)
    if name is None:
        raise SecretError(_NO_KEYRING)
    if name == "SecretService":
        _refuse_locked()
    # Loaded only when asked for: it is slow, and most runs need no keyring.
    backend = importlib.import_module(f"keyring.backends.{name}").Keyring
    if backend.priority <= 0:
        raise SecretError(_NO_KEYRING)
    return backend()


def _refuse_locked() -> None:
    """Look at the default collection first: unlocking would open a window and wait for it."""
    storage = importlib.import_module("secretstorage")
    connection = storage.dbus_init()
    try:
        if storage.get_default_collection(connection).is_locked():
            raise SecretError(_LOCKED)
    finally:
        connection.close()
