"""How well a name fits what a person called a file, decided without looking at a disk."""

import re
from dataclasses import dataclass, replace
from enum import IntEnum

from connectors.clean import clean_bytes
from connectors.files.finding.words import readable, searchable, stem, suffix, tokens
from connectors.files.places import fold

_LEADING = ("the ", "my ", "a ", "an ", "our ")
_TRAILING = (" file", " folder", " directory", " document")
_KIND = ("file ", "folder ", "directory ", "document ")
_CALLED = ("called ", "named ")
_QUOTES = "\"'`“”‘’«»"
_WITHIN = re.compile(r"\s+(?:in|inside|within|under|from|on)\s+", re.IGNORECASE)


class Fit(IntEnum):
    """From the name itself to words of its path; a smaller one is a better fit, and only the best count."""

    EXACT = 0
    CASE = 1
    STEM = 2
    WORDS = 3
    PATH = 4


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person called a file: the last part of a path, and the folders said before it.

    `folded` and `words` are the name in the forms in which names are compared. `stem` is its words in order,
    or nothing for a name with a suffix: only one said without stands for any that has one. `around` holds the
    words of each folder that it was said to be in, at any depth.
    """

    name: str
    folders: tuple[str, ...]
    folded: str
    words: tuple[str, ...]
    stem: str
    around: tuple[tuple[str, ...], ...] = ()


def wanted(expression: str) -> Wanted:
    """The parts of a path as a person wrote it."""
    parts = [part for part in expression.split("/") if part not in ("", ".")]
    name = parts[-1] if parts else ""
    words = tokens(name)
    return Wanted(name, tuple(parts[:-1]), fold(name), words, "" if suffix(name) else " ".join(words))


def placed(expression: str) -> Wanted | None:
    """A name and the folders said after it, as in "the report in taxes"; None where no folder is said."""
    name, *folders = _WITHIN.split(plainer(expression))
    around = tuple(tokens(plainer(part)) for folder in folders for part in folder.split("/"))
    if not around or not all(around) or not tokens(name):
        return None
    return replace(wanted(plainer(name)), around=around)


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


def in_folder(expression: str) -> tuple[str, str] | None:
    """A name and the folder said last, as in "shopping list in the notes folder", or None."""
    found = list(_WITHIN.finditer(expression))
    if not found:
        return None
    name, folder = expression[: found[-1].start()], expression[found[-1].end() :]
    return (name.strip(_QUOTES + " "), folder) if tokens(name) and tokens(folder) else None


def fits_path(words: tuple[str, ...], names: tuple[bytes, ...]) -> bool:
    """Whether a path, its own name last, has all the words, and its own name one of them at least."""
    own, along = set(tokens(readable(names[-1]))), {word for name in names for word in tokens(readable(name))}
    return bool(own & set(words)) and set(words) <= along


def lies_around(around: tuple[tuple[str, ...], ...], folders: tuple[bytes, ...]) -> bool:
    """Whether each of the folders that were said is one of those on the way, or has its words."""
    there = [set(tokens(readable(folder))) for folder in folders]
    return all(any(set(words) <= names for names in there) for words in around)


def lies_in(folders: tuple[str, ...], parts: tuple[bytes, ...]) -> bool:
    """Whether a path ends in the folders that were said, whatever their case."""
    said = [fold(folder) for folder in folders]
    return not said or [fold(clean_bytes(part)) for part in parts[-len(said) :]] == said


def plainer(expression: str) -> str:
    """What was called, without quotation marks and words such as "my ... file" or "the folder called ..."."""
    text = expression.strip(_QUOTES + " ")
    for words in (_LEADING, _KIND, _CALLED):
        text = _without(text, words)
    for word in _TRAILING:
        if text.lower().endswith(word):
            text = text[: -len(word)]
            break
    return text.strip(_QUOTES + " ")


def _without(text: str, beginnings: tuple[str, ...]) -> str:
    """A text without the first of these words that it begins with."""
    found = next((word for word in beginnings if text.lower().startswith(word)), "")
    return text[len(found) :]
