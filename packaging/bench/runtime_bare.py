"""llama.cpp alone in a process of its own: the same file, context and threads, and nothing around it.

One JSON object to a line, each answered by one: {"file", "context", "threads"} loads, {"read": TEXT} reads a
prompt from nothing and {"decode": COUNT} goes on with the likeliest tokens, both answered with the seconds
by the clock and of processor time; {"parts": TEXT} is answered with the text's tokens as texts.
"""

import ctypes
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from rows import Spent

_AT_ONCE = 512


class Bare:
    """The process, seen from outside."""

    def __init__(self, file: Path, context: int, threads: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._ask({"file": str(file), "context": context, "threads": threads})

    def read(self, prompt: str) -> Spent:
        """To read a prompt from nothing."""
        return Spent(*self._ask({"read": prompt}))

    def a_token(self, count: int) -> Spent:
        """For one token, in going on by so many of the likeliest."""
        clock, processor = self._ask({"decode": count})
        return Spent(clock / count, processor / count)

    def parts(self, text: str) -> list[str]:
        """The tokens of a text, as texts."""
        return list(self._ask({"parts": text}))

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()

    def _ask(self, request: dict[str, Any]) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


class _Alone:
    """The process, seen from inside."""

    def __init__(self, file: str, context: int, threads: int) -> None:
        import llama_cpp  # noqa: PLC0415  (who watches this process must not load it)

        self._api = api = llama_cpp
        params = api.llama_context_default_params()
        params.n_ctx, params.n_batch, params.n_ubatch = context, _AT_ONCE, _AT_ONCE
        params.n_threads = params.n_threads_batch = threads
        self._model = api.llama_model_load_from_file(file.encode(), api.llama_model_default_params())
        self._context = api.llama_init_from_model(self._model, params)
        self._vocabulary = api.llama_model_get_vocab(self._model)
        self._greedy = api.llama_sampler_init_greedy()

    def read(self, prompt: str) -> tuple[float, float]:
        tokens = self._tokens(prompt)
        self._api.llama_memory_clear(self._api.llama_get_memory(self._context), True)
        began = time.perf_counter(), time.process_time()
        for at in range(0, len(tokens), _AT_ONCE):
            self._evaluate(tokens[at : at + _AT_ONCE])
        return time.perf_counter() - began[0], time.process_time() - began[1]

    def decode(self, count: int) -> tuple[float, float]:
        began = time.perf_counter(), time.process_time()
        for _ in range(count):
            self._evaluate([self._api.llama_sampler_sample(self._greedy, self._context, -1)])
        return time.perf_counter() - began[0], time.process_time() - began[1]

    def parts(self, text: str) -> list[str]:
        piece = ctypes.create_string_buffer(1024)
        parts = []
        for token in self._tokens(text):
            length = self._api.llama_token_to_piece(self._vocabulary, token, piece, 1024, 0, True)
            parts.append(piece.raw[:length].decode("utf-8", "replace"))
        return parts

    def _tokens(self, text: str) -> list[int]:
        data = text.encode()
        tokens = (self._api.llama_token * (len(data) + 1))()
        count = self._api.llama_tokenize(
            self._vocabulary, data, len(data), tokens, len(data) + 1, False, True
        )
        return list(tokens[:count])

    def _evaluate(self, tokens: list[int]) -> None:
        # The batch holds no more than the array's address.
        array = (self._api.llama_token * len(tokens))(*tokens)
        batch = self._api.llama_batch_get_one(array, len(tokens))
        if failed := self._api.llama_decode(self._context, batch):
            raise RuntimeError(f"llama_decode returned {failed}")


def _main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    alone: _Alone | None = None
    for line in sys.stdin.buffer:
        match json.loads(line):
            case {"read": text} if alone:
                answer: object = alone.read(text)
            case {"decode": count} if alone:
                answer = alone.decode(count)
            case {"parts": text} if alone:
                answer = alone.parts(text)
            case {"file": file, "context": context, "threads": threads}:
                alone, answer = _Alone(file, context, threads), 0
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    _main()
