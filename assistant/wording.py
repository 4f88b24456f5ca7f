"""Calls and endings in plain words, built from values and outcomes, never from what a model said."""

from collections.abc import Sequence

from assistant.events import Ending, Step, StepState
from connectors.base import Call, Tool
from connectors.clean import clean_line

_SMALL = frozenset({"The", "This", "It", "There", "What"})

_SIGN = {
    StepState.DONE: "✓",
    StepState.HELD: "◷",
    StepState.FAILED: "✗ not done:",
    StepState.DENIED: "✗ not done:",
    StepState.SKIPPED: "– not done:",
    StepState.PENDING: "– not done:",
    StepState.DOING: "? unknown:",
}


def call_words(call: Call, tool: Tool) -> str:
    """A call as one short line: the tool's verb, and the words it was given unless they are ours."""
    if not tool.offered:
        return _verb(tool)
    values = [_value(value) for value in call.arguments.values() if value not in (None, "", [], False)]
    return f"{_verb(tool)}: {', '.join(values)}" if values else _verb(tool)


def closing(ending: Ending, told: Sequence[tuple[StepState, str]], reason: str = "") -> str:
    """The closing summary: one line for each call made, and why the turn ended if that matters."""
    lines = [f"{_SIGN[state]} {text}" for state, text in told]
    match ending:
        case Ending.STOPPED:
            lines.append(f"Stopped{': ' + _clause(reason) if reason else ''}.")
        case Ending.LIMIT | Ending.FAILED:
            lines.append(f"Ended because {_clause(reason)}.")
        case Ending.DONE if not lines:
            lines.append("Nothing was done.")
        case _:
            pass
    return "\n".join(lines)


def nothing_fits(tools: Sequence[Tool]) -> str:
    """What to say when no tool can do what was asked: what Askfirst can do instead, by service."""
    by_service: dict[str, list[str]] = {}
    for tool in tools:
        by_service.setdefault(tool.name.partition(".")[0], []).append(_verb(tool))
    lines = [f"{service}: {', '.join(verbs)}" for service, verbs in by_service.items()]
    return "\n".join(["None of my tools can do that, so nothing was done. What I can do here:", *lines])


def unfinished(steps: Sequence[Step]) -> list[str]:
    """The words of the steps that did not come to an end."""
    return [step.words for step in steps if step.state in (StepState.PENDING, StepState.DOING)]


def _clause(reason: str) -> str:
    """A reason as it stands within a sentence."""
    first, _, rest = reason.partition(" ")
    return f"{first.lower() if first in _SMALL else first} {rest}".strip().removesuffix(".")


def _verb(tool: Tool) -> str:
    return tool.name.partition(".")[2].replace("_", " ")


def _value(value: object) -> str:
    if isinstance(value, list | tuple):
        return " and ".join(_value(part) for part in value)
    return clean_line(str(value), 60)
