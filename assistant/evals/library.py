"""Finds and reads scenario files; what is wrong with one is told with its file and line."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from assistant.evals.scenario import Half, Scenario, half_of
from assistant.evals.worldspec import WorldSpec, joined
from connectors.config import ConfigError, line_of, load

BUILT_IN = Path(str(files("assistant.evals") / "scenarios"))
_WORLDS = "worlds"

Schema = TypeVar("Schema", Scenario, WorldSpec)


class ScenarioError(Exception):
    """A scenario file that cannot be used; the text names the file and the line."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A scenario of a folder: its name is `<kind>/<file without suffix>`, its world is complete."""

    name: str
    path: Path
    scenario: Scenario
    world: WorldSpec

    @property
    def half(self) -> Half:
        return half_of(self.name)


def read_folder(folder: Path = BUILT_IN) -> tuple[Entry, ...]:
    """All scenarios below a folder, by name. Raises ScenarioError."""
    if not folder.is_dir():
        raise ScenarioError(f"{folder} is not a folder of scenarios.")
    paths = sorted(path for path in folder.rglob("*.toml") if _WORLDS not in path.relative_to(folder).parts)
    if not paths:
        raise ScenarioError(f"There is no scenario (*.toml) in {folder}.")
    entries = tuple(read_scenario(path, folder) for path in paths)
    names: dict[str, Path] = {}
    for entry in entries:
        if entry.name in names:
            raise ScenarioError(f"{entry.path}: the scenario {entry.name} is also in {names[entry.name]}.")
        names[entry.name] = entry.path
    return entries


def read_scenario(path: Path, folder: Path) -> Entry:
    """One scenario; its base is looked for in `worlds` of the folder, then among the built-in ones.

    Raises ScenarioError.
    """
    if not path.is_file():
        raise ScenarioError(f"{path} is not there.")
    scenario = _load(path, Scenario)
    world = scenario.world
    if scenario.base:
        try:
            world = joined(_base(path, scenario.base, folder), world)
        except ValueError as error:
            line = line_of(path.read_text("utf-8"), ("world",))
            raise ScenarioError(
                f"{path}, line {line}: the world cannot be put on its base ({error})"
            ) from error
    return Entry(f"{scenario.kind}/{path.stem}", path, scenario, world)


def chosen(
    entries: Sequence[Entry], *, half: Half | None = None, kinds: Sequence[str] = (), limit: int | None = None
) -> tuple[Entry, ...]:
    """The scenarios of one half and of some kinds, the first so many of each kind."""
    found: list[Entry] = []
    for entry in entries:
        kind = entry.scenario.kind
        if (half and entry.half is not half) or (kinds and kind not in kinds):
            continue
        if limit is None or sum(one.scenario.kind is kind for one in found) < limit:
            found.append(entry)
    return tuple(found)


def _base(path: Path, name: str, folder: Path) -> WorldSpec:
    for place in (folder, BUILT_IN):
        base = place / _WORLDS / f"{name}.toml"
        if base.is_file() and base.parent == place / _WORLDS:
            return _load(base, WorldSpec)
    line = line_of(path.read_text("utf-8"), ("base",))
    raise ScenarioError(f"{path}, line {line}: there is no world named “{name}”")


def _load(path: Path, schema: type[Schema]) -> Schema:
    try:
        return load(path, schema)
    except ConfigError as error:
        text = str(error).removeprefix(path.name)
        raise ScenarioError(f"{path}{text}") from error
