"""The models as a person sees them: which are here, and how one is fetched, taken in, used and removed."""

from collections.abc import Mapping
from pathlib import Path

from assistant.model.base import ModelUnusable
from assistant.model.capacity.footprint import gigabytes
from assistant.model.hub.download import Line
from assistant.model.hub.fetch import fetch_model
from assistant.model.hub.part import drop_part, unfinished
from assistant.model.hub.patience import Patience
from assistant.model.shelf.catalogue import Installed, find, installed, models_folder, remove
from assistant.model.shelf.known import key_of
from assistant.model.shelf.trial import import_tried
from assistant.model.spec import ModelSpec
from assistant.model.starter import KEY as STARTER
from connectors.config import load
from connectors.secrets.chain import Secrets
from tui.model_sources import hub_of, models_to_have, source_of, tuning_of
from tui.model_state import Progress
from tui.model_table import Row, rows_of, title_of
from tui.places import Places
from tui.planner import fetch
from tui.settings import Settings, use_model


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
        return rows_of(self.settings, self._places.cache)

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
        return f"{title_of(model)} is here as “{model.key}”, whole ({gigabytes(model.size)})."

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
