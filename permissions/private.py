"""What a text would carry out: rare tokens and whole phrases of other texts, plain or in disguise."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from permissions.disguises import readings
from permissions.tokens import links, sounds

_PHRASE = 6
_MOST_TOKENS = 5_000

_MOMENTS = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}(?:T[\d:.]+Z?)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}[:.]\d{2}(?::\d{2})?(?!\d)"
    r"|\b(?:199|20[0-3])\d\b"
)
_NUMBER = re.compile(r"\d(?:[ \u00a0.-]?\d){3,}")
_ACCOUNT = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,}(?: ?[A-Z0-9]{1,4})?\b")
_KEPT = re.compile(
    r"\b(?:pass(?:word|code|phrase|wort)?|pin|code|kode|secret|token|key|login)\b[^\n:=]{0,20}[:=]\s*"
    r"[\"'“”‘’]?([^\s\"'“”‘’]{4,})",
    re.IGNORECASE,
)
_WORD = re.compile(r"\S+")


def rare(text: str) -> frozenset[str]:
    """The rare tokens of a text, squeezed: words with digits in them, long numbers, links, and what is given
    as a password or code. Dates and times of day are none."""
    text = unicodedata.normalize("NFKC", text)
    found = {match.group(1) for match in _KEPT.finditer(text)} | set(links(text))
    bare = _MOMENTS.sub(" ", text)
    found |= {match.group() for pattern in (_NUMBER, _ACCOUNT) for match in pattern.finditer(bare)}
    found |= {word for word in _WORD.findall(bare) if any(letter.isdigit() for letter in word)}
    squeezed = (squeeze(token) for token in found)
    return frozenset(token for token in squeezed if len(token) >= (4 if token.isdigit() else 5))


def carried(outward: str, source: str, known: Iterable[str]) -> bool:
    """True if a text holds a rare token or a phrase of the source that is in none of the known texts."""
    known = tuple(known)
    kept = "\n".join(squeeze(text) for text in known)
    tokens = sorted(token for token in rare(source) if token not in kept)[:_MOST_TOKENS]
    haystacks = [(squeeze(reading), reading) for reading in readings(outward)]
    if any(_holds(token, haystacks) for token in tokens):
        return True
    said = set().union(*(_phrases(text) for text in known))
    return bool((_phrases(outward) & _phrases(source)) - said)


def squeeze(text: str) -> str:
    """The letters and digits of a text in one run, in lower case, digits of any script as ASCII ones."""
    return "".join(_squeezed(text))


def _squeezed(text: str) -> Iterator[str]:
    for letter in unicodedata.normalize("NFKC", text).lower():
        digit = unicodedata.digit(letter, None)
        if digit is not None:
            yield str(digit)
        elif letter.isalnum():
            yield letter


def _holds(token: str, haystacks: list[tuple[str, str]]) -> bool:
    """True if a reading has the token, letter by letter with at most a few signs between, or backwards."""
    for squeezed, reading in haystacks:
        for way in (token, token[::-1]):
            if way in squeezed and _pattern(way).search(reading):
                return True
    return False


@lru_cache(maxsize=256)
def _pattern(token: str) -> re.Pattern[str]:
    spread = r"[\W_]{0,3}".join(map(re.escape, token))
    return re.compile(rf"(?<!\d){spread}(?!\d)" if token.isdigit() else spread)


def _phrases(text: str) -> set[tuple[str, ...]]:
    spoken = sounds(text)
    return {tuple(spoken[at : at + _PHRASE]) for at in range(len(spoken) - _PHRASE + 1)}
