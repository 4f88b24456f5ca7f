"""One measured figure beside its baseline, taken in the same run."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A figure and its baseline in the same unit; `ratio` is figure through baseline.

    `bar` is what it should be, where that was set, and `held` whether it is.
    """

    name: str
    value: str
    baseline: str
    ratio: float
    bar: str = ""
    held: bool = True


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds by the clock, and seconds of processor time, which depend little on what else is running."""

    clock: float
    processor: float


def seconds(work: Callable[[], object]) -> float:
    """How long one run of the work takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def median(work: Callable[[], object], times: int) -> float:
    return statistics.median(seconds(work) for _ in range(times))


def timed(name: str, value: float, baseline: float, what: str) -> Row:
    """A row of two durations in seconds."""
    return Row(name, duration(value), f"{duration(baseline)} {what}", value / baseline)


def table(rows: Sequence[Row]) -> str:
    """The rows as an aligned table."""
    lines = [("", "measured", "beside", "ratio", "bar")]
    lines += [(row.name, row.value, row.baseline, f"{row.ratio:.3g}", _bar(row)) for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(5)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def _bar(row: Row) -> str:
    return row.bar and f"{row.bar} {'✓' if row.held else '✗'}"


def duration(value: float) -> str:
    if value >= 1:
        return f"{value:.2f} s"
    return f"{value * 1e3:.1f} ms" if value >= 1e-3 else f"{value * 1e6:.0f} µs"
