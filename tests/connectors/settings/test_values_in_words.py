"""A value in a person's words becomes one exact value, or is asked about."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.settings.device import BOUNDS, Value
from connectors.settings.tools import Setting
from connectors.settings.values import meant, sentence, spelled


@pytest.mark.parametrize(
    ("words", "now", "value"),
    [
        ("30 %", 70, 30),
        ("30%", 70, 30),
        ("to 30 percent", 70, 30),
        ("thirty percent", 70, 30),
        ("twenty five", 70, 25),
        ("one hundred", 70, 100),
        ("half", 70, 50),
        ("max", 70, 100),
        ("all the way down", 70, 0),
        ("louder", 70, 80),
        ("a bit louder", 70, 75),
        ("a lot quieter", 70, 50),
        ("up", 95, 100),
        ("down", 5, 0),
        ("down 20", 70, 50),
        ("up by 20 %", 70, 90),
        ("+5", 70, 75),
        ("-5", 70, 65),
        ("up to 90", 70, 90),
        ("down to 10 %", 70, 10),
        ("150 %", 70, None),
        ("turn it up", 70, 80),
        ("a little louder", 70, 75),
        ("set the volume to 30", 70, 30),
        ("the sound to 20 %", 70, 20),
        ("to half", 70, 50),
        ("louder by 10 %", 70, 80),
        ("brighter", 70, None),
        ("mute", 70, None),
        ("off", 70, None),
        ("not 30", 70, None),
        ("more than half", 70, None),
        ("up and down", 70, None),
        ("30 or 40", 70, None),
        ("like yesterday", 70, None),
        ("3.5", 70, None),
        ("30 minutes", 70, None),
        ("", 70, None),
        ("nan", 70, None),
    ],
)
def test_a_percentage_in_words(words: str, now: int, value: int | None) -> None:
    assert meant(Setting.VOLUME, words, now) == value


def test_the_screen_is_never_made_black() -> None:
    assert meant(Setting.BRIGHTNESS, "0 %", 50) == 5
    assert meant(Setting.BRIGHTNESS, "min", 50) == 5


@pytest.mark.parametrize(
    ("setting", "words", "now", "value"),
    [
        (Setting.WIFI, "on", False, True),
        (Setting.WIFI, "Off.", True, False),
        (Setting.WIFI, "turned off", True, False),
        (Setting.WIFI, "toggle", True, False),
        (Setting.WIFI, "turn it off", True, False),
        (Setting.WIFI, "turn Wi-Fi on please", False, True),
        (Setting.WIFI, "back on", False, True),
        (Setting.WIFI, "not on", False, None),
        (Setting.WIFI, "don't turn it off", True, None),
        (Setting.WIFI, "off and on", True, None),
        (Setting.WIFI, "bluetooth on", False, None),
        (Setting.DARK_MODE, "turn on dark mode", False, True),
        (Setting.DARK_MODE, "dark mode off", True, False),
        (Setting.DO_NOT_DISTURB, "do not disturb on", False, True),
        (Setting.MUTE, "mute the sound", False, True),
        (Setting.WIFI, "maybe", True, None),
        (Setting.WIFI, "30 %", True, None),
        (Setting.MUTE, "unmute", True, False),
        (Setting.MUTE, "mute", False, True),
        (Setting.DARK_MODE, "light", True, False),
        (Setting.DARK_MODE, "dark", False, True),
    ],
)
def test_a_switch_in_words(setting: Setting, words: str, now: bool, value: bool | None) -> None:
    assert meant(setting, words, now) is value


@given(st.sampled_from(list(Setting)), st.text(), st.integers(0, 100))
@settings(deadline=None)
def test_any_words_give_a_value_within_bounds_or_none(setting: Setting, words: str, now: int) -> None:
    value = meant(setting, words, now)
    if value is not None and setting in BOUNDS:
        assert BOUNDS[setting][0] <= value <= BOUNDS[setting][1]


@given(st.one_of(st.booleans(), st.integers(5, 100)), st.integers(0, 100))
@settings(deadline=None)
def test_a_value_spelled_out_means_itself(value: Value, now: int) -> None:
    setting = Setting.WIFI if isinstance(value, bool) else Setting.VOLUME
    assert meant(setting, spelled(value), now) == value


def test_sentences_say_what_is_true() -> None:
    assert sentence(Setting.WIFI, False) == "Wi-Fi is off."
    assert sentence(Setting.VOLUME, 30) == "The volume is at 30 %."
