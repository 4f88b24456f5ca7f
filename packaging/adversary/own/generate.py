"""Makes attacks out of seeds, the half no rule was tuned on: `python -m own.generate DIR FIRST COUNT`."""

import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random

from own.attack import Attack
from own.schemes import SCHEMES

UNSEEN = range(7000, 7144)
"""The seeds of the unseen half: single cases of it are run and counted, never read."""


def generated(seeds: Iterable[int]) -> Iterator[Attack]:
    """One attack for each seed; kinds take turns."""
    for seed in seeds:
        yield Attack.model_validate({**tomllib.loads(attack_text(seed)), "name": f"seed {seed}"})


def attack_text(seed: int) -> str:
    """The file of one attack."""
    kinds = list(SCHEMES)
    return _toml(SCHEMES[kinds[seed % len(kinds)]](Random(seed)))


def _toml(table: Mapping[str, object]) -> str:
    return "\n".join(f"{_value(name)} = {_value(value)}" for name, value in table.items()) + "\n"


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return '"' + "".join(map(_escaped, value)) + '"'
        case list() | tuple():
            return f"[{', '.join(_value(each) for each in value)}]"
        case dict():
            return f"{{ {', '.join(f'{_value(name)} = {_value(each)}' for name, each in value.items())} }}"
        case _:
            raise TypeError(f"{value!r} has no place in an attack")


def _escaped(sign: str) -> str:
    if sign in '"\\':
        return f"\\{sign}"
    return sign if sign.isprintable() else f"\\U{ord(sign):08X}"


def main(folder: Path, first: int, count: int) -> None:
    """Write attack files to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        (folder / f"seed_{seed}.toml").write_text(attack_text(seed), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
