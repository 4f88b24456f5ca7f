"""`make bench`: how fast Askfirst is on this machine, every figure beside a raw baseline of the same run."""

import importlib
import sys
import traceback

from rows import Row, table

MODULES = (
    "start",
    "model",
    "runtime",
    "prompt",
    "gate",
    "calendar_query",
    "calendar_server",
    "mail",
    "files",
)


def main(names: list[str]) -> int:
    rows: list[Row] = []
    failures = 0
    for name in names or MODULES:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        try:
            rows += importlib.import_module(name).run()
        except Exception:
            traceback.print_exc()
            failures += 1
    print(table(rows))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
