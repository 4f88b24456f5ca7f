"""Which words may fill which kind of slot."""

import random
from collections.abc import Callable

from goals import dates, words
from goals.phrase import Filler, Value, expand

Plain = Callable[[random.Random], str]


def _plain(make: Plain) -> Filler:
    def fill(rng: random.Random) -> tuple[str, Value]:
        made = make(rng)
        return made, made

    return fill


def _dated(make: Plain) -> Filler:
    def fill(rng: random.Random) -> tuple[str, Value]:
        made = make(rng)
        return made, dates.value(made)

    return fill


def _one_of(choices: tuple[str, ...] | list[str]) -> Filler:
    return _plain(lambda rng: rng.choice(choices))


def _possessed(rng: random.Random) -> str:
    name = words.person(rng)
    return f"my {name}" if name in words.RELATIONS and rng.random() < 0.7 else name


def _strip_my(name: str) -> str:
    return name.removeprefix("my ")


def _person(rng: random.Random) -> tuple[str, Value]:
    name = _possessed(rng)
    return name, _strip_my(name)


def _people(rng: random.Random) -> tuple[str, Value]:
    kind = rng.random()
    count = 1 if kind < 0.78 else 2 if kind < 0.93 else 3
    names = [words.address(rng) if rng.random() < 0.08 else _possessed(rng) for _ in range(count)]
    if count == 1:
        surface = names[0]
    else:
        comma = rng.choice((" and ", " and ", " & ", ", "))
        surface = ", ".join(names[:-1]) + comma + names[-1]
    return surface, [_strip_my(name) for name in names]


def _addresses(rng: random.Random) -> tuple[str, Value]:
    made = words.address(rng)
    return made, [made]


def _spoken(rng: random.Random) -> tuple[str, Value]:
    made = words.spoken_address(rng)
    return made, [made]


def _quoted(rng: random.Random) -> tuple[str, Value]:
    made = words.event(rng)
    sign = rng.choice(('"', "'", "“", ""))
    return f"{sign}{made}{'”' if sign == '“' else sign}", made


def _quoted_text(rng: random.Random) -> tuple[str, Value]:
    made = words.sentence(rng)
    return f'"{made}"', made


def _with(rng: random.Random) -> tuple[str, Value]:
    made = f"with {words.named(rng)}"
    return made, made


def _article(make: Plain) -> Filler:
    def fill(rng: random.Random) -> tuple[str, Value]:
        made = make(rng)
        if made.split()[0] in ("the", "a", "my", "our", "an") or made[0].isdigit():
            return made, made
        article = rng.choice(("the ", "the ", "my ", ""))
        return article + made, made

    return fill


def _a(make: Plain) -> Filler:
    def fill(rng: random.Random) -> tuple[str, Value]:
        made = make(rng)
        article = rng.choice(
            ("an " if made[0].lower() in "aeiou" else "a ", "", "my ", "the " if rng.random() < 0.3 else "")
        )
        return article + made, made

    return fill


def _loose_topic(rng: random.Random) -> str:
    thing = rng.choice(words.THINGS)
    return thing.removeprefix("the ").removeprefix("our ") if rng.random() < 0.6 else rng.choice(words.TOPICS)


def _person_list(rng: random.Random) -> tuple[str, Value]:
    name, value = _person(rng)
    return name, [value]


def _paper(rng: random.Random) -> str:
    return rng.choice(
        (
            *words.TOPICS,
            *words.STEMS[:40],
            "lease",
            "tax report",
            "holiday photos",
            "insurance papers",
            "passport scan",
        )
    )


def _new_folder(rng: random.Random) -> str:
    return rng.choice(words.FOLDERS) if rng.random() < 0.5 else rng.choice(words.TOPICS)


def _quoted_note(rng: random.Random) -> tuple[str, Value]:
    made = rng.choice(words.WORDS["NOTES"])
    return f'"{made}"', made


def _short_clock(rng: random.Random) -> str:
    hour = rng.randint(1, 12)
    return rng.choice(
        (
            f"{hour}pm",
            f"{hour} am",
            f"{hour}am",
            f"{hour}:30",
            f"{hour} o'clock",
            "noon",
            f"{hour} pm",
            f"{hour}:00",
        )
    )


def _fixed(choices: dict[str, str]) -> Filler:
    def fill(rng: random.Random) -> tuple[str, Value]:
        surface = rng.choice(list(choices))
        return surface, choices[surface]

    return fill


def _possessive_day(rng: random.Random) -> tuple[str, Value]:
    day = rng.choice((*dates.DAYS, "tomorrow", "today", "tomorrow", "next week"))
    return f"{day}'s" if rng.random() < 0.8 else f"{day}s", day


def _possessive(rng: random.Random) -> tuple[str, Value]:
    name, value = _person(rng)
    return f"{name}'s", value


def _for_point(rng: random.Random) -> tuple[str, Value]:
    made = dates.bare_point(rng)
    return f"for {made}", made


def _doing(verbs: str) -> Filler:
    return _plain(lambda rng: f"{rng.choice(words.WORDS[verbs])} {words.named(rng)}")


def _doing_something(rng: random.Random) -> tuple[str, Value]:
    made = words.doing(rng)
    return made, made


