"""Why the mailbox cannot be used, as an error that says what would help."""

from connectors.base import Needs


class MailboxError(OSError):
    """The mailbox cannot be read or written now; the text is a plain sentence for the person."""

    def __init__(self, needs: Needs, text: str) -> None:
        super().__init__(text)
        self.needs = needs
        self.text = text
