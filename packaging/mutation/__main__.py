"""`make mutate FILE=permissions/tokens.py`: puts faults into a file one by one, and sees if a test fails.

Usage: python packaging/mutation FILE [FILE ...]. The tests that speak for a file are in tests.toml; a fault
that no test notices must be in survivors.toml with the reason why it may live.
"""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = HERE / "work"
TREE = ("assistant", "connectors", "permissions", "tui", "tests", "packaging/adversary", "packaging/fuzz")
KILLED = (1, 3, 24, -24, 36, 152)
"""What mutmut notes where a test fails, or goes on for so long that it had to be stopped."""
TRIES = 3
BAR = 0.95
_CONFIG = """
[tool.mutmut]
source_paths = ["{file}"]
also_copy = [{copied}]
pytest_add_cli_args = ["-p", "no:cacheprovider", "-x", "-q"]
pytest_add_cli_args_test_selection = [{tests}]
"""


@dataclass(frozen=True, slots=True)
class Score:
    """What became of one file's faults; `unexplained` are survivors without a reason, as diffs."""

    file: str
    killed: int
    survived: int
    unexplained: tuple[str, ...]

    @property
    def share(self) -> float:
        total = self.killed + self.survived
        return self.killed / total if total else 1.0


def main(files: Sequence[str]) -> int:
    """Measure every file; 1 if the bar is broken or a survivor has no reason."""
    scores = [measure(file) for file in files]
    print("\n| file | faults | killed | share | without a reason |\n|---|---|---|---|---|")
    for score in scores:
        faults = score.killed + score.survived
        print(f"| {score.file} | {faults} | {score.killed} | {score.share:.1%} | {len(score.unexplained)} |")
    for score in scores:
        for diff in score.unexplained:
            print(f"\n{score.file}:\n{diff}")
    return 0 if all(score.share >= BAR and not score.unexplained for score in scores) else 1


def measure(file: str) -> Score:
    """Run the file's tests against every fault in it, one at a time, in a copy of the tree."""
    work = _copy(file)
    mutmut = (sys.executable, "-m", "mutmut")
    codes = _exit_codes(work, file, mutmut)
    alive = [name for name, code in codes.items() if code not in KILLED]
    shown = [
        subprocess.run((*mutmut, "show", name), cwd=work, capture_output=True, text=True, check=False).stdout
        for name in alive
    ]
    unread = [re.compile(each["line"]) for each in _listed("capitals") if file in each["files"]]
    faults = [diff for diff in map(_change, shown) if not any(_only_capitals(diff, line) for line in unread)]
    known = {_change(each["change"]) for each in _listed("survivor") if each["file"] == file}
    unexplained = tuple(diff for diff in faults if diff not in known)
    return Score(file, sum(code in KILLED for code in codes.values()), len(faults), unexplained)


def _exit_codes(work: Path, file: str, mutmut: Sequence[str]) -> dict[str, int]:
    """What became of every fault; RuntimeError if some were never tried."""
    for _ in range(TRIES):
        run = (*mutmut, "run", "--max-children", "1")
        subprocess.run(run, cwd=work, check=False, stdout=subprocess.DEVNULL)
        codes = json.loads((work / "mutants" / f"{file}.meta").read_text())["exit_code_by_key"]
        if None not in codes.values():
            return dict(codes)
    raise RuntimeError(f"{file}: some faults were never tried; do its tests pass by themselves?")


def _copy(file: str) -> Path:
    """A copy of the tree for one file's faults, set up for its tests."""
    work = WORK / file.replace("/", ".")
    shutil.rmtree(work, ignore_errors=True)
    for name in TREE:
        shutil.copytree(ROOT / name, work / name, ignore=shutil.ignore_patterns("__pycache__"))
    chosen = tomllib.loads((HERE / "tests.toml").read_text("utf-8"))["tests"].get(file, ["tests/permissions"])
    copied = ", ".join(f'"{name}"' for name in TREE)
    tests = ", ".join(f'"{name}"' for name in chosen)
    config = (ROOT / "pyproject.toml").read_text("utf-8")
    added = _CONFIG.format(file=file, copied=copied, tests=tests)
    (work / "pyproject.toml").write_text(config + added, "utf-8")
    return work


def _listed(kind: str) -> list[dict[str, str]]:
    """The entries of one kind in survivors.toml."""
    found: list[dict[str, str]] = tomllib.loads((HERE / "survivors.toml").read_text("utf-8")).get(kind, [])
    return found


def _only_capitals(change: str, line: re.Pattern[str]) -> bool:
    """True if a change does nothing to such a line but to its capitals."""
    out, _, put = change.partition("\n")
    return out[2:].casefold() == put[2:].casefold() and line.search(out[2:]) is not None


def _change(diff: str) -> str:
    """The lines that a diff takes out and puts in."""
    lines = (line.rstrip() for line in diff.splitlines())
    return "\n".join(
        f"{line[0]} {line[1:].strip()}"
        for line in lines
        if line[:1] in ("-", "+") and not line.startswith(("---", "+++"))
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
