"""How commands write: lists as lines or JSON, progress on one line, failures in one sentence."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

DONE, FAILED, REFUSED = 0, 1, 3
"""Exit codes: done, not done, and nobody there to ask."""


def show_list(rows: Sequence[dict[str, Any]], lines: Iterable[str], *, as_json: bool, empty: str = "") -> int:
    """Write the rows as JSON, or the lines, or what to say when there are none."""
    text = json.dumps(rows, indent=2, ensure_ascii=False) if as_json else "\n".join(lines) or empty
    sys.stdout.write(f"{text}\n" if text else "")
    return DONE


def progress(stage: str, fraction: float | None) -> None:
    """Show how far a piece of work is, on one line that goes away; silent where nobody looks."""
    if sys.stderr.isatty():
        percent = f" {100 * fraction:.0f} %" if fraction is not None else " …"
        sys.stderr.write("\r\x1b[K" if fraction == 1 else f"\r\x1b[K{stage}{percent}")
        sys.stderr.flush()


def complain(text: str) -> int:
    """Say in one sentence what stands in the way."""
    sys.stderr.write(f"askfirst: {text}\n")
    return FAILED
