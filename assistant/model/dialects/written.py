"""A call as a model wrote it, before it is held against any tool."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue


@dataclass(frozen=True, slots=True)
class Written:
    """A call as it was written; values from XML are raw texts."""

    name: str
    arguments: Mapping[str, JsonValue]


class Unreadable(Exception):
    """The text is no call; the text is a sentence for the model."""
