"""The model's tokens as bytes and as marks."""

import ctypes
from collections.abc import Iterable
from typing import Protocol

import llama_cpp
import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int64]

_LONGEST_TOKEN = 1024


class Pieces(Protocol):
    """What each token is."""

    def data(self, id_: int) -> bytes:
        """A token's bytes; those of a special token are its name."""
        ...

    def is_mark(self, id_: int) -> bool:
        """True if the token is special and not text."""
        ...

    def is_control(self, id_: int) -> bool:
        """True if the token is no part of any text; other special ones may be, such as a table's tags."""
        ...

    def ends(self, id_: int) -> bool:
        """True if the token ends an answer."""
        ...


class Vocabulary:
    """Looks tokens up; the library's own `detokenize` loses tokens of more than 32 bytes."""

    def __init__(self, model: llama_cpp.Llama) -> None:
        self._vocab = llama_cpp.llama_model_get_vocab(model.model)
        self._buffer = ctypes.create_string_buffer(_LONGEST_TOKEN)
        self._bytes: dict[int, bytes] = {}
        self._by_first: dict[int, Ids] = {}
        self.size = model.n_vocab()
        attributes = [llama_cpp.llama_vocab_get_attr(self._vocab, id_) for id_ in range(self.size)]
        control, special = llama_cpp.LLAMA_TOKEN_ATTR_CONTROL, llama_cpp.LLAMA_TOKEN_ATTR_USER_DEFINED
        self._control = frozenset(id_ for id_, attribute in enumerate(attributes) if attribute & control)
        self._special = self._control | {id_ for id_, each in enumerate(attributes) if each & special}

    def data(self, id_: int) -> bytes:
        """A token's bytes; those of a special token are its name."""
        if id_ not in self._bytes:
            length = llama_cpp.llama_token_to_piece(
                self._vocab, id_, self._buffer, _LONGEST_TOKEN, 0, id_ in self._special
            )
            self._bytes[id_] = self._buffer.raw[: max(length, 0)]
        return self._bytes[id_]

    def ends(self, id_: int) -> bool:
        """True if the token ends an answer."""
        return bool(llama_cpp.llama_vocab_is_eog(self._vocab, id_))

    def is_mark(self, id_: int) -> bool:
        """True if the token is special and not text."""
        return id_ in self._special

    def is_control(self, id_: int) -> bool:
        """True if the token is no part of any text."""
        return id_ in self._control

    def marks(self) -> tuple[str, ...]:
        """The special tokens as texts, but not those that are only blank."""
        names = (self.data(id_).decode("utf-8", "replace") for id_ in sorted(self._special))
        return tuple(name for name in names if name.strip())

    def ending_tokens(self) -> tuple[int, ...]:
        return tuple(id_ for id_ in sorted(self._special) if self.ends(id_))

    def starting_with(self, first: Iterable[int]) -> Ids:
        """The ordinary tokens whose first byte is one of these."""
        if not self._by_first:
            sorted_: dict[int, list[int]] = {}
            for id_ in range(self.size):
                if id_ not in self._special and (data := self.data(id_)):
                    sorted_.setdefault(data[0], []).append(id_)
            self._by_first = {byte: np.array(ids, dtype=np.int64) for byte, ids in sorted_.items()}
        found = [self._by_first[byte] for byte in sorted(first) if byte in self._by_first]
        return np.concatenate(found) if found else np.array([], dtype=np.int64)
