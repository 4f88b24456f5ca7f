"""The keys of the permission prompt: one letter has one meaning everywhere."""

from textual.binding import Binding, BindingType


def _key(key: str, action: str, name: str, id: str, tooltip: str, *, show: bool = False) -> Binding:
    return Binding(key, action, name, show=show, id=f"prompt.{id}", tooltip=tooltip)


_READING: list[BindingType] = [
    _key("w", "view('why')", "why", "why", "Why this is asked, and where each value came from", show=True),
    _key("v", "view('exact')", "exact values", "exact", "The exact values that will be used", show=True),
    _key(
        "z",
        "set_aside",
        "set aside",
        "aside",
        "Make the question small and read what is behind it; again to open it",
        show=True,
    ),
    _key("down,j", "scroll(1)", "down", "down", "One line down"),
    _key("up,k", "scroll(-1)", "up", "up", "One line up"),
    _key("pagedown,ctrl+d", "page(1)", "page down", "page_down", "One page down"),
    _key("pageup,ctrl+u", "page(-1)", "page up", "page_up", "One page up"),
    _key("space", "nothing", "nothing", "nothing", "Space never says yes"),
    _key("question_mark", "app.help", "keys", "help", "All keys"),
    _key("escape", "stop", "stop", "stop", "No, and stop the goal; in a list, back", show=True),
]

BINDINGS: list[BindingType] = [
    _key("y", "yes('y')", "yes", "yes", "Yes, once, to what can be taken back"),
    _key(
        "Y,shift+y",
        "yes('Y')",
        "yes, out",
        "yes_grave",
        "Yes to what leaves this machine or cannot be taken back",
    ),
    _key("n", "no", "no", "no", "No; the assistant goes on without it"),
    _key("r", "reason", "no, because", "reason", "No, with a reason the assistant reads"),
    _key("N", "never", "never…", "never", "No, and never again: lists what may be ruled out"),
    _key("e", "edit", "edit", "edit", "Change or add what the call says; it is then shown anew"),
    _key(
        "g",
        "grant('goal')",
        "this goal",
        "goal",
        "Yes, and to the like of it until this goal ends (what goes out still needs Y)",
    ),
    _key(
        "s",
        "grant('session')",
        "this session",
        "session",
        "Yes, and to the like of it until Askfirst ends (what goes out still needs Y)",
    ),
    _key(
        "t",
        "grant('until')",
        "until…",
        "until",
        "Lists what may be allowed until a time; the yes comes after",
    ),
    _key(
        "a", "grant('always')", "always…", "always", "Lists what may be allowed always; the yes comes after"
    ),
    *(
        _key(
            str(number),
            f"pick({number})",
            f"pick {number}",
            f"pick_{number}",
            "Pick that number of a list",
        )
        for number in range(1, 10)
    ),
    _key("enter", "pick_marked", "pick", "pick", "Pick what is marked in a list; never a yes"),
    *_READING,
]

TOGETHER: list[BindingType] = [
    _key("y", "yes('y')", "yes", "all_yes", "Yes to all that are ticked, if each can be taken back"),
    _key(
        "Y,shift+y", "yes('Y')", "yes, out", "all_yes_grave", "Yes to all that are ticked, what goes out too"
    ),
    _key("n", "no", "no", "all_no", "No to all of them"),
    _key("r", "reason", "no, because", "all_reason", "No to all of them, with a reason the assistant reads"),
    _key("o", "one_by_one", "one by one", "apart", "Ask about each of them by itself"),
    *(
        _key(
            str(number),
            f"tick({number})",
            f"tick {number}",
            f"tick_{number}",
            "Tick that number, or not",
        )
        for number in range(1, 10)
    ),
    _key("enter", "nothing", "nothing", "all_nothing", "Enter never says yes"),
    *_READING,
]
