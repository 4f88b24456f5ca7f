"""The models as lines."""

import re

from textual.content import Content

from assistant.model.capacity.footprint import gigabytes
from tui.model_table import Row
from tui.text import hanging, literal, one_line

_TITLE, _STATE, _SIZE, _MEMORY = 26, 16, 9, 9
_BAR = 20
_COMMIT = re.compile("@[0-9a-f]{40}")

HEAD = f"    {'Model':<{_TITLE}}{'':<{_STATE}}{'Size':>{_SIZE}}{'Memory':>{_MEMORY}}  Licence"


def model_row(row: Row, width: int) -> Content:
    """One model on one line: the sign, its title, where it stands, its size and memory, its licence."""
    sign = "✓" if row.here else "·"
    title = one_line(row.title, "bold" if row.active else "").truncate(_TITLE - 1, ellipsis=True)
    memory = gigabytes(row.memory) if row.memory else ""
    facts = (
        f"{row.state:<{_STATE}}{gigabytes(row.size) if row.size else '':>{_SIZE}}"
        f"{memory if row.here or not memory else f'~{memory}':>{_MEMORY}}  {row.licence}"
    )
    line = Content(f"  {sign} ") + title.pad_right(_TITLE - title.cell_length) + literal(facts.rstrip())
    return line.truncate(width, ellipsis=True)


def model_details(row: Row, width: int) -> list[Content]:
    """What the marked model is for, and where it is from."""
    lines = hanging(literal(row.key, "bold"), one_line(row.about), width, min(len(row.key), 20) + 2)
    if row.source:
        brief = _COMMIT.sub(lambda commit: commit.group()[:9], row.source)
        lines += one_line(f"from {brief}", "$muted").wrap(width)
    return lines


def progress_line(text: str, fraction: float | None, width: int) -> Content:
    """What is being done and how far it is."""
    bar = ""
    if fraction is not None:
        full = round(_BAR * fraction)
        bar = f"  {fraction:.0%} {'━' * full}{'┄' * (_BAR - full)}"
    return one_line(f"⋯ {text}{bar}").truncate(width, ellipsis=True)
