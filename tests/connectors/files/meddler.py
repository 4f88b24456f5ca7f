"""Run by a test in a process of its own: another program that works on the same folders at the same time.

It destroys nothing itself: what it takes away goes to a graveyard, and it never renames over anything. So
every text that was ever written must still be somewhere afterwards, unless Askfirst lost it.
"""

import os
import random
import secrets
import sys
from pathlib import Path

from connectors.files.disk.syscalls import exchange, rename_new

NAMES = ("a.txt", "b.txt", "c.txt", "folder")


def main() -> None:
    """Obeys "SEED STEPS HOME FOLDER..." from standard input, and answers with the texts it wrote."""
    for line in sys.stdin:
        seed, steps, home, *folders = line.rstrip("\n").split("\t")
        meddler = Meddler(random.Random(int(seed)), Path(home), [Path(folder) for folder in folders])
        for _ in range(int(steps)):
            meddler.step()
        sys.stdout.write("\t".join(meddler.written) + "\n")
        sys.stdout.flush()


class Meddler:
    def __init__(self, chance: random.Random, home: Path, folders: list[Path]) -> None:
        self.chance = chance
        self.home = home
        self.folders = folders
        self.written: list[str] = []

    def step(self) -> None:
        one, other = self.path(), self.path()
        deed = self.chance.choice((self.rename, self.swap, self.take, self.renew, self.link, self.add))
        try:
            deed(one, other)
        except OSError:  # It is not there, or something is in the way: others work here too.
            return

    def path(self) -> Path:
        return self.chance.choice(self.folders) / self.chance.choice(NAMES)

    def rename(self, one: Path, other: Path) -> None:
        _rename(one, other)

    def swap(self, one: Path, other: Path) -> None:
        folder = os.open(one.parent, os.O_RDONLY)
        try:
            exchange(folder, os.fsencode(one.name), os.fsencode(other.name))
        finally:
            os.close(folder)

    def take(self, one: Path, _: Path) -> None:
        graveyard = one.parent.parent / f"graveyard {one.parent.name}"
        _rename(one, graveyard / f"{one.name}-{secrets.token_hex(8)}")

    def renew(self, one: Path, other: Path) -> None:
        self.take(one, other)
        aside = one.parent.parent / f"graveyard {one.parent.name}" / secrets.token_hex(8)
        aside.write_text(self.text() + "\n")
        _rename(aside, one)

    def link(self, one: Path, other: Path) -> None:
        self.take(one, other)
        outside = self.home / "outside"
        one.symlink_to(outside if one.name == "folder" else outside / "secret.txt")

    def add(self, one: Path, _: Path) -> None:
        descriptor = os.open(one, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW)
        try:
            os.write(descriptor, f"{self.text()}\n".encode())
        finally:
            os.close(descriptor)

    def text(self) -> str:
        self.written.append(f"other-{secrets.token_hex(8)}")
        return self.written[-1]


def _rename(one: Path, other: Path) -> None:
    here, there = os.open(one.parent, os.O_RDONLY), -1
    try:
        there = os.open(other.parent, os.O_RDONLY)
        rename_new(here, os.fsencode(one.name), there, os.fsencode(other.name))
    finally:
        for descriptor in (here, there):
            if descriptor >= 0:
                os.close(descriptor)


if __name__ == "__main__":
    main()
