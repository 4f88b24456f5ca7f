"""What llama.cpp computed of the tokens it read, as bytes."""

import ctypes

import llama_cpp
import numpy as np
import numpy.typing as npt

State = npt.NDArray[np.uint8]

# Of a hybrid memory only the part that cannot be cut back; the rest of it must still be there.
PARTIAL: int = llama_cpp.LLAMA_STATE_SEQ_FLAGS_PARTIAL_ONLY
FULL = 0

_SEQUENCE = 0


def take(model: llama_cpp.Llama, flags: int) -> State:
    """The state after the tokens read so far; empty if there is none to be had."""
    size = llama_cpp.llama_state_seq_get_size_ext(model.ctx, _SEQUENCE, flags)
    state: State = np.empty(size, np.uint8)
    done = llama_cpp.llama_state_seq_get_data_ext(model.ctx, _pointer(state), size, _SEQUENCE, flags)
    return state[:done]


def put_back(model: llama_cpp.Llama, state: State, length: int, flags: int) -> bool:
    """Go on from a state after `length` tokens; what was read beyond is dropped. False if it does not fit."""
    taken = llama_cpp.llama_state_seq_set_data_ext(model.ctx, _pointer(state), len(state), _SEQUENCE, flags)
    if taken != len(state):
        return False
    memory = llama_cpp.llama_get_memory(model.ctx)
    if not llama_cpp.llama_memory_seq_rm(memory, _SEQUENCE, length, -1):
        return False
    return bool(llama_cpp.llama_memory_seq_pos_max(memory, _SEQUENCE) == length - 1)


def _pointer(state: State) -> "ctypes.Array[ctypes.c_uint8]":
    return (ctypes.c_uint8 * len(state)).from_buffer(state.data)
