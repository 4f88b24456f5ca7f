"""A value in a person's words, made exact against the value that is: on, off, a percentage, louder, half."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from connectors.settings.device import BOUNDS, NAMES, Value
from connectors.settings.tools import Setting


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ON = frozenset({"on", "yes", "true", "enable", "enabled", "activate", "start", "1", "active"})
_OFF = frozenset({"off", "no", "false", "disable", "disabled", "deactivate", "stop", "0", "inactive"})
_OTHER = frozenset({"toggle", "switch", "flip", "the other way"})
_OWN_WORDS: Mapping[Setting, Mapping[str, bool]] = MappingProxyType(
    {
        Setting.MUTE: {
            "mute": True,
            "muted": True,
            "silent": True,
            "silence": True,
            "unmute": False,
            "loud": False,
        },
        Setting.DARK_MODE: {"dark": True, "light": False, "bright": False, "day": False, "night": True},
        Setting.DO_NOT_DISTURB: {"quiet": True, "silent": True},
    }
)
_WHOLE = MappingProxyType(
    {
        **dict.fromkeys(("max", "maximum", "full", "highest", "all the way up", "loudest", "brightest"), 100),
        **dict.fromkeys(("min", "minimum", "lowest", "all the way down", "quietest", "dimmest", "zero"), 0),
        **dict.fromkeys(("half", "halfway", "middle", "a half"), 50),
        **dict.fromkeys(("quarter", "a quarter", "one quarter"), 25),
        **dict.fromkeys(("three quarters", "three quarter"), 75),
    }
)
_UP = frozenset(_words("up louder higher brighter increase more raise lighter plus +"))
_DOWN = frozenset(
    ["down", "quieter", "lower", "dimmer", "softer", "decrease", "less", "reduce", "darker", "minus", "-"]
)
_STEPS = MappingProxyType({"bit": 5, "little": 5, "slightly": 5, "lot": 20, "much": 20, "way": 20})
_USUAL_STEP = 10
_ONES = (
    *_words("zero one two three four five six seven eight nine ten eleven twelve"),
    *_words("thirteen fourteen fifteen sixteen seventeen eighteen nineteen"),
)
_TENS = _words("twenty thirty forty fifty sixty seventy eighty ninety")
_NUMBER = re.compile(r"(?<![\d.,])\d{1,3}(?![\d.,])")
_PADDING = frozenset(
    _words("to at by the a it please percent % make set turn volume brightness of about around")
)


def meant(setting: Setting, words: str, now: Value) -> Value | None:
    """The exact value that words ask for, given the value now, or None if that is not clear.

    Percentages are kept within `BOUNDS`; a number above 100 is not clear.
    """
    text = " ".join(re.sub(r"([%+])", r" \1 ", words.casefold()).replace("-", " - ").split()).strip(" .!")
    if setting in BOUNDS:
        wanted = _percentage(text, int(now))
        return None if wanted is None else max(BOUNDS[setting][0], min(BOUNDS[setting][1], wanted))
    return _switch(setting, text, bool(now))


def spelled(value: Value) -> str:
    """A value as words that `meant` understands: "on", "off" or "30 %"."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value} %"


def sentence(setting: Setting, value: Value) -> str:
    """What is true, as a sentence: "Wi-Fi is off." """
    name = NAMES[setting]
    return f"{name[0].upper()}{name[1:]} is {'at ' if setting in BOUNDS else ''}{spelled(value)}."


def _switch(setting: Setting, text: str, now: bool) -> bool | None:
    own = _OWN_WORDS.get(setting, {})
    if text in own:
        return own[text]
    words = text.removeprefix("turn ").removeprefix("switch ").removeprefix("turned ").strip()
    if words in _ON:
        return True
    if words in _OFF:
        return False
    return not now if text in _OTHER else None


def _percentage(text: str, now: int) -> int | None:
    if text in _WHOLE:
        return _WHOLE[text]
    words = text.split()
    numbers = [int(found) for found in _NUMBER.findall(text)] or _spelled_numbers(words)
    up, down = bool(_UP & set(words)), bool(_DOWN & set(words))
    if (up and down) or len(numbers) > 1 or any(number > 100 for number in numbers):
        return None
    if not _all_known(words, numbers):
        return None
    if up or down:
        relative = "to" not in words
        step = numbers[0] if numbers else next((_STEPS[w] for w in words if w in _STEPS), _USUAL_STEP)
        if relative:
            return now + step if up else now - step
    return numbers[0] if numbers else None


def _all_known(words: list[str], numbers: list[int]) -> bool:
    """False if a word is left that nothing here understands: part of a phrase is not its meaning."""
    known = (
        _UP | _DOWN | _PADDING | frozenset(_STEPS) | frozenset(_ONES) | frozenset(_TENS) | {"hundred", "and"}
    )
    return all(word in known or (word.isdecimal() and int(word) in numbers) for word in words)


def _spelled_numbers(words: list[str]) -> list[int]:
    """Numbers from 0 to 100 written out: "thirty", "twenty five", "one hundred"."""
    values = {word: number for number, word in enumerate(_ONES)}
    values |= {word: 20 + 10 * number for number, word in enumerate(_TENS)}
    if "hundred" in words:
        return [100]
    found = [values[word] for word in words if word in values]
    if len(found) == 2 and found[0] >= 20 and found[0] % 10 == 0 and 0 < found[1] < 10:
        return [sum(found)]
    return found
