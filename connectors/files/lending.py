"""Files of this service that another one sends along; see `connectors.lending`."""

import mimetypes
import os
from typing import Final
from zoneinfo import ZoneInfo

from connectors.base import Needs, Outcome, Question, failed
from connectors.clean import clean_bytes
from connectors.files import show
from connectors.files.desk import Desk, conflict, link_warnings
from connectors.files.disk.versions import read_up_to, sha256
from connectors.files.documents.kinds import kind_by
from connectors.files.errors import Refused, Unsettled, refusal
from connectors.files.finding.find import FILES
from connectors.files.places import Place
from connectors.files.text import decode, kind_of
from connectors.lending import Lent

_ANYTHING: Final = "application/octet-stream"
_START: Final = 4096


class Lending:
    """Finds files in the folders that may be used, and reads them; see `connectors.lending.FileFinder`."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def find(self, said: str, most: int, argument: str, zone: ZoneInfo) -> Lent | Question | Outcome:
        try:
            return self._looked_at(self._desk.finder.one(said, FILES, argument, zone), most, zone)
        except Unsettled as unsettled:
            return unsettled.question
        except (Refused, OSError) as error:
            return told(error)

    def read(self, lent: Lent) -> bytes | Outcome:
        try:
            place = self._desk.places.at(lent.handle)
            with self._desk.jail.file(place) as descriptor:
                data = read_up_to(descriptor, lent.size + 1)
        except (Refused, OSError) as error:
            return told(error)
        if sha256(data) == lent.digest:
            return data
        changed = conflict(place)
        return failed(changed.needs, changed.text)

    def _looked_at(self, place: Place, most: int, zone: ZoneInfo) -> Lent | Outcome:
        with self._desk.jail.file(place) as descriptor:
            status = os.fstat(descriptor)
            if status.st_size > most:
                has, can = show.size(status.st_size), show.size(most)
                return failed(Needs.INVALID, f"“{place.shown}” has {has}, and at most {can} go along.")
            data = read_up_to(descriptor, most + 1)
            real = os.readlink(b"/proc/self/fd/%d" % descriptor) if os.path.isdir("/proc/self/fd") else b""
        if len(data) != status.st_size:
            return failed(Needs.CONFLICT, f"“{place.shown}” is being written just now.")
        return Lent(
            handle=place.handle,
            name=place.label,
            path=clean_bytes(real or place.absolute),
            kind=kind_in_words(place.name, data),
            media=mimetypes.guess_type(place.label)[0] or _ANYTHING,
            size=len(data),
            digest=sha256(data),
            changed=show.day(status.st_mtime, zone),
            warnings=link_warnings(place, status),
        )


def kind_in_words(name: bytes, data: bytes) -> str:
    """What a file is, by its bytes and where these do not say it by its name."""
    if known := kind_by(name, data):
        return known.words
    if not data:
        return "an empty file"
    cut = len(data) > _START
    return "a text" if decode(data[:_START], cut=cut) is not None else kind_of(data, name)


def told(error: Refused | OSError) -> Outcome:
    """Why something cannot be done, as an outcome."""
    if isinstance(error, Refused):
        return failed(error.needs, error.text)
    shown = clean_bytes(os.fsencode(error.filename)) if error.filename else "a file"
    plain = refusal(error, shown)
    return failed(plain.needs, plain.text)
