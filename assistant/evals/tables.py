"""Reports as plain tables."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from assistant.evals.corpora.score import Answered, Score, by_group, confusion
from assistant.evals.summary import Summary
from assistant.evals.trial import Trial

_SCENARIO_HEAD = ("", "scenarios", "pass@1", "pass^{runs}", "strays", "calls", "s", "tokens")
_GOAL_HEAD = (
    "model",
    "in scope",
    "right",
    "asked+",
    "agreed",
    "right",
    "exact",
    "F1",
    "beyond",
    "called",
    "unasked",
    "asks",
    "garbled",
    "s/goal",
    "tokens",
)


def scenario_table(model: str, found: Sequence[Summary]) -> list[str]:
    """One model's figures, a line for each kind and half."""
    runs = found[-1].runs if found else 1
    rows = [
        (
            one.name,
            str(one.scenarios),
            _share(one.pass1),
            _share(one.pass_all),
            str(one.strays),
            f"{one.calls:.1f}",
            f"{one.seconds:.2f}",
            f"{one.tokens:.0f}",
        )
        for one in found
    ]
    return [f"{model}: scenarios", *table([tuple(h.format(runs=runs) for h in _SCENARIO_HEAD), *rows])]


def fault_lines(trials: Iterable[Trial]) -> list[str]:
    """Why each run that failed did not pass."""
    lines: list[str] = []
    for trial in trials:
        if not trial.passed:
            lines += [f"✗ {trial.name}", *(f"    {fault}" for fault in trial.faults)]
    return lines


def goal_table(collection: str, scores: Mapping[str, Score]) -> list[str]:
    """All models on one collection, a line for each."""
    rows = [
        (
            name,
            str(one.inside),
            _share(one.right),
            _share(one.offered),
            str(one.agreed),
            _share(one.right_agreed),
            _share(one.exact),
            _share(one.f1),
            str(one.beyond),
            _share(one.called),
            _share(one.called_unasked),
            _share(one.asked),
            _share(one.unreadable),
            _number(one.seconds, 2),
            _number(one.tokens, 0),
        )
        for name, one in scores.items()
    ]
    return [f"{collection}: first calls", *table([_GOAL_HEAD, *rows])]


def confusion_table(model: str, answers: Sequence[Answered]) -> list[str]:
    """What each group of a collection led to, the most frequent first, and the share of it that is right."""
    counts, scores = confusion(answers), by_group(answers)
    lines = [f"{model}: what was called"]
    for group, found in scores.items():
        said = Counter({tool: n for (of, tool), n in counts.items() if of == group})
        right = found.right if found.inside else 1 - (found.called or 0)
        called = ", ".join(f"{tool} {n}" for tool, n in said.most_common())
        lines.append(f"  {group:<18} {_share(right)}  {called}")
    return lines


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as columns of one width, the first to the left and the others to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
