"""Askfirst's own settings are read whole, and changed without touching what a person wrote."""

from pathlib import Path

import pytest

from connectors.config import ConfigError, load
from tui.settings import Settings, use_model, zone_of


def test_another_model_is_named_and_the_rest_stays(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('# mine\ntimezone = "Europe/Copenhagen"\nmodel = "starter" # small\nthreads = 2\n')
    use_model(path, 'a "quoted" name')
    assert path.read_text().startswith('# mine\ntimezone = "Europe/Copenhagen"\n')
    assert load(path, Settings) == Settings(timezone="Europe/Copenhagen", model='a "quoted" name', threads=2)


def test_a_first_model_makes_the_file(tmp_path: Path) -> None:
    use_model(tmp_path / "config.toml", "botpsy")
    assert load(tmp_path / "config.toml", Settings).model == "botpsy"


def test_a_file_that_cannot_be_read_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("model = = 1\n")
    with pytest.raises(ConfigError):
        use_model(path, "botpsy")
    assert path.read_text() == "model = = 1\n"


def test_the_zone_that_is_set_is_used() -> None:
    assert zone_of(Settings(timezone="Asia/Kathmandu")).key == "Asia/Kathmandu"


def test_without_one_there_is_still_a_zone() -> None:
    assert zone_of(Settings()).key


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ('[models.botpsy-q8]\nrepository = "botpsy"\n', 2, "must be an owner and a name"),
        ('model = "x"\n\n[models.botpsy-q8]\nfil = "x"\n', 4, "'models.botpsy-q8.fil' is not a setting here"),
        ("[models.mine]\nthoughts = -1\n", 2, "greater than or equal to 0"),
        ("[models.mine]\ncontext = 12\n", 2, "greater than or equal to 1024"),
        ("[models.mine]\ntemperature = 5\n", 2, "less than or equal to 2"),
        ('[models."My Model"]\n', 1, "cannot name a model"),
        ("[models.starter]\ncontext = 4096\n", 1, "nothing can be set for it"),
        ('[hub]\nendpoint = "hub.example"\n', 2, "must be an address such as https://huggingface.co"),
        ('[hub]\ntoken = "hf_abc"\n', 2, "a password never stands in this file"),
    ],
)
def test_a_mistake_about_models_is_named_with_its_line(
    tmp_path: Path, text: str, line: int, why: str
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=rf"config\.toml, line {line}: ") as told:
        load(path, Settings)
    assert why in str(told.value)
    assert "hf_abc" not in str(told.value)
