"""The models as a person sees them: which are here, and how one is fetched, taken in, used and removed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from assistant.model.base import ModelError, ModelUnusable
from assistant.model.catalogue import Installed, find, installed, models_folder, remove
from assistant.model.footprint import footprint, gigabytes
from assistant.model.gguf import read_header
from assistant.model.hub.download import Line
from assistant.model.hub.fetch import fetch_model
from assistant.model.hub.part import drop_part, fetched_so_far, unfinished
from assistant.model.hub.patience import Patience
from assistant.model.known import Known, key_of, known_as
from assistant.model.spec import ModelSpec
from assistant.model.starter import KEY as STARTER
from assistant.model.trial import import_tried
from connectors.clean import clean_line
from connectors.config import load
from connectors.secrets.chain import Secrets
from tui.house import Progress
from tui.model_sources import hub_of, models_to_have, source_of, tuning_of
from tui.places import Places
from tui.planner import fetch
from tui.settings import Settings, use_model

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
    size: int
    licence: str
    here: bool
    active: bool
    fetched: float | None
    memory: int
    source: str

    @property
    def state(self) -> str:
        """Where it stands, in a word or two."""
        if self.active:
            return "in use" if self.here else "in use, not here"
        if self.here:
            return "here"
        return "not here" if self.fetched is None else f"{100 * self.fetched:.0f} % fetched"


class Library:
    """The models in Askfirst's cache and those that can be had; the settings are read anew each time."""

    def __init__(self, places: Places, environment: Mapping[str, str] | None = None) -> None:
        self._places = places
        self._environment = environment

    @property
    def settings(self) -> Settings:
        """Askfirst's settings as they stand now. Raises ConfigError."""
        return load(self._places.config / "config.toml", Settings)

    def rows(self) -> list[Row]:
        """Every model that is here or can be had, and the one in use where that is a file elsewhere.

        Raises ConfigError.
        """
        settings = self.settings
        return [*self._listed(settings), *self._begun_rows(settings), *self._file_in_use(settings)]

    async def get(self, key: str, progress: Progress, repository: str = "", file: str = "") -> str:
        """Fetch a model, and say in a sentence what is here now. Raises ModelError or ConfigError."""
        if key_of(key) == STARTER and not repository:
            await fetch(self._places.cache, progress)
            return "The starter model is here."
        settings = self.settings
        if not repository:
            repository, file = self._begun(key, file)
        source = source_of(key, settings, repository, file)
        hub = hub_of(settings, Secrets(self._places.config / "secrets"), self._environment)
        progress(f"asking {hub.host}", None)

        def came(done: int, size: int) -> None:
            words = f"fetching {source.key}, {gigabytes(done)}" + (f" of {gigabytes(size)}" if size else "")
            progress(words, done / size if size else None)

        line = Line(patience=Patience(tell=lambda clause: progress(clause, None)))
        model = await fetch_model(source, hub, self._places.cache, came, line)
        return f"{_title(model)} is here as “{model.key}”, whole ({gigabytes(model.size)})."

    def _begun(self, key: str, file: str) -> tuple[str, str]:
        """Where a model of the person's own was fetched before, so that its name is enough to go on."""
        claim = unfinished(models_folder(self._places.cache)).get(key)
        if claim is None or any(known.key == key_of(key) for known in models_to_have(self.settings)):
            return "", file
        return claim.repository, file or claim.file

    async def take_in(self, path: Path, progress: Progress) -> Installed:
        """Import a file from this machine, if it can be used here. Raises ModelError."""
        return await import_tried(path, self._places.cache, progress)

    def chosen(self, word: str) -> tuple[ModelSpec, Settings]:
        """The model that is meant by a key or a path, and the settings with it named.

        Raises ModelError or ConfigError.
        """
        settings = self.settings
        spec = find(self._places.cache, word, tuning=tuning_of(settings, word))
        known = key_of(word)
        name = known if known == spec.key else str(spec.path)
        return spec, settings.model_copy(update={"model": name})

    def name_model(self, name: str) -> None:
        """Keep in the settings which model is used. Raises ConfigError or OSError."""
        use_model(self._places.config / "config.toml", name)

    def removable(self, word: str) -> tuple[str, str]:
        """The key of what can be removed, and what that frees, in words. Raises ModelError or ConfigError."""
        key = key_of(word)
        row = next((row for row in self.rows() if row.key == key), None)
        if row is None or not (row.here or row.fetched is not None):
            raise ModelUnusable(f"There is no model named {word} here. See: askfirst models")
        if row.active and row.here:
            raise ModelUnusable(f"{row.title} is in use. Use another first: askfirst models use NAME")
        if row.here:
            return key, f"{row.title} is deleted, which frees {gigabytes(row.size)}."
        return key, f"What has come of {row.title} is deleted."

    def remove(self, key: str) -> str:
        """Delete a model or what has come of one, and say what that freed. Raises ModelError."""
        freed = drop_part(models_folder(self._places.cache) / f"{key}.gguf")
        if any(model.key == key for model in installed(self._places.cache)):
            freed += remove(self._places.cache, key)
        return f"{key} is removed: {gigabytes(freed)} are free again."

    def _listed(self, settings: Settings) -> Iterator[Row]:
        here = {model.key: model for model in installed(self._places.cache)}
        to_have = {known.key: known for known in models_to_have(settings)}
        active = key_of(settings.model)
        for key in (*to_have, *(key for key in here if key not in to_have)):
            known, model = to_have.get(key), here.get(key)
            path = models_folder(self._places.cache) / (model.file if model else f"{key}.gguf")
            yield Row(
                key,
                known.title if known_as(key) and known else _title(model) if model else key,
                known.about if known else "imported from a file",
                model.size if model else known.size if known else 0,
                known.licence if known else "",
                model is not None,
                key == active,
                None if model or key == STARTER else fetched_so_far(path),
                self._memory(key, path, settings) if model else rough_memory(known),
                (model.origin if model else "") or (known.repository if known else ""),
            )

    def _begun_rows(self, settings: Settings) -> Iterator[Row]:
        """Models of the person's own that have come in part."""
        folder = models_folder(self._places.cache)
        listed = {known.key for known in models_to_have(settings)}
        listed |= {model.key for model in installed(self._places.cache)}
        for key, claim in unfinished(folder).items():
            if key not in listed:
                size, fetched = claim.size or 0, fetched_so_far(folder / f"{key}.gguf") or 0.0
                active = key == settings.model
                yield Row(key, key, "begun", size, "", False, active, fetched, 0, claim.repository)

    def _file_in_use(self, settings: Settings) -> Iterator[Row]:
        path = Path(settings.model).expanduser()
        if path.suffix != ".gguf":
            return
        try:
            size, memory = path.stat().st_size, self._memory(settings.model, path, settings)
        except OSError:
            yield Row(
                settings.model,
                clean_line(path.name, 60),
                "a file that is gone",
                0,
                "",
                False,
                True,
                None,
                0,
                "",
            )
            return
        yield Row(
            settings.model,
            clean_line(path.stem, 60),
            "a file of yours",
            size,
            "",
            True,
            True,
            None,
            memory,
            str(path),
        )

    def _memory(self, key: str, path: Path, settings: Settings) -> int:
        """What a model that is here takes when it runs; 0 where that cannot be told."""
        try:
            spec = find(self._places.cache, key, tuning=tuning_of(settings, key))
            return _need(path, path.stat().st_mtime_ns, spec.context)
        except (ModelError, OSError):
            return 0


@lru_cache(maxsize=32)
def _need(path: Path, changed: int, context: int) -> int:
    return footprint(read_header(path), path.stat().st_size).at(context)


def rough_memory(known: Known | None) -> int:
    """What a model that is not here takes when it runs, as far as that can be told; 0 for not at all."""
    return known.size + _BESIDE if known and known.size else 0


def _title(model: Installed) -> str:
    known = known_as(model.key)
    return known.title if known else model.title
