"""The copy of a sent message in Sent: kept once, also where the server keeps one by itself."""

from contextlib import suppress

from connectors.clean import clean_line
from connectors.messaging.errors import MailboxError
from connectors.messaging.maildir.names import SEEN, SENT
from connectors.messaging.resources import Resources


def is_filed(resources: Resources, message_id: str) -> bool:
    """True if a message of this id is in Sent, as far as is known. Raises OSError."""
    return any(
        each.message_id == message_id and each.entry.folder == SENT for each in resources.index.summaries()
    )


def filed(resources: Resources, data: bytes, message_id: str) -> str:
    """Keep a copy in Sent unless there is one; what there is to be said of it."""
    if resources.config.smtp and resources.config.smtp.keeps_copies:
        return "The mail server keeps a copy in Sent."
    if _there(resources, message_id):
        return "A copy is in Sent."
    try:
        entry = resources.mailbox.deliver(SENT, data, SEEN)
        there = resources.mailbox.read(entry) == data
    except OSError as error:
        return "A copy is in Sent." if _there(resources, message_id) else _missing(error)
    return "A copy is in Sent." if there else "The copy in Sent is damaged."


def _there(resources: Resources, message_id: str) -> bool:
    """Whether a copy can be seen; where nothing can be seen, none is."""
    with suppress(OSError):
        resources.mailbox.look_again(SENT)
        return is_filed(resources, message_id)
    return False


def _missing(error: OSError) -> str:
    if isinstance(error, MailboxError):
        return f"No copy is known to be in Sent ({clean_line(error.text, 200).rstrip('.')})."
    return f"No copy could be kept in Sent ({clean_line(error.strerror or 'the disk did not take it')})."
