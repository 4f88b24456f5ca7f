"""The table of invariants names, for each of the forty, tests that exist."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ROWS = {
    int(number): re.findall(r"`([^`]+/[^`]+)`", proofs)
    for number, proofs in re.findall(
        r"^\| (\d+) \|.*\| ([^|]*) \|$", (HERE / "README.md").read_text("utf-8"), re.MULTILINE
    )
}


def test_all_forty_are_there() -> None:
    assert sorted(ROWS) == list(range(1, 41))
    assert all(ROWS.values())


@pytest.mark.parametrize("number", range(1, 41))
def test_what_proves_it_exists(number: int) -> None:
    for proof in ROWS[number]:
        name, _, test = proof.partition("::")
        text = (ROOT / name).read_text("utf-8")
        assert not test or re.search(rf"(?:def|class) {test}\b", text), f"{name} has no {test}"


@pytest.mark.parametrize("name", ["mediation", "authority", "consent", "evidence"])
def test_every_test_here_says_which_it_proves(name: str) -> None:
    tests = re.findall(
        r'def (test_\w+)\([^"]*?"""(.{12})', (HERE / f"test_{name}.py").read_text("utf-8"), re.DOTALL
    )
    assert tests
    assert all(words.startswith("Invariant ") for _, words in tests)
