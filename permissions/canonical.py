"""One spelling for every JSON value, so that equal values have equal digests and different ones do not."""

import hashlib
import math
import re
from collections.abc import Mapping
from json.encoder import encode_basestring_ascii

from pydantic import JsonValue

_SHORTENED = re.compile(r"[\n\r\t\x08\f]")
_ESCAPE = re.compile(r"\\.")
_LONG = {"\\n": "\\u000a", "\\r": "\\u000d", "\\t": "\\u0009", "\\b": "\\u0008", "\\f": "\\u000c"}


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
        case str():
            return _text(value)
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return int.__repr__(value)
        case list() | tuple():
            return f"[{','.join(map(_encode, value))}]"
        case dict() | Mapping():
            return _object(value)
        case float() if math.isfinite(value):
            return float.__repr__(value)
        case float():
            raise ValueError(f"{value} has no JSON form")
    raise ValueError(f"a {type(value).__name__} has no JSON form")


def _object(mapping: Mapping[object, object]) -> str:
    keys = [key for key in mapping if isinstance(key, str)]
    if len(keys) != len(mapping):
        raise ValueError("a key that is not text has no JSON form")
    return f"{{{','.join([f'{_text(key)}:{_encode(mapping[key])}' for key in sorted(keys)])}}}"


def _text(text: str) -> str:
    if text.isascii() and text.isprintable():
        return encode_basestring_ascii(text)
    _no_lone_surrogates(text)
    spelled = encode_basestring_ascii(text)
    return _ESCAPE.sub(_in_full, spelled) if _SHORTENED.search(text) else spelled


def _in_full(match: re.Match[str]) -> str:
    return _LONG.get(match.group(), match.group())


def _no_lone_surrogates(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        # Two lone halves would be spelled like the one character they resemble.
        raise ValueError("a lone surrogate has no JSON form") from error
