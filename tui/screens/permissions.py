"""The permissions: what was given and forbidden and how to take it back, and changes that wait for a yes."""

from collections.abc import Callable, Iterable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from permissions.grants import Held, StoreError
from permissions.journal import JournalError
from permissions.rule_book import Change
from permissions.rules import Rule
from permissions.words import Ban
from tui.permits import Permits
from tui.screens.overlay import Overlay
from tui.screens.permission_rows import (
    change_details,
    change_row,
    held_details,
    held_row,
    rule_details,
    rule_row,
)
from tui.text import joined, literal

Thing = Held | Change | Rule


class PermitList(OptionList):
    """The changes that wait, the permissions, the noes, and the rules, each under its heading."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "cursor_down", "down", show=False, id="permissions.down", tooltip="The next one"),
        Binding("up,k", "cursor_up", "up", show=False, id="permissions.up", tooltip="The one before"),
        Binding("home,g", "first", "first", show=False, id="permissions.first", tooltip="The first"),
        Binding("end,G", "last", "last", show=False, id="permissions.last", tooltip="The last"),
    ]

    def __init__(self) -> None:
        super().__init__(markup=False, compact=True)
        self._things: dict[int, Thing] = {}

    @property
    def marked(self) -> Thing | None:
        return self._things.get(self.highlighted) if self.highlighted is not None else None

    def fill(self, permits: Permits, width: int) -> None:
        """Show what stands now; the same line stays marked where there is one."""
        marked = self.highlighted
        self.clear_options()
        self._things = {}
        options: list[Option] = []
        for title, rows in _sections(permits, width):
            options.append(Option(literal(title, "bold"), disabled=True))
            for thing, row in rows:
                self._things[len(options)] = thing
                options.append(Option(row))
        self.add_options(options)
        near = [place for place in self._things if marked is None or place >= marked]
        self.highlighted = min(near, default=max(self._things, default=None))


class PermissionsScreen(Overlay):
    """`x` takes back, `u` puts back again, Enter shows all of one; `Y` says yes to a change."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter", "details", "details", id="permissions.details", tooltip="All there is to know of it"
        ),
        Binding("x", "revoke", "take back", id="permissions.revoke", tooltip="Take this back at once"),
        Binding(
            "u", "restore", "put back", id="permissions.restore", tooltip="Put back what was taken back last"
        ),
        Binding(
            "Y", "accept", "yes to it", id="permissions.accept", tooltip="Say yes to the change that is shown"
        ),
        Binding("o", "turn_on", "turn on", id="permissions.turn_on", tooltip="Turn the services on again"),
        Binding("escape,q", "leave", "back", id="permissions.back", tooltip="Back, one step at a time"),
    ]

    def __init__(self, permits: Permits) -> None:
        super().__init__("Permissions")
        self._permits = permits
        self._list = PermitList()
        self._gone: list[Held] = []
        self._shown: Change | None = None

    def body(self) -> Iterable[Widget]:
        yield Static("", markup=False, classes="said")
        yield self._list
        with VerticalScroll(classes="details"):
            yield Static("", markup=False)

    def on_mount(self) -> None:
        self._details.display = False
        self.renew()

    def renew(self) -> None:
        """Show what stands now."""
        try:
            self._list.fill(self._permits, self.app.size.width - 3)
        except StoreError as error:
            self._say(str(error))
            return
        self._say("\n".join(self._permits.notices) or ("" if self._list.option_count else _NOTHING))
        self._list.focus()
        self.refresh_bindings()

    def on_resize(self) -> None:
        if not self._details.display:
            self.renew()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "accept":
                return self._shown is not None
            case "turn_on":
                return self._permits.off
            case "restore":
                return bool(self._gone)
            case _:
                return True

    @property
    def _details(self) -> VerticalScroll:
        return self.query_one(".details", VerticalScroll)

    def _say(self, text: str) -> None:
        said = self.query_one(".said", Static)
        said.display = bool(text)
        said.update(literal(text, "$muted"))

    @on(OptionList.OptionSelected)
    def action_details(self) -> None:
        thing = self._list.marked
        if thing is None or self._details.display:
            return
        self._details.query_one(Static).update(joined(self._lines(thing, self.app.size.width - 6)))
        self._details.display = True
        self._details.scroll_home(animate=False)
        self._details.focus()
        self._shown = thing if isinstance(thing, Change) else None
        self.refresh_bindings()

    def _lines(self, thing: Thing, width: int) -> list[Content]:
        match thing:
            case Held():
                return held_details(thing, self._permits.origin(thing), width)
            case Change():
                return change_details(thing, width)
            case Rule():
                return rule_details(thing, width)

    def action_revoke(self) -> None:
        thing = self._list.marked
        if isinstance(thing, Held):
            self._try(lambda: self._revoke(thing))
        elif isinstance(thing, Rule):
            self._say(f"This rule stands in {thing.source or 'Askfirst'}; it is changed there.")
        elif isinstance(thing, Change):
            self._say("A change is taken back in its file.")

    def _revoke(self, held: Held) -> None:
        if self._permits.revoke(held):
            self._gone.append(held)
        self._close_details()
        self.renew()
        self._say(f"Taken back: {held.what.words}. u puts it back.")

    def action_restore(self) -> None:
        held = self._gone[-1]
        if self._try(lambda: self._permits.restore(held)):
            self._gone.pop()
            self.renew()
            self._say(f"Put back: {held.what.words}.")

    def action_accept(self) -> None:
        change = self._shown
        if change is None:
            return
        if self._details.scroll_offset.y < self._details.max_scroll_y:
            self._say("Read it to its end first.")
            return
        if self._try(lambda: self._permits.accept(change)):
            self._close_details()
            self.renew()

    def action_turn_on(self) -> None:
        if self._try(self._permits.turn_on):
            self.renew()
            self._say("Everything is on again. The permissions that were taken back stay so.")

    def action_leave(self) -> None:
        if self._details.display:
            self._close_details()
        else:
            self.dismiss()

    def _close_details(self) -> None:
        self._details.display = False
        self._shown = None
        self._list.focus()
        self.refresh_bindings()

    def _try(self, work: Callable[[], None]) -> bool:
        """True if it was done; otherwise why not is said."""
        try:
            work()
        except (StoreError, JournalError) as error:
            self._say(str(error))
            return False
        return True


_NOTHING = "Every call is asked for: nothing is permitted in advance, and there are no rules."


def _sections(permits: Permits, width: int) -> Iterable[tuple[str, list[tuple[Thing, Content]]]]:
    held = permits.held()
    sections: list[tuple[str, list[tuple[Thing, Content]]]] = [
        ("Waits for your yes", [(change, change_row(change, width)) for change in permits.changes]),
        ("You permitted", [(h, held_row(h, width)) for h in held if not isinstance(h.what, Ban)]),
        ("You said never", [(h, held_row(h, width)) for h in held if isinstance(h.what, Ban)]),
        ("Your rules", [(rule, rule_row(rule, width)) for rule in permits.rules]),
    ]
    return [(title, rows) for title, rows in sections if rows]
