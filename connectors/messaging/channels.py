"""Mail or a conversation: one message goes by one channel, and never by another than was said."""

from collections.abc import Sequence
from typing import Final

from connectors.base import Needs, Outcome, failed
from connectors.clean import clean_line
from connectors.messaging.chat import goes_to_chat
from connectors.messaging.recipients import Recipient

NO_FILES: Final = "Files cannot go along by Matrix; write words only, or send it by mail."


def titled(subject: str, body: str) -> str:
    """Conversations have no subjects, so one that was said comes before the text."""
    return "\n\n".join(filter(None, (subject, body)))


def by_chat(recipients: Sequence[Recipient]) -> bool:
    """True if a message to these goes into a conversation."""
    return any(goes_to_chat(each.address) for each in recipients)


def one_channel(recipients: Sequence[Recipient]) -> Outcome | None:
    """Why these cannot get one message together, or None."""
    chat = [each for each in recipients if goes_to_chat(each.address)]
    mail = [each for each in recipients if each not in chat]
    if not (mail and chat):
        return None
    return failed(
        Needs.INVALID,
        f"One message goes by one channel: {clean_line(mail[0].address)} is by mail and"
        f" {clean_line(chat[0].address)} by Matrix. Ask for two messages.",
    )
