"""What a server may keep, as data: what it is called on the wire and by a person."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of thing in folders on a server.

    `protocol` is its name, `folder` and `item` are a person's words for what there is ("calendar", "event").
    In `namespace`, whose prefix in what is sent is `k`, are `home` (the property with the folders' folder),
    `resource` (the type of a folder), `data` and `multiget`; `of_user` and `of_folder` are more properties
    to ask for. `well_known` is the name of RFC 6764; items are of the type `media` and named with `suffix`.
    `same` says whether two items say the same.
    """

    protocol: str
    folder: str
    item: str
    well_known: str
    namespace: str
    home: str
    resource: str
    data: str
    multiget: str
    of_user: str
    of_folder: str
    media: str
    suffix: str
    same: Callable[[bytes, bytes], bool]

    def tag(self, name: str) -> str:
        """The full name of an element of this kind."""
        return f"{{{self.namespace}}}{name}"

    @property
    def folders(self) -> str:
        return f"{self.folder}s"
