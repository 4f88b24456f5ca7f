"""How well a name fits what a person called a file, decided without looking at a disk."""

from dataclasses import dataclass
from enum import IntEnum

from connectors.clean import clean_bytes
from connectors.files.places import fold
from connectors.files.words import readable, stem, suffix, tokens

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
    """What a person called a file: the last part of a path, and the folders said before it."""

    name: str
    folders: tuple[str, ...] = ()

    @property
    def folded(self) -> str:
        return fold(self.name)

    @property
    def words(self) -> tuple[str, ...]:
        return tokens(self.name)

    @property
    def stem(self) -> str:
        """The words in order; only a name said without a suffix stands for any that has one."""
        return "" if suffix(self.name) else " ".join(self.words)


def wanted(expression: str) -> Wanted:
    """The parts of a path as a person wrote it."""
    parts = [part for part in expression.split("/") if part not in ("", ".")]
    return Wanted(parts[-1], tuple(parts[:-1])) if parts else Wanted("")


def fit(wanted: Wanted, name: bytes) -> Fit | None:
    """How a name fits, or None when it does not."""
    shown = clean_bytes(name)
    if shown == wanted.name or readable(name) == wanted.name:
        return Fit.EXACT
    if wanted.folded in (fold(shown), fold(readable(name))):
        return Fit.CASE
    readable_stem = " ".join(tokens(stem(readable(name))))
    if wanted.stem and readable_stem == wanted.stem:
        return Fit.STEM
    return Fit.WORDS if wanted.words and set(wanted.words) <= set(tokens(readable(name))) else None


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
