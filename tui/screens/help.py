"""The help screen, made from the bindings themselves."""

from collections.abc import Iterable, Sequence

from textual.app import App
from textual.binding import Binding, BindingType
from textual.content import Content

from tui.colon import COMMANDS
from tui.composer import Composer
from tui.prompt.bindings import BINDINGS as PROMPT
from tui.prompt.bindings import TOGETHER
from tui.prompt.edit import EditForm
from tui.question import QuestionPicker
from tui.screens.activity import ActivityScreen
from tui.screens.conversation import ConversationScreen
from tui.screens.overlay import Overlay, Page
from tui.screens.permissions import PermissionsScreen
from tui.text import hanging, literal

NOTE = (
    "One letter has one meaning everywhere. Enter, Space, the mouse and pasted text never say yes; "
    "keys count only once a question has been in view for a moment."
)
SEEKING = "go to where the conversation has these words, further up with / alone"
KEY_COLUMN = 22


class HelpPage(Page):
    """Every key by place, then the commands."""

    def lines(self, width: int) -> list[Content]:
        places: list[tuple[str, Sequence[BindingType]]] = [
            ("When you are asked for permission", PROMPT),
            ("When several things are asked at once", TOGETHER),
            ("While you edit a call", EditForm.BINDINGS),
            ("When you are asked which one", QuestionPicker.BINDINGS),
            ("Where you type", Composer.BINDINGS),
            ("In the conversation", ConversationScreen.BINDINGS),
            ("Everywhere", type(self.app).BINDINGS),
            ("In the activity", ActivityScreen.BINDINGS),
            ("In the permissions", PermissionsScreen.BINDINGS),
        ]
        lines = [*literal(NOTE).wrap(width), Content("")]
        for place, bindings in places:
            lines += [literal(place, "bold"), *_keys(self.app, bindings, width), Content("")]
        lines.append(literal("Commands", "bold"))
        for name, (_, what) in COMMANDS.items():
            lines += hanging(literal(f"  :{name}"), literal(what), width, KEY_COLUMN)
        return [*lines, *hanging(literal("  /words"), literal(SEEKING), width, KEY_COLUMN)]


def _keys(app: App[object], bindings: Iterable[BindingType], width: int) -> list[Content]:
    lines: list[Content] = []
    for binding in bindings:
        if isinstance(binding, Binding):
            names = [app.get_key_display(Binding(key, "")) for key in binding.key.split(",")]
            lines += hanging(literal("  " + " ".join(names)), literal(binding.tooltip), width, KEY_COLUMN)
    return lines


class HelpScreen(Overlay):
    """All keys and commands."""

    def __init__(self) -> None:
        super().__init__("Keys and commands")

    def body(self) -> Iterable[Page]:
        yield HelpPage()
