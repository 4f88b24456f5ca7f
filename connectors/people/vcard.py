"""Reads and writes vCards: 2.1 as old phones write it, 3.0 (RFC 2426) and 4.0 (RFC 6350)."""

import quopri
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from connectors.people.matrix_ids import matrix_id_of, matrix_uri

_FOLDED = re.compile(r"\r?\n[ \t]")
_ESCAPED = re.compile(r"\\(.)")
_LINE_OCTETS = 75
_KINDS = ("KIND", "X-ADDRESSBOOKSERVER-KIND")
_PRODUCT = "-//Askfirst//EN"


class VCardError(ValueError):
    """A text that is no vCard; the message says why."""


@dataclass(frozen=True, slots=True)
class Card:
    """What is used of one vCard, raw and in the order of preference; a `group` is a list of others.

    `matrix` are ids on Matrix, from IMPP (RFC 4770, RFC 6350 section 6.4.3) and X-MATRIX.
    """

    name: str = ""
    addresses: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    group: bool = False
    matrix: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Property:
    name: str
    value: str
    preference: int = 100


@dataclass(slots=True)
class _Open:
    properties: list[_Property] = field(default_factory=list)
    depth: int = 0


def read_cards(data: bytes) -> tuple[Card, ...]:
    """Every vCard in the bytes of a file; raises VCardError when there is none or one does not end."""
    if b"\0" in data:
        raise VCardError("it is not a text file")
    text = _decoded(data)
    cards: list[Card] = []
    current: _Open | None = None
    for line in _lines(text):
        marker = line.strip().upper()
        if marker == "BEGIN:VCARD":
            current = current or _Open()
            current.depth += 1
        elif current is not None and marker == "END:VCARD":
            current.depth -= 1
            if current.depth == 0:
                cards.append(_card(current.properties))
                current = None
        elif current is not None and current.depth == 1 and (read := _property(line)):
            current.properties.append(read)
    if current is not None:
        raise VCardError("a vCard in it does not end")
    if not cards:
        raise VCardError("there is no vCard in it")
    return tuple(cards)


def write_card(
    uid: str, name: str, addresses: Iterable[str], phones: Iterable[str], matrix: Iterable[str] = ()
) -> bytes:
    """A vCard 3.0 with these values, in UTF-8, folded at 75 octets."""
    given, _, family = name.rpartition(" ")
    lines = [
        "BEGIN:VCARD",
        "VERSION:3.0",
        f"PRODID:{_PRODUCT}",
        f"UID:{uid}",
        f"FN:{_escape(name)}",
        f"N:{_escape(family)};{_escape(given)};;;",
        *(f"EMAIL;TYPE=INTERNET:{_escape(address)}" for address in addresses),
        *(f"TEL:{_escape(phone)}" for phone in phones),
        *(f"IMPP:{_escape(matrix_uri(user))}" for user in matrix),
        "END:VCARD",
    ]
    return "".join(f"{_fold(line)}\r\n" for line in lines).encode()


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _lines(text: str) -> Iterator[str]:
    """Unfolded lines; a quoted-printable value goes on after a soft break."""
    pending = ""
    for line in _FOLDED.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).split("\n"):
        whole = pending + line
        quoted = "quoted-printable" in whole.partition(":")[0].lower()
        if quoted and whole.endswith("="):
            pending = whole[:-1]
            continue
        pending = ""
        if whole.strip():
            yield whole
    if pending:
        yield pending


def _property(line: str) -> _Property | None:
    head, value = _split_head(line)
    if head is None:
        return None
    name, *parameters = head.split(";")
    name = name.rpartition(".")[2].strip().upper()
    settings = [parameter.strip().strip('"').lower() for parameter in parameters]
    if any(setting in ("encoding=quoted-printable", "quoted-printable") for setting in settings):
        charset = next((each.partition("=")[2] for each in settings if each.startswith("charset=")), "utf-8")
        value = _unquoted(value, charset)
    return _Property(name, value, _preference(settings))


def _split_head(line: str) -> tuple[str | None, str]:
    """The line at its first colon outside of quotes."""
    quoted = False
    for at, character in enumerate(line):
        if character == '"':
            quoted = not quoted
        elif character == ":" and not quoted:
            return line[:at], line[at + 1 :]
    return None, line


def _unquoted(value: str, charset: str) -> str:
    data = quopri.decodestring(value.encode("utf-8", "replace"))
    try:
        return data.decode(charset)
    except (LookupError, UnicodeDecodeError):
        return data.decode("utf-8", "replace")


def _preference(settings: list[str]) -> int:
    for setting in settings:
        if setting.startswith("pref=") and setting[5:].isascii() and setting[5:].isdigit():
            return int(setting[5:])
        if setting == "pref" or (
            setting.startswith("type=") and "pref" in setting[5:].replace('"', "").split(",")
        ):
            return 1
    return 100


def _card(properties: list[_Property]) -> Card:
    by_name: dict[str, list[_Property]] = {}
    for each in properties:
        by_name.setdefault(each.name, []).append(each)
    return Card(
        name=_name(by_name),
        addresses=tuple(_values(by_name.get("EMAIL", []), "mailto:")),
        phones=tuple(_values(by_name.get("TEL", []), "tel:")),
        matrix=tuple(dict.fromkeys(filter(None, map(matrix_id_of, _messengers(by_name))))),
        group=any(each.value.strip().lower() == "group" for name in _KINDS for each in by_name.get(name, [])),
    )


def _messengers(by_name: dict[str, list[_Property]]) -> Iterator[str]:
    for name in ("IMPP", "X-MATRIX"):
        yield from _values(by_name.get(name, []), "im:")


def _name(by_name: dict[str, list[_Property]]) -> str:
    for each in by_name.get("FN", []):
        if name := _unescape(each.value).strip():
            return name
    for each in by_name.get("N", []):
        family, given, *_ = (*_components(each.value), "", "")
        if name := f"{given} {family}".strip():
            return name
    for name_of in ("ORG", "NICKNAME"):
        for each in by_name.get(name_of, []):
            if name := _components(each.value)[0]:
                return name
    return ""


def _values(properties: list[_Property], scheme: str) -> Iterator[str]:
    seen: set[str] = set()
    for each in sorted(properties, key=lambda one: one.preference):
        value = _unescape(each.value).strip()
        if value.lower().startswith(scheme):
            value = value[len(scheme) :]
        if value and value not in seen:
            seen.add(value)
            yield value


def _components(value: str) -> list[str]:
    parts = re.split(r"(?<!\\);", value)
    return [" ".join(_unescape(part).split()) for part in parts]


def _unescape(value: str) -> str:
    return _ESCAPED.sub(lambda match: "\n" if match[1] in "nN" else match[1], value)


def _escape(value: str) -> str:
    value = value.replace("\\", "\\\\").replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n")
    return value.replace(",", "\\,").replace(";", "\\;")


def _fold(line: str) -> str:
    pieces: list[str] = []
    piece = ""
    for character in line:
        if len((piece + character).encode()) > _LINE_OCTETS - bool(pieces):
            pieces.append(piece)
            piece = ""
        piece += character
    return "\r\n ".join([*pieces, piece])
