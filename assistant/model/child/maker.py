"""Tells apart what made a state: the model's file, its adapter, and the build of llama.cpp."""

import hashlib
from pathlib import Path

import llama_cpp

from assistant.model.wire import Load

_LOOKED_AT = 1024 * 1024


def maker(request: Load) -> str:
    """One line that is another one whenever a state would not fit, or not mean the same. Raises OSError."""
    library = Path(llama_cpp.llama_cpp.__file__)
    builds = sorted((library.parent / "lib").glob("lib*"))
    versions = (llama_cpp.__version__, llama_cpp.LLAMA_STATE_SEQ_VERSION, llama_cpp.LLAMA_SESSION_VERSION)
    return " ".join(
        [
            _file(Path(request.path)),
            _file(Path(request.adapter)) if request.adapter else "no adapter",
            "plain" if request.plain else "repacked",
            *map(str, versions),
            *(f"{build.name}:{build.stat().st_size}:{build.stat().st_mtime_ns}" for build in builds),
        ]
    )


def _file(path: Path) -> str:
    """A file's size, time and beginning, which of a model holds all that is said of it but the weights."""
    status = path.stat()
    with path.open("rb") as file:
        beginning = hashlib.sha256(file.read(_LOOKED_AT)).hexdigest()
    return f"{status.st_size}:{status.st_mtime_ns}:{beginning}"
