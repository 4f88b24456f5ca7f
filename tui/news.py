"""What the app is told of besides its goals."""

from textual.message import Message


class Heard(Message):
    """Something has happened without a goal; `text` says it in a sentence."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
