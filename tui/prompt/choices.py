"""The second screen of a prompt: permissions that may go with a yes, or standing noes with a no."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from textual.content import Content

from permissions.words import Ban, Offer, Scope
from tui.prompt import words
from tui.prompt.fields import MUTED, STRONG
from tui.text import hanging, literal

_HEADS = {
    Scope.GOAL: "With a yes, for this goal:",
    Scope.SESSION: "With a yes, for this session:",
    Scope.UNTIL: "With a yes, until a time:",
    Scope.ALWAYS: "With a yes, always:",
}


@dataclass(frozen=True, slots=True)
class Choices:
    """What may be picked, the narrowest first; picking a permission still needs the yes."""

    head: str
    items: Sequence[Offer | Ban]
    foot: str
    marked: int = field(default=0)

    def move(self, by: int) -> "Choices":
        """Mark another one."""
        marked = min(max(self.marked + by, 0), len(self.items) - 1)
        return Choices(self.head, self.items, self.foot, marked)

    def lines(self, width: int) -> tuple[list[Content], int]:
        """All of them as lines, and the line that the marked one begins at."""
        lines = literal(self.head, STRONG).wrap(width)
        at = 0
        for number, item in enumerate(self.items):
            chosen = number == self.marked
            at = len(lines) if chosen else at
            head = literal(f"{'▸' if chosen else ' '} {number + 1}", STRONG)
            lines += hanging(head, literal(item.words, STRONG if chosen else ""), width, 5)
            if isinstance(item, Offer) and words.covered(item):
                lines += hanging(Content(""), literal(words.covered(item), MUTED), width, 5)
        return lines, at


def of_offers(scope: Scope, offers: Sequence[Offer]) -> Choices:
    return Choices(_HEADS[scope], offers, "a number or Enter picks it; the yes comes after · Esc back")


def of_bans(bans: Sequence[Ban]) -> Choices:
    return Choices("With a no:", bans, "a number or Enter says no and keeps it · Esc back")
