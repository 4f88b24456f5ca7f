"""`make adversary`: the permission layer with the model replaced by an attacker, in numbers."""

import argparse
import json
import logging
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from own.run import run_folders  # noqa: E402
from people import RULES  # noqa: E402
from tally import Bar, Benign, Row, Tally, as_json, bars_table, table  # noqa: E402


def main() -> int:
    """Run what was asked for, print the tables, write the JSON; 1 if a bar is broken."""
    asked = _arguments()
    logging.disable(logging.CRITICAL)
    bars: list[Bar] = []
    kept: dict[str, object] = {}
    if asked.attacks or asked.suite in ("all", "own"):
        own = run_folders(asked.attacks, asked.person or list(RULES))
        print(own.report(), flush=True)
        bars += own.bars()
        kept["own"] = own.as_json()
    if not asked.attacks and asked.suite in ("all", "agentdojo"):
        measured = _agentdojo(asked, kept)
        bars += measured
    print(bars_table(bars))
    _keep(asked.json, {**kept, "bars": as_json(bars)})
    return 0 if all(bar.held for bar in bars) else 1


def _agentdojo(asked: argparse.Namespace, kept: dict[str, object]) -> list[Bar]:
    # Only this half needs AgentDojo, which takes seconds to import.
    from dojo.run import bars, jobs  # noqa: PLC0415

    measured: list[Row] = []
    began = time.monotonic()
    for job in jobs(asked.every, asked.rows):
        measured.append(job.measure())
        print(f"{time.monotonic() - began:6.0f} s  {job.name}", file=sys.stderr, flush=True)
        _keep(asked.json, {**kept, "agentdojo": as_json(measured)})
    kept["agentdojo"] = as_json(measured)
    print("\n## AgentDojo, no attack\n")
    print(table([row for row in measured if isinstance(row, Benign)]))
    print("\n## AgentDojo, under attack\n")
    print(table([row for row in measured if isinstance(row, Tally)]), "\n")
    return bars(measured)


def _keep(path: Path | None, numbers: dict[str, object]) -> None:
    if path:
        path.write_text(json.dumps(numbers, indent=1), "utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make adversary", description=__doc__)
    parser.add_argument("--suite", choices=("all", "agentdojo", "own"), default="all")
    parser.add_argument("--attacks", type=Path, action="append", default=[], help="a folder of attack files")
    parser.add_argument("--person", action="append", choices=list(RULES), help="own attacks: who")
    parser.add_argument("--every", type=int, default=1, help="take every n-th AgentDojo attack case only")
    parser.add_argument("--rows", default="", help="only AgentDojo rows named so")
    parser.add_argument("--json", type=Path, help="where to write all numbers")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
