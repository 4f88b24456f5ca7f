"""Names, titles, texts and file names to fill the slots of phrases with."""

import random

from goals.phrase import expand, read_rules, read_words

WORDS = {name: tuple(text.split("|")) for name, text in read_words("words.txt").items()}
NAMES = WORDS["NAMES"] + WORDS["MORE_NAMES"]
SURNAMES = WORDS["SURNAMES"]
RELATIONS = WORDS["RELATIONS"]
TITLED = WORDS["TITLED"]
DOMAINS = WORDS["DOMAINS"]
SPOKEN_HOSTS = ("gmail.com", "gmail.com", "yahoo.com", "example.com", "hotmail.com", "outlook.com")
EVENTS = WORDS["EVENTS"]
MODIFIERS = WORDS["MODIFIERS"]
HEADS = WORDS["HEADS"]
EXTRA = WORDS["EXTRA"]
THINGS = WORDS["THINGS"]
TASKS = WORDS["TASKS"]
SENTENCES = WORDS["SENTENCES"]
STEMS = WORDS["STEMS"]
ENDINGS = WORDS["ENDINGS"]
TOPICS = WORDS["TOPICS"]
FOLDERS = WORDS["FOLDERS"]
SAID = read_rules("sentences.txt")[0].phrases


def person(rng: random.Random) -> str:
    """One person as they are called."""
    kind = rng.random()
    if kind < 0.68:
        return rng.choice(NAMES)
    if kind < 0.84:
        return f"{rng.choice(NAMES)} {rng.choice(SURNAMES)}"
    if kind < 0.95:
        return rng.choice(RELATIONS)
    return rng.choice(TITLED)


def address(rng: random.Random) -> str:
    """An e-mail address."""
    name, surname = rng.choice(NAMES).lower(), rng.choice(SURNAMES).split(" ")[0].lower().replace("'", "")
    local = rng.choice(
        (name, f"{name}.{surname}", f"{name[0]}{surname}", f"{name}{rng.randint(1, 99)}", "info", "office")
    )
    plain = local.encode("ascii", "ignore").decode() or "me"
    return f"{plain}@{rng.choice(DOMAINS)}"


def spoken_address(rng: random.Random) -> str:
    """An e-mail address as it is spoken."""
    name, surname = rng.choice(NAMES).lower(), rng.choice(SURNAMES).split(" ")[0].lower().replace("'", "")
    local = rng.choice(
        (
            name,
            name,
            f"{name} {surname}",
            f"{name} dot {surname}",
            f"{name}{surname}",
            f"{name} underscore {surname}",
        )
    )
    at = "@" if rng.random() < 0.4 and " " not in local else " at "
    host = rng.choice(DOMAINS if rng.random() < 0.3 else SPOKEN_HOSTS).replace("-", " dash ")
    return f"{local}{at}{host.replace('.', ' dot ')}"


def phone(rng: random.Random) -> str:
    """A telephone number."""
    digits = "".join(rng.choice("0123456789") for _ in range(8))
    return rng.choice(
        (
            f"+45 {digits[:2]} {digits[2:4]} {digits[4:6]} {digits[6:]}",
            f"555-{digits[:4]}",
            digits,
            f"0{digits[:3]} {digits[3:]}",
            f"+1 {digits[:3]} 555 {digits[4:]}",
        )
    )


def place(rng: random.Random) -> str:
    """Where something is."""
    kind = rng.random()
    if kind < 0.5:
        return rng.choice(WORDS["PLACES"])
    if kind < 0.75:
        return f"{rng.choice(WORDS['HOUSES'])} {rng.choice((*SURNAMES, *NAMES))}"
    if kind < 0.9:
        return f"{rng.choice(SURNAMES)}'s {rng.choice(WORDS['SHOPS'])}"
    return f"{rng.randint(1, 199)} {rng.choice(SURNAMES)} {rng.choice(('Street', 'Road', 'Avenue', 'St'))}"


def doing(rng: random.Random) -> str:
    """An event told as what one does."""
    made = rng.choice(WORDS["DOING"])
    return f"{made} with {named(rng)}" if rng.random() < 0.4 else made


def title(rng: random.Random) -> str:
    """What kind of event it is, in one to three words."""
    kind = rng.random()
    if kind < 0.1:
        return f"{rng.choice(WORDS['GOING'])} {rng.choice(WORDS['CITIES'])}"
    kind = rng.random()
    if kind < 0.55:
        return rng.choice(EVENTS)
    return f"{rng.choice(MODIFIERS)} {rng.choice(HEADS)}" if kind < 0.88 else rng.choice(EXTRA)


def odd_event(rng: random.Random) -> str:
    """An event that few people have, or with an uncommon name."""
    kind = rng.random()
    if kind < 0.16:
        return rng.choice(WORDS["ODD_EVENTS"])
    mods, heads = WORDS["ODD_MODS"], WORDS["ODD_HEADS"]
    if kind < 0.3:
        mods = MODIFIERS
    if kind > 0.85:
        heads = HEADS
    name = f"{rng.choice(mods)} {rng.choice(heads)}"
    return f"{rng.choice(NAMES)}'s {rng.choice(heads)}" if kind > 0.94 else name


def event(rng: random.Random) -> str:
    """What an event is called."""
    kind = rng.random()
    name = title(rng)
    if kind < 0.5:
        return name
    if kind < 0.76:
        return f"{name} with {named(rng)}"
    if kind < 0.82:
        return f"{name} with {named(rng)} and {named(rng)}"
    if kind < 0.9:
        return f"{name} about {rng.choice(THINGS)}"
    if kind < 0.95:
        return f"{rng.choice(NAMES)}'s {name}"
    return f"{rng.choice(TOPICS)} {rng.choice(('meeting', 'review', 'call', 'day', 'workshop', 'deadline'))}"


def named(rng: random.Random) -> str:
    """A person as named inside a title."""
    kind = rng.random()
    if kind < 0.75:
        return rng.choice(NAMES)
    return f"my {rng.choice(RELATIONS)}" if kind < 0.87 else rng.choice(TITLED)


def file_name(rng: random.Random) -> str:
    """A file's name, sometimes with a folder or an odd sign."""
    stem, ending = rng.choice(STEMS), rng.choice(ENDINGS)
    kind = rng.random()
    if kind < 0.2:
        stem = stem.replace(" ", rng.choice("_-."))
    elif kind < 0.3:
        stem = f"{stem}{rng.choice(('-final', ' (copy)', '2', '_old', ' & more', ' #3', '+', '!'))}"
    elif kind < 0.36:
        stem = f"{rng.choice(FOLDERS)}/{stem}"
    elif kind < 0.6:
        stem = rng.choice((stem.capitalize(), stem.title().replace(" ", ""), stem.upper()))
    return f"{stem}.{ending}"


def sentence(rng: random.Random) -> str:
    """The text of a message."""
    kind = rng.random()
    first = rng.choice(SENTENCES)
    if kind < 0.35:
        return first
    if kind < 0.7:
        return expand(rng.choice(SAID), rng)
    if kind < 0.8:
        return f"{first} {rng.choice(('and', 'but', 'so'))} {rng.choice(SENTENCES)}"
    if kind < 0.9:
        return f"{first}, {rng.choice(NAMES)}"
    return f"{rng.choice(TASKS)} before {rng.choice(('noon', 'Friday', 'you leave', 'the weekend'))}"
