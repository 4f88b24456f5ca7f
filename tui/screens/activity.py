"""The activity: what was asked, allowed and done, read from the journal; the place to undo."""

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from permissions.audit import PermissionChange
from permissions.entry import Entry, State
from permissions.grants import StoreError
from tui.house import House
from tui.prompt.rows import Line, Row
from tui.screens.entries import (
    Told,
    by_time,
    can_be_undone,
    change_details,
    change_matches,
    change_row,
    details,
    matches,
    row,
)
from tui.screens.overlay import Overlay
from tui.text import counted, joined, literal
from tui.why import reasons_now

MOST = 500


class EntryList(OptionList):
    """The calls, newest first, under the goals they belong to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "cursor_down", "down", show=False, id="activity.down", tooltip="The next call"),
        Binding("up,k", "cursor_up", "up", show=False, id="activity.up", tooltip="The call before"),
        Binding("home,g", "first", "first", show=False, id="activity.first", tooltip="The newest call"),
        Binding("end,G", "last", "last", show=False, id="activity.last", tooltip="The oldest call"),
    ]

    def __init__(self) -> None:
        super().__init__(markup=False, compact=True)
        self._rows: dict[int, Told] = {}

    @property
    def marked(self) -> Told | None:
        return self._rows.get(self.highlighted) if self.highlighted is not None else None

    def fill(self, entries: Iterable[Entry], changes: Iterable[PermissionChange], width: int) -> None:
        """Show these in so many columns, the first of them marked."""
        self.clear_options()
        self._rows = {}
        options: list[Option] = []
        for head, group in by_time(entries, changes):
            options.append(Option(head, disabled=True))
            for told in group:
                self._rows[len(options)] = told
                options.append(Option(row(told) if isinstance(told, Entry) else change_row(told, width)))
        self.add_options(options)
        self.highlighted = min(self._rows, default=None)


class ActivityScreen(Overlay):
    """Entries by goal, `/` to filter them, Enter for all of one, `u` to undo it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter",
            "details",
            "details",
            id="activity.details",
            tooltip="Everything the journal has of this call",
        ),
        Binding(
            "u",
            "undo",
            "undo",
            id="activity.undo",
            tooltip="Take this deed back; you are asked like for any call",
        ),
        Binding("slash", "filter", "filter", id="activity.filter", tooltip="Show only what has these words"),
        Binding("escape,q", "leave", "back", id="activity.back", tooltip="Back, one step at a time"),
    ]

    class UndoWished(Message):
        """A deed is to be taken back."""

        def __init__(self, entry: Entry) -> None:
            super().__init__()
            self.entry = entry

    def __init__(self, house: House) -> None:
        super().__init__("Activity")
        self._house = house
        self._entries: tuple[Entry, ...] = ()
        self._changes: tuple[PermissionChange, ...] = ()
        self._words = ""
        self._list = EntryList()
        self._row: Row | None = None

    def body(self) -> Iterable[Widget]:
        yield Static("", markup=False, classes="said")
        yield self._list
        with VerticalScroll(classes="details"):
            yield Static("", markup=False)

    def on_mount(self) -> None:
        self._details.display = False
        self.renew()

    def renew(self) -> None:
        """Show the journal as it is now."""
        try:
            self._entries = tuple(self._house.activity(MOST))
            self._changes = self._house.permits.history(MOST)
        except Exception as error:
            self._say(f"The journal cannot be read: {error}")
            return
        self._show()

    @property
    def _details(self) -> VerticalScroll:
        return self.query_one(".details", VerticalScroll)

    def _say(self, text: str) -> None:
        said = self.query_one(".said", Static)
        said.display = bool(text)
        said.update(literal(text, "$muted"))

    def _show(self) -> None:
        found = self._fill()
        if self._words:
            self._say(f"{counted(found, 'call')} with “{self._words}” · Esc shows all")
        else:
            self._say("" if self._list.option_count else "Nothing was asked yet.")
        self._list.focus()

    def _fill(self) -> int:
        """Show what has the words; how many calls have."""
        found = [entry for entry in self._entries if matches(entry, self._words)]
        changes = [change for change in self._changes if change_matches(change, self._words)]
        self._list.fill(found, changes, self.app.size.width - 3)
        return len(found)

    @on(OptionList.OptionSelected)
    def action_details(self) -> None:
        told = self._list.marked
        if told is not None and not self._details.display:
            width = self.app.size.width - 6
            drawn = (
                details(told, width, self._now(told))
                if isinstance(told, Entry)
                else change_details(told, width)
            )
            self._details.query_one(Static).update(joined(drawn))
            self._details.display = True
            self._details.focus()

    def _now(self, entry: Entry) -> list[tuple[str, str]]:
        """What would be said to a call if it came again."""
        try:
            return reasons_now(entry, self._house.permits.judged_again(entry))
        except StoreError as error:
            return [("Now", str(error))]

    def action_undo(self) -> None:
        entry = self._list.marked
        if not isinstance(entry, Entry):
            if entry is not None:
                self._say("This is undone with the permissions: F3.")
            return
        if entry.state is State.HELD and self._house.withdraw(entry.id):
            self.renew()
            self._say(f"Taken back, not sent: {entry.title}")
        elif can_be_undone(entry):
            self.dismiss()
            self.app.post_message(self.UndoWished(entry))
        else:
            self._say("This was undone already." if entry.undone else "This cannot be undone from here.")

    def action_filter(self) -> None:
        if self._row is None:
            self._row = Row("Filter", Line(self._words))
            self.mount(self._row, before=self._list)

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        if self._row is not None:
            self._words = event.value.strip()
            self._fill()

    @on(Input.Submitted)
    @on(Row.Left)
    def _close_filter(self, event: Message) -> None:
        if self._row is not None:
            self._row.remove()
            self._row = None
        if isinstance(event, Row.Left):
            self._words = ""
        self._show()

    def action_leave(self) -> None:
        if self._details.display:
            self._details.display = False
            self._list.focus()
        elif self._words:
            self._words = ""
            self._show()
        else:
            self.dismiss()
