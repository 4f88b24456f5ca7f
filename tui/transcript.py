"""The conversation as it is seen: the latest turns are mounted, older ones come when asked for."""

import re
from dataclasses import replace

from textual.app import ComposeResult, RenderResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from tui.blocks import Block, Kind, block_lines, mentions
from tui.text import counted, joined, literal

WINDOW = 30
PAGE = 10


class TurnView(Widget):
    """One turn: a goal and what came of it, in one widget however much that is."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[Block] = []
        self.thoughts = False
        self.sought = ""
        self._drawn: dict[tuple[Block, int, bool], list[Content]] = {}

    def add(self, block: Block) -> None:
        self.blocks.append(block)
        self.refresh(layout=True)

    def stream(self, kind: Kind, text: str) -> None:
        """Join a fragment to the last block if it is of the same kind, else begin a new one."""
        if self.blocks and self.blocks[-1].kind is kind:
            self._drawn.clear()
            self.blocks[-1] = replace(self.blocks[-1], text=self.blocks[-1].text + text)
        else:
            self.blocks.append(Block(kind, text))
        self.refresh(layout=True)

    def fold(self, thoughts: bool) -> None:
        self.thoughts = thoughts
        self.refresh(layout=True)

    def seek(self, words: str) -> bool:
        """Mark some words, or with none the ones marked before no more; True if they stand here."""
        self.sought = words
        self.refresh(layout=True)
        return any(mentions(block, words) for block in self.blocks)

    def line_of_sought(self) -> int:
        """The line, from 0, on which the words that are marked first stand whole."""
        lines = enumerate(self._lines(self.content_size.width))
        return next((n for n, line in lines if self.sought in line.plain.casefold()), 0)

    def _lines(self, width: int) -> list[Content]:
        lines: list[Content] = []
        for block in self.blocks:
            key = (block, width, self.thoughts)
            if key not in self._drawn:
                self._drawn[key] = block_lines(block, width, thoughts=self.thoughts)
            lines += self._drawn[key]
        if self.sought:
            pattern = re.compile(re.escape(self.sought), re.IGNORECASE)
            return [line.highlight_regex(pattern, style="reverse") for line in lines]
        return lines

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> RenderResult:
        return joined(self._lines(self.content_size.width))


class Transcript(VerticalScroll, can_focus=False):
    """All turns; about `WINDOW` of them mounted."""

    def __init__(self) -> None:
        super().__init__()
        self._turns: list[TurnView] = []
        self._first = 0
        self._thoughts = False
        self._sought: TurnView | None = None

    def compose(self) -> ComposeResult:
        yield Static("", markup=False, classes="older")

    def on_mount(self) -> None:
        self.mount_all(turn for turn in self._turns if turn.parent is None)
        self._count_older()
        self.anchor()

    def begin(self, goal: Block | None) -> None:
        """A new turn; the view goes to its end, and the oldest turns in view give way."""
        turn = TurnView()
        turn.thoughts = self._thoughts
        if goal is not None:
            turn.blocks.append(goal)
        self._turns.append(turn)
        if not self.is_mounted:
            return
        self.mount(turn)
        while len(self._turns) - self._first > WINDOW:
            self._turns[self._first].remove()
            self._turns[self._first] = _copy(self._turns[self._first])
            self._first += 1
        self._count_older()
        self.anchor()

    @property
    def turn(self) -> TurnView:
        """The turn that is going on, or the last."""
        if not self._turns:
            self.begin(None)
        return self._turns[-1]

    @property
    def told(self) -> list[list[Block]]:
        """All that was said and done, turn by turn."""
        return [turn.blocks for turn in self._turns]

    def add(self, block: Block) -> None:
        self.turn.add(block)

    def stream(self, kind: Kind, text: str) -> None:
        self.turn.stream(kind, text)

    def toggle_thoughts(self) -> None:
        """Show what the model thought, or fold it again."""
        self._thoughts = not self._thoughts
        for turn in self._turns:
            turn.fold(self._thoughts)

    async def seek(self, words: str) -> bool:
        """Go to the next turn further up that has these words, from the end again for others; was there one?

        With no words, those sought before are sought on.
        """
        before = self._sought
        words = words.casefold() or (before.sought if before else "")
        on = before is not None and before.sought == words
        below = self._turns.index(before) if before and on else len(self._turns)
        for number in range(below - 1, -1, -1):
            if words and self._turns[number].seek(words):
                await self._go_to(number)
                return True
            self._turns[number].seek("")
        return False

    async def page(self, direction: int) -> None:
        """One page up or down; at the top, older turns come in."""
        if direction < 0:
            self.release_anchor()
            if self.scroll_y <= 0 and self._first > 0:
                await self._mount_older()
            else:
                self.scroll_page_up(animate=False)
        else:
            self.scroll_page_down(animate=False)

    def scroll_lines(self, lines: int) -> None:
        """Some lines down, or up with a negative number."""
        if lines < 0:
            self.release_anchor()
        self.scroll_relative(y=lines, animate=False)

    async def _go_to(self, number: int) -> None:
        """Show the words sought in a turn, wherever it is."""
        turn = self._turns[number]
        if self._sought is not None and self._sought is not turn:
            self._sought.seek("")
        self._sought = turn
        self.release_anchor()
        if number < self._first:
            await self._mount_from(number)
        self.call_after_refresh(self._scroll_to_sought, turn)

    def _scroll_to_sought(self, turn: TurnView) -> None:
        self.scroll_to(y=turn.virtual_region.y + turn.line_of_sought() - 1, animate=False)

    async def _mount_older(self) -> None:
        was_first = self._turns[self._first]
        await self._mount_from(max(self._first - PAGE, 0))
        self.call_after_refresh(self._page_above, was_first)

    async def _mount_from(self, first: int) -> None:
        older = self._turns[first : self._first]
        self._first = first
        await self.mount_all(older, after=0)
        self._count_older()

    def _page_above(self, turn: TurnView) -> None:
        """Show the page that ends where this turn begins."""
        self.scroll_to(y=turn.virtual_region.y - self.size.height, animate=False)

    def _count_older(self) -> None:
        older = self.query_one(".older", Static)
        older.display = self._first > 0
        older.update(
            literal(f"{counted(self._first, 'earlier turn')}: PageUp at the top shows more", "$muted")
        )


def _copy(turn: TurnView) -> TurnView:
    """An unmounted view of the same turn: a removed widget cannot be mounted again."""
    copy = TurnView()
    copy.blocks, copy.thoughts, copy.sought = turn.blocks, turn.thoughts, turn.sought
    return copy
