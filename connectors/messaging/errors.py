"""Why the mailbox cannot be used, as an error that says what would help."""

from connectors.base import Needs


class MailboxError(OSError):
    """The mailbox cannot be read or written now; the text is a plain sentence for the person."""

    def __init__(self, needs: Needs, text: str) -> None:
        super().__init__(text)
        self.needs = needs
        self.text = text


def unseen(error: OSError) -> MailboxError:
    """What is said where a change was made, but what came of it could not be looked at."""
    return MailboxError(Needs.TIMEOUT, f"It is not known what came of it: {_words(error)}")


def _words(error: OSError) -> str:
    return error.text if isinstance(error, MailboxError) else "it could not be read again."
