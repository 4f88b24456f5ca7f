"""Which models are here, and how a key or a path becomes one that can be loaded."""

import contextlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from assistant.model.base import ModelUnusable
from assistant.model.shelf.keeping import replaced
from assistant.model.shelf.known import CONTEXT, KNOWN, key_of, known_as, manner_of
from assistant.model.shelf.tuning import Tuning
from assistant.model.shelf.usable import Usable, judged
from assistant.model.spec import DialectName, ModelSpec
from assistant.model.starter import BASE_SIZE, KEY, TITLE, is_fetched, starter_path, starter_spec

_ORDER = {known.key: place for place, known in enumerate(KNOWN)}


@dataclass(frozen=True, slots=True)
class Installed:
    """A model file in Askfirst's cache; the size is in bytes.

    `origin` says where it was fetched, as `repository@commit/file`; empty for an imported file.
    """

    key: str
    title: str
    file: str
    size: int
    sha256: str
    dialect: DialectName
    origin: str = ""


_NOTE = TypeAdapter(Installed)


def installed(cache: Path) -> tuple[Installed, ...]:
    """The models that are here in full: those that Askfirst knows in their order, then the others by key."""
    here = [starter()] if is_fetched(cache) else []
    for note in models_folder(cache).glob("*.json"):
        model = _read_note(note)
        if model and _size(models_folder(cache) / model.file) == model.size:
            here.append(model)
    return tuple(sorted(here, key=lambda model: (_ORDER.get(model.key, len(_ORDER)), model.key)))


def find(cache: Path, key: str, *, thinking: bool | None = None, tuning: Tuning | None = None) -> ModelSpec:
    """The model with this key, or the GGUF file at this path, ready to be loaded.

    Raises ModelUnusable if it is not here or cannot be used.
    """
    key = key_of(key)
    if key == KEY:
        return starter_spec(cache)
    wished = tuning or Tuning()
    for model in installed(cache):
        if model.key == key:
            path = models_folder(cache) / model.file
            return _spec(key, path, judged(path), thinking, wished, sha256=model.sha256)
    path = Path(key).expanduser()
    if path.suffix == ".gguf" and path.is_file():
        return spec_at(path, thinking=thinking, tuning=wished)
    raise ModelUnusable(_not_here(key))


def spec_at(path: Path, *, thinking: bool | None = None, tuning: Tuning | None = None) -> ModelSpec:
    """The GGUF file at a path, ready to be loaded. Raises ModelUnusable if it cannot be used."""
    return _spec(path.stem, path.absolute(), judged(path), thinking, tuning or Tuning())


def add(cache: Path, model: Installed) -> None:
    """Note a model whose file is in its place. Raises ModelUnusable where that cannot be written."""
    note = json.dumps(asdict(model), indent=1, ensure_ascii=False)
    replaced(models_folder(cache) / f"{model.key}.json", note.encode())


def remove(cache: Path, key: str) -> int:
    """Delete a model from the cache, and return how many bytes that frees. Raises ModelUnusable."""
    model = next((model for model in installed(cache) if model.key == key_of(key)), None)
    if model is None:
        raise ModelUnusable(f"There is no model named {key} here. See: askfirst models")
    folder = models_folder(cache)
    path = starter_path(cache) if model.key == KEY else folder / model.file
    try:
        with contextlib.suppress(FileNotFoundError):
            (folder / f"{model.key}.json").unlink()
        path.unlink()
    except OSError as error:
        raise ModelUnusable(f"{model.title} cannot be removed ({error.strerror or error}).") from error
    return model.size


def models_folder(cache: Path) -> Path:
    """Where model files are kept in Askfirst's cache folder."""
    return cache / "models"


def starter() -> Installed:
    """The starter as it is when it is here."""
    return Installed(KEY, TITLE, starter_path(Path()).name, BASE_SIZE, "", DialectName.STARTER)


def _spec(
    key: str, path: Path, usable: Usable, thinking: bool | None, tuning: Tuning, sha256: str = ""
) -> ModelSpec:
    known = known_as(key)
    title = known.title if known else usable.title
    manner = manner_of(key, usable.title, usable.architecture, usable.dialect)
    thinks = next(wish for wish in (thinking, tuning.thinking, manner.thinks) if wish is not None)
    context = tuning.context or (known.context if known else CONTEXT)
    return ModelSpec(
        key,
        title,
        path,
        usable.dialect,
        context=min(context, usable.trained_context or context),
        thinking=thinks,
        thoughts=manner.thoughts if tuning.thoughts is None else tuning.thoughts,
        sampling=tuning.tuned(manner.thinking if thinks else manner.plain),
        sha256=sha256,
    )


def _not_here(key: str) -> str:
    known = known_as(key)
    if known:
        return f"{known.title} is not here yet. Get it: askfirst models get {key}, or :models in the app."
    return f"There is no model named {key} here. See: askfirst models"


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
