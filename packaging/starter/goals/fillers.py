"""Which words may fill which kind of slot."""

import random

from goals import dates, words
from goals.making import copied_whole, dated, fixed, one_of, with_a, with_article
from goals.phrase import Filler, Value, expand


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
    return copied_whole(lambda rng: f"{rng.choice(words.WORDS[verbs])} {words.named(rng)}")


def _doing_something(rng: random.Random) -> tuple[str, Value]:
    made = words.doing(rng)
    return made, made


def _possessive_event(rng: random.Random) -> tuple[str, Value]:
    name, value = _person(rng)
    what = rng.choice(words.WORDS["OWNED_EVENTS"])
    return f"{name}'s {what}", f"{value}'s {what}"


def _each_weekday(rng: random.Random) -> str:
    day = rng.choice((*dates.DAYS, "morning", "evening", "weekday", "Monday morning", "Friday evening"))
    return f"{rng.choice(('every', 'every', 'each'))} {day}"


def _the_attached(rng: random.Random) -> tuple[str, Value]:
    if rng.random() < 0.4:
        surface, name = with_article(_paper)(rng)
    else:
        surface, name = copied_whole(words.file_name)(rng)
    return surface, [str(name)]


def _two_attached(rng: random.Random) -> tuple[str, Value]:
    names = [words.file_name(rng), words.file_name(rng)]
    return " and ".join(names), [*names]


def _attached_kind(rng: random.Random) -> tuple[str, Value]:
    kind = rng.choice(("pdf", "photo", "picture", "document", "invoice", "slides", "spreadsheet", "contract"))
    return f"the {kind}", kind


def _invitation_file(rng: random.Random) -> str:
    return f"{rng.choice((*words.STEMS, *words.EVENTS))}.ics"


def _two_goods(rng: random.Random) -> str:
    first, second = rng.sample(words.WORDS["PLAIN_GOODS"], 2)
    return f"{first} and {second}"


FILLERS: dict[str, Filler] = {
    "point": dated(dates.point),
    "day": dated(dates.day),
    "bare_day": dated(dates.bare_day),
    "time": dated(dates.time),
    "clock": dated(dates.clock),
    "to_point": dated(dates.bare_point),
    "repeated": dated(dates.repeated),
    "window": dated(dates.window),
    "past": dated(dates.past),
    "length": copied_whole(dates.length),
    "event": copied_whole(words.event),
    "an_event": with_a(words.event),
    "my_event": with_article(words.event),
    "short_event": copied_whole(words.title),
    "my_short_event": with_article(words.title),
    "an_short_event": with_a(words.title),
    "quoted_event": _quoted,
    "with": _with,
    "task": one_of(words.TASKS),
    "goods": one_of(words.WORDS["GOODS"]),
    "list": one_of(words.WORDS["LISTS"]),
    "place": copied_whole(words.place),
    "doing": _doing_something,
    "plans": one_of(words.WORDS["PLANS"]),
    "short": one_of(words.WORDS["SHORT"]),
    "span": copied_whole(lambda rng: expand(dates.WORDS["RANGE"], rng)),
    "person": _person,
    "name": one_of(words.NAMES),
    "people": _people,
    "addresses": _addresses,
    "address": copied_whole(words.address),
    "phone": copied_whole(words.phone),
    "subject": one_of(words.THINGS),
    "the_topic": with_article(_loose_topic),
    "topic": copied_whole(_loose_topic),
    "sentence": copied_whole(words.sentence),
    "quoted_text": _quoted_text,
    "ask": one_of(words.WORDS["BARE_ASKS"]),
    "demand": one_of(words.WORDS["DEMANDS"]),
    "note": one_of(words.WORDS["NOTES"]),
    "file": copied_whole(words.file_name),
    "stem": one_of(words.STEMS),
    "the_file": with_article(words.file_name),
    "folder": one_of(words.FOLDERS),
    "mailbox": one_of(words.WORDS["MAILBOXES"]),
    "calendar": one_of(words.WORDS["CALENDAR"]),
    "amount": one_of(words.WORDS["AMOUNT"]),
    "step": one_of(words.WORDS["STEP"]),
    "meeting": one_of(words.WORDS["MEETING"]),
    "generic": one_of(words.WORDS["GENERIC"]),
    "alarm": one_of(words.WORDS["ALARM"]),
    "wake": one_of(words.WORDS["WAKE"]),
    "reminder": one_of(words.WORDS["REMINDER"]),
    "alarms": fixed({"alarms": "alarm", "alarm": "alarm", "alarms ": "alarm"}),
    "near_day": one_of(("today", "tomorrow", "tonight", *dates.DAYS, "next week", "this week")),
    "weekday_word": one_of((*dates.DAYS, "morning", "evening", "Monday morning", "Friday evening")),
    "each_weekday": copied_whole(_each_weekday),
    "weekday": one_of((*dates.DAYS, "morning", "afternoon", "evening")),
    "possday": _possessive_day,
    "possessive": _possessive,
    "for_point": _for_point,
    "shift": one_of(words.WORDS["SHIFT"]),
    "shifted": one_of(words.WORDS["SHIFTED"]),
    "longer": one_of(words.WORDS["LONGER"]),
    "every": fixed({"every": "all", "all": "all", "all my": "all", "all the": "all"}),
    "onlythis": fixed(
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
    "wish": one_of(words.WORDS["WISH"]),
    "thanks": one_of(words.WORDS["THANKS"]),
    "spam": one_of(words.WORDS["SPAM"]),
    "my_paper": with_article(_paper),
    "new_folder": copied_whole(_new_folder),
    "quoted_note": _quoted_note,
    "louder": one_of(words.WORDS["LOUDER"]),
    "brighter": one_of(words.WORDS["BRIGHTER"]),
    "clock_am": copied_whole(_short_clock),
    "bare_point": dated(dates.bare_point),
    "meeting_with": _doing("MEETING_SOMEONE"),
    "see_someone": _doing("SEE_SOMEONE"),
    "away": one_of(words.WORDS["AWAY"]),
    "odd_event": copied_whole(words.odd_event),
    "my_odd_event": with_article(words.odd_event),
    "an_odd_event": with_a(words.odd_event),
    "odd_paper": one_of(words.WORDS["ODD_PAPERS"]),
    "odd_recipe": copied_whole(
        lambda rng: f"{rng.choice(words.WORDS['COOKED'])} {rng.choice(words.WORDS['DISHES'])} recipe"
    ),
    "meal_with": copied_whole(lambda rng: f"{rng.choice(words.WORDS['MEALS'])} with {words.named(rng)}"),
    "the_attached": _the_attached,
    "two_attached": _two_attached,
    "attached_kind": _attached_kind,
    "invitation_file": copied_whole(_invitation_file),
    "possessive_event": _possessive_event,
    "two_goods": copied_whole(_two_goods),
    "spoken_list": one_of(words.WORDS["SPOKEN_LISTS"]),
    "generic_event": one_of(words.WORDS["GENERIC_EVENTS"]),
    "near_day_time": one_of((*dates.DAYS, "6 am", "7 am", "morning", "seven o'clock", "5:30", "weekday")),
    "goods_plain": one_of(words.WORDS["PLAIN_GOODS"]),
    "long_note": one_of(words.WORDS["THEN_NOTES"]),
    "long_text": one_of(words.WORDS["THEN_TEXTS"]),
    "moved_text": one_of(words.WORDS["MOVED_TEXTS"]),
    "spoken_address": copied_whole(words.spoken_address),
    "spoken_addresses": _spoken,
}
