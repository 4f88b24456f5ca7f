"""Run by a test in a process of its own, under limits of inotify: an index over the Documents of a home."""

import asyncio
import sys
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from connectors.base import Call, Context, Outcome, Prepared
from connectors.files.config import Config
from connectors.files.connector import FilesConnector
from connectors.files.places import Root

ZONE = ZoneInfo("Europe/Copenhagen")
CONTEXT = Context(datetime(2026, 11, 30, 10, 0, tzinfo=ZONE), ZONE)
SECONDS = 20


def main(home: Path) -> None:
    """Obeys "find WORDS COUNT", "wait STATE" and "say" from standard input, with a line of answer to each."""
    root = Root("Documents", home / "Documents")
    connector = FilesConnector([root], home / "state", Config(), cache=home / "cache", home=home)
    index = connector._desk.index
    connector.start()
    until(lambda: index.complete)
    for line in sys.stdin:
        order, *words = line.split()
        if order == "find":
            wanted = int(words.pop())
            until(lambda words=words, wanted=wanted: found(connector, " ".join(words)) == wanted)
        if order == "wait":
            until(lambda words=words: (words == ["watched"]) is index.watched)
        told = " ".join(notice.text for notice in connector.notices())
        state = "watched" if index.watched else "unwatched"
        sys.stdout.write(f"{state}\t{instances()}\t{told}\n")
        sys.stdout.flush()
    connector.close()


def found(connector: FilesConnector, words: str) -> int:
    async def search() -> Outcome:
        looked = await connector.prepare(Call("1", "files.search", {"words": words}), CONTEXT)
        assert isinstance(looked, Prepared), looked
        return await connector.perform(looked)

    outcome = asyncio.run(search())
    return int(outcome.text.split()[1].replace(",", "")) if outcome.text.startswith("Found") else 0


def instances() -> int:
    descriptors = Path("/proc/self/fd").iterdir()
    return sum("inotify" in str(path.readlink()) for path in descriptors if path.is_symlink())


def until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not done():
        if time.monotonic() > deadline:
            sys.exit("not in time")
        time.sleep(0.02)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
