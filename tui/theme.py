"""The one theme."""

from textual.theme import Theme

ASKFIRST = Theme(
    name="askfirst",
    primary="#7aa2c8",
    secondary="#8fae8b",
    warning="#d9a441",
    error="#d9706b",
    success="#8fbf7f",
    accent="#d9a441",
    foreground="#dcdcd6",
    background="#16181c",
    surface="#1d2025",
    panel="#262a31",
    dark=True,
    variables={"muted": "#97978f"},
)
