"""Where a file is: a named folder that may be used, and a path of bytes below it.

File names are bytes. They are shown with what cannot be decoded as `\\xNN`, and carried without loss in a
handle, `file:<folder>/<path>`: UTF-8 in which undecodable bytes, `%`, unseen characters, and characters
with a meaning to a model's template are percent-encoded (RFC 3986), so that cleaning never changes a handle.
"""

import os
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote_to_bytes

from connectors.base import Needs
from connectors.clean import clean_bytes, clean_line
from connectors.files.errors import Refused

SCHEME = "file:"
_ESCAPED = frozenset("%<>|[]")


@dataclass(frozen=True, slots=True)
class Root:
    """A folder that may be used, under the name a person calls it; `make` lets the first write create it."""

    name: str
    path: Path
    make: bool = False

    def __post_init__(self) -> None:
        if not root_name_is_good(self.name):
            raise ValueError(f"{self.name!r} cannot be a folder's name")

    @property
    def real(self) -> bytes:
        """The folder's path with every link on the way followed."""
        return os.path.realpath(os.fsencode(self.path))


@dataclass(frozen=True, slots=True)
class Place:
    """A file or folder, there or not: the path is relative, without `.` and `..`, and empty for the root."""

    root: Root
    relative: bytes = b""

    @property
    def name(self) -> bytes:
        return os.path.basename(self.relative) or os.fsencode(self.root.name)

    @property
    def parts(self) -> tuple[bytes, ...]:
        return tuple(self.relative.split(b"/")) if self.relative else ()

    @property
    def folders(self) -> tuple[bytes, ...]:
        """The names of the folders it is in, the root's first."""
        return (os.fsencode(self.root.name), *self.parts[:-1])

    @property
    def parent(self) -> "Place":
        return Place(self.root, os.path.dirname(self.relative))

    @property
    def absolute(self) -> bytes:
        return os.path.join(self.root.real, self.relative) if self.relative else self.root.real

    @property
    def shown(self) -> str:
        """The path as a person reads it, beginning with the folder's name."""
        return f"{self.root.name}/{clean_bytes(self.relative)}" if self.relative else self.root.name

    @property
    def label(self) -> str:
        """The name as a person reads it."""
        return clean_bytes(self.name)

    @property
    def handle(self) -> str:
        return f"{SCHEME}{self.root.name}" + (f"/{_escape(self.relative)}" if self.relative else "")

    def child(self, name: bytes) -> "Place":
        return Place(self.root, self.relative + b"/" + name if self.relative else name)

    def is_within(self, other: "Place") -> bool:
        """Whether this is the other place or lies below it."""
        inside = self.parts[: len(other.parts)] == other.parts
        return self.root == other.root and inside


