"""A vocabulary for tests: all bytes, some words, the tags of a chat and the end of an answer."""

import re

TAGS = (
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "<tool_response>",
    "[TOOL_CALLS]",
    "<b>",
    "\n\n",
)
END = 256
WORDS = (
    "\n<",
    "function",
    "parameter",
    "settings",
    ".get",
    "wifi",
    ">\n",
    "</",
    ' "',
    '": "',
    "hello",
    " there",
)


class FewPieces:
    """Implements `Pieces`; the first 256 tokens are the bytes."""

    def __init__(self, *more: str) -> None:
        bytes_ = [bytes([byte]) for byte in range(256)]
        self._data = [*bytes_, b"<|im_end|>", *(tag.encode() for tag in (*TAGS, *WORDS, *more))]

    @property
    def size(self) -> int:
        return len(self._data)

    def data(self, id_: int) -> bytes:
        return self._data[id_]

    def is_mark(self, id_: int) -> bool:
        return END <= id_ <= END + len(TAGS)

    def is_control(self, id_: int) -> bool:
        return id_ == END

    def ends(self, id_: int) -> bool:
        return id_ == END

    def id_of(self, text: str) -> int:
        return self._data.index(text.encode())

    def tokenise(self, text: str) -> list[int]:
        """Tags as marks, and between them the longest piece first."""
        tokens = []
        for part in re.split(f"({'|'.join(map(re.escape, TAGS))})", text):
            data = part.encode()
            while data:
                fitting = [id_ for id_ in range(self.size) if data.startswith(self._data[id_])]
                tokens.append(max(fitting, key=lambda id_: len(self._data[id_])))
                data = data[len(self._data[tokens[-1]]) :]
        return tokens
