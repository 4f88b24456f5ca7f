"""How fast many files are indexed and searched, beside ripgrep on the same words in the same run.

Two words are looked for as a person would with ripgrep: the files with the one, and of these the files with
the other. All are read several times before, so that ripgrep finds them in memory. Where there is no ripgrep,
one walk in Python that reads every file stands for it.
"""

import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from rows import Row, duration, median, seconds

from connectors.files.disk.jail import Jail
from connectors.files.index.index import Index
from connectors.files.places import Places, Root

FILES = 100_000
PER_FOLDER = 200
QUERIES = 40
BASELINES = 5
CHANGES = 15
LIMIT = 20
SEED = 7
BAR = 0.1
_OPTIONS = ("--ignore-case", "--word-regexp", "--fixed-strings", "--files-with-matches", "--no-ignore")

Search = Callable[[Path, str], Sequence[str]]
"""Finds the paths of files that hold all the words, without an index."""


def run(files: int = FILES) -> list[Row]:
    """Index and search this many small files in a temporary folder."""
    search, name = (ripgrep, "ripgrep") if shutil.which("rg") else (walk, "reading them all in Python")
    with tempfile.TemporaryDirectory(prefix="askfirst-bench-") as temporary:
        root = Path(temporary) / "Documents"
        words = fill(root, files)
        places = Places([Root("Documents", root)], Path(temporary))
        index = Index(Path(temporary) / "cache", places, Jail(), text_limit=200_000)
        try:
            built = seconds(lambda: _build(index))
            return [
                _row(f"files: build the index of {files:,}", built, _query(search, root, words[:2]), name),
                *_queries(index, root, words, search, name),
                *_changes(index, root, search, name),
            ]
        finally:
            index.stop()


def _queries(index: Index, root: Path, words: list[str], search: Search, name: str) -> list[Row]:
    """Two words that are somewhere, one that is nearly everywhere, and the name of a file."""
    chance = random.Random(SEED)
    pairs = [chance.sample(words[:500], 2) for _ in range(QUERIES)]
    for pair in pairs[:BASELINES]:
        _agree(index, root, " ".join(pair), search)
    queries = iter(pairs)
    two = median(lambda: index.search(" ".join(next(queries)), None, LIMIT), QUERIES)
    beside_two = _middle([_query(search, root, pair) for pair in pairs[:BASELINES]])
    one = median(lambda: index.search(words[0], None, LIMIT), BASELINES)
    beside_one = median(lambda: search(root, words[0]), BASELINES)
    called = median(lambda: index.named("note 1.txt", "", ("note", "1")), QUERIES)
    beside_name = median(lambda: _names(root, "note 1.txt"), BASELINES)
    return [
        _row("files: find two words in the texts", two, beside_two, name, BAR),
        _row("files: find a word that is nearly everywhere", one, beside_one, name, BAR),
        _row("files: find a file by its name", called, beside_name, "walking the names", BAR),
    ]


def _changes(index: Index, root: Path, search: Search, name: str) -> list[Row]:
    """From a saved change to the answer that knows of it; ripgrep has to look at everything again."""
    numbers = iter(range(CHANGES))
    known = median(lambda: _change(index, root, next(numbers)), CHANGES)
    beside = median(lambda: search(root, "changedword0"), BASELINES)
    return [_row("files: change a file and find the new word", known, beside, name)]


def _change(index: Index, root: Path, number: int) -> None:
    word = f"changedword{number}"
    path = root / f"{number:04d}" / f"note {number * PER_FOLDER}.txt"
    path.write_text(f"{path.read_text('utf-8')} {word}", "utf-8")
    while not ((hits := index.search(word, None, LIMIT)) and hits.places and not hits.loose):
        time.sleep(0.0005)


def fill(root: Path, files: int) -> list[str]:
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


def ripgrep(root: Path, query: str) -> Sequence[str]:
    """The files with the first word, and of these the ones with the next."""
    first, *others = query.split()
    found = _rg(first, [str(root)])
    for word in others:
        found = _rg(word, found) if found else []
    return found


def walk(root: Path, query: str) -> Sequence[str]:
    words = query.split()
    texts = ((path, path.read_text("utf-8").split()) for path in root.rglob("*.txt"))
    return [str(path) for path, text in texts if all(word in text for word in words)]


def _rg(word: str, paths: Sequence[str]) -> list[str]:
    """Paths are given in as many calls as the system's limit for a command line needs."""
    found: list[str] = []
    for start in range(0, len(paths), 10_000):
        command = ["rg", *_OPTIONS, "--", word, *paths[start : start + 10_000]]
        found += subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    return found


def _agree(index: Index, root: Path, query: str, search: Search) -> None:
    """Speed counts only where the answers are the same. Raises AssertionError where they are not."""
    hits = index.search(query, None, LIMIT)
    there = search(root, query)
    found = 0 if hits is None or hits.loose else hits.total
    assert found >= len(there), f"{query}: {found} in the index, {len(there)} by {search.__name__}"


def _query(search: Search, root: Path, words: Sequence[str]) -> float:
    return seconds(partial(search, root, " ".join(words)))


def _middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def _build(index: Index) -> None:
    index.start()
    while not index.complete:
        time.sleep(0.01)


def _names(root: Path, wanted: str) -> list[Path]:
    return list(root.rglob(wanted))


def _row(name: str, value: float, baseline: float, what: str, bar: float | None = None) -> Row:
    ratio = value / baseline
    said = "" if bar is None else f"at most {bar:g}"
    return Row(
        name, duration(value), f"{duration(baseline)} {what}", ratio, said, held=bar is None or ratio <= bar
    )
