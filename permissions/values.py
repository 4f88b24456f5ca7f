"""The single values of an argument, as the text they are compared by."""

from collections.abc import Iterator

from pydantic import JsonValue

from permissions.canonical import digest

OPEN = "?"


def spelled(value: JsonValue) -> Iterator[str]:
    """The single values of an argument as text: a list's items one by one; on and off as JSON says them."""
    match value:
        case None:
            return
        case str():
            yield value
        case bool():
            yield "true" if value else "false"
        case int() | float():
            yield str(value)
        case list() | tuple():
            for item in value:
                yield from spelled(item)
        case _:
            yield digest(value)


def is_open(value: JsonValue) -> bool:
    """True if a value, or one of a list, is left to be filled in once an earlier call has been answered."""
    return any(item.strip() == OPEN for item in spelled(value))


def filled(value: JsonValue) -> JsonValue:
    """What of a value is there already: a list without its open items; None for an open value."""
    if isinstance(value, list | tuple):
        return [item for item in value if not is_open(item)]
    return None if is_open(value) else value
