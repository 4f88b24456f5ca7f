"""The models that the runtime is measured with: random weights, in the shape of BotPsy 0.8B or small.

Usage: python packaging/bench/runtime_model.py      builds the large one (809 MB) and prints where it is

The files are kept in $ASKFIRST_BENCH_CACHE, by default in the folder `bench` of Askfirst's cache.
"""

import hashlib
import os
import tempfile
from pathlib import Path

import gguf

from tests.assistant.model.toy import QWEN_TEMPLATE, build_qwen
from tests.assistant.model.weights import FULL, TOY, Shape
from tests.assistant.model.words import Words, many_words
from tui.places import usual

_CONTEXT = 262_144


def large() -> Path:
    """The file in the shape of Qwen3.5 0.8B at Q8_0, with a vocabulary of real size; built if need be."""
    return _kept("random-qwen35-0.8b-q8_0", FULL, many_words())


def small() -> Path:
    """A few small layers with the same vocabulary."""
    return _kept("random-qwen35-toy", TOY, many_words())


def large_is_there() -> bool:
    return _place("random-qwen35-0.8b-q8_0", FULL, many_words()).is_file()


def _kept(name: str, shape: Shape, words: Words) -> Path:
    path = _place(name, shape, words)
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            part = Path(folder) / path.name
            build_qwen(part, context=_CONTEXT, shape=shape, words=words, quantised=True, name=name)
            os.replace(part, path)
    return path


def _place(name: str, shape: Shape, words: Words) -> Path:
    """Where a file is kept; what it is made from stands in its name."""
    made_from = repr((shape, words, QWEN_TEMPLATE, gguf.LlamaFileType.MOSTLY_Q8_0)).encode()
    named = os.environ.get("ASKFIRST_BENCH_CACHE")
    folder = Path(named) if named else usual().cache / "bench"
    return folder / f"{name}-{hashlib.sha256(made_from).hexdigest()[:8]}.gguf"


if __name__ == "__main__":
    print(large())
