"""The starter: a small model that works on first run, with an adapter made for Askfirst's own tools."""

from importlib.resources import files
from pathlib import Path

from assistant.model.base import ModelUnusable
from assistant.model.spec import DialectName, ModelSpec

KEY = "starter"
TITLE = "Starter (SmolLM2 135M)"
BASE_NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
BASE_SIZE = 98_362_432
BASE_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"

_CONTEXT = 2048


def starter_path(cache: Path) -> Path:
    """Where the starter's base is kept in Askfirst's cache folder."""
    return cache / "models" / BASE_NAME


def is_fetched(cache: Path) -> bool:
    """True if the base is there in full; its content was checked when it came."""
    try:
        return starter_path(cache).stat().st_size == BASE_SIZE
    except OSError:
        return False


def starter_spec(cache: Path) -> ModelSpec:
    """The starter, ready to be loaded; ModelUnusable if its base has not been fetched."""
    if not is_fetched(cache):
        raise ModelUnusable("The starter model is not here yet. Fetch it with: askfirst models get starter")
    return ModelSpec(
        KEY, TITLE, starter_path(cache), DialectName.STARTER, adapter=adapter_path(), context=_CONTEXT
    )


def adapter_path() -> Path | None:
    """The adapter that is shipped with Askfirst."""
    path = Path(str(files(__name__) / "adapter.gguf"))
    return path if path.is_file() else None
