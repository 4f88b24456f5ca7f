"""What the composer takes that is no goal: commands after a colon, and what to seek after a slash."""

from collections.abc import Sequence
from itertools import takewhile

SERVICES = ("calendar", "messaging", "contacts", "files", "settings")
"""What can be set up."""

COMMANDS = {
    "activity": ("activity", "what was asked, allowed and done"),
    "permissions": ("permissions", "what is permitted and forbidden, and how to take it back"),
    "connectors": ("connectors", "the services and their state"),
    "connect": ("connect", "set up a service: calendar, messaging, contacts, files or settings"),
    "models": ("models", "the models: fetch, use, import or remove one"),
    "goals": ("goals", "find a goal given before, and write it again"),
    "copy": ("copy_turn", "copy the last goal and what came of it"),
    "export": ("export", "write the conversation into a new file: :export FILE"),
    "undo": ("undo_last", "take back the last deed"),
    "recovery": ("recovery", "what was cut off or held when Askfirst last ended"),
    "panic": ("panic", "stop, turn every service off, and take back what is not permitted for good"),
    "on": ("turn_on", "turn the services on again"),
    "help": ("help", "all keys and commands"),
    "quit": ("quit", "end Askfirst"),
}


_TAKING = ("connect", "export")


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
    if word == "export":
        return f"export({text[1:].strip().partition(' ')[2].strip()!r})"
    if about:
        return None
    found = [name for name in COMMANDS if word and name.startswith(word)]
    return (
        COMMANDS[word if word in COMMANDS else found[0]][0] if word in COMMANDS or len(found) == 1 else None
    )


def matching(text: str) -> Sequence[tuple[str, str]]:
    """The commands that begin as this does, with what they do; behind `:connect`, the services."""
    word, space, about = text[1:].lower().partition(" ")
    if word == "connect" and space:
        return [(f"connect {name}", f"set up {name}") for name in SERVICES if name.startswith(about.strip())]
    return [(name, what) for name, (_, what) in COMMANDS.items() if name.startswith(word) and not space]


def completed(text: str) -> str:
    """The text, as far on as all commands that begin so agree; a space follows where more is to be said."""
    names = [name for name, _ in matching(text)]
    if not names:
        return text
    agreed = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    whole = ":" + "".join(letters[0] for letters in agreed)
    return f"{whole} " if names[0] in _TAKING and len(names) == 1 else whole


def unknown(text: str) -> str:
    """What to say of a command that is none."""
    return (
        f"There is no command {text.split()[0]}. There are "
        + ", ".join(f":{name}" for name in COMMANDS)
        + "."
    )
