"""What can go wrong with a place where things are kept, be it a folder or a server."""

from typing import ClassVar

from connectors.base import Needs


class StoreError(Exception):
    """Something that is kept could not be used; the text is a plain sentence, `needs` what could be done.

    StoreError
     ├─ Unreadable    it is there but cannot be read
     ├─ Moved         it is not what it was when it was looked at
     ├─ Uncertain     it is not known whether the change was made
     └─ HalfWritten   some files of a change were written and could not be put back
    """

    needs: ClassVar[Needs] = Needs.UNAVAILABLE

    def __init_subclass__(cls, needs: Needs | None = None) -> None:
        super().__init_subclass__()
        if needs is not None:
            cls.needs = needs


class Unreadable(StoreError):
    """A folder or file is there but cannot be read."""


class Moved(StoreError, needs=Needs.CONFLICT):
    """An item is not what it was when it was looked at."""


class Uncertain(StoreError, needs=Needs.TIMEOUT):
    """A change was begun and no answer came, so that it is not known whether it was made."""
