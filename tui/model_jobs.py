"""The pieces of work on models that a screen begins; each says in a sentence what came of it."""

from pathlib import Path

from assistant.model.shelf.known import key_of
from tui.house import House
from tui.model_state import Progress

_USE = "To use it: u in the models (F5)."


async def fetched(house: House, key: str, use: bool, progress: Progress) -> str:
    """Fetch a model; load it if it is the one in use, or with `use` from now on.

    Raises ModelError, ConfigError or OSError.
    """
    said = await house.library.get(key, progress)
    if key_of(house.library.settings.model) == key:
        await house.prepare_model(progress)
        return said
    return await house.use_model(key, progress) if use else f"{said} {_USE}"


async def taken_in(house: House, path: Path, progress: Progress) -> str:
    """Import a file. Raises ModelError."""
    model = await house.library.take_in(path, progress)
    return f"{model.title} is here as “{model.key}”. {_USE}"


def stopped(house: House, key: str) -> str:
    """What to say of a fetch that the person ended."""
    row = next((row for row in house.library.rows() if row.key == key), None)
    if row is None or row.fetched is None:
        return "Stopped. Nothing of it is kept."
    return f"Stopped. {row.fetched:.0%} of it stays here; f goes on from there."
