"""Where the log stood when it was last known to be on the disk, kept in a small file beside the journal."""

import logging
import os
from pathlib import Path

from permissions.chain import Anchor

log = logging.getLogger(__name__)


class AnchorFile:
    """One line, written over in place: a count and a hash; an older line than the last is a true one too."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Anchor | None:
        """The anchor that was kept, or None where none can be read."""
        try:
            count, head = self._path.read_text("ascii").split()
            return Anchor(int(count), head)
        except (OSError, ValueError):
            return None

    def write(self, anchor: Anchor) -> None:
        """Keep an anchor; one that cannot be kept is said only in the log, for the last one still holds."""
        try:
            file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.pwrite(file, f"{anchor.count:020d} {anchor.head}\n".encode("ascii"), 0)
            finally:
                os.close(file)
        except OSError as error:
            log.warning("the anchor %s could not be kept: %s", self._path, error)
