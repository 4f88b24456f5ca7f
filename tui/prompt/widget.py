"""The permission prompt: it takes the composer's place until one key, or nothing, has answered."""

from collections.abc import Callable

from textual import on
from textual.geometry import Size

from permissions.words import Asker, Ban, Decision, Key, Offer, Reply, Request, Scope
from tui.keys import Clock
from tui.prompt import words
from tui.prompt.base import Prompt
from tui.prompt.bindings import BINDINGS
from tui.prompt.choices import of_bans, of_offers
from tui.prompt.edit import EditForm
from tui.prompt.rows import ReasonRow, WordLine, WordRow
from tui.prompt.subject import OneRequest


class PermissionPrompt(Prompt[Decision]):
    """Draws one request and waits for its decision; whatever goes wrong here is a no."""

    BINDINGS = BINDINGS

    def __init__(self, request: Request, clock: Clock, room: Callable[[], Size]) -> None:
        self.request = request
        self._one = OneRequest(request)
        super().__init__(self._one, clock, room)

    def undrawable(self, error: Exception) -> Decision:
        return Decision(Reply.NO, reason=f"it could not be shown ({type(error).__name__})")

    def action_yes(self, letter: str) -> None:
        typed = self.request.ruling.key is Key.TYPED
        if not typed and letter != words.yes_key(self.request):
            self.say(words.wrong_case(self.request))
        elif self.face.refusal:
            self.say(self.face.refusal)
        elif typed:
            self.open(WordRow(self.request.ruling.word))
        else:
            self._say_yes()

    def action_grant(self, scope: str) -> None:
        offers = words.offers(self.request).get(Scope(scope), ())
        if not offers:
            self.say(f"no permission for {words.SPANS[Scope(scope)]} is on offer here")
        elif words.opens(Scope(scope), len(offers)):
            self._list(Scope(scope), offers)
        elif self.request.ruling.key is not Key.SMALL:
            self._choose(None if self._one.chosen is offers[0] else offers[0])
        elif self.face.refusal:
            self.say(self.face.refusal)
        else:
            self.answer(Decision(Reply.YES, grant=offers[0].grant, key=Key.SMALL))

    def _list(self, scope: Scope, offers: tuple[Offer, ...]) -> None:
        """Open what is on offer, close it again, or put back what was chosen."""
        shown = self.face.sheet.choices
        if self._one.chosen in offers:
            self._choose(None)
        else:
            self.face.sheet.offer(None if shown and shown.items == offers else of_offers(scope, offers))
            self.redraw()

    def action_never(self) -> None:
        if self.request.bans:
            opened = self.face.sheet.choices
            shut = opened is not None and opened.items == self.request.bans
            self.face.sheet.offer(None if shut else of_bans(self.request.bans))
            self.redraw()
        else:
            self.say("there is nothing here that can be ruled out for good")

    def action_pick(self, number: int) -> None:
        choices = self.face.sheet.choices
        if choices is None or number > len(choices.items):
            self.action_nothing()
            return
        match choices.items[number - 1]:
            case Ban() as ban:
                self.answer(Decision(Reply.NO, ban=ban))
            case Offer() as offer:
                self.face.sheet.offer(None)
                self._choose(offer)

    def action_pick_marked(self) -> None:
        choices = self.face.sheet.choices
        self.action_pick(choices.marked + 1 if choices else 1)

    def _choose(self, offer: Offer | None) -> None:
        self._one.chosen = offer
        self.redraw()

    def _say_yes(self, typed: str = "") -> None:
        chosen = self._one.chosen
        grant = chosen.grant if chosen else None
        self.answer(Decision(Reply.YES, grant=grant, typed=typed, key=self.request.ruling.key))

    def action_no(self) -> None:
        self.answer(Decision(Reply.NO))

    def action_stop(self) -> None:
        if self.face.sheet.choices is not None and self.face.whole:
            self.face.sheet.offer(None)
            self.redraw()
        else:
            self.answer(Decision(Reply.STOP))

    def action_edit(self) -> None:
        form = EditForm(self.request)
        if form.rows and self.request.asker is not Asker.UNDO:
            self.face.sheet.offer(None)
            self.open(form)
        else:
            self.say("there is nothing here to change")

    def action_nothing(self) -> None:
        self.say(f"press {words.yes_key(self.request)} or n")

    def scroll_lines(self, lines: int) -> None:
        choices = self.face.sheet.choices
        if choices is not None and not self.face.aside:
            self.face.sheet.choices = choices.move(lines)
            self.redraw()
        else:
            super().scroll_lines(lines)

    @on(ReasonRow.Given)
    def _refuse(self, event: ReasonRow.Given) -> None:
        self.answer(Decision(Reply.NO, reason=event.reason))

    @on(EditForm.Edited)
    def _edit(self, event: EditForm.Edited) -> None:
        if event.changes:
            self.answer(Decision(Reply.EDIT, edited=event.changes))
        else:
            self.close_row()

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
