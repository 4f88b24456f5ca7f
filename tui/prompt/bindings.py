"""The keys of the permission prompt: one letter has one meaning everywhere."""

from textual.binding import Binding, BindingType

BINDINGS: list[BindingType] = [
    Binding(
        "y", "yes('y')", "yes", show=False, id="prompt.yes", tooltip="Yes, once, to what can be taken back"
    ),
    Binding(
        "Y,shift+y",
        "yes('Y')",
        "yes, out",
        show=False,
        id="prompt.yes_grave",
        tooltip="Yes to what leaves this machine or cannot be taken back",
    ),
    Binding("n", "no", "no", show=False, id="prompt.no", tooltip="No; the assistant goes on without it"),
    Binding(
        "r",
        "reason",
        "no, because",
        show=False,
        id="prompt.reason",
        tooltip="No, with a reason the assistant reads",
    ),
    Binding(
        "e",
        "edit",
        "edit",
        show=False,
        id="prompt.edit",
        tooltip="Change what the call says; it is then shown anew",
    ),
    Binding(
        "g",
        "grant('goal')",
        "this goal",
        show=False,
        id="prompt.goal",
        tooltip="Yes, and to the like of it until this goal ends (what goes out still needs Y)",
    ),
    Binding(
        "s",
        "grant('session')",
        "this session",
        show=False,
        id="prompt.session",
        tooltip="Yes, and to the like of it until Askfirst ends (what goes out still needs Y)",
    ),
    Binding(
        "w",
        "view('why')",
        "why",
        id="prompt.why",
        tooltip="Why this is asked, and where each value came from",
    ),
    Binding(
        "v", "view('exact')", "exact values", id="prompt.exact", tooltip="The exact values that will be used"
    ),
    Binding(
        "z",
        "set_aside",
        "set aside",
        id="prompt.aside",
        tooltip="Make the question small and read what is behind it; again to open it",
    ),
    Binding("down,j", "scroll(1)", "down", show=False, id="prompt.down", tooltip="One line down"),
    Binding("up,k", "scroll(-1)", "up", show=False, id="prompt.up", tooltip="One line up"),
    Binding(
        "pagedown,ctrl+d", "page(1)", "page down", show=False, id="prompt.page_down", tooltip="One page down"
    ),
    Binding("pageup,ctrl+u", "page(-1)", "page up", show=False, id="prompt.page_up", tooltip="One page up"),
    Binding(
        "enter,space",
        "nothing",
        "nothing",
        show=False,
        id="prompt.nothing",
        tooltip="Enter and Space never say yes",
    ),
    Binding("question_mark", "app.help", "keys", show=False, id="prompt.help", tooltip="All keys"),
    Binding("escape", "stop", "stop", id="prompt.stop", tooltip="No, and stop the goal"),
]
