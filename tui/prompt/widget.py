"""The permission prompt: it takes the composer's place until one key, or nothing, has answered."""

from collections.abc import Callable
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.geometry import Size
from textual.message import Message

from permissions.words import Decision, Key, Reply, Request, Scope
from tui.asked import Asked
from tui.keys import Clock
from tui.prompt import words
from tui.prompt.bindings import BINDINGS
from tui.prompt.edit import EditForm
from tui.prompt.face import Face
from tui.prompt.rows import ReasonRow, Row, WordLine, WordRow
from tui.prompt.sheet import View


@dataclass
class ScrolledBehind(Message):
    """Lines to move what is behind a question that was set aside."""

    lines: int


class PermissionPrompt(Asked[Decision]):
    """Draws one request and waits for its decision; whatever goes wrong here is a no."""

    BINDINGS = BINDINGS

    def __init__(self, request: Request, clock: Clock, room: Callable[[], Size]) -> None:
        super().__init__(clock, room)
        self.request = request
        self.face = Face(request)
        self._row: Row | EditForm | None = None
        self._was_whole: bool | None = None

    def compose(self) -> ComposeResult:
        yield self.face

    def draw(self, room: Size) -> None:
        was, self._was_whole = self._was_whole, self.face.whole
        if was is not self._was_whole:
            self._take_keys()
            self.came_into_view()
        self.face.awake, self.face.hint = self.awake, self.said
        self.face.draw(room, self._row)

    def _take_keys(self) -> None:
        """An open line has the keys while it can be seen."""
        if self._row is not None and self.face.whole:
            self._row.take_keys()
        elif self._row is not None:
            self.focus()

    def undrawable(self, error: Exception) -> Decision:
        return Decision(Reply.NO, reason=f"it could not be shown ({type(error).__name__})")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not self.face.fits:
            return action in ("no", "stop")
        if self.face.aside:
            return action in ("set_aside", "stop", "scroll", "page", "nothing")
        return self._row is None

    def action_yes(self, letter: str) -> None:
        typed = self.request.ruling.key is Key.TYPED
        if not typed and letter != words.yes_key(self.request):
            self.say(words.wrong_case(self.request))
        elif self.face.refusal:
            self.say(self.face.refusal)
        elif typed:
            self._open(WordRow(self.request.ruling.word))
        else:
            self._say_yes()

    def action_grant(self, scope: str) -> None:
        offer = words.offers(self.request).get(Scope(scope))
        if offer is None:
            self.say(f"no permission for {words.SCOPES[Scope(scope)][1]} is on offer here")
        elif self.request.ruling.key is not Key.SMALL:
            self.face.chosen = None if self.face.chosen is offer else offer
            self.redraw()
        elif self.face.refusal:
            self.say(self.face.refusal)
        else:
            self.answer(Decision(Reply.YES, grant=offer.grant, key=Key.SMALL))

    def _say_yes(self, typed: str = "") -> None:
        chosen = self.face.chosen
        grant = chosen.grant if chosen else None
        self.answer(Decision(Reply.YES, grant=grant, typed=typed, key=self.request.ruling.key))

    def action_no(self) -> None:
        self.answer(Decision(Reply.NO))

    def action_stop(self) -> None:
        self.answer(Decision(Reply.STOP))

    def action_reason(self) -> None:
        self._open(ReasonRow())

    def action_edit(self) -> None:
        if self.request.call.arguments:
            self._open(EditForm(self.request.call.arguments))
        else:
            self.say("there is nothing here to change")

    def action_view(self, view: str) -> None:
        self.face.sheet.turn_to(View(view))
        self.redraw()

    def action_set_aside(self) -> None:
        self.face.aside = not self.face.aside
        self.redraw()

    def action_scroll(self, lines: int) -> None:
        self._scroll(lines)

    def action_page(self, pages: int) -> None:
        self._scroll(pages * self.face.sheet.page)

    def on_mouse_scroll_down(self) -> None:
        self._scroll(1)

    def on_mouse_scroll_up(self) -> None:
        self._scroll(-1)

    def action_nothing(self) -> None:
        self.say(f"press {words.yes_key(self.request)} or n")

    def _scroll(self, lines: int) -> None:
        if self.face.aside:
            self.post_message(ScrolledBehind(lines))
        else:
            self.face.sheet.scroll(lines)
            self.redraw()

    def _open(self, row: Row | EditForm) -> None:
        self._row = row
        self.said = ""
        self.face.inside.mount(row)
        self.redraw()

    @on(Row.Left)
    @on(EditForm.Left)
    def _close_row(self) -> None:
        row, self._row = self._row, None
        if row is not None:
            row.remove()
        self.focus()
        self.came_into_view()

    @on(ReasonRow.Given)
    def _refuse(self, event: ReasonRow.Given) -> None:
        self.answer(Decision(Reply.NO, reason=event.reason))

    @on(EditForm.Edited)
    def _edit(self, event: EditForm.Edited) -> None:
        if event.changes:
            self.answer(Decision(Reply.EDIT, edited=event.changes))
        else:
            self._close_row()

    @on(EditForm.Failed)
    def _explain(self, event: EditForm.Failed) -> None:
        self.say(event.why)

    @on(WordLine.Confirmed)
    def _confirm(self) -> None:
        if self.face.refusal:
            self.say(self.face.refusal)
        else:
            self._say_yes(typed=self.request.ruling.word)

    @on(WordLine.Refused)
    def _explain_typing(self) -> None:
        self.say("type the word itself, then Y: pasting and Enter do not count")
