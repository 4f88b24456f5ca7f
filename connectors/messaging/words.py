"""Text made comparable: what a person says of a message against what the message says."""

import re
import unicodedata
from collections.abc import Iterable

_MARKS = re.compile("[\u0300-\u036f]+")
# Letters that Unicode does not take apart into a plain one and a mark.
_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
_BETWEEN = re.compile(r"[\W_]+")


def fold(text: str) -> str:
    """Text in lower case without accents and punctuation, with a single space round each word."""
    plain = (
        text
        if text.isascii()
        else _MARKS.sub("", unicodedata.normalize("NFKD", text.casefold()).translate(_UNDECOMPOSED))
    )
    return f" {_BETWEEN.sub(' ', plain.lower()).strip()} "


def parts(text: str) -> list[str]:
    """The words of a text as they are written, without what stands between them."""
    return _BETWEEN.sub(" ", text).split()


def needle(word: str) -> str:
    """What to look for in folded text to find a folded word, or a word that begins with it.

    Scripts without capitals (Chinese, Japanese, Korean, Arabic ...) may write words without spaces, so there
    it is looked for anywhere.
    """
    spaceless = any(character.isalpha() and character.lower() == character.upper() for character in word)
    return word if spaceless else f" {word}"


def holds(folded: str, words: Iterable[str]) -> bool:
    """True if folded text holds every one of these folded words, or words that begin with them."""
    return all(needle(word) in folded for word in words)


def holds_whole(folded: str, words: Iterable[str]) -> bool:
    """True if folded text holds every one of these folded words as a whole word."""
    return all(f" {word} " in folded for word in words)
