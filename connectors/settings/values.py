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
            "unmuted": False,
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
_UP = frozenset(_words("up higher increase more raise plus +"))
_DOWN = frozenset(_words("down lower decrease less reduce minus -"))
_OWN_UP: Mapping[Setting, frozenset[str]] = MappingProxyType(
    {Setting.VOLUME: frozenset({"louder"}), Setting.BRIGHTNESS: frozenset({"brighter", "lighter"})}
)
_OWN_DOWN: Mapping[Setting, frozenset[str]] = MappingProxyType(
    {
        Setting.VOLUME: frozenset({"quieter", "softer"}),
        Setting.BRIGHTNESS: frozenset({"dimmer", "darker", "dim"}),
    }
)
_STEPS = MappingProxyType({"bit": 5, "little": 5, "slightly": 5, "lot": 20, "much": 20, "way": 20})
_USUAL_STEP = 10
_ONES = (
    *_words("zero one two three four five six seven eight nine ten eleven twelve"),
    *_words("thirteen fourteen fifteen sixteen seventeen eighteen nineteen"),
)
_TENS = _words("twenty thirty forty fifty sixty seventy eighty ninety")
_NUMBER = re.compile(r"(?<![\d.,])\d{1,3}(?![\d.,])")
_PADDING = frozenset(_words("to at by the a it please percent % make set turn of about around"))
_SAID_NAMES: Mapping[Setting, re.Pattern[str]] = MappingProxyType(
    {
        Setting.WIFI: re.compile(r"\b(?:wi ?- ?fi|wifi|wireless|wlan)\b"),
        Setting.BLUETOOTH: re.compile(r"\bbluetooth\b"),
        Setting.VOLUME: re.compile(r"\b(?:volume|sound|audio|speakers?|music)\b"),
        Setting.MUTE: re.compile(r"\b(?:volume|sound|audio|speakers?)\b"),
        Setting.BRIGHTNESS: re.compile(r"\b(?:brightness|screen|display|backlight)\b"),
        Setting.DO_NOT_DISTURB: re.compile(r"\b(?:do not disturb|dnd)\b"),
        Setting.DARK_MODE: re.compile(r"\bdark (?:mode|theme)\b"),
        Setting.AIRPLANE_MODE: re.compile(r"\b(?:airplane|aeroplane|flight) mode\b"),
        Setting.POWER_SAVER: re.compile(r"\b(?:power|battery) ?sav(?:er|ing)(?: mode)?\b"),
    }
)
_SWITCH_PADDING = frozenset(
    _words("turn turned switch switched set put make it the my please back again now")
)
_MUTE = frozenset({"mute", "muted", "off", "silent", "silence", "no sound"})
_UNMUTE = frozenset({"unmute", "unmuted", "on"})


def meant(setting: Setting, words: str, now: Value) -> Value | None:
    """The exact value that words ask for, given the value now, or None if that is not clear.

    Percentages are kept within `BOUNDS`; a number above 100 is not clear.
    """
    text = " ".join(re.sub(r"([%+])", r" \1 ", words.casefold()).replace("-", " - ").split()).strip(" .!")
    text = " ".join(_SAID_NAMES[setting].sub(" ", text).split())
    if setting in BOUNDS:
        wanted = _percentage(setting, text, int(now))
        return None if wanted is None else max(BOUNDS[setting][0], min(BOUNDS[setting][1], wanted))
    return _switch(setting, text, bool(now))


def silences(words: str) -> bool | None:
    """Whether words about the volume may rather be meant to mute (True) or unmute (False) the sound."""
    text = " ".join(words.casefold().split()).strip(" .!")
    if text in _MUTE:
        return True
    return False if text in _UNMUTE else None


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
    if text in _OTHER:
        return not now
    said = [word for word in text.split() if word not in _SWITCH_PADDING]
    words = " ".join(said)
    if words in own:
        return own[words]
    if words in _ON:
        return True
    return False if words in _OFF else None


def _percentage(setting: Setting, text: str, now: int) -> int | None:
    words = text.split()
    while words and words[0] in _PADDING - {"a"}:
        words = words[1:]
    text = " ".join(words)
    if text in _WHOLE:
        return _WHOLE[text]
    upward, downward = _UP | _OWN_UP[setting], _DOWN | _OWN_DOWN[setting]
    numbers = [int(found) for found in _NUMBER.findall(text)] or _spelled_numbers(words)
    up, down = bool(upward & set(words)), bool(downward & set(words))
    if (up and down) or len(numbers) > 1 or any(number > 100 for number in numbers):
        return None
    if not _all_known(words, numbers, upward | downward):
        return None
    if up or down:
        relative = "to" not in words
        step = numbers[0] if numbers else next((_STEPS[w] for w in words if w in _STEPS), _USUAL_STEP)
        if relative:
            return now + step if up else now - step
    return numbers[0] if numbers else None


def _all_known(words: list[str], numbers: list[int], directions: frozenset[str]) -> bool:
    """False if a word is left that nothing here understands: part of a phrase is not its meaning."""
    numerals = frozenset(_ONES) | frozenset(_TENS) | {"hundred", "and"}
    known = directions | _PADDING | frozenset(_STEPS) | numerals
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
