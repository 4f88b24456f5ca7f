"""Tools and arguments that scenarios name are looked for before anything is run."""

from pathlib import Path

import pytest

from assistant.evals.checking import check
from assistant.evals.library import ScenarioError, read_folder
from connectors.base import Effect, Tool, ToolArguments

FIRST = """kind = "one_step"

[[say]]
goal = "turn the volume to 30"
gold = [{ tool = "settings.set", with = { setting = "volume", value = "30" } }]
"""


class Arguments(ToolArguments):
    """What the tool takes."""

    setting: str = ""
    value: str = ""


TOOLS = (Tool("settings.set", "Changes a setting.", Arguments, Effect.CONFIGURE),)


def complaint(folder: Path, text: str) -> str:
    (folder / "right.toml").write_text(FIRST, "utf-8")
    path = folder / "wrong.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ScenarioError) as error:
        check(read_folder(folder), TOOLS)
    assert str(error.value).startswith(f"{path}, line ")
    return str(error.value).removeprefix(f"{path}, line ")


def test_what_names_tools_and_arguments_that_there_are_is_let_through(tmp_path: Path) -> None:
    (tmp_path / "right.toml").write_text(FIRST, "utf-8")
    check(read_folder(tmp_path), TOOLS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FIRST.replace("settings.set", "settings.sit"), "5: there is no tool called “settings.sit”"),
        (
            FIRST.replace("value =", "amount ="),
            "5: settings.set has no argument “amount”; it takes setting, value",
        ),
        (
            FIRST + '[[faults]]\ntool = "files.eat"\nkind = "breaks"\n',
            "7: there is no tool called “files.eat”",
        ),
        (
            FIRST + '[[person.edits]]\ntool = "settings.set"\nwith = { size = "3" }\n',
            "6: settings.set has no argument “size”; it takes setting, value",
        ),
    ],
)
def test_a_tool_or_an_argument_that_there_is_not_is_told_with_its_line(
    tmp_path: Path, text: str, said: str
) -> None:
    assert complaint(tmp_path, text) == said
