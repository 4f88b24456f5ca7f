"""New files that another service puts here; see `connectors.lending.FileTaker`."""

import os
from typing import Final
from zoneinfo import ZoneInfo

from connectors.base import Call, Needs, Outcome, Question, failed
from connectors.clean import clean_bytes
from connectors.files import show
from connectors.files.desk import Desk, check_new_names, conflict, finished
from connectors.files.disk.jail import make_folders, missing_folders
from connectors.files.disk.survey import survey
from connectors.files.disk.versions import read_up_to, sha256
from connectors.files.disk.write import create
from connectors.files.errors import Changed, Refused, Unsettled, refusal
from connectors.files.finding.find import FOLDERS
from connectors.files.foreign import dangers, fit_name, numbered
from connectors.files.lending import kind_in_words, told
from connectors.files.places import Place
from connectors.lending import Spot

_USUAL: Final = "Downloads"
_MOST_NUMBERS: Final = 1_000


class Taking:
    """Makes new files in the folders that may be used, never over one that is there."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def spot(
        self, name: str, data: bytes, folder: str, argument: str, zone: ZoneInfo
    ) -> Spot | Question | Outcome:
        try:
            place = self._free(self._folder(folder, argument, zone), fit_name(name))
            folders = missing_folders(self._desk.jail, place.parent)
            check_new_names(self._desk, place, *folders)
        except Unsettled as unsettled:
            return unsettled.question
        except (Refused, OSError) as error:
            return told(error)
        return Spot(
            handle=place.handle,
            name=place.label,
            path=clean_bytes(self._real(place, new=bool(folders))),
            kind=kind_in_words(place.name, data),
            folders=tuple(each.shown for each in folders),
            warnings=dangers(place.label, data),
        )

    def take(self, spot: Spot, data: bytes, call: Call) -> Outcome:
        try:
            with self._desk.records.room():
                return self._made(self._desk.places.at(spot.handle), data, call)
        except Changed:
            return failed(Needs.CONFLICT, f"“{spot.name}” is there by now, so nothing was saved.")
        except (Refused, OSError) as error:
            return told(error)

    def _folder(self, said: str, argument: str, zone: ZoneInfo) -> Place:
        if not said:
            return self._desk.places.named(_USUAL) or self._desk.default_folder()
        return self._desk.places.named(said) or self._desk.finder.one(said, FOLDERS, argument, zone)

    def _free(self, folder: Place, name: str) -> Place:
        """The first of the name and its numbered likes that nothing has yet. Raises Refused."""
        for number in range(1, _MOST_NUMBERS):
            place = folder.child(os.fsencode(name if number == 1 else numbered(name, number)))
            if self._desk.jail.find(place) is None:
                return place
        raise Refused(Needs.INVALID, f"{folder.shown} holds too many files of that name.")

    def _real(self, place: Place, *, new: bool) -> bytes:
        """Where the file will be with every link followed, as far as its folder is there."""
        if new or not os.path.isdir("/proc/self/fd"):
            return place.absolute
        with self._desk.jail.parent(place) as descriptor:
            return os.path.join(os.readlink(b"/proc/self/fd/%d" % descriptor), place.name)

    def _made(self, place: Place, data: bytes, call: Call) -> Outcome:
        desk = self._desk
        if desk.jail.find(place) is not None:
            raise Changed
        made = make_folders(desk.jail, place.parent)
        try:
            with desk.jail.parent(place) as folder:
                create(folder, place.name, data)
        except FileExistsError as error:
            raise Changed from error
        except OSError as error:
            raise refusal(error, place.shown) from error
        desk.index.touched(*made, place)
        with desk.jail.file(place) as descriptor:
            if sha256(read_up_to(descriptor, len(data) + 1)) != sha256(data):
                raise conflict(place)
        facts = {
            "place": place.handle,
            "seen": survey(desk.jail, place, 1).digest,
            "made": [each.handle for each in made],
        }
        return finished(desk, call, f"Saved {place.shown}, {show.size(len(data))}.", "gone", facts)
