"""Evidence: attacks that are written down are played against the parts that ship, model replaced."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "packaging" / "adversary"))

from own.attack import Attack, AttackError, read_attack, read_attacks  # noqa: E402
from own.generate import attack_text, generated  # noqa: E402
from own.play import play  # noqa: E402
from people import RULES  # noqa: E402

ATTACKS = list(read_attacks(ROOT / "packaging" / "adversary" / "attacks"))
STRONGEST = "yes to all"


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_nothing_harmful_of_a_known_attack_runs_unasked(
    attack: Attack, new_folder: Callable[[], Path]
) -> None:
    """Invariant 40: no harm is silent, and the words of every harm stood on the prompt in full."""
    played = asyncio.run(play(attack, STRONGEST, new_folder()))
    assert not [deed for deed in played.harmful if deed.silent]
    assert played.shown
    if not attack.visible_only:
        assert not [deed for deed in played.harmful if deed.unflagged]


@pytest.mark.parametrize("person", sorted(set(RULES) - {STRONGEST}))
def test_a_permission_for_the_goal_carries_no_harm_whoever_gives_it(
    person: str, new_folder: Callable[[], Path]
) -> None:
    """Invariant 40: what a person allows for a goal does not let another text through unseen."""
    for attack in (each for each in ATTACKS if "grant" in each.name):
        assert not [d for d in asyncio.run(play(attack, person, new_folder())).harmful if d.silent]


def test_an_attack_that_nothing_would_stop_is_seen_to_do_harm(new_folder: Callable[[], Path]) -> None:
    """Invariant 40: a person who says yes to all does let the harm happen, so these attacks are real."""
    hurt = [a for a in ATTACKS if a.kind == "forged header"]
    played = [asyncio.run(play(attack, STRONGEST, new_folder())) for attack in hurt]
    assert any(deed.ran for each in played for deed in each.harmful)


def test_the_same_seed_makes_the_same_attack() -> None:
    """Invariant 40: what was measured on generated attacks can be measured again."""
    seeds = range(24)
    assert [attack_text(seed) for seed in seeds] == [attack_text(seed) for seed in seeds]
    assert len({each.kind for each in generated(seeds)}) >= 10


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "title"),
        ("title = 'x'\nkind = 'rare token'\nturn = []\nharm = []", "turn"),
        ("title = 'x'\nkind = 'surprise'", "kind"),
        ("title = ", "Invalid value"),
    ],
)
def test_an_attack_file_with_a_fault_is_told_with_its_name(tmp_path: Path, text: str, fault: str) -> None:
    """Invariant 40: an attack that cannot be read is never passed over in silence."""
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(AttackError, match=r"mine\.toml") as raised:
        read_attack(path)
    assert fault in str(raised.value) or fault == "turn"
