"""A person's own keys: taken where they fit, refused by file and line where they do not."""

from pathlib import Path

import pytest

from connectors.config import ConfigError
from tests.tui.stage import playing
from tui.key_table import PLACES
from tui.keymap import is_key, key_name, read_keymap


def written(folder: Path, text: str) -> Path:
    path = folder / "keys.toml"
    path.write_text(text, "utf-8")
    return path


def test_without_a_file_nothing_is_changed(tmp_path: Path) -> None:
    assert read_keymap(tmp_path / "keys.toml") == {}


def test_one_key_or_several_stand_for_what_the_table_and_name_say(tmp_path: Path) -> None:
    path = written(tmp_path, '[app]\nactivity = "f9"\n[composer]\nnew_line = ["alt+enter", "ctrl+n"]\n')
    assert read_keymap(path) == {"app.activity": "f9", "composer.new_line": "alt+enter,ctrl+n"}


def test_two_keys_may_change_places(tmp_path: Path) -> None:
    path = written(tmp_path, '[app]\nactivity = "f3"\npermissions = "f2"\n')
    assert read_keymap(path) == {"app.activity": "f3", "app.permissions": "f2"}


def test_a_character_is_taken_by_its_name(tmp_path: Path) -> None:
    assert read_keymap(written(tmp_path, '[activity]\nundo = "%"\n')) == {"activity.undo": "percent_sign"}


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ('[app]\nhelp = "f6"\nactivty = "f9"\n', 3, "there is no key for 'app.activty'; there are app.stop,"),
        ('[door]\nopen = "f9"\n', 2, "there is no key for 'door.open'"),
        ('[prompt]\nyes = "x"\n', 2, "answers a question, and is the same for everybody"),
        ('[edit]\napply = "f9"\n', 2, "answers a question"),
        ('[question]\nchoose = "f9"\n', 2, "answers a question"),
        ('[app]\nactivity = "bang"\n', 2, "'bang' is not a key"),
        ('[app]\nactivity = ["f9", ""]\n', 2, "'' is not a key"),
        ("[app]\nactivity = []\n", 2, "needs a key"),
        ('[app]\nactivity = "x"\n', 2, "'x' would be typed as text there"),
        ('[composer]\nsend = "?"\n', 2, "would be typed as text there"),
        ('[app]\nactivity = "f3"\n', 2, "'f3' is the key of app.permissions already"),
        ('[app]\nactivity = "ctrl+t"\n', 2, "'ctrl+t' is the key of conversation.thoughts already"),
        ('[app]\nactivity = "ctrl+d"\n', 2, "'ctrl+d' is the key of prompt.page_down already"),
        ('[activity]\nundo = "/"\n', 2, "'slash' is the key of activity.filter already"),
        ('[activity]\nundo = "f2"\n', 2, "'f2' is the key of app.activity already"),
        ('[activity]\nundo = "x"\nlast = "x"\n', 2, "'x' is the key of activity.last already"),
        ("[app]\nactivity = 2\n", 2, "'app.activity"),
        ("activity = 2\n", 1, "'activity'"),
        ('[app]\nactivity = "f9\n', 2, "is not valid TOML"),
    ],
)
def test_what_does_not_fit_is_refused_by_file_and_line(
    tmp_path: Path, text: str, line: int, why: str
) -> None:
    with pytest.raises(ConfigError) as raised:
        read_keymap(written(tmp_path, text))
    assert f"keys.toml, line {line}: " in str(raised.value)
    assert why in str(raised.value)


def test_every_key_of_ours_is_one_that_could_be_written(tmp_path: Path) -> None:
    """What the help shows can be written into the file as it is used by default."""
    odd = [
        key
        for place in PLACES
        for binding in place.keys.values()
        for key in binding.key.split(",")
        if not is_key(key_name(key))
    ]
    assert odd == []


async def test_the_app_listens_to_the_changed_key_and_the_help_shows_it() -> None:
    async with playing(keys={"app.activity": "f9"}) as stage:
        assert "F9 activity" in stage.text
        await stage.press("f2")
        assert "Nothing was asked yet" not in stage.text
        await stage.press("f9")
        await stage.until(lambda: "Nothing was asked yet" in stage.text)
        await stage.press("escape")
        await stage.press("f1")
        await stage.until(lambda: "Keys and commands" in stage.text)
        for _ in range(12):
            if "F9  " in stage.text:
                break
            await stage.press("pagedown")
        assert "F9" in stage.text
