"""Texts that may only be made of words that were said."""

import json
import re
from collections.abc import Iterator

_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_BROKEN = re.compile(r"(?:\\(?:u[0-9a-fA-F]{0,3})?|\ufffd)\Z")
_LONGEST_WORD = 100


class SaidWords:
    """The words of a source in any case, whole or cut where letters and digits meet other signs.

    Of "today's" both "today's" and "today" are words, and of "alarms" also "alarm".
    """

    def __init__(self, source: str) -> None:
        self._whole = {word.casefold() for chunk in source.split() for word in _cuttings(chunk)}
        self._begun = {word[:end] for word in self._whole for end in range(1, len(word) + 1)}

    def holds(self, text: str) -> bool:
        """True if every word of a JSON string's inside was said."""
        return all(word in self._whole for word in _words(text))

    def begins(self, text: str) -> bool:
        """True if the inside of a JSON string can go on to be words that were said."""
        text = _BROKEN.sub("", text)
        words = _words(text)
        *done, last = words if words and not text[-1].isspace() else [*words, ""]
        return all(word in self._whole for word in done) and (not last or last in self._begun)


def _words(text: str) -> list[str]:
    return _ESCAPE.sub(lambda escape: json.loads(f'"{escape[0]}"'), text).casefold().split()


def _cuttings(chunk: str) -> Iterator[str]:
    if len(chunk) > _LONGEST_WORD:
        yield chunk
        return
    edges = [0, *(at for at in range(1, len(chunk)) if not (chunk[at - 1].isalnum() and chunk[at].isalnum()))]
    for start in edges:
        for end in (*edges, len(chunk)):
            if end > start:
                yield chunk[start:end]
                if chunk[end - 1] in "sS" and end - start > 1:
                    yield chunk[start : end - 1]
