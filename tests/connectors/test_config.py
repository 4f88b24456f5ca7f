"""A configuration file is read whole or refused with the file, the line and the key."""

from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict

from connectors.config import ConfigError, load


class Account(BaseModel):
    model_config = ConfigDict(extra="forbid")
    port: int = 993


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = "home"
    limit: int = 10
    account: list[Account] = []


def read(folder: Path, text: str | bytes) -> Settings:
    path = folder / "service.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load(path, Settings)


def test_a_missing_file_means_the_defaults(tmp_path: Path) -> None:
    assert load(tmp_path / "service.toml", Settings) == Settings()


def test_values_are_read(tmp_path: Path) -> None:
    assert read(tmp_path, 'name = "work"\n[[account]]\nport = 1143\n').account[0].port == 1143


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (
            'name = "a"\n\ncolour = "red"\n',
            3,
            "'colour' is not a setting here; known are account, limit, name",
        ),
        ('# first\nlimit = "many"\n', 2, "'limit'"),
        ("[[account]]\nport = 1\n[[account]]\nport = 'x'\n", 4, "'account.1.port'"),
        ("[[account]]\nhost = 1\n", 2, "'account.0.host' is not a setting here"),
        ("name = 'a'\nlimit = = 3\n", 2, "is not valid TOML"),
        (b"name = '\xff'\n", 1, "it is not UTF-8"),
        ("name = 'a'\n\x1b[2J = 1\n", 2, "is not valid TOML"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, text: str | bytes, line: int, words: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    assert f"service.toml, line {line}:" in str(caught.value)
    assert words in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "service.toml").mkdir()
    with pytest.raises(ConfigError, match=r"service\.toml"):
        load(tmp_path / "service.toml", Settings)
