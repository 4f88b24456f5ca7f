"""Utterances of hwu64 (CC BY 4.0) as examples; they are mapped to tools as the evaluation maps them."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from assistant.evals.corpora import mapping
from goals.phrase import Call, Example

FOLDS = 10


def fold_of(text: str) -> int:
    """The fold an utterance belongs to; fold 0 is never trained on."""
    return hashlib.sha256(re.sub(r"\W+", " ", text.lower()).strip().encode()).digest()[0] % FOLDS


def mapped(row: dict[str, str], *, typed: bool = True) -> Example | None:
    """The row as a goal with its calls; None where the words or the label cannot be trusted."""
    found = mapping.mapped(row, typed=typed)
    if found is None:
        return None
    goal, labels = found
    return Example(goal, tuple(Call(label.tool, label.arguments) for label in labels))


def read(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a JSON lines file."""
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)
