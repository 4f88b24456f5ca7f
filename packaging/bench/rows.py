"""One measured figure beside its baseline, taken in the same run."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A figure and its baseline in the same unit; `ratio` is figure through baseline."""

    name: str
    value: str
    baseline: str
    ratio: float


def seconds(work: Callable[[], object]) -> float:
    """How long one run of the work takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def median(work: Callable[[], object], times: int) -> float:
    return statistics.median(seconds(work) for _ in range(times))


def timed(name: str, value: float, baseline: float, what: str) -> Row:
    """A row of two durations in seconds."""
    return Row(name, _duration(value), f"{_duration(baseline)} {what}", value / baseline)


def table(rows: Sequence[Row]) -> str:
    """The rows as an aligned table."""
    lines = [("", "measured", "beside", "ratio")]
    lines += [(row.name, row.value, row.baseline, f"{row.ratio:.2g}") for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)) for line in lines
    )


def _duration(value: float) -> str:
    if value >= 1:
        return f"{value:.2f} s"
    return f"{value * 1e3:.1f} ms" if value >= 1e-3 else f"{value * 1e6:.0f} µs"
