"""The person's own keys, in `keys.toml`; the keys that answer a question are the same for everybody."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import ConfigDict, RootModel
from textual.keys import KEY_NAME_REPLACEMENTS, Keys

from connectors.config import ConfigError, line_of, load
from tui.key_table import EVERYWHERE, PLACES, Place

_MODIFIERS = re.compile(r"^(?:(?:ctrl|alt|shift|super)\+)+")
_NAMED = frozenset(key.value for key in Keys if not key.value.startswith("<"))


class KeyFile(RootModel[dict[str, dict[str, str | list[str]]]]):
    """`[app]` and the other tables of key names; each is one key, or a list of keys."""

    model_config = ConfigDict(frozen=True)

    root: dict[str, dict[str, str | list[str]]] = {}


def read_keymap(path: Path) -> Mapping[str, str]:
    """The changed keys by the ids of what they do, as Textual takes them; none where there is no file.

    Raises ConfigError naming the line for a name or key that there is not, a key that answers a question,
    and a key that something else in its place or everywhere has already.
    """
    tables = load(path, KeyFile).root
    wanted = {
        (table, name): tuple(key_name(key) for key in ([keys] if isinstance(keys, str) else keys))
        for table, names in tables.items()
        for name, keys in names.items()
    }
    changed = {f"{table}.{name}": keys for (table, name), keys in wanted.items()}
    for (table, name), keys in wanted.items():
        if wrong := _fault(f"{table}.{name}", keys, changed):
            raise ConfigError(path, line_of(path.read_text("utf-8"), (table, name)), wrong)
    return {id: ",".join(keys) for id, keys in changed.items()}


def key_name(key: str) -> str:
    """A key by its name: `?` is question_mark; one that has a name already stays as it is."""
    if len(key) != 1 or key.isalnum():
        return key
    name = re.sub(r"[^a-z0-9]", "_", unicodedata.name(key, key).lower())
    return KEY_NAME_REPLACEMENTS.get(name, name)


def _fault(id: str, keys: Sequence[str], changed: Mapping[str, Sequence[str]]) -> str | None:
    """What is wrong with the keys wanted for something, in words; None if nothing is."""
    place = next((place for place in PLACES if id in place.keys), None)
    if place is None:
        return f"there is no key for '{id}'; there are {', '.join(_changeable(id.partition('.')[0]))}"
    if place.asks:
        return f"the key of '{id}' answers a question, and is the same for everybody"
    if not keys:
        return f"'{id}' needs a key"
    for key in keys:
        if not is_key(key):
            return f"'{key}' is not a key; keys are written like f5, ctrl+a, alt+enter or u"
        if place.typing and _is_text(key):
            return f"'{key}' would be typed as text there; take a key such as f5, ctrl+a or alt+u"
        if other := next((o for o in _neighbours(id, place) if key in _keys_of(o, changed)), None):
            return f"'{key}' is the key of {other} already"
    return None


def _neighbours(id: str, place: Place) -> Iterator[str]:
    """What must not share a key with something: all in its place, and all that works everywhere."""
    places = PLACES if place is EVERYWHERE else (place, EVERYWHERE)
    return (other for near in places for other in near.keys if other != id)


def _keys_of(id: str, changed: Mapping[str, Sequence[str]]) -> Sequence[str]:
    if id in changed:
        return changed[id]
    binding = next(place.keys[id] for place in PLACES if id in place.keys)
    return [key_name(key) for key in binding.key.split(",")]


def _changeable(table: str) -> list[str]:
    ids = [id for place in PLACES if not place.asks for id in place.keys]
    return [id for id in ids if id.startswith(f"{table}.")] or ids


def _is_text(key: str) -> bool:
    return not _MODIFIERS.match(key) and key not in _NAMED


def is_key(key: str) -> bool:
    """True if this is how a key is written, with what is held down together with it."""
    plain = _MODIFIERS.sub("", key)
    return plain in _NAMED or (len(plain) == 1 and plain.isalnum()) or _is_character(plain)


def _is_character(name: str) -> bool:
    if name in KEY_NAME_REPLACEMENTS.values():
        return True
    try:
        return bool(unicodedata.lookup(name.replace("_", " ")))
    except KeyError:
        return False
