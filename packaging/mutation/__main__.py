"""`make mutate FILE=permissions/tokens.py`: puts faults into a file one by one, and sees if a test fails.

Usage: python packaging/mutation FILE [FILE ...], or `changed` for all without a score that stands.
The tests that speak for a file are in tests.toml; a fault that no test notices must be in survivors.toml with
the reason why it may live. What was measured is kept in scores.json.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
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
PATIENCE = 8.0
"""How many times as long as they usually take (and a second) tests may run before they count as hanging."""
PLUGIN = HERE / "held_steady.py"
SCORES = HERE / "scores.json"
CONTROL = '''

def control() -> int:
    """A fault in here must go unnoticed."""
    return 0
'''
_CONFIG = """
[tool.mutmut]
source_paths = ["{file}"]
also_copy = [{copied}]
timeout_multiplier = {patience}
pytest_add_cli_args = ["-p", "no:cacheprovider", "-p", "held_steady", "-x", "-q"]
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
    scores = [_kept(measure(file)) for file in (_changed() if files == ["changed"] else files)]
    print("\n| file | faults | killed | share | without a reason |\n|---|---|---|---|---|")
    for score in scores:
        faults = score.killed + score.survived
        print(f"| {score.file} | {faults} | {score.killed} | {score.share:.1%} | {len(score.unexplained)} |")
    for score in scores:
        for diff in score.unexplained:
            print(f"\n{score.file}:\n{diff}")
    return 0 if all(score.share >= BAR and not score.unexplained for score in scores) else 1


def measure(file: str) -> Score:
    """Run the file's tests against every fault in it, one at a time, in a copy of the tree.

    RuntimeError if a test fails of itself, so that what is killed proves nothing.
    """
    work = _copy(file)
    mutmut = (sys.executable, "-m", "mutmut")
    codes = _exit_codes(work, file, mutmut)
    controls = [codes.pop(name) for name in list(codes) if ".x_control__" in name]
    if not controls or any(controls):
        raise RuntimeError(f"{file}: its tests also fail where nothing is wrong: {controls}")
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


def _kept(score: Score) -> Score:
    """The score, written down with the SHA-256 of what was measured."""
    scores = _scores() | {
        score.file: {
            "killed": score.killed,
            "survived": score.survived,
            "unexplained": len(score.unexplained),
            "source": _digest(score.file),
        }
    }
    SCORES.write_text(json.dumps(scores, indent=1, sort_keys=True) + "\n", "utf-8")
    return score


def _changed() -> list[str]:
    """The files that must reach the bar, and have no score that stands."""
    found = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "permissions").rglob("*.py"))]
    scores = _scores()
    return [
        file
        for file in (*found, "connectors/clean.py")
        if Path(file).name != "__init__.py" and not _stands(scores.get(file), file)
    ]


def _stands(score: Mapping[str, int | str] | None, file: str) -> bool:
    """True if a score is of the source as it is, and left no survivor without a reason."""
    return score is not None and score["source"] == _digest(file) and not score["unexplained"]


def _scores() -> dict[str, dict[str, int | str]]:
    return dict(json.loads(SCORES.read_text("utf-8"))) if SCORES.exists() else {}


def _digest(file: str) -> str:
    return hashlib.sha256((ROOT / file).read_bytes()).hexdigest()


def _exit_codes(work: Path, file: str, mutmut: Sequence[str]) -> dict[str, int]:
    """What became of every fault; RuntimeError if some were never tried."""
    controlled = {"MUTATION_CONTROLLED": file.removesuffix(".py").replace("/", ".")}
    for _ in range(TRIES):
        run = (*mutmut, "run", "--max-children", "1")
        subprocess.run(run, cwd=work, env=os.environ | controlled, check=False, stdout=subprocess.DEVNULL)
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
    shutil.copy(PLUGIN, work)
    with (work / file).open("a", encoding="utf-8") as source:
        source.write(CONTROL)
    copied = ", ".join(f'"{name}"' for name in (*TREE, PLUGIN.name))
    tests = ", ".join(f'"{name}"' for name in chosen)
    config = (ROOT / "pyproject.toml").read_text("utf-8")
    added = _CONFIG.format(file=file, copied=copied, tests=tests, patience=PATIENCE)
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
