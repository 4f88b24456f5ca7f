"""The one sink for text on the screen: every string is drawn literally, and nothing unseen passes."""

import re
from collections.abc import Iterable
from functools import lru_cache

from textual.content import Content

from connectors.clean import clean

_BETWEEN_ESCAPES = re.compile("[^⟨⟩]+")
_KEPT = 128
"""How many texts are remembered, as a prompt draws the same ones again with every key."""
_BREAK = re.compile("\r\n|[\r\n]")


def literal(text: str, style: str = "") -> Content:
    """Text as content: never markup, and hidden characters that slipped in before are made visible here.

    Text was cleaned on entry, so its `⟨U+XXXX⟩` stay as they are.
    """
    if not (text.isascii() and text.replace("\n", "").isprintable()):
        text = _seen(text)
    content = Content(text.expandtabs(4))
    return content.stylize(style) if style and text else content


@lru_cache(maxsize=_KEPT)
def _seen(text: str) -> str:
    """The text without anything unseen, and without marks that would fall on what stands before it."""
    return _BETWEEN_ESCAPES.sub(lambda part: clean(part.group()), text)


def one_line(text: str, style: str = "") -> Content:
    """Text for one line: line breaks are drawn as ⏎."""
    return literal(_BREAK.sub("⏎", text), style)


def joined(lines: Iterable[Content]) -> Content:
    """Lines as one content."""
    return Content("\n").join(list(lines))


def hanging(head: Content, body: Content, width: int, indent: int) -> list[Content]:
    """A head in a column of `indent` cells, and the body wrapped beside it; all of both is kept."""
    lines = body.wrap(max(width - indent, 8)) or [Content("")]
    margin = Content(" " * indent)
    if head.cell_length >= indent:
        return [*head.wrap(width), *(margin + line for line in lines)]
    first = head.pad_right(indent - head.cell_length) + lines[0]
    return [first, *(margin + line for line in lines[1:])]


def quoted(text: str, width: int, style: str = "") -> list[Content]:
    """Foreign text behind a gutter: every line, the wrapped ones too, begins with `┃ `."""
    gutter = Content("┃ ")
    lines: list[Content] = []
    for line in text.split("\n"):
        content = literal(line, style)
        lines.extend(gutter + part for part in content.wrap(max(width - 2, 8)) or [Content("")])
    return lines


def flowing(parts: Iterable[Content], width: int, gap: int = 3) -> list[Content]:
    """Parts beside each other in as few lines as fit; only a part wider than a line is broken."""
    lines: list[Content] = []
    for part in parts:
        if lines and lines[-1].cell_length + gap + part.cell_length <= width:
            lines[-1] = lines[-1] + " " * gap + part
        else:
            lines.extend(part.wrap(width))
    return lines


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 line", "3 lines"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
