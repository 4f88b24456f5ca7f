"""Whole words and whole addresses in what a person typed; nothing here ever matches a part of a word."""

import re
from itertools import takewhile

_BEFORE = "\"'“”‘’„«»‹›([{<¿¡"
_AFTER = "\"'“”‘’«»‹›)]}>.,;:!?…"
_WORD = re.compile(r"\S+")
_BETWEEN_ADDRESSES = re.compile(r"[\s,;<>()\[\]{}\"“”«»]+")
_LINK = re.compile(r"(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>\"“”]+", re.IGNORECASE)

# Words for kinds of things and for what is done with them: a thing called only that has no name of its own.
_KINDS = frozenset(
    word
    for line in (
        "a an all any everything from in it last latest my new newest next of old one open please that the",
        "them these thing things this those to today tomorrow unread with your",
        "appointment archive calendar contact contacts document documents draft drafts email event events",
        "file files folder folders inbox item items list mail mailbox mails meeting meetings message",
        "messages note notes person reminder task tasks text trash",
        "cancel change copy delete invite move read remove rename reply send show update write",
    )
    for word in line.split()
)


def fold(text: str) -> str:
    """Lower case, except where that would turn another letter into an ASCII one (`K` the kelvin sign)."""
    return text.lower() if text.isascii() else "".join(map(_lower, text))


def sounds(text: str) -> list[str]:
    """The words of a text without where they stand."""
    bare = (raw.lstrip(_BEFORE).rstrip(_AFTER) for raw in text.split())
    return [fold(word) for word in bare if word]


def spoken(text: str) -> str:
    """The words of a text as they sound: in lower case, one space between them."""
    return " ".join(sounds(text))


def find_run(name: str, text: str) -> str | None:
    """The words of `text`, as typed, that say `name` word for word and in one run; or None."""
    wanted, said = sounds(name), sounds(text)
    if not wanted:
        return None
    for first in range(len(said)):
        if said[first : first + len(wanted)] == wanted:
            run = _spans(text)[first : first + len(wanted)]
            return text[run[0][0] : run[-1][1]]
    return None


def _spans(text: str) -> list[tuple[int, int]]:
    """Where each word of a text begins, and where it has ended."""
    found = []
    for match in _WORD.finditer(text):
        bare = match.group().lstrip(_BEFORE)
        if word := bare.rstrip(_AFTER):
            start = match.end() - len(bare)
            found.append((start, start + len(word)))
    return found


def is_name(text: str) -> bool:
    """True if words can name a thing: four characters or more, and not only words for kinds of things."""
    found = sounds(text)
    return sum(map(len, found)) >= 4 and not _KINDS.issuperset(found)


def is_kind(word: str) -> bool:
    """True for a word for a kind of thing, or for what is done with one."""
    return word in _KINDS


def addresses(text: str) -> frozenset[str]:
    """The e-mail addresses and Matrix ids of a text, whole, in lower case; only plain ASCII ones count."""
    tokens = (token.rstrip(_AFTER).lstrip(_BEFORE) for token in _BETWEEN_ADDRESSES.split(text))
    plain = (token.lower() for token in tokens if token.isascii() and token.count("@") == 1)
    return frozenset(token for token in plain if all(token.split("@")) or _is_user(token))


def _is_user(token: str) -> bool:
    """True for somebody on Matrix: `@name:server`."""
    name, colon, server = token.partition(":")
    return name[:1] == "@" and len(name) > 1 and bool(colon and server)


def links(text: str) -> frozenset[str]:
    """The links of a text, whole."""
    return frozenset(match.group().rstrip(_AFTER) for match in _LINK.finditer(text))


def one_slip(one: str, other: str) -> bool:
    """True if one letter more, less or other, or two that changed places, make one text of the other."""
    ahead = _shared(one, other)
    behind = _shared(one[::-1], other[::-1])
    if ahead + behind >= max(len(one), len(other)) - 1:
        return True
    middles = one[ahead : len(one) - behind], other[ahead : len(other) - behind]
    return len(middles[0]) == 2 and middles[0] == middles[1][::-1]


def _shared(one: str, other: str) -> int:
    """How many letters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _lower(character: str) -> str:
    low = character.lower()
    return character if low.isascii() and not character.isascii() else low
