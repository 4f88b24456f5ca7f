"""Is a thing within a limit? Values are compared part by part, never by how a text begins."""

from urllib.parse import unquote

from connectors.base import Resolved
from permissions.words import EVERY_ARGUMENT, Limit, Width

_FILE = "file:"
_ENTRIES = ("event", "task")


def concerns(limit: Limit, thing: Resolved) -> bool:
    """True if the limit is about this thing, whatever its value."""
    return limit.argument in (EVERY_ARGUMENT, thing.argument) and limit.role in (None, thing.role)


def within(limit: Limit, thing: Resolved, *, generous: bool = False) -> bool:
    """True if the limit is about this thing and its value is one that it names.

    A generous reading is for a no: it takes capitals for small letters, and a domain for those below it.
    """
    if not concerns(limit, thing):
        return False
    if limit.width is Width.ANY:
        return True
    return any(_same(limit.width, value, thing.value, generous) for value in limit.values)


def contains(wide: Limit, narrow: Limit, *, generous: bool = False) -> bool:
    """True if everything within the narrow limit is within the wide one too."""
    if wide.argument not in (EVERY_ARGUMENT, narrow.argument) or wide.role not in (None, narrow.role):
        return False
    if wide.width is Width.ANY:
        return True
    if narrow.width not in (Width.IS, wide.width) or not narrow.values:
        return False
    holds = _same if narrow.width is Width.IS else _holds
    return all(
        any(holds(wide.width, outer, inner, generous) for outer in wide.values) for inner in narrow.values
    )


def domain_of(address: str) -> str:
    """The domain of a mail address in small letters, or nothing for what is no address."""
    local, at, domain = address.rpartition("@")
    return domain.lower() if local and at and domain and ":" not in local else ""


def folder_of(value: str) -> str:
    """The folder that a place is in, as a limit names it ("Documents/notes"), or nothing if there is none."""
    parts = _place(value)[:-1]
    folder = "/".join(parts)
    return folder if folder.isprintable() else ""


def calendar_of(value: str) -> str:
    """The calendar that an event or a task is in, or nothing for any other value."""
    kind, colon, rest = value.partition(":")
    name, slash, _ = rest.partition("/")
    return unquote(name, errors="surrogateescape") if colon and slash and kind in _ENTRIES else ""


def _same(width: Width, named: str, value: str, generous: bool, /) -> bool:
    match width:
        case Width.IS:
            return named == value or (generous and named.casefold() == value.casefold())
        case Width.DOMAIN:
            return _in_domain(named.lower(), domain_of(value), generous)
        case Width.UNDER:
            return _is_under(named, value, generous)
        case Width.CALENDAR:
            calendar = calendar_of(value) or value
            return named == calendar or (generous and named.casefold() == calendar.casefold())
        case Width.ANY:
            return True


def _holds(width: Width, outer: str, inner: str, generous: bool, /) -> bool:
    """True if one named value takes in another."""
    match width:
        case Width.DOMAIN:
            return _in_domain(outer.lower(), inner.lower(), generous)
        case Width.UNDER:
            return _is_under(outer, _FILE + inner.removeprefix(_FILE), generous)
        case _:
            return outer == inner or (generous and outer.casefold() == inner.casefold())


def _in_domain(named: str, domain: str, generous: bool) -> bool:
    return bool(named and domain) and (named == domain or (generous and domain.endswith(f".{named}")))


def _is_under(folder: str, value: str, generous: bool) -> bool:
    above, parts = _parts(folder.removeprefix(_FILE)), _place(value)
    if not above or not parts:
        return False
    if generous:
        above, parts = [part.casefold() for part in above], [part.casefold() for part in parts]
    # A folder that may be used has one name, however it is capitalised.
    same_root = above[0].casefold() == parts[0].casefold()
    return same_root and parts[1 : len(above)] == above[1:]


def _place(value: str) -> list[str]:
    """The names on the way to a place, or none where the value is no plain place."""
    if not value.startswith(_FILE):
        return []
    return [unquote(part, errors="surrogateescape") for part in _parts(value.removeprefix(_FILE))]


def _parts(path: str) -> list[str]:
    parts = path.split("/")
    odd = any(part in ("", ".", "..") or unquote(part) in ("", ".", "..") for part in parts)
    return [] if odd else parts
