"""`make fuzz`: bytes that reach new code, put into the readers of model output and of rules, for a while.

Usage: python packaging/fuzz TARGET SECONDS. What breaks a reader is written to the folder it is run in; put
into corpus/TARGET, it is replayed by the tests from then on.
"""

import sys
from pathlib import Path

import atheris

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

with atheris.instrument_imports(include=["assistant", "permissions", "connectors"]):
    from targets import TARGETS


def main(name: str, seconds: int) -> None:
    """Fuzz one target, beginning with its corpus; new findings of interest are kept beside git."""
    kept = HERE / "work" / name
    kept.mkdir(parents=True, exist_ok=True)
    options = [f"-max_total_time={seconds}", "-max_len=4096", "-rss_limit_mb=1024", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *options, str(kept), str(HERE / "corpus" / name)], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
