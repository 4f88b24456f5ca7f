"""Looks, before anything is run, whether scenarios name tools and arguments that there are."""

from collections.abc import Iterable, Iterator, Sequence

from assistant.evals.library import Entry, ScenarioError
from assistant.evals.scenario import Scenario
from connectors.base import Tool
from connectors.config import line_of

Place = tuple[str | int, ...]
Named = tuple[Place, str, Iterable[str]]


def check(entries: Sequence[Entry], tools: Sequence[Tool]) -> None:
    """Raises ScenarioError, which names the file and the line, for the first that cannot be right."""
    known = {tool.name: tuple(tool.arguments.model_fields) for tool in tools}
    for entry in entries:
        for place, name, arguments in _named(entry.scenario):
            fault = _fault(known, name, arguments)
            if fault:
                line = line_of(entry.path.read_text("utf-8"), place)
                raise ScenarioError(f"{entry.path}, line {line}: {fault}")


def _named(scenario: Scenario) -> Iterator[Named]:
    """Every tool that is named, with where, and the arguments it is given."""
    for i, said in enumerate(scenario.say):
        for j, gold in enumerate(said.gold):
            given = (gold.arguments, *gold.others, gold.proposed or {})
            yield ("say", i, "gold", j), gold.tool, [name for arguments in given for name in arguments]
    for i, edit in enumerate(scenario.person.edits):
        yield ("person", "edits", i), edit.tool, edit.arguments
    for i, rule in enumerate(scenario.faults):
        yield ("faults", i, "tool"), rule.tool, ()


def _fault(known: dict[str, tuple[str, ...]], name: str, arguments: Iterable[str]) -> str:
    if name not in known:
        return f"there is no tool called “{name}”"
    strange = [argument for argument in arguments if argument not in known[name]]
    if strange:
        return f"{name} has no argument “{strange[0]}”; it takes {', '.join(known[name])}"
    return ""
