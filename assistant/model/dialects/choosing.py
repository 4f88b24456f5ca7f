"""Which tools a model is told of when there are too many: it picks a service, then it sees a few."""

import re
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import create_model

from assistant.model.base import Goal, Turn, Wish
from connectors.base import Effect, Tool, ToolArguments

CHOOSE = "choose_service"
MOST_TOOLS = 40
"""More tools than this are not told of at once, however short they are."""

MOST_SHOWN = 8
"""So many tools of one service are told of."""

MOST_SERVICES = 2
"""So many services are told of at once."""

_SHOWN_VERBS = 12
_WORD = re.compile(r"[^\W_]{3,}")


class Choice:
    """The services that were picked for one goal."""

    def __init__(self, tools: Sequence[Tool], goal: str) -> None:
        self._tools = [tool for tool in tools if tool.offered]
        self._goal = goal
        self._picked: list[str] = []

    @property
    def picked(self) -> tuple[str, ...]:
        return tuple(self._picked)

    def offered(self, *, again: bool) -> tuple[Tool, ...]:
        """The tools to tell of now; with `again`, another service may still be picked."""
        if not self._picked:
            return (chooser(self._tools),)
        shown = [tool for name in self._picked for tool in fitting(self._tools, name, self._goal)]
        others = [tool for tool in self._tools if service(tool) not in self._picked]
        return (*shown, chooser(others)) if again and others else tuple(shown)

    def pick(self, wishes: Sequence[Wish]) -> None:
        """Take the services of one answer, instead of those before; the first ones, if there are many."""
        names = dict.fromkeys(str(wish.arguments["service"]) for wish in wishes)
        self._picked = list(names)[:MOST_SERVICES]


def too_many(tools: Sequence[Tool], tokens: int, context: int) -> bool:
    """True if a model should not be told of all tools at once.

    `tokens` is what it would be told of them and of all goals, in a context of so many.
    """
    offered = [tool for tool in tools if tool.offered]
    if len({service(tool) for tool in offered}) < 2:
        return False
    return len(offered) > MOST_TOOLS or tokens > context // 2


def service(tool: Tool) -> str:
    return tool.name.partition(".")[0]


def chooser(tools: Sequence[Tool]) -> Tool:
    """A tool by which the model says whose tools it needs, with a line on what each service can do."""
    verbs: dict[str, list[str]] = {}
    for tool in sorted((tool for tool in tools if tool.offered), key=lambda tool: tool.name):
        verbs.setdefault(service(tool), []).append(tool.name.partition(".")[2].replace("_", " "))
    lines = [f"{name}: {_listed(each)}" for name, each in verbs.items()]
    names: Any = Literal[tuple(verbs)]
    arguments = create_model("ChooseService", __base__=ToolArguments, service=(names, ...))
    return Tool(
        CHOOSE,
        "say which service is needed, to be told of its tools. " + "; ".join(lines),
        arguments,
        Effect.READ,
    )


def fitting(tools: Sequence[Tool], name: str, goal: str) -> tuple[Tool, ...]:
    """At most eight tools of a service, by name: those that share most words with the goal."""
    own = sorted((tool for tool in tools if service(tool) == name), key=lambda tool: tool.name)
    wanted = _stems(goal)
    by_fit = sorted(own, key=lambda tool: -len(wanted & _stems(f"{tool.name} {tool.summary}")))
    return tuple(sorted(by_fit[:MOST_SHOWN], key=lambda tool: tool.name))


def last_goal(turns: Sequence[Turn]) -> Goal | None:
    return next((turn for turn in reversed(turns) if isinstance(turn, Goal)), None)


def _listed(verbs: Sequence[str]) -> str:
    more = len(verbs) - _SHOWN_VERBS
    return ", ".join(verbs[:_SHOWN_VERBS]) + (f" and {more} more" if more > 0 else "")


def _stems(text: str) -> set[str]:
    """The words of a text without what usually bends them, for comparing."""
    return {word.casefold()[:5].rstrip("es") for word in _WORD.findall(text)}
