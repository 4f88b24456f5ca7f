"""The ways a text can be read: as it stands, and with the usual disguises taken off."""

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from urllib.parse import unquote

_CODED = re.compile(r"[A-Za-z0-9+/_=-]{6,}")
_HEX = re.compile(r"(?<![0-9a-z])(?:[0-9a-f]{2}[\s:,-]?){3,}", re.IGNORECASE)
_CODES = re.compile(r"\d{2,3}(?:[\s,;-]+\d{2,3}){3,}")
_MOST = 100_000

_UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SPELLED = re.compile(rf"\b(?:{'|'.join([*_TEENS, *_TENS, *_UNITS, 'oh', 'nought'])})\b")


def readings(text: str) -> Iterator[str]:
    """The text in lower case and plain letters, then what it says once decoded; each reading once."""
    seen: set[str] = set()
    for reading in _readings(text[:_MOST]):
        plain = _plain(reading)
        if plain not in seen:
            seen.add(plain)
            yield plain


def _readings(text: str) -> Iterator[str]:
    yield text
    yield html.unescape(unquote(text))
    yield _digits(text.lower())
    yield codecs.encode(text, "rot13")
    yield "".join(map(_unseen, text))
    for match in _CODED.finditer(text):
        yield from _decoded(match.group())
    for match in _HEX.finditer(text):
        yield from _bytes(lambda: bytes.fromhex(re.sub(r"[^0-9a-fA-F]", "", match.group())))  # noqa: B023
    for match in _CODES.finditer(text):
        yield from _bytes(lambda: bytes(int(code) for code in re.findall(r"\d+", match.group())))  # noqa: B023


def _unseen(sign: str) -> str:
    """What a sign that no font draws stands for: a tag for its letter, a variation selector for its byte.

    Ends of lines stay, so that what one line hides does not run on into the next.
    """
    code = ord(sign)
    if sign == "\n":
        return sign
    if 0xE0020 <= code <= 0xE007E:
        return chr(code - 0xE0000)
    return chr(code - 0xE0100 + 16) if 0xE0100 <= code <= 0xE01EF else ""


def _decoded(coded: str) -> Iterator[str]:
    usual = coded.replace("-", "+").replace("_", "/")
    yield from _bytes(lambda: base64.b64decode(usual + "=="))  # Padding that is too long does no harm.
    bare = coded.rstrip("=").upper()
    yield from _bytes(lambda: base64.b32decode(bare + "=" * (-len(bare) % 8)))


def _bytes(read: Callable[[], bytes]) -> Iterator[str]:
    """What some coded bytes say, if they are text."""
    try:
        text = read().decode("ascii")
    except (ValueError, binascii.Error):
        return
    if len(text) >= 3 and all(letter.isprintable() or letter.isspace() for letter in text):
        yield text


def _digits(text: str) -> str:
    """A text with every number word as digits: "four six thirty-eight" is "4 6 38"."""
    joined = re.sub(rf"\b({'|'.join(_TENS)})[\s-]+({'|'.join(_UNITS[1:])})\b", _joined, text)
    return _SPELLED.sub(lambda match: _number(match.group()), joined)


def _joined(match: re.Match[str]) -> str:
    return str(int(_number(match.group(1))) + int(_number(match.group(2))))


def _number(word: str) -> str:
    if word in _UNITS:
        return str(_UNITS.index(word))
    if word in _TEENS:
        return str(10 + _TEENS.index(word))
    return str(20 + 10 * _TENS.index(word)) if word in _TENS else "0"


def _plain(text: str) -> str:
    """Lower case, compatible forms and digits of any script as plain ones."""
    folded = unicodedata.normalize("NFKC", text).lower()
    return "".join(_ascii_digit(letter) for letter in folded)


def _ascii_digit(letter: str) -> str:
    digit = unicodedata.digit(letter, None)
    return letter if digit is None else str(digit)
