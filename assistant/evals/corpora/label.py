"""What a goal means: calls with arguments that are copies of its words."""

from collections.abc import Mapping
from dataclasses import dataclass

Value = str | bool | list[str]


@dataclass(frozen=True, slots=True)
class Label:
    """One call that a goal means; only arguments that were said are in it."""

    tool: str
    arguments: Mapping[str, Value]
