"""Reads what a GGUF file says of itself, without loading it (ggml-org/ggml:docs/gguf.md)."""

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from assistant.model.base import ModelUnusable
from connectors.clean import clean_line

MAGIC = b"GGUF"
# A vocabulary of 250,000 words takes a good part of a second to pass over.
_MOST_KEPT = 16
Value = str | int | float | bool

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MOST_KEYS, _MOST_TENSORS, _MOST_DIMENSIONS = 10_000, 100_000, 8
_MOST_IN_SHORT_LIST = 1024

# (values, bytes) of one block of each tensor type, from ggml-org/ggml:src/ggml.c
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 36),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292),
    16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110),
    22: (256, 82), 23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8),
    29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66), 39: (32, 17), 40: (64, 36),
    41: (128, 18),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Header:
    """What a GGUF file says of itself: its single values by key and its tensors' names.

    `lengths` says of each list how long it is; `numbers` holds the short lists of numbers, such as those
    with one value a layer.
    """

    metadata: Mapping[str, Value]
    tensors: tuple[str, ...]
    lengths: Mapping[str, int] = field(default_factory=dict)
    numbers: Mapping[str, tuple[int | float, ...]] = field(default_factory=dict)

    @property
    def architecture(self) -> str:
        return str(self.metadata.get("general.architecture", ""))

    @property
    def template(self) -> str | None:
        """The chat template as Jinja text, if there is one."""
        return template_in(self.metadata)

    @property
    def trained_context(self) -> int | None:
        length = self.metadata.get(f"{self.architecture}.context_length")
        return length if isinstance(length, int) else None

    @property
    def is_adapter(self) -> bool:
        return self.metadata.get("general.type") == "adapter"


def template_in(metadata: Mapping[str, object]) -> str | None:
    """The chat template in a file's metadata; that for conversations with tools, where it has several."""
    for key in ("tokenizer.chat_template.tool_use", "tokenizer.chat_template"):
        template = metadata.get(key)
        if isinstance(template, str) and template.strip():
            return template
    return None


def read_header(path: Path) -> Header:
    """The header of a GGUF file, once it is sure that the file is whole; read once while it stays the same.

    Raises ModelUnusable if it cannot be read, is no GGUF file, or is shorter than its tensors need.
    """
    try:
        found = path.stat()
    except OSError as error:
        raise ModelUnusable(f"{clean_line(str(path))} cannot be read ({error.strerror or error}).") from error
    return _header(path, found.st_size, (found.st_dev, found.st_ino, found.st_mtime_ns))


@lru_cache(maxsize=_MOST_KEPT)
def _header(path: Path, size: int, version: tuple[int, int, int]) -> Header:
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise ModelUnusable(f"{clean_line(path.name)} is not a GGUF model file.")
            if size < 24:
                raise _cut_off(path)
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return _Reader(data, path).header()
    except OSError as error:
        raise ModelUnusable(f"{clean_line(str(path))} cannot be read ({error.strerror or error}).") from error
    except (struct.error, IndexError, OverflowError) as error:
        raise _cut_off(path) from error


def _cut_off(path: Path) -> ModelUnusable:
    return ModelUnusable(f"{clean_line(path.name)} is not whole: it ends too early. Fetch it again.")


class _Reader:
    """Walks through the header of one file."""

    def __init__(self, data: mmap.mmap, path: Path) -> None:
        self._data = data
        self._path = path
        self._at = len(MAGIC)

    def header(self) -> Header:
        version, tensors, keys = self._unpack("<IQQ")
        if version not in (2, 3):
            raise ModelUnusable(f"{clean_line(self._path.name)} is GGUF of a version that cannot be read.")
        if keys > _MOST_KEYS or tensors > _MOST_TENSORS:
            raise self._broken()
        metadata: dict[str, Value] = {}
        lengths: dict[str, int] = {}
        numbers: dict[str, tuple[int | float, ...]] = {}
        for _ in range(keys):
            key = self._string()
            (kind,) = self._unpack("<I")
            if kind != _ARRAY:
                metadata[key] = self._value(kind)
                continue
            of, lengths[key] = self._unpack("<IQ")
            if of in _SCALARS and lengths[key] <= _MOST_IN_SHORT_LIST:
                numbers[key] = self._unpack(f"<{lengths[key]}{_SCALARS[of]}")
            else:
                self._pass_array(of, lengths[key])
        names = self._tensors(tensors, metadata.get("general.alignment", 32))
        return Header(metadata, names, lengths, numbers)

    def _tensors(self, count: int, alignment: Value) -> tuple[str, ...]:
        names, need = [], 0
        for _ in range(count):
            names.append(self._string())
            (dimensions,) = self._unpack("<I")
            if dimensions > _MOST_DIMENSIONS:
                raise self._broken()
            values = 1
            for length in self._unpack(f"<{dimensions}Q"):
                values *= length
            kind, offset = self._unpack("<IQ")
            block, weight = _BLOCKS.get(kind, (1, 0))
            need = max(need, offset + values // block * weight)
        step = alignment if isinstance(alignment, int) and alignment > 0 else 32
        start = -(-self._at // step) * step
        if start + need > len(self._data):
            raise _cut_off(self._path)
        return tuple(names)

    def _value(self, kind: int) -> Value:
        """One value that is no list."""
        if kind == _STRING:
            return self._string()
        if kind not in _SCALARS:
            raise self._broken()
        value: Value = self._unpack("<" + _SCALARS[kind])[0]
        return value

    def _pass_array(self, kind: int, count: int) -> None:
        if count > len(self._data):
            raise _cut_off(self._path)
        if kind in _SCALARS:
            self._skip(count * struct.calcsize("<" + _SCALARS[kind]))
        elif kind == _STRING:
            self._pass_strings(count)
        else:
            raise self._broken()

    def _pass_strings(self, count: int) -> None:
        """Pass over many strings quickly: there are half a million in the vocabulary of a large model."""
        at, data, length_at = self._at, self._data, struct.Struct("<Q").unpack_from
        for _ in range(count):
            at += 8 + length_at(data, at)[0]
        self._at = at
        self._skip(0)

    def _string(self) -> str:
        (length,) = self._unpack("<Q")
        start = self._at
        self._skip(length)
        return self._data[start : self._at].decode("utf-8", "replace")

    def _unpack(self, form: str) -> tuple[int, ...]:
        values = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return values

    def _skip(self, count: int) -> None:
        self._at += count
        if self._at > len(self._data):
            raise _cut_off(self._path)

    def _broken(self) -> ModelUnusable:
        return ModelUnusable(f"{clean_line(self._path.name)} is a damaged GGUF file. Fetch it again.")
