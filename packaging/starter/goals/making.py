"""Ways to make a filler of a slot out of what makes words."""

import random
from collections.abc import Callable

from goals import dates
from goals.phrase import Filler, Value

Plain = Callable[[random.Random], str]


def copied_whole(make: Plain) -> Filler:
    """What is made stands in the goal and is its own value."""

    def fill(rng: random.Random) -> tuple[str, Value]:
        made = make(rng)
        return made, made

    return fill


def dated(make: Plain) -> Filler:
    """A date: its value is all of it but a leading "on"."""

    def fill(rng: random.Random) -> tuple[str, Value]:
        made = make(rng)
        return made, dates.value(made)

    return fill


def one_of(choices: tuple[str, ...] | list[str]) -> Filler:
    """One of these, by chance."""
    return copied_whole(lambda rng: rng.choice(choices))


def with_article(make: Plain) -> Filler:
    """With "the" or "my" before it in the goal, which the value lacks."""

    def fill(rng: random.Random) -> tuple[str, Value]:
        made = make(rng)
        if made.split()[0] in ("the", "a", "my", "our", "an") or made[0].isdigit():
            return made, made
        article = rng.choice(("the ", "the ", "my ", ""))
        return article + made, made

    return fill


def with_a(make: Plain) -> Filler:
    """With "a", "my" or "the" before it in the goal, which the value lacks."""

    def fill(rng: random.Random) -> tuple[str, Value]:
        made = make(rng)
        article = rng.choice(
            ("an " if made[0].lower() in "aeiou" else "a ", "", "my ", "the " if rng.random() < 0.3 else "")
        )
        return article + made, made

    return fill


def fixed(choices: dict[str, str]) -> Filler:
    """One of these surfaces, with the value that it stands for."""

    def fill(rng: random.Random) -> tuple[str, Value]:
        surface = rng.choice(list(choices))
        return surface, choices[surface]

    return fill
