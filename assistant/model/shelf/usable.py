"""Judges by its header whether a GGUF file is a whole model that can call tools, and says why if not."""

import re
from dataclasses import dataclass
from pathlib import Path

from assistant.model.base import ModelUnusable
from assistant.model.dialects.choice import dialect_name
from assistant.model.shelf.gguf import Header, read_header
from assistant.model.spec import DialectName
from connectors.clean import clean_line

_SHARD = re.compile(r"-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf$", re.IGNORECASE)
_TITLE = 60


@dataclass(frozen=True, slots=True)
class Usable:
    """A model file that can be loaded for tool calls: what it calls itself, its kind and its context."""

    title: str
    architecture: str
    dialect: DialectName
    trained_context: int | None


def judged(path: Path, name: str = "") -> Usable:
    """What a GGUF file is, if it can be used; `name` is what to call it where the path does not say.

    Raises ModelUnusable with a plain sentence for a file that is cut off or damaged, one part of several, an
    adapter, a picture reader, statistics, only a vocabulary, or a model without tools in its chat template.
    """
    header, name = read_header(path), clean_line(name or path.name, _TITLE)
    if reason := _no_model(header, name):
        raise ModelUnusable(f"{name} {reason}")
    title = clean_line(str(header.metadata.get("general.name") or name.removesuffix(".gguf")), _TITLE)
    return Usable(
        title,
        clean_line(header.architecture, 40),
        dialect_name(header.template, name),
        header.trained_context,
    )


def is_part(name: str) -> bool:
    """True for the name of one file of a model that comes in several."""
    return _SHARD.search(name) is not None


def is_picture_reader(name: str) -> bool:
    """True for the name of the part of a model that reads pictures."""
    return "mmproj" in name.casefold()


def _no_model(header: Header, name: str) -> str:
    """Why a file is no model in itself; empty where it is one."""
    kind, count = header.metadata.get("general.type"), header.metadata.get("split.count", 0)
    shard = _SHARD.search(name)
    if shard or (isinstance(count, int) and count > 1):
        of = int(shard["count"]) if shard else count
        return f"is one of {of} parts. Join them with llama-gguf-split --merge and import the whole."
    if header.is_adapter:
        return "is an adapter for a model and not a model."
    if kind == "mmproj" or header.architecture == "clip":
        return "reads pictures for a model and is not a model."
    if kind == "imatrix" or header.architecture == "imatrix":
        return "holds statistics about a model and is not a model."
    if not header.architecture:
        return "does not say what kind of model it is (general.architecture is missing)."
    if not header.tensors:
        return "holds a vocabulary but no weights, so it is not a model."
    return ""
