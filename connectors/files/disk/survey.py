"""What a file or a whole folder holds, counted for a person and as a version to compare later."""

from dataclasses import dataclass

from connectors.files import show
from connectors.files.disk.crawl import Kind, crawl
from connectors.files.disk.jail import Jail
from connectors.files.disk.versions import digest, identity
from connectors.files.places import Place

_SAMPLE = 10


@dataclass(frozen=True, slots=True)
class Survey:
    """Numbers of files and folders inside, bytes in all, some names, and a digest over everything seen.

    `cut` says that there are more files than were to be counted; `troubled` that a folder could not be read;
    `identity` which file or folder it was.
    """

    kind: str
    files: int
    folders: int
    size: int
    hidden: int
    sample: tuple[str, ...]
    digest: str
    cut: bool = False
    troubled: bool = False
    identity: str = ""

    @property
    def holds(self) -> str:
        """The content of a folder in words."""
        inside = f" in {show.count(self.folders, 'folder')} inside" if self.folders else ""
        hidden = f", {self.hidden:,} of them hidden" if self.hidden else ""
        return f"{show.count(self.files, 'file')}{inside}{hidden}, {show.size(self.size)}"


def survey(jail: Jail, place: Place, most: int) -> Survey:
    """Count what is at a place, up to this many files. Raises Refused."""
    status = jail.status(place)
    kind = show.kind(status)
    if kind != "folder":
        which = identity(status)
        return Survey(kind, 1, 0, status.st_size, 0, (), digest(which), identity=which)
    files = folders = size = hidden = 0
    sample: list[str] = []
    seen = [identity(status)]
    troubled = False
    for listing in crawl(jail, place, hidden=True):
        troubled |= listing.trouble is not None
        inside = Place(place.root, listing.folder.relative[len(place.relative) + 1 :])
        for entry in sorted(listing.entries, key=lambda entry: entry.name):
            within = inside.child(entry.name)
            seen.append(f"{within.handle}:{entry.kind}:{entry.size}:{entry.mtime_ns}")
            if entry.kind is Kind.FOLDER:
                folders += 1
                continue
            files += 1
            size += entry.size
            hidden += any(part.startswith(b".") for part in within.parts)
            if len(sample) < _SAMPLE:
                sample.append(within.shown.partition("/")[2])
        if files > most:
            return Survey(kind, files, folders, size, hidden, tuple(sample), digest(*seen), cut=True)
    return Survey(
        kind, files, folders, size, hidden, tuple(sample), digest(*seen), troubled=troubled, identity=seen[0]
    )
