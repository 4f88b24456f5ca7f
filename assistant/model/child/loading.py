"""Loads a model into llama.cpp and proves that it can compute."""

import contextlib
import io
import os
from collections.abc import Callable
from ctypes import c_void_p

import llama_cpp
from llama_cpp import llama_cpp as low_level

from assistant.model.wire import Load
from connectors.clean import clean_line

# From ggml-org/ggml:include/ggml.h, enum ggml_log_level.
_ERROR, _CONTINUED = 4, 5
# Comes after the reason, and says nothing more.
_NO_REASON = "failed to load model"
_BEFORE_REASON = "error loading model: "
# Larger parts are read no faster on a processor, and take more memory (measured: 45 MB from 256 to 512).
_BATCH = 256


class LoadError(Exception):
    """The model cannot be loaded; the text is a plain clause."""


class Log:
    """Takes llama.cpp's log: errors go to standard error, the last one with a reason is kept.

    Nothing is an error while it is `hushed`, as when it was told to stop in the middle.
    """

    def __init__(self, hushed: Callable[[], bool] = bool) -> None:
        self.last = ""
        self._hushed = hushed
        self._level = 0
        # llama.cpp keeps only a pointer: the callback must live as long as the process.
        self._callback = llama_cpp.llama_log_callback(self._take)
        llama_cpp.llama_log_set(self._callback, c_void_p(0))

    def _take(self, level: int, text: bytes, _: c_void_p) -> None:
        if level != _CONTINUED:
            self._level = level
        if self._level == _ERROR and not self._hushed():
            os.write(2, text)
            said = text.decode("utf-8", "replace").strip()
            if said and not said.endswith(_NO_REASON):
                self.last = clean_line(said.rpartition(_BEFORE_REASON)[2], 300)


def load(request: Load, log: Log) -> llama_cpp.Llama:
    """The model, warmed up. Raises LoadError; may end the process where llama.cpp does."""
    if request.plain:
        _leave_out_special_instructions()
    try:
        # Not verbose would send standard output and error to nowhere, and an abort's last words with them.
        with contextlib.redirect_stderr(io.StringIO()):
            model = llama_cpp.Llama(
                request.path,
                lora_path=request.adapter,
                n_ctx=request.context,
                n_batch=_BATCH,
                # As fast, and 100 MB less for 8,192 tokens; what comes with an adapter was measured without.
                flash_attn=request.adapter is None,
                n_threads=request.threads,
                n_threads_batch=request.threads,
                verbose=True,
            )
        model.verbose = False
        # Two tokens at once take the way of long prompts; better to fail here than in an answer.
        model.eval([0, 0])
    except (ValueError, RuntimeError, OSError) as error:
        raise LoadError(log.last or str(error)) from error
    forget(model)
    return model


def forget(model: llama_cpp.Llama) -> None:
    """Empty the model's memory."""
    model.reset()  # type: ignore[no-untyped-call]


def _leave_out_special_instructions() -> None:
    """Keep llama.cpp from its repacked weights, which the library has no parameter for.

    On some processors and compilers the AMX code among them ends the process.
    """
    default: Callable[[], llama_cpp.llama_model_params] = low_level.llama_model_default_params

    def params() -> llama_cpp.llama_model_params:
        plain = default()
        plain.use_extra_bufts = False
        return plain

    low_level.llama_model_default_params = params
