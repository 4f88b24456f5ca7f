"""The contacts on this machine: a folder of vCard files, one broken one of which hides no other."""

import os
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from connectors.atomic import sync_folder, write_file
from connectors.base import Notice
from connectors.clean import clean_bytes, clean_line
from connectors.people.cards import contacts_in, new_card
from connectors.people.contacts import Contact
from connectors.people.vcard import VCardError

_SUFFIX = ".vcf"
_LARGEST = 8 * 1024 * 1024
_OWNER = "people"


@dataclass(frozen=True, slots=True)
class _Shelf:
    """What one file held when it was last read."""

    stamp: tuple[int, int]
    contacts: tuple[Contact, ...] = ()
    notices: tuple[str, ...] = ()


class CardFolder:
    """The people in a folder of .vcf files; what others change there is seen at the next look."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shelves: dict[str, _Shelf] = {}
        self._trouble: str | None = None

    def contacts(self) -> tuple[Contact, ...]:
        """Everybody, in no order."""
        self._look()
        return tuple(contact for shelf in self._shelves.values() for contact in shelf.contacts)

    def add(self, name: str, addresses: Iterable[str], phones: Iterable[str] = ()) -> Contact:
        """Write a new vCard file and return who is in it as read back.

        Raises ValueError for an empty name or a text that is no address, OSError when it cannot be written.
        """
        uid = str(uuid.uuid4())
        card = new_card(uid, name, tuple(addresses), tuple(phones))
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_file(self._folder / f"{uid}{_SUFFIX}", card, new=True)
        written = next((each for each in self.contacts() if each.handle == f"contact:{uid}"), None)
        if written is None:
            raise OSError(f"{uid}{_SUFFIX} could not be read back")
        return written

    def remove(self, handle: str) -> None:
        """Delete the contact's file.

        Raises KeyError when there is no such contact and ValueError when its file holds other people too.
        """
        self._look()
        for name, shelf in self._shelves.items():
            if any(contact.handle == handle for contact in shelf.contacts):
                if len(shelf.contacts) > 1:
                    raise ValueError(
                        f"{clean_line(name)} holds {len(shelf.contacts)} contacts; edit it by hand."
                    )
                (self._folder / name).unlink()
                sync_folder(self._folder)
                return
        raise KeyError(handle)

    def notices(self) -> tuple[Notice, ...]:
        """What in the folder could not be read, named file by file."""
        self._look()
        if self._trouble:
            return (Notice(_OWNER, self._trouble),)
        details = tuple(text for shelf in self._shelves.values() for text in shelf.notices)
        if not details:
            return ()
        count = sum(1 for shelf in self._shelves.values() if shelf.notices)
        files = "One contact file has" if count == 1 else f"{count} contact files have"
        return (Notice(_OWNER, f"{files} parts that cannot be read.", details),)

    def _look(self) -> None:
        self._trouble = None
        shelves: dict[str, _Shelf] = {}
        try:
            names = sorted(name for name in os.listdir(self._folder) if name.lower().endswith(_SUFFIX))
        except FileNotFoundError:
            names = []
        except OSError as error:
            names = []
            self._trouble = f"The contacts folder cannot be read: {error.strerror or 'input/output error'}."
        for name in names:
            shelf = _shelve(self._folder / name, self._shelves.get(name))
            if shelf is not None:
                shelves[name] = shelf
        self._shelves = shelves


def _shelve(path: Path, known: _Shelf | None) -> _Shelf | None:
    shown = clean_bytes(os.fsencode(path.name))
    try:
        status = path.stat()
        stamp = (status.st_mtime_ns, status.st_size)
        if known is not None and known.stamp == stamp:
            return known
        if not path.is_file():
            return _Shelf(stamp, (), (f"{shown}: it is not a file.",))
        if status.st_size > _LARGEST:
            return _Shelf(stamp, (), (f"{shown}: it is larger than {_LARGEST // 2**20} MB.",))
        return _read(path, shown, stamp)
    except FileNotFoundError:
        return None
    except OSError as error:
        return _Shelf((0, -1), (), (f"{shown}: {error.strerror or 'it cannot be read'}.",))


def _read(path: Path, shown: str, stamp: tuple[int, int]) -> _Shelf:
    try:
        contacts, troubles = contacts_in(path.read_bytes(), clean_bytes(os.fsencode(path.stem)))
    except VCardError as error:
        return _Shelf(stamp, (), (f"{shown}: {error}.",))
    return _Shelf(stamp, tuple(contacts), tuple(f"{shown}: {trouble}" for trouble in troubles))
