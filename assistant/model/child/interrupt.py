"""Stops llama.cpp in the middle of a computation."""

import ctypes

import llama_cpp


class Interrupted(Exception):
    """A computation was stopped in the middle; the memory goes on from a good place before it."""


class Interrupt:
    """A flag that llama.cpp looks at between any two operations; any thread may raise it."""

    def __init__(self) -> None:
        self._flag = ctypes.create_string_buffer(2)
        # Asked a thousand times a token, so it must not be Python: the length of the text in the flag is 0
        # while it is lowered and 1, which is true, while it is raised.
        libc = ctypes.CDLL(None)
        self._callback = ctypes.cast(libc.strlen, llama_cpp.ggml_abort_callback)

    def watch(self, model: llama_cpp.Llama) -> None:
        """Let the flag stop this model's computations."""
        llama_cpp.llama_set_abort_callback(
            model.ctx, self._callback, ctypes.c_void_p(ctypes.addressof(self._flag))
        )

    @property
    def raised(self) -> bool:
        return self._flag.raw[0] != 0

    def lift(self) -> None:
        self._flag[0] = b"\1"

    def lower(self) -> None:
        self._flag[0] = b"\0"
