"""What counts as the name of a person or a room on Matrix, and how vCards write it."""

import re
from typing import Final
from urllib.parse import quote, unquote

_LONGEST: Final = 255
# A server name is a host and perhaps a port; identifiers of older servers are left out on purpose, as they
# may hold any character (Matrix specification, appendix "Identifier grammar").
_SERVER: Final = r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?"
_USER = re.compile(rf"@[a-z0-9._=/+-]+:{_SERVER}")
_ROOM = re.compile(rf"![A-Za-z0-9._~=/+-]+(?::{_SERVER})?")
_URI_USER: Final = "matrix:u/"


def is_matrix_id(text: str) -> bool:
    """Whether the text is exactly one user of Matrix, such as `@ana:example.org`."""
    return len(text) <= _LONGEST and _USER.fullmatch(text) is not None


def is_matrix_room(text: str) -> bool:
    """Whether the text is exactly the id of a room, such as `!AbCd:example.org`."""
    return len(text) <= _LONGEST and _ROOM.fullmatch(text) is not None


def matrix_id_of(value: str) -> str:
    """The Matrix id in an instant messaging address (IMPP, RFC 4770), or nothing where it is of another kind.

    The `matrix:` scheme of the Matrix specification writes `@ana:example.org` as `matrix:u/ana:example.org`;
    the id itself behind the scheme is taken too, and links to matrix.to.
    """
    text = value.strip()
    if text.lower().startswith(_URI_USER):
        text = "@" + unquote(text[len(_URI_USER) :].partition("?")[0])
    elif text.lower().startswith("matrix:"):
        text = unquote(text[len("matrix:") :]).partition("?")[0]
    elif text.lower().startswith("https://matrix.to/#/"):
        text = unquote(text[len("https://matrix.to/#/") :]).partition("?")[0]
    return text if is_matrix_id(text) else ""


def matrix_uri(user: str) -> str:
    """A user's id as the value of an IMPP line."""
    return _URI_USER + quote(user.removeprefix("@"), safe=":/.-_=+")
