"""The models that are here, that have come in part, and that can be had, as rows to show."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from assistant.model.base import ModelError
from assistant.model.capacity.footprint import footprint
from assistant.model.hub.part import fetched_so_far, unfinished
from assistant.model.shelf.catalogue import Installed, find, installed, models_folder
from assistant.model.shelf.gguf import read_header
from assistant.model.shelf.known import Known, key_of, known_as
from assistant.model.starter import KEY as STARTER
from connectors.clean import clean_line
from tui.model_sources import models_to_have, tuning_of
from tui.settings import Settings

_BESIDE = 550_000_000
"""Roughly how many bytes a model takes beside its file, before its header is known."""


@dataclass(frozen=True, slots=True)
class Row:
    """One model in the list; sizes are in bytes. `fetched` is how much of it has come, as a fraction.

    `memory` is what it takes when it runs; roughly, while it is not here.
    """

    key: str
    title: str
    about: str
    size: int = 0
    licence: str = ""
    here: bool = False
    active: bool = False
    fetched: float | None = None
    memory: int = 0
    source: str = ""

    @property
    def state(self) -> str:
        """Where it stands, in a word or two."""
        if self.active:
            return "in use" if self.here else "in use, not here"
        if self.here:
            return "here"
        return "not here" if self.fetched is None else f"{100 * self.fetched:.0f} % fetched"


def rows_of(settings: Settings, cache: Path) -> list[Row]:
    """Every model that is here or can be had, and the one in use where that is a file elsewhere."""
    return [*_listed(settings, cache), *_begun(settings, cache), *_file_in_use(settings, cache)]


def title_of(model: Installed) -> str:
    """What to call a model that is here."""
    known = known_as(model.key)
    return known.title if known else model.title


def rough_memory(known: Known) -> int:
    """What a model that is not here takes when it runs, as far as that can be told; 0 for not at all."""
    return known.size + _BESIDE if known.size else 0


def _listed(settings: Settings, cache: Path) -> Iterator[Row]:
    here = {model.key: model for model in installed(cache)}
    to_have = {known.key: known for known in models_to_have(settings)}
    active = key_of(settings.model)
    for key in (*to_have, *(key for key in here if key not in to_have)):
        if key in here:
            yield _here(here[key], to_have.get(key), settings, cache)
        else:
            yield _away(to_have[key], key == active, cache)


def _here(model: Installed, known: Known | None, settings: Settings, cache: Path) -> Row:
    path = models_folder(cache) / model.file
    return Row(
        model.key,
        title_of(model),
        known.about if known else "imported from a file",
        model.size,
        known.licence if known else "",
        here=True,
        active=model.key == key_of(settings.model),
        memory=_memory(model.key, path, settings, cache),
        source=model.origin or (known.repository if known else ""),
    )


def _away(known: Known, active: bool, cache: Path) -> Row:
    part = None if known.key == STARTER else fetched_so_far(models_folder(cache) / f"{known.key}.gguf")
    return Row(
        known.key,
        known.title,
        known.about,
        known.size,
        known.licence,
        active=active,
        fetched=part,
        memory=rough_memory(known),
        source=known.repository,
    )


def _begun(settings: Settings, cache: Path) -> Iterator[Row]:
    """Models of the person's own choice that have come in part."""
    folder = models_folder(cache)
    listed = {known.key for known in models_to_have(settings)} | {model.key for model in installed(cache)}
    for key, claim in unfinished(folder).items():
        if key not in listed:
            yield Row(
                key,
                key,
                "begun",
                claim.size or 0,
                active=key == settings.model,
                fetched=fetched_so_far(folder / f"{key}.gguf") or 0.0,
                source=claim.repository,
            )


def _file_in_use(settings: Settings, cache: Path) -> Iterator[Row]:
    path = Path(settings.model).expanduser()
    if path.suffix != ".gguf":
        return
    name = clean_line(path.stem, 60)
    if not path.is_file():
        yield Row(settings.model, name, "a file that is gone", active=True)
        return
    yield Row(
        settings.model,
        name,
        "a file of yours",
        path.stat().st_size,
        here=True,
        active=True,
        memory=_memory(settings.model, path, settings, cache),
        source=clean_line(str(path)),
    )


def _memory(key: str, path: Path, settings: Settings, cache: Path) -> int:
    """What a model that is here takes when it runs; 0 where that cannot be told."""
    try:
        spec = find(cache, key, tuning=tuning_of(settings, key))
        return _need(path, path.stat().st_mtime_ns, spec.context)
    except (ModelError, OSError):
        return 0


@lru_cache(maxsize=32)
def _need(path: Path, changed: int, context: int) -> int:
    return footprint(read_header(path), path.stat().st_size).at(context)
