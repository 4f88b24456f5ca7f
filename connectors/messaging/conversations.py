"""The conversations that the settings name, put beside the mail."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from connectors.messaging.boxes import Boxes
from connectors.messaging.chat import ChatBox, Chats
from connectors.messaging.config import Config, Mode
from connectors.messaging.mailbox import Box
from connectors.messaging.matrix.config import Account
from connectors.messaging.matrix.missing import MissingAccount, MissingBox
from connectors.messaging.report import Watching
from connectors.secrets.settings import FindSecret

SECRET: Final = "messaging/matrix"
"""What the access token is called in the chain of secrets."""


def beside(mail: Box, state: Path, config: Config, secrets: FindSecret) -> tuple[Box, Watching | None]:
    """The mailbox with the conversations beside it, and the watch over their server; nothing is asked yet.

    Where the library for them is missing, they say so when they are used.
    """
    account = config.matrix
    if account is None or Mode.OFF in (account.mode, config.mode):
        return mail, None
    try:
        # Loaded only by those who have an account: few do, and the library is an extra.
        module = importlib.import_module("connectors.messaging.matrix.account")
    except ModuleNotFoundError:
        return Boxes(mail, MissingBox(), MissingAccount(account.user)), None
    chats: Chats
    box: ChatBox
    watch: Watching
    chats, box, watch = module.opened(state, account, config.name, _token(account, secrets))
    return Boxes(mail, box, chats), watch


def _token(account: Account, secrets: FindSecret) -> Callable[[], str]:
    source = account.token if account.token.model_fields_set else None
    return lambda: secrets(SECRET, source).reveal()
