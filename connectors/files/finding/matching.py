"""How well a name fits what a person called a file, decided without looking at a disk."""

from dataclasses import dataclass
from enum import IntEnum

from connectors.clean import clean_bytes
from connectors.files.finding.words import readable, searchable, stem, suffix, tokens
from connectors.files.places import fold

_LEADING = ("the ", "my ", "a ", "an ", "our ")
_TRAILING = (" file", " folder", " directory", " document")
_QUOTES = "\"'`“”‘’«»"


class Fit(IntEnum):
    """From the name itself to some words of it; a smaller one is a better fit, and only the best count."""

    EXACT = 0
    CASE = 1
    STEM = 2
    WORDS = 3


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person called a file: the last part of a path, and the folders said before it.

    `folded` and `words` are the name in the forms in which names are compared. `stem` is its words in order,
    or nothing for a name with a suffix: only one said without stands for any that has one.
    """

    name: str
    folders: tuple[str, ...]
    folded: str
    words: tuple[str, ...]
    stem: str


def wanted(expression: str) -> Wanted:
    """The parts of a path as a person wrote it."""
    parts = [part for part in expression.split("/") if part not in ("", ".")]
    name = parts[-1] if parts else ""
    words = tokens(name)
    return Wanted(name, tuple(parts[:-1]), fold(name), words, "" if suffix(name) else " ".join(words))


def fit(wanted: Wanted, name: bytes) -> Fit | None:
    """How a name fits, or None when it does not."""
    shown, meant = clean_bytes(name), readable(name)
    if wanted.name in (shown, meant):
        return Fit.EXACT
    if wanted.folded in (fold(shown), fold(meant)):
        return Fit.CASE
    plain = searchable(meant)
    if not wanted.words or not all(word in plain for word in wanted.words):
        return None
    if wanted.stem and " ".join(tokens(stem(meant))) == wanted.stem:
        return Fit.STEM
    return Fit.WORDS if set(wanted.words) <= set(tokens(meant)) else None


def lies_in(folders: tuple[str, ...], parts: tuple[bytes, ...]) -> bool:
    """Whether a path ends in the folders that were said, whatever their case."""
    said = [fold(folder) for folder in folders]
    return not said or [fold(clean_bytes(part)) for part in parts[-len(said) :]] == said


def plainer(expression: str) -> str:
    """What was called, without quotation marks and words such as "my ... file"."""
    text = expression.strip(_QUOTES + " ")
    for word in _LEADING:
        if text.lower().startswith(word):
            text = text[len(word) :]
            break
    for word in _TRAILING:
        if text.lower().endswith(word):
            text = text[: -len(word)]
            break
    return text.strip(_QUOTES + " ")
