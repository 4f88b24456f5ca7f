"""How a file on this machine becomes a model in Askfirst's cache."""

import re
from pathlib import Path

from assistant.model.base import ModelUnusable
from assistant.model.shelf.catalogue import Installed, add, models_folder, starter
from assistant.model.shelf.gguf import MAGIC
from assistant.model.shelf.keeping import Progress, checked, keep, no_progress
from assistant.model.shelf.known import KNOWN
from assistant.model.shelf.usable import judged
from assistant.model.starter import BASE_SHA256, BASE_SIZE, starter_path
from assistant.model.starter.wheel import take_from_wheel
from connectors.clean import clean_line

_NOT_IN_KEY = re.compile(r"[^a-z0-9._-]+")
_ZIP_MAGIC = b"PK\x03\x04"


def import_model(path: Path, cache: Path, progress: Progress = no_progress) -> Installed:
    """Copy a GGUF file, or the starter out of its wheel, into the cache; all of it or nothing.

    Raises ModelUnusable with a plain sentence if the file is no whole model that can call tools, or if there
    is no room for it.
    """
    if is_starter(path):
        return _import_starter(path, cache, progress)
    usable, size = judged(path), path.stat().st_size
    key = key_from(path.stem)
    folder = models_folder(cache)
    with path.open("rb") as source:
        sha256 = keep(source, folder / f"{key}.gguf", size, progress)
    model = Installed(key, usable.title, f"{key}.gguf", size, sha256, usable.dialect)
    add(cache, model)
    return model


def is_starter(path: Path) -> bool:
    """True for a file that may be the starter, or the wheel it comes in. Raises ModelUnusable."""
    if _begins_with(path, _ZIP_MAGIC):
        return True
    return path.stat().st_size == BASE_SIZE and _begins_with(path, MAGIC)


def key_from(name: str) -> str:
    """A plain key made of a file's name, never that of a model that Askfirst knows."""
    key = _NOT_IN_KEY.sub("-", name.casefold().removesuffix(".gguf")).strip("-.") or "model"
    return f"{key}-file" if key in {known.key for known in KNOWN} else key


def _import_starter(path: Path, cache: Path, progress: Progress) -> Installed:
    if _begins_with(path, _ZIP_MAGIC):
        take_from_wheel(path, cache, progress)
        return starter()
    with path.open("rb") as source:
        checked(source, starter_path(cache), BASE_SIZE, BASE_SHA256, progress)
    return starter()


def _begins_with(path: Path, magic: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(magic)) == magic
    except OSError as error:
        raise ModelUnusable(f"{clean_line(str(path))} cannot be read ({error.strerror or error}).") from error