FILLERS: dict[str, Filler] = {
    "point": _dated(dates.point),
    "day": _dated(dates.day),
    "bare_day": _dated(dates.bare_day),
    "time": _dated(dates.time),
    "clock": _dated(dates.clock),
    "to_point": _dated(dates.bare_point),
    "repeated": _dated(dates.repeated),
    "window": _dated(dates.window),
    "past": _dated(dates.past),
    "length": _plain(dates.length),
    "event": _plain(words.event),
    "an_event": _a(words.event),
    "my_event": _article(words.event),
    "short_event": _plain(words.title),
    "my_short_event": _article(words.title),
    "an_short_event": _a(words.title),
    "quoted_event": _quoted,
    "with": _with,
    "task": _one_of(words.TASKS),
    "goods": _one_of(words.WORDS["GOODS"]),
    "list": _one_of(words.WORDS["LISTS"]),
    "place": _plain(words.place),
    "doing": _doing_something,
    "plans": _one_of(words.WORDS["PLANS"]),
    "short": _one_of(words.WORDS["SHORT"]),
    "span": _plain(lambda rng: expand(dates.WORDS["RANGE"], rng)),
    "person": _person,
    "name": _one_of(words.NAMES),
    "people": _people,
    "addresses": _addresses,
    "address": _plain(words.address),
    "phone": _plain(words.phone),
    "subject": _one_of(words.THINGS),
    "the_topic": _article(_loose_topic),
    "topic": _plain(_loose_topic),
    "sentence": _plain(words.sentence),
    "quoted_text": _quoted_text,
    "ask": _one_of(words.WORDS["BARE_ASKS"]),
    "demand": _one_of(words.WORDS["DEMANDS"]),
    "note": _one_of(words.WORDS["NOTES"]),
    "file": _plain(words.file_name),
    "stem": _one_of(words.STEMS),
    "the_file": _article(words.file_name),
    "folder": _one_of(words.FOLDERS),
    "mailbox": _one_of(words.WORDS["MAILBOXES"]),
    "calendar": _one_of(words.WORDS["CALENDAR"]),
    "amount": _one_of(words.WORDS["AMOUNT"]),
    "step": _one_of(words.WORDS["STEP"]),
    "meeting": _one_of(words.WORDS["MEETING"]),
    "generic": _one_of(words.WORDS["GENERIC"]),
    "alarm": _one_of(words.WORDS["ALARM"]),
    "wake": _one_of(words.WORDS["WAKE"]),
    "reminder": _one_of(words.WORDS["REMINDER"]),
    "alarms": _fixed({"alarms": "alarm", "alarm": "alarm", "alarms ": "alarm"}),
    "near_day": _one_of(("today", "tomorrow", "tonight", *dates.DAYS, "next week", "this week")),
    "weekday_word": _one_of((*dates.DAYS, "morning", "evening", "Monday morning", "Friday evening")),
    "weekday": _one_of((*dates.DAYS, "morning", "afternoon", "evening")),
    "possday": _possessive_day,
    "possessive": _possessive,
    "for_point": _for_point,
    "shift": _one_of(words.WORDS["SHIFT"]),
    "shifted": _one_of(words.WORDS["SHIFTED"]),
    "longer": _one_of(words.WORDS["LONGER"]),
    "every": _fixed({"every": "all", "all": "all", "all my": "all", "all the": "all"}),
    "onlythis": _fixed(
        {
            "only this one": "this",
            "just this once": "this",
            "only this time": "this",
            "just this one": "this",
            "all of them": "all",
            "the whole series": "all",
            "this and all later ones": "following",
            "and all following": "following",
        }
    ),
    "person_list": _person_list,
    "wish": _one_of(words.WORDS["WISH"]),
    "thanks": _one_of(words.WORDS["THANKS"]),
    "spam": _one_of(words.WORDS["SPAM"]),
    "my_paper": _article(_paper),
    "new_folder": _plain(_new_folder),
    "quoted_note": _quoted_note,
    "louder": _one_of(words.WORDS["LOUDER"]),
    "brighter": _one_of(words.WORDS["BRIGHTER"]),
    "clock_am": _plain(_short_clock),
    "bare_point": _dated(dates.bare_point),
    "meeting_with": _doing("MEETING_SOMEONE"),
    "see_someone": _doing("SEE_SOMEONE"),
    "away": _one_of(words.WORDS["AWAY"]),
    "odd_event": _plain(words.odd_event),
    "my_odd_event": _article(words.odd_event),
    "an_odd_event": _a(words.odd_event),
    "odd_paper": _one_of(words.WORDS["ODD_PAPERS"]),
    "odd_recipe": _plain(
        lambda rng: f"{rng.choice(words.WORDS['COOKED'])} {rng.choice(words.WORDS['DISHES'])} recipe"
    ),
    "meal_with": _plain(lambda rng: f"{rng.choice(words.WORDS['MEALS'])} with {words.named(rng)}"),
    "goods_plain": _one_of(words.WORDS["PLAIN_GOODS"]),
    "long_note": _one_of(words.WORDS["THEN_NOTES"]),
    "long_text": _one_of(words.WORDS["THEN_TEXTS"]),
    "moved_text": _one_of(words.WORDS["MOVED_TEXTS"]),
    "spoken_address": _plain(words.spoken_address),
    "spoken_addresses": _spoken,
}
