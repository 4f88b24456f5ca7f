"""The conversation as plain text, to be copied or kept in a file."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from connectors.clean import clean
from tui.blocks import Block, Kind

_SIGNS = {
    Kind.YOU: "You: ",
    Kind.SAID: "",
    Kind.ALLOWED: "- allowed: ",
    Kind.DONE: "- ",
    Kind.HELD: "- waits: ",
    Kind.FAILED: "- failed: ",
    Kind.DENIED: "- ",
    Kind.NOTE: "- ",
}


def turn_text(blocks: Iterable[Block]) -> str:
    """A turn in full, but for what the model thought; every line ends with a line break."""
    return "".join(
        f"{line}\n" for block in blocks if block.kind is not Kind.THOUGHT for line in _lines(block)
    )


def whole_text(turns: Iterable[Sequence[Block]]) -> str:
    """All turns in their order, an empty line between them."""
    return "\n".join(filter(None, map(turn_text, turns)))


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet, for its owner only. Raises OSError."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def _lines(block: Block) -> Iterable[str]:
    head = f"{block.head}: " if block.kind is Kind.END else _SIGNS[block.kind]
    yield f"{head}{clean(block.text.strip())}".rstrip().removesuffix(":")
    for item in block.items:
        yield f"  - {clean(item.label)}  {clean(item.detail)}".rstrip()
    if block.content is not None:
        yield from (f"  > {line}" for line in clean(block.content).split("\n"))
