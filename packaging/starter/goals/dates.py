"""Dates, times, ranges and repetitions in the many forms people type them."""

import random

from goals.phrase import expand, read_words

WORDS = read_words("dates.txt")
DAYS = tuple(WORDS["DAY"].strip("()").split("|"))


def value(surface: str) -> str:
    """What is copied of a date phrase: all of it but a leading "on"."""
    return surface[3:] if surface.lower().startswith("on ") else surface


def day(rng: random.Random) -> str:
    """A day as it stands in a sentence, with "on" where people say it."""
    kind = rng.random()
    if kind < 0.42:
        return ("on " if rng.random() < 0.55 else "") + expand(WORDS["NAMED_DAY"], rng)
    if kind < 0.6:
        return ("on " if rng.random() < 0.8 else "") + expand(WORDS["DATED"], rng)
    if kind < 0.66:
        return ("on " if rng.random() < 0.5 else "") + expand(WORDS["PART_OF_DAY"], rng)
    return expand(WORDS["FREE_DAY"], rng)


def bare_day(rng: random.Random) -> str:
    """A day without a preposition before it."""
    return value(day(rng))


def time(rng: random.Random) -> str:
    """A time of day with its preposition."""
    kind = rng.random()
    if kind < 0.68:
        return ("at " if rng.random() < 0.92 else "@") + expand(WORDS["CLOCK"], rng)
    if kind < 0.8:
        return expand(WORDS["OTHER_TIME"], rng)
    return expand(WORDS["RANGE"], rng)


def clock(rng: random.Random) -> str:
    """A time of day without a preposition."""
    return expand(WORDS["CLOCK"], rng)


def point(rng: random.Random) -> str:
    """A date, a time or both, with prepositions."""
    kind = rng.random()
    if kind < 0.4:
        return f"{day(rng)} {time(rng)}"
    if kind < 0.52:
        return f"{time(rng)} {day(rng)}"
    if kind < 0.7:
        return day(rng)
    if kind < 0.8:
        return time(rng)
    if kind < 0.85:
        return expand(WORDS["SOON"], rng)
    if kind < 0.88:
        return expand(WORDS["DAY_RANGE"], rng)
    return repeated(rng)


def repeated(rng: random.Random) -> str:
    """A repetition, with or without a time."""
    again = expand(WORDS["REPEATED"], rng)
    kind = rng.random()
    if kind < 0.6:
        return f"{again} {time(rng)}"
    return again if kind < 0.9 else f"{time(rng)} {again}"


def bare_point(rng: random.Random) -> str:
    """A date, a time or both as they stand after "to" or "for"."""
    kind = rng.random()
    if kind < 0.3:
        return bare_day(rng)
    if kind < 0.55:
        return clock(rng)
    if kind < 0.85:
        return f"{bare_day(rng)} {time(rng)}"
    if kind < 0.95:
        return f"{clock(rng)} {day(rng)}"
    return expand(WORDS["RANGE"], rng)


def window(rng: random.Random) -> str:
    """A stretch of days to look at."""
    return expand(WORDS["WINDOW"], rng) if rng.random() < 0.6 else day(rng)


def past(rng: random.Random) -> str:
    """When a message came."""
    return expand(WORDS["PAST"], rng)


def length(rng: random.Random) -> str:
    """How long something takes."""
    return expand(WORDS["LENGTH"], rng)
