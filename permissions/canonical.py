"""One spelling for every JSON value, so that equal values have equal digests and different ones do not."""

import hashlib
import math
import re
from collections.abc import Mapping

from pydantic import JsonValue

_NOT_PLAIN = re.compile(r"[^ !#-\[\]-~]")


def canonical(value: object) -> bytes:
    """The canonical JSON of a value: keys sorted by code point, no spaces, ASCII escapes in lower-case hex.

    Tuples count as lists. Raises ValueError for what has no exact JSON form: NaN, infinities, lone
    surrogates, keys that are not text, and any other type.
    """
    return _encode(value).encode("ascii")


def digest(value: JsonValue | Mapping[str, object]) -> str:
    """The SHA-256 of a value's canonical JSON, in hex."""
    return hashlib.sha256(canonical(value)).hexdigest()


def _encode(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return _text(value)
        case int():
            return int.__repr__(value)
        case float():
            if not math.isfinite(value):
                raise ValueError(f"{value} has no JSON form")
            return float.__repr__(value)
        case list() | tuple():
            return f"[{','.join(_encode(item) for item in value)}]"
        case Mapping():
            return f"{{{','.join(f'{_text(key)}:{_encode(value[key])}' for key in _sorted(value))}}}"
        case _:
            raise ValueError(f"a {type(value).__name__} has no JSON form")


def _sorted(mapping: Mapping[object, object]) -> list[str]:
    keys = [key for key in mapping if isinstance(key, str)]
    if len(keys) != len(mapping):
        raise ValueError("a key that is not text has no JSON form")
    return sorted(keys)


def _text(text: str) -> str:
    return f'"{_NOT_PLAIN.sub(_escape, text)}"'


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    if character in '"\\':
        return f"\\{character}"
    if 0xD800 <= code <= 0xDFFF:
        # Two lone halves would be spelled like the one character they resemble.
        raise ValueError("a lone surrogate has no JSON form")
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
