"""The answers of a question as lines, with the marked one always among those in view."""

from textual.content import Content

from connectors.base import Question
from tui.text import counted, hanging, literal

INDENT = 5


def choice_lines(question: Question, marked: int, width: int, height: int, *, writing: bool) -> list[Content]:
    """The answers that fit in `height` lines; the last offers to write one, unless that is being done."""
    blocks = [
        _entry(str(number + 1) if number < 9 else " ", _label(question, number), number == marked, width)
        for number in range(len(question.options))
    ]
    if question.argument and blocks and not writing:
        blocks.append(_entry("0", literal("something else: write it"), marked == len(blocks), width))
    if sum(map(len, blocks)) <= height:
        return [line for block in blocks for line in block]
    first, last = 0, len(blocks)
    while last - first > 1 and sum(map(len, blocks[first:last])) > height - 1:
        first, last = (first, last - 1) if last - 1 > marked else (first + 1, last)
    lines = [line for block in blocks[first:last] for line in block][: max(height - 1, 1)]
    return [*lines, Content(f"  … {counted(len(blocks) - (last - first), 'more answer')} (↑ ↓)")]


def _label(question: Question, number: int) -> Content:
    option = question.options[number]
    label = literal(option.label)
    return Content.assemble(label, "  ", literal(option.detail, "$muted")) if option.detail else label


def _entry(key: str, text: Content, marked: bool, width: int) -> list[Content]:
    head = literal(f"{'▸' if marked else ' '} {key}", "bold")
    return hanging(head, text.stylize("bold") if marked else text, width, INDENT)
