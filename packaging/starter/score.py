"""Counts what was said to goals: tools, arguments, calls where none fits, and how sure it was."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from cases import Case

STEPS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was said to one case: calls as text, how sure of the least sure one, and what else it may be."""

    calls: tuple[str, ...]
    sure: float
    other: tuple[str, ...] | None
    seconds: float


@dataclass(slots=True)
class Score:
    """Counts over the cases of one set."""

    name: str
    seen: int = 0
    tool: int = 0
    spoken: int = 0
    exact: int = 0
    hits: int = 0
    near: int = 0
    ours: int = 0
    theirs: int = 0
    called: int = 0
    beyond: int = 0
    agreed: int = 0
    agreed_tool: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    sure: list[tuple[float, bool, bool]] = field(default_factory=list)

    def lines(self) -> str:
        """The figures in a few lines."""
        inside, beyond, spoken = max(1, self.seen), max(1, self.beyond), max(1, self.spoken)
        undoubted = self.agreed_tool / max(1, self.agreed)
        pairs = max(1, self.ours + self.theirs)
        pace = self.seconds / max(1, self.seen + self.beyond)
        return (
            f"{self.name}: {self.seen} in scope, right tool {self.tool / inside:.3f}; "
            f"{self.agreed} of undoubted label {undoubted:.3f}\n"
            f"    {self.spoken} with arguments: exact {self.exact / spoken:.3f}, "
            f"F1 {2 * self.hits / pairs:.3f}, as they are read {2 * self.near / pairs:.3f}\n"
            f"    {self.beyond} beyond, called {self.called / beyond:.3f}; {pace:.2f} s a goal"
        )


def canonical(tool: str, arguments: object) -> str:
    """A call as one line of text."""
    return f"{tool} {json.dumps(arguments, ensure_ascii=False)}"


def pairs(
    calls: tuple[str, ...], near: Callable[[str, str], str] = lambda _, text: text
) -> set[tuple[str, str]]:
    """The arguments of calls, in lower case; `near` makes alike what the application reads alike."""
    found: set[tuple[str, str]] = set()
    for line in calls:
        for name, value in json.loads(line.partition(" ")[2] or "{}").items():
            texts = value if isinstance(value, list) else [str(value)]
            found.add((name, "|".join(near(name, text.lower()) for text in texts)))
    return found


def as_read(name: str, text: str) -> str:
    """Dates lose the prepositions and names the articles that make no difference to what is found or made."""
    text = text.strip(" .,!?\"'“”")
    words = text.split()
    if name in ("when", "on", "due"):
        return " ".join(
            word for word in words if word not in ("at", "on", "the", "in", "for", "by", "of", "this")
        )
    return " ".join(word for word in words if word not in ("the", "a", "an", "my"))


def right(calls: tuple[str, ...], case: Case) -> bool:
    """True if calls are what a case wants as far as it says."""
    first = calls[0].partition(" ")[0] if calls else ""
    if case.wanted is None or not case.tools:
        return first in case.tools if case.tools else not calls
    wanted = () if case.wanted == "none" else tuple(case.wanted.split("\n"))
    return [pairs((c,), as_read) for c in calls] == [
        pairs((c,), as_read) for c in wanted
    ] and first in case.tools


def count(score: Score, case: Case, said: Reading) -> None:
    """Add one case to the counts."""
    first = said.calls[0].partition(" ")[0] if said.calls else "none"
    score.seconds += said.seconds
    if not case.tools:
        score.beyond += 1
        score.called += bool(said.calls)
    else:
        score.seen += 1
        score.tool += first in case.tools
        score.agreed += not case.doubted
        score.agreed_tool += not case.doubted and first in case.tools
    if case.wanted is not None and case.tools:
        wanted = () if case.wanted == "none" else tuple(case.wanted.split("\n"))
        score.spoken += 1
        score.exact += [c.lower() for c in said.calls] == [c.lower() for c in wanted]
        score.hits += len(pairs(said.calls) & pairs(wanted))
        score.near += len(pairs(said.calls, as_read) & pairs(wanted, as_read))
        score.ours += len(pairs(said.calls))
        score.theirs += len(pairs(wanted))
    good = right(said.calls, case)
    score.sure.append((said.sure, good, said.other is not None and right(said.other, case)))
    if first not in (case.tools or {"none"}):
        score.confusion["/".join(sorted(case.tools)) or "none", first] += 1
    if not good:
        other = "" if said.other is None else f"\n    or     {' ; '.join(said.other) or 'none'}"
        wished = case.wanted or " or ".join(sorted(case.tools)) or "none"
        calls = " ; ".join(said.calls) or "none"
        score.faults.append(f"{case.goal}\n    said   {calls} ({said.sure:.2f}){other}\n    wanted {wished}")


def calibration(scores: list[Score]) -> str:
    """For each threshold: the share of goals asked about, and of right ones among the others and those."""
    sure = [entry for score in scores for entry in score.sure]
    lines = ["below    asked  right unasked  right among the two readings when asked"]
    for step in STEPS:
        asked = [entry for entry in sure if entry[0] < step]
        rest = [entry for entry in sure if entry[0] >= step]
        either = sum(first or second for _, first, second in asked) / max(1, len(asked))
        unasked = sum(first for _, first, _ in rest) / max(1, len(rest))
        lines.append(
            f"{step:.1f}      {len(asked) / max(1, len(sure)):.3f}  {unasked:.3f}          {either:.3f}"
        )
    return "\n".join(lines)
