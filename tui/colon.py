"""What the composer takes that is no goal: commands after a colon, and what to seek after a slash."""

SERVICES = ("calendar", "messaging", "contacts", "files", "settings")
"""What can be set up."""

COMMANDS = {
    "activity": ("activity", "what was asked, allowed and done"),
    "permissions": ("permissions", "what is permitted and forbidden, and how to take it back"),
    "connectors": ("connectors", "the services and their state"),
    "connect": ("connect", "set up a service: calendar, messaging, contacts, files or settings"),
    "models": ("models", "the models: fetch, use, import or remove one"),
    "undo": ("undo_last", "take back the last deed"),
    "recovery": ("recovery", "what was cut off or held when Askfirst last ended"),
    "panic": ("panic", "stop, turn every service off, and take back what is not permitted for good"),
    "on": ("turn_on", "turn the services on again"),
    "help": ("help", "all keys and commands"),
    "quit": ("quit", "end Askfirst"),
}


def is_command(text: str) -> bool:
    return text.startswith(":")


def is_search(text: str) -> bool:
    """True of `/words`: they are sought in the conversation, from its end up; `/` alone seeks on."""
    return text.startswith("/")


def action_of(text: str) -> str | None:
    """The action of a command, or None if there is no such command; an unambiguous beginning is enough."""
    word, _, about = text[1:].strip().lower().partition(" ")
    if word == "connect" and about.strip() in SERVICES:
        return f"connect('{about.strip()}')"
    if about:
        return None
    found = [name for name in COMMANDS if word and name.startswith(word)]
    return (
        COMMANDS[word if word in COMMANDS else found[0]][0] if word in COMMANDS or len(found) == 1 else None
    )


def unknown(text: str) -> str:
    """What to say of a command that is none."""
    return (
        f"There is no command {text.split()[0]}. There are "
        + ", ".join(f":{name}" for name in COMMANDS)
        + "."
    )
