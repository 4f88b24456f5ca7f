"""Every key of the app by the place where it works."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.binding import Binding, BindingType

from tui.app_keys import APP_KEYS
from tui.composer import Composer
from tui.dock import Dock
from tui.prompt.bindings import BINDINGS as PROMPT
from tui.prompt.bindings import TOGETHER
from tui.prompt.edit import EditForm
from tui.question import QuestionPicker
from tui.screens.activity import ActivityScreen, EntryList
from tui.screens.connect import ConnectScreen
from tui.screens.connectors import ConnectorsScreen
from tui.screens.conversation import ConversationScreen
from tui.screens.model_list import ModelList
from tui.screens.models import ModelsScreen
from tui.screens.overlay import Page
from tui.screens.permissions import PermissionsScreen


@dataclass(frozen=True, slots=True)
class Place:
    """Where some keys work; `asks` says that something is asked there, `typing` that letters are text."""

    title: str
    bindings: Sequence[BindingType]
    asks: bool = False
    typing: bool = False

    @property
    def keys(self) -> dict[str, Binding]:
        """The place's bindings by their ids."""
        return {each.id: each for each in self.bindings if isinstance(each, Binding) and each.id}


EVERYWHERE = Place("Everywhere", APP_KEYS, typing=True)

PLACES = (
    Place("When you are asked for permission", PROMPT, asks=True),
    Place("When several things are asked at once", TOGETHER, asks=True),
    Place("While you edit a call", EditForm.BINDINGS, asks=True),
    Place("When you are asked which one", QuestionPicker.BINDINGS, asks=True),
    Place("Where you type", (*Composer.BINDINGS, *Dock.BINDINGS), typing=True),
    Place("In the conversation", ConversationScreen.BINDINGS, typing=True),
    EVERYWHERE,
    Place("In the activity", (*ActivityScreen.BINDINGS, *EntryList.BINDINGS)),
    Place("In the permissions", PermissionsScreen.BINDINGS),
    Place("In the connectors", ConnectorsScreen.BINDINGS),
    Place("While a service is set up", ConnectScreen.BINDINGS, typing=True),
    Place("In the models", (*ModelsScreen.BINDINGS, *ModelList.BINDINGS)),
    Place("On a page that is read", Page.BINDINGS),
)
