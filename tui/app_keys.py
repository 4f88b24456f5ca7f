"""The keys that work wherever the app is."""

from textual.binding import Binding, BindingType

APP_KEYS: list[BindingType] = [
    Binding("escape", "stop_softly", "stop", id="app.stop", tooltip="Stop before the next call"),
    Binding(
        "ctrl+c",
        "stop_now",
        "stop now",
        show=False,
        priority=True,
        id="app.stop_now",
        tooltip="Stop at once",
    ),
    Binding("f1", "help", "help", show=False, id="app.help", tooltip="All keys and commands"),
    Binding("f8", "undo_send", "undo send", id="app.undo_send", tooltip="Take back the message that waits"),
    Binding(
        "f2", "activity", "activity", id="app.activity", tooltip="What was asked, allowed and done; undo"
    ),
    Binding(
        "f3",
        "permissions",
        "permissions",
        id="app.permissions",
        tooltip="What is permitted, and the way back",
    ),
    Binding("f4", "connectors", "connectors", id="app.connectors", tooltip="The services and their state"),
    Binding("f5", "models", "models", id="app.models", tooltip="The models: fetch, use, import, remove"),
    Binding(
        "f12",
        "panic",
        "panic",
        show=False,
        priority=True,
        id="app.panic",
        tooltip="Stop, turn every service off, and take back what is not permitted for good",
    ),
    Binding(
        "ctrl+z",
        "stand_aside",
        "stand aside",
        show=False,
        priority=True,
        id="app.stand_aside",
        tooltip="Back to the shell for a while; fg there comes back",
    ),
    Binding("ctrl+q", "quit", "quit", priority=True, id="app.quit", tooltip="End Askfirst"),
]
