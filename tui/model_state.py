"""How the model in use is doing, and how far work on one is."""

from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[str, float | None], None]
"""Hears what is being done, and how much of it from 0 to 1, where that is known."""


@dataclass(frozen=True, slots=True)
class ModelState:
    """The model in use; `text` says in a few words what it is doing or why it is not ready."""

    name: str
    ready: bool
    text: str = ""