class Places:
    """The folders that may be used, and what a path written by a person or a model can mean among them."""

    def __init__(self, roots: Sequence[Root], home: Path, *, hidden: bool = False) -> None:
        self._home = os.fsencode(home)
        self._hidden = hidden
        self._named: dict[str, Place] = {}
        self._outer: list[Root] = []
        for root in sorted(roots, key=lambda root: len(_components(root.real))):
            around = next((outer for outer in self._outer if _below(root.real, outer.real) is not None), None)
            if around is None:
                self._outer.append(root)
            below = b"" if around is None else _below(root.real, around.real)
            self._named.setdefault(fold(root.name), Place(around or root, below or b""))
        self._outer.sort(key=list(roots).index)
        self._said = tuple(dict.fromkeys(root.name for root in roots))

    @property
    def roots(self) -> tuple[Root, ...]:
        """The folders to look in, none of which lies in another."""
        return tuple(self._outer)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all folders, those inside others too, in the order they were given."""
        return self._said

    def named(self, name: str) -> Place | None:
        """The folder a person calls by this name."""
        return self._named.get(fold(name))

    def readings(self, expression: str) -> tuple[Place, ...]:
        """Every exact place that a handle or path can mean, whether it is there or not.

        Raises Refused for a path that is malformed, hidden, or outside the folders.
        """
        if expression.startswith(SCHEME):
            rest = expression.removeprefix(SCHEME)
            known = rest.startswith("/") or self.named(rest.partition("/")[0]) is not None
            return (self.at(rest),) if known else self.readings(rest)
        raw = _bytes(expression)
        if raw.startswith(b"~/"):
            raw = self._home + raw[1:]
        if raw.startswith(b"/"):
            return (self._checked(self._by_absolute(raw, expression), expression),)
        parts = _walked(raw, expression) or (b"",)
        first, below = parts[0], parts[1:]
        found = []
        if named := self.named(os.fsdecode(first)):
            found.append(Place(named.root, b"/".join((*named.parts, *below))))
        found += [Place(root, b"/".join((first, *below))) for root in self.roots if first]
        return tuple(self._checked(place, expression) for place in dict.fromkeys(found))

    def at(self, handle: str) -> Place:
        """The place of a handle made earlier. Raises Refused when it is not one, or no longer among ours."""
        return self._checked(self._by_handle(handle.removeprefix(SCHEME)), handle)

    def of_path(self, path: bytes) -> Place | None:
        """The place of an absolute path, or None for one outside the folders."""
        for root in self.roots:
            for start in dict.fromkeys((root.real, os.path.abspath(os.fsencode(root.path)))):
                if (below := _below(path, start)) is not None:
                    return Place(root, below)
        return None

    def is_hidden(self, place: Place) -> bool:
        return any(part.startswith(b".") for part in place.parts)

    def _by_handle(self, handle: str) -> Place:
        if handle.startswith("/"):
            raw = _unquoted("/" + handle.lstrip("/"))
            return self._by_absolute(raw, handle)
        name, _, rest = handle.partition("/")
        root = self.named(name)
        if root is None:
            raise Refused(Needs.NOT_FOUND, f"No folder is called “{clean_line(name, 80)}”; {self._known()}.")
        return Place(root.root, b"/".join((*root.parts, *_walked(_unquoted(rest), handle))))

    def _by_absolute(self, raw: bytes, expression: str) -> Place:
        clear = b"/" + b"/".join(_walked(raw, expression))
        if place := self.of_path(clear):
            return place
        shown = clean_line(expression, 200)
        raise Refused(Needs.INVALID, f"“{shown}” is outside the folders that may be used; {self._known()}.")

    def _checked(self, place: Place, expression: str) -> Place:
        if self.is_hidden(place) and not self._hidden:
            shown = clean_line(expression, 200)
            raise Refused(
                Needs.INVALID, f"“{shown}” is hidden (its name begins with a dot), so it is left alone."
            )
        return place

    def _known(self) -> str:
        return "they are " + ", ".join(self.names) if self.names else "there are none"


def fold(name: str) -> str:
    """A name in the form in which names are compared when a person wrote one of them."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def root_name_is_good(name: str) -> bool:
    """Whether a name can stand in a handle as it is."""
    odd = not name or name.startswith(".") or "/" in name or _ESCAPED & set(name)
    return not odd and clean_line(name) == name == name.strip()


def _components(path: bytes) -> list[bytes]:
    return [part for part in path.split(b"/") if part not in (b"", b".")]


def _walked(raw: bytes, expression: str) -> tuple[bytes, ...]:
    parts = _components(raw)
    shown = clean_line(expression, 200)
    if b".." in parts:
        raise Refused(Needs.INVALID, f"“{shown}” goes up with “..”; say the path from one of the folders on.")
    if b"\0" in raw:
        raise Refused(Needs.INVALID, f"“{shown}” holds a zero byte, which no name can.")
    return tuple(parts)


def _below(path: bytes, start: bytes) -> bytes | None:
    parts, above = _components(path), _components(start)
    return b"/".join(parts[len(above) :]) if parts[: len(above)] == above else None


def _bytes(text: str) -> bytes:
    try:
        return os.fsencode(text)
    except UnicodeEncodeError:
        raise Refused(Needs.INVALID, f"“{clean_line(text, 200)}” cannot be a file's name.") from None


def _unquoted(text: str) -> bytes:
    try:
        return unquote_to_bytes(text)
    except UnicodeEncodeError:
        raise Refused(Needs.INVALID, f"“{clean_line(text, 200)}” is not a handle.") from None


def _escape(relative: bytes) -> str:
    text = relative.decode("utf-8", "surrogateescape")
    around = zip("/" + text, text, text[1:] + "/", strict=False)
    return "".join(_escaped(before, character, after) for before, character, after in around)


def _escaped(before: str, character: str, after: str) -> str:
    if character.isascii() and (character.isalnum() or character in "/._-"):
        return character
    edge = character.isspace() and "/" in (before, after)
    unseen = clean_line(before + character) != clean_line(before) + character
    if not (edge or unseen or character in _ESCAPED):
        return character
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogateescape"))
