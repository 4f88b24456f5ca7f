"""Make the environment the attacks run in: AgentDojo and Askfirst's libraries, pinned, apart from all else.

Usage: python3 packaging/adversary/environment.py VENV

The model's library is left out: no model is needed to play an attacker.
"""

import hashlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PINS = HERE / "requirements.txt"
CONSTRAINTS = ROOT / "constraints.txt"
LEFT_OUT = "llama-cpp-python"


def main(venv: Path) -> int:
    """Make or renew the environment if its pins have changed; 1 with the reason if that fails."""
    stamp = venv / "askfirst-stamp"
    libraries = own_libraries()
    wanted = hashlib.sha256("\0".join([*pins(), *libraries, sys.version]).encode()).hexdigest()
    if stamp.is_file() and stamp.read_text() == wanted:
        return 0
    print("Installing AgentDojo and what it needs (about 300 MB) …", file=sys.stderr, flush=True)
    pip = (str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet")
    try:
        subprocess.run((sys.executable, "-m", "venv", str(venv)), check=True)
        subprocess.run((*pip, "--no-deps", "--requirement", str(PINS)), check=True)
        held = venv / "constraints.txt"
        held.write_text("\n".join(pins()))
        subprocess.run((*pip, "--constraint", str(held), *libraries), check=True)
    except subprocess.CalledProcessError as error:
        print(f"\nThis step failed: {' '.join(map(str, error.cmd))}", file=sys.stderr)
        return 1
    stamp.write_text(wanted)
    return 0


def own_libraries() -> list[str]:
    """What Askfirst itself needs, but for the model's library."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return [each for each in project["dependencies"] if not each.startswith(LEFT_OUT)]


def pins() -> list[str]:
    """Every pinned version; AgentDojo's own where both files have one."""
    lines = {
        _name(line): line.strip()
        for path in (CONSTRAINTS, PINS)
        for line in path.read_text("utf-8").splitlines()
        if "==" in line and not line.startswith("#")
    }
    return sorted(lines.values())


def _name(line: str) -> str:
    return re.sub(r"[-_.]+", "-", line.partition("==")[0].strip().lower())


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
