"""What a model's first answers are worth, counted over the cases of a collection."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from assistant.evals.corpora.case import Case
from assistant.evals.corpora.label import Label, Value
from assistant.evals.corpora.reading import plain

NONE = "none"
UNREADABLE = "unreadable"

Said = tuple[str, Mapping[str, JsonValue | Value]]


@dataclass(frozen=True, slots=True)
class Answered:
    """What a model said first to one goal: its calls, the calls of another reading, and what it cost.

    `asked` says that the person would be asked something before anything is planned; `garbled` that the
    answer could not be read.
    """

    case: Case
    calls: tuple[Said, ...]
    others: tuple[Said, ...] = ()
    asked: bool = False
    garbled: bool = False
    seconds: float = 0.0
    tokens: int = 0

    @property
    def tool(self) -> str:
        """The tool of the first call, or why there is none."""
        return self.calls[0][0] if self.calls else UNREADABLE if self.garbled else NONE

    @property
    def right(self) -> bool:
        """True if the first call is of a tool that fits, or there is none where none fits."""
        return self.tool in self.case.tools if self.case.tools else not self.calls

    @property
    def offered(self) -> bool:
        """True if the right tool is called, or is one of the readings that the person is asked about."""
        return self.right or (self.asked and bool(self.others) and self.others[0][0] in self.case.tools)


@dataclass(frozen=True, slots=True)
class Score:
    """Shares from 0 to 1, None where there is nothing to count.

    `inside` and `beyond` are numbers of cases. `exact` and `f1` are of the arguments of cases whose label is
    agreed and whose arguments are known; `called` is the share of calls where none fits, `called_unasked`
    those that the person would not be asked about before.
    """

    inside: int
    beyond: int
    right: float | None
    offered: float | None
    agreed: int
    right_agreed: float | None
    exact: float | None
    f1: float | None
    called: float | None
    called_unasked: float | None
    asked: float | None
    unreadable: float | None
    seconds: float | None
    tokens: float | None


def score(answers: Sequence[Answered]) -> Score:
    """Count the answers to a collection."""
    inside = [answer for answer in answers if answer.case.tools]
    beyond = [answer for answer in answers if not answer.case.tools]
    agreed = [answer for answer in inside if answer.case.agreed]
    known = [answer for answer in agreed if answer.case.labels]
    return Score(
        inside=len(inside),
        beyond=len(beyond),
        right=_mean(answer.right for answer in inside),
        offered=_mean(answer.offered for answer in inside),
        agreed=len(agreed),
        right_agreed=_mean(answer.right for answer in agreed),
        exact=_mean(_is_exact(answer) for answer in known),
        f1=_f1(known),
        called=_mean(bool(answer.calls) for answer in beyond),
        called_unasked=_mean(bool(answer.calls) and not answer.asked for answer in beyond),
        asked=_mean(answer.asked for answer in answers),
        unreadable=_mean(answer.garbled for answer in answers),
        seconds=_mean(answer.seconds for answer in answers),
        tokens=_mean(answer.tokens for answer in answers),
    )


def confusion(answers: Iterable[Answered]) -> Counter[tuple[str, str]]:
    """How often each group of the collection led to each tool."""
    return Counter((answer.case.group, answer.tool) for answer in answers)


def by_group(answers: Sequence[Answered]) -> dict[str, Score]:
    """The score of each group by itself."""
    groups = sorted({answer.case.group for answer in answers})
    return {group: score([a for a in answers if a.case.group == group]) for group in groups}


def pairs(calls: Iterable[Said]) -> Counter[tuple[str, str]]:
    """Every argument of the calls with one value, as they are compared."""
    return Counter(
        (name, plain(one if isinstance(one, str) else json.dumps(one)))
        for _, arguments in calls
        for name, value in arguments.items()
        for one in (value if isinstance(value, list | tuple) else [value])
        if value not in (None, "", False)
    )


def _said(labels: Iterable[Label]) -> tuple[Said, ...]:
    return tuple((label.tool, dict[str, JsonValue | Value](label.arguments)) for label in labels)


def _is_exact(answer: Answered) -> bool:
    wanted = _said(answer.case.labels or ())
    same_tools = [tool for tool, _ in answer.calls] == [tool for tool, _ in wanted]
    return same_tools and all(
        pairs([mine]) == pairs([theirs]) for mine, theirs in zip(answer.calls, wanted, strict=True)
    )


def _f1(answers: Iterable[Answered]) -> float | None:
    """Twice the shared pairs over all pairs, counted over all answers together."""
    hits = ours = theirs = 0
    for answer in answers:
        mine, wanted = pairs(answer.calls), pairs(_said(answer.case.labels or ()))
        hits += (mine & wanted).total()
        ours += mine.total()
        theirs += wanted.total()
    return 2 * hits / (ours + theirs) if ours + theirs else None


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return sum(found) / len(found) if found else None
