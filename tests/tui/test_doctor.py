"""The doctor: what is missing is told together with what to do about it."""

from pathlib import Path
from shutil import rmtree

import pytest

from tui.compose import services_for
from tui.doctor import Finding, examine, finding_lines
from tui.places import Places, below


@pytest.fixture
def places(tmp_path: Path) -> Places:
    places = below(tmp_path)
    places.make()
    return places


def found(places: Places, *, demo: bool = False) -> dict[str, Finding]:
    services = services_for(places, demo=demo)
    try:
        return {finding.subject: finding for finding in examine(places, services)}
    finally:
        services.close()


def test_whatever_is_needed_and_missing_comes_with_what_to_do_about_it(places: Places) -> None:
    (places.config / "config.toml").write_text("wurst = 1\n")
    wrong = [finding for finding in found(places).values() if finding.needed and not finding.ok]
    assert {"model", "config"} <= {finding.subject for finding in wrong}
    assert [finding.subject for finding in wrong if not finding.mend] == []
    config = next(finding for finding in wrong if finding.subject == "config")
    assert list(finding_lines(config)) == [
        f"✗ {'config':<12}  {config.text}",
        f"  {'':<12}  → mend that line, or take it out; nothing is written over",
    ]
    assert "line 1: 'wurst' is not a setting here" in config.text


def test_a_folder_that_is_gone_is_named_with_the_command_that_makes_it(places: Places) -> None:
    services = services_for(places, demo=False)
    rmtree(places.data)
    data = next(finding for finding in examine(places, services) if finding.subject == "data")
    assert (data.ok, data.mend) == (False, f"mkdir -p {places.data}")


def test_a_folder_that_others_may_look_into_is_named_with_the_command_that_closes_it(places: Places) -> None:
    places.cache.chmod(0o755)
    cache = found(places)["cache"]
    assert (cache.ok, cache.mend) == (True, f"chmod 700 {places.cache}")
    assert found(places)["state"].mend == ""


def test_without_a_terminal_the_doctor_says_how_a_goal_can_be_done_all_the_same(places: Places) -> None:
    assert "--grant FILE" in found(places)["terminal"].mend


def test_the_demo_world_can_be_examined_too(places: Places) -> None:
    examined = found(places, demo=True)
    assert examined["calendar"].ok
    assert examined["messaging"].ok
