"""The pieces a turn of the conversation is drawn from, and how each becomes lines of a given width."""

from dataclasses import dataclass
from enum import StrEnum

from textual.content import Content

from connectors.base import Item
from tui.text import counted, hanging, literal, one_line, quoted

INDENT = 6
MOST_QUOTED = 300


class Kind(StrEnum):
    """What a block is; it decides the sign before it."""

    YOU = "you"
    SAID = "said"
    THOUGHT = "thought"
    ALLOWED = "allowed"
    DONE = "done"
    HELD = "held"
    FAILED = "failed"
    DENIED = "denied"
    NOTE = "note"
    END = "end"


_HEADS = {
    Kind.YOU: ("You", "bold $text-primary"),
    Kind.SAID: ("Says", "$muted"),
    Kind.THOUGHT: ("  ·", "$muted"),
    Kind.ALLOWED: ("  ▸", "$muted"),
    Kind.DONE: ("  ✓", "bold $text-success"),
    Kind.HELD: ("  ◷", "bold $text-warning"),
    Kind.FAILED: ("  ✗", "bold $text-error"),
    Kind.DENIED: ("  ✗", "bold $text-warning"),
    Kind.NOTE: ("  •", "$muted"),
    Kind.END: ("Done", "bold"),
}
_STYLES = {
    Kind.YOU: "bold",
    Kind.THOUGHT: "$muted italic",
    Kind.ALLOWED: "$muted",
    Kind.NOTE: "$muted",
}


@dataclass(frozen=True, slots=True)
class Block:
    """One thing said or done; `content` is foreign text, `head` stands in for the kind's sign."""

    kind: Kind
    text: str
    items: tuple[Item, ...] = ()
    content: str | None = None
    head: str = ""


def block_lines(block: Block, width: int, *, thoughts: bool) -> list[Content]:
    """A block as lines; a thought is one line unless `thoughts` are open."""
    sign, style = _HEADS[block.kind]
    head = Content(block.head or sign).stylize(style)
    text = block.text
    if block.kind is Kind.THOUGHT and not thoughts:
        text = f"thought, {counted(len(text.split()), 'word')} (Ctrl+T shows it)"
    lines = hanging(head, literal(text.strip(), _STYLES.get(block.kind, "")), width, INDENT)
    room = width - INDENT
    for item in block.items:
        label = Content.assemble(one_line(item.label), "  ", one_line(item.detail, "$muted"))
        lines += hanging(Content(" " * INDENT + "–"), label, width, INDENT + 2)
    if block.content is not None:
        lines += [Content(" " * INDENT) + line for line in _shortened(quoted(block.content, room))]
    return lines


def mentions(block: Block, words: str) -> bool:
    """True if a block has these words, whatever their case; they are in lower case."""
    texts = (block.text, block.content or "", *(f"{item.label}  {item.detail}" for item in block.items))
    return any(words in text.casefold() for text in texts)


def _shortened(lines: list[Content]) -> list[Content]:
    """Lines of which a very long middle gives way, visibly."""
    if len(lines) <= MOST_QUOTED:
        return lines
    half = MOST_QUOTED // 2
    left_out = literal(f"… {counted(len(lines) - 2 * half, 'line')} not shown …", "$muted")
    return [*lines[:half], left_out, *lines[-half:]]
