"""The form in which names, texts and the words of a search are compared."""

import os
import re
import unicodedata

from connectors.clean import clean_bytes

# Scripts written without spaces: each character stands as a word, so that a part of a run is found.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)
_ACCENT = re.compile("[\u0300-\u036f]")
_WORD = re.compile(r"[^\W_]+")
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,9}$")


def searchable(text: str) -> str:
    """Text without case, accents and ligatures, and with spaces between words in every script."""
    if text.isascii():
        return text.lower()
    plain = _ACCENT.sub("", unicodedata.normalize("NFKD", text).casefold())
    return _UNSPACED.sub(r" \g<0> ", unicodedata.normalize("NFC", plain))


def tokens(text: str) -> tuple[str, ...]:
    """The words of a text, in searchable form."""
    return tuple(_WORD.findall(searchable(text)))


def readable(name: bytes) -> str:
    """A file name as it was probably meant: UTF-8, or else Windows-1252, or else with its bytes shown."""
    for encoding in ("utf-8", "cp1252"):
        try:
            return name.decode(encoding)
        except UnicodeDecodeError:
            continue
    return clean_bytes(name)


def suffix(name: str) -> str:
    """The part of a name that says its type, such as ".txt", or nothing."""
    found = _SUFFIX.search(name)
    return found.group() if found and found.start() > 0 else ""


def stem(name: str) -> str:
    """A name without its suffix."""
    return name.removesuffix(suffix(name))


def suffix_of(name: bytes) -> bytes:
    """The suffix of a name of bytes."""
    return os.fsencode(suffix(os.fsdecode(name)))
