"""The composer: where a goal is typed; it grows with its text and remembers what was sent."""

from dataclasses import dataclass

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult

from connectors.clean import clean
from tui.pasted import Pasted, Span, within
from tui.text import literal

_PASTED = "pasted words count as others' · ctrl+o they are mine"
PLACEHOLDER = "What shall I do? (? help, : commands, / search)"


class History:
    """The goals sent so far, to step through; what was being typed is kept at the end.

    `pasted` are the pieces of each text that were.
    """

    def __init__(self) -> None:
        self._sent: list[str] = []
        self._place = 0
        self._draft = ""
        self.pasted: dict[str, tuple[Span, ...]] = {}

    def add(self, text: str, pasted: tuple[Span, ...] = ()) -> None:
        if not self._sent or self._sent[-1] != text:
            self._sent.append(text)
        self.pasted[text] = pasted
        self._place = len(self._sent)
        self._draft = ""

    @property
    def all(self) -> tuple[str, ...]:
        """Every goal sent, the latest last."""
        return tuple(self._sent)

    def step(self, by: int, current: str) -> str | None:
        """The text one step back (-1) or forward (1), or None at the end."""
        place = self._place + by
        if not 0 <= place <= len(self._sent):
            return None
        if self._place == len(self._sent):
            self._draft = current
        self._place = place
        return self._draft if place == len(self._sent) else self._sent[place]


class Composer(TextArea):
    """One growing line; Enter sends it, and the text stays until it was taken."""

    BINDINGS = [
        Binding("enter", "send", "send", id="composer.send", tooltip="Send what is written"),
        Binding(
            "ctrl+j,shift+enter",
            "new_line",
            "new line",
            show=False,
            id="composer.new_line",
            tooltip="Begin a new line",
        ),
        Binding(
            "ctrl+o",
            "own",
            "mine",
            show=False,
            id="composer.own",
            tooltip="Say that what you pasted is your own word",
        ),
        Binding(
            "up",
            "older",
            "older",
            show=False,
            id="composer.older",
            tooltip="Up a line, or to the goal sent before",
        ),
        Binding(
            "down",
            "newer",
            "newer",
            show=False,
            id="composer.newer",
            tooltip="Down a line, or to the next goal sent",
        ),
        Binding(
            "pageup",
            "screen.page(-1)",
            "page up",
            show=False,
            id="composer.page_up",
            tooltip="Read further up",
        ),
        Binding(
            "pagedown",
            "screen.page(1)",
            "page down",
            show=False,
            id="composer.page_down",
            tooltip="Read further down",
        ),
    ]

    @dataclass
    class Sent(Message):
        """Enter was pressed on some text, of which some pieces were pasted."""

        text: str
        pasted: tuple[Span, ...] = ()

    def __init__(self) -> None:
        super().__init__(compact=True, highlight_cursor_line=False, placeholder=Content(PLACEHOLDER))
        self.sent = History()
        self.held = False
        self._pasted = Pasted()

    def take(self) -> None:
        """The text was taken: remember it, and make room for the next."""
        self.sent.add(*self._stripped())
        self.clear()

    def edit(self, edit: Edit) -> EditResult:
        """Make a change, and remember if it was a paste."""
        result = super().edit(edit)
        self._pasted.follow(self.text)
        return result

    def undo(self) -> None:
        super().undo()
        self._pasted.follow(self.text)

    def redo(self) -> None:
        super().redo()
        self._pasted.follow(self.text)

    def hold(self, held: bool = True) -> None:
        """Keep the text to be sent when the goal that is going on has ended; an edit takes that back."""
        self.held = held
        self.set_class(held, "held")
        self._say()

    def on_text_area_changed(self) -> None:
        if self.held:
            self.hold(False)
        self._say()

    def _say(self) -> None:
        """Say what is to be known of the text, on its frame."""
        pasted = bool(self._pasted.spans)
        self.set_class(pasted, "pasted")
        said = (_PASTED if pasted else "", "next, when this goal has ended" if self.held else "")
        self.border_subtitle = literal(" · ".join(filter(None, said)))

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "question_mark" and not self.text:
            event.stop()
            event.prevent_default()
            await self.app.run_action("help")
        elif event.key == "enter":
            event.prevent_default()

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        with self._pasted.pasting():
            self.replace(clean(event.text), *self.selection)

    def action_paste(self) -> None:
        with self._pasted.pasting():
            super().action_paste()

    def action_own(self) -> None:
        """What was pasted is the person's own word from now on."""
        if self._pasted.own():
            self._say()

    def action_send(self) -> None:
        if self.text.strip():
            self.post_message(self.Sent(*self._stripped()))

    def _stripped(self) -> tuple[str, tuple[Span, ...]]:
        """The text without the space around it, and the pieces of it that were pasted."""
        text = self.text.strip()
        start = self.text.find(text)
        return text, within(self._pasted.spans, start, start + len(text))

    def action_new_line(self) -> None:
        self.insert("\n")

    def action_older(self) -> None:
        if self.navigator.is_first_wrapped_line(self.cursor_location):
            self._recall(-1)
        else:
            self.action_cursor_up()

    def action_newer(self) -> None:
        if self.navigator.is_last_wrapped_line(self.cursor_location):
            self._recall(1)
        else:
            self.action_cursor_down()

    def _recall(self, by: int) -> None:
        text = self.sent.step(by, self.text)
        if text is not None:
            self.take_up(text)

    def take_up(self, text: str) -> None:
        """Write a goal that was given before; of one from an earlier session it is not known who typed it."""
        self.text = text
        self._pasted.take_up(text, self.sent.pasted.get(text, ((0, len(text)),)))
        self._say()
        self.move_cursor(self.document.end)
