"""How fast many files are indexed and searched, beside walking the folder and reading everything each time.

The baseline of building is one walk that reads every file: what any search without an index costs. The
baseline of a query is that walk, looking for the words in each file; that of a name, a walk over the names.
"""

import os
import random
import tempfile
import time
from pathlib import Path

from rows import Row, median, seconds, timed

from connectors.files.disk.jail import Jail
from connectors.files.index.index import Index
from connectors.files.places import Places, Root

FILES = 100_000
PER_FOLDER = 200
QUERIES = 40
LIMIT = 20
SEED = 7


def run(files: int = FILES) -> list[Row]:
    """Index and search this many small files in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="askfirst-bench-") as temporary:
        root = Path(temporary) / "Documents"
        words = _fill(root, files)
        places = Places([Root("Documents", root)], Path(temporary))
        index = Index(Path(temporary) / "cache", places, Jail(), text_limit=200_000)
        try:
            built = seconds(lambda: _build(index))
            chance = random.Random(SEED)
            queries = iter([" ".join(chance.sample(words[:500], 2)) for _ in range(QUERIES)])
            by_words = median(lambda: index.search(next(queries), None, LIMIT), QUERIES)
            common = median(lambda: index.search(words[0], None, LIMIT), 3)
            by_name = median(lambda: index.named("note 1.txt", "", ("note", "1")), QUERIES)
        finally:
            index.stop()
        walk = median(lambda: _scan(root, " ".join(words[:2])), 3)
        names = median(lambda: _names(root, "note 1.txt"), 3)
    return [
        timed(f"files: build the index of {files:,} files", built, walk, "to walk and read them all"),
        timed("files: find two words in the texts, median", by_words, walk, "to walk and read them all"),
        timed("files: find a word that is nearly everywhere", common, walk, "to walk and read them all"),
        timed("files: find a file by its name, median", by_name, names, "to walk the names"),
    ]


def _fill(root: Path, files: int) -> list[str]:
    """Make notes of about 60 words out of 5,000, as many to a folder as people keep."""
    chance = random.Random(SEED)
    words = ["".join(chance.choices("abcdefghijklmnoprstuvw", k=chance.randint(3, 10))) for _ in range(5000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    for number in range(files):
        folder = root / f"{number // PER_FOLDER:04d}"
        if number % PER_FOLDER == 0:
            folder.mkdir(parents=True)
        (folder / f"note {number}.txt").write_text(" ".join(chance.choices(words, weights, k=60)), "utf-8")
    return words


def _build(index: Index) -> None:
    index.start()
    while not index.complete:
        time.sleep(0.01)


def _scan(root: Path, query: str) -> int:
    words = query.split()
    found = 0
    for folder, _, names in os.walk(root):
        for name in names:
            text = Path(folder, name).read_text("utf-8").lower()
            found += all(word in text for word in words)
    return found


def _names(root: Path, wanted: str) -> int:
    return sum(name == wanted for _, _, names in os.walk(root) for name in names)
