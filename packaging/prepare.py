"""Make the virtual environment that Askfirst runs or is tested in, with pinned versions and visible progress.

Usage: python3 packaging/prepare.py VENV [GROUP ...]

Groups are the dependency groups of pyproject.toml. llama-cpp-python has no prebuilt wheel on PyPI: it is
compiled once (about 5 minutes on 2 cores) and its wheel kept in $ASKFIRST_WHEELS, by default
~/.cache/askfirst-build. To use a wheel of your own instead, set ASKFIRST_LLAMA_WHEEL to its path or address.
"""

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LLAMA = "llama-cpp-python"
WITHOUT_AMX = "-mno-amx-tile -mno-amx-int8 -mno-amx-bf16"
OLDEST, NEWEST = (3, 11), (3, 13)


class Missing(Exception):
    """Something has to be installed first; the text says what and how."""


def main(arguments: list[str]) -> int:
    venv, wanted = Path(arguments[0]), set(arguments[1:])
    stamp = venv / "askfirst-stamp"
    made_from, *present = stamp.read_text().split() if stamp.is_file() else [""]
    if made_from == fingerprint() and wanted <= set(present):
        return 0
    groups = sorted(wanted | set(present))
    try:
        check_python()
        make_venv(venv)
        install_llama(venv)
        say("Installing Askfirst and its libraries …")
        wanted_groups = (f"--group={ROOT}/pyproject.toml:{group}" for group in groups)
        pip(venv, "install", "--quiet", "--editable", str(ROOT), *wanted_groups)
    except Missing as missing:
        print(f"\n{missing}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        print(f"\nThis step failed: {' '.join(map(str, error.cmd[3:6]))} … (see above)", file=sys.stderr)
        return 1
    stamp.write_text(" ".join([fingerprint(), *groups]))
    return 0


def fingerprint() -> str:
    """What the environment was made from; another value means it has to be made anew."""
    parts = [(ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    parts += [sys.version.encode(), os.environ.get("ASKFIRST_LLAMA_WHEEL", "").encode()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def check_python() -> None:
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        raise Missing(
            f"Askfirst needs Python {OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]}; this is "
            f"{platform.python_version()}. Name another one with: make run PYTHON=python3.12"
        )


def make_venv(venv: Path) -> None:
    say(f"Making the environment {venv.name} …")
    command = [sys.executable, "-m", "venv", str(venv)]
    made = subprocess.run(command, check=False, capture_output=True, text=True)
    if made.returncode:
        hint = "On Debian or Ubuntu: sudo apt-get install python3-venv"
        raise Missing(f"Python's venv is missing. {hint}\n{made.stdout}")
    pip(venv, "install", "--quiet", "--upgrade", "pip")


def install_llama(venv: Path) -> None:
    """Install llama-cpp-python from a given wheel, the kept wheel, or by compiling it."""
    given = os.environ.get("ASKFIRST_LLAMA_WHEEL")
    wheel = given or kept_wheel() or compiled_wheel(venv)
    pip(venv, "install", "--quiet", str(wheel))


def wheel_folder() -> Path:
    """Where compiled wheels are kept: by version and processor, since the code is compiled for this one."""
    base = Path(os.environ.get("ASKFIRST_WHEELS") or Path.home() / ".cache" / "askfirst-build")
    return (
        base
        / f"{LLAMA}-{pinned(LLAMA)}-{platform.machine()}-{processor()}{compiler_flags().replace(' ', '')}"
    )


def kept_wheel() -> Path | None:
    return next(iter(sorted(wheel_folder().glob("*.whl"))), None)


def compiled_wheel(venv: Path) -> Path:
    for tool, package in (("cc", "build-essential"), ("c++", "build-essential"), ("cmake", "cmake")):
        if not shutil.which(tool):
            raise Missing(
                f"'{tool}' is missing; it is needed once, to compile {LLAMA}.\n"
                f"On Debian or Ubuntu: sudo apt-get install {package}\n"
                "Or give a prebuilt wheel: make run LLAMA_WHEEL=/path/to/wheel"
            )
    say(f"Compiling {LLAMA} {pinned(LLAMA)}: about 5 minutes on 2 cores, only this once.")
    folder = wheel_folder()
    command = [*pip_command(venv), "wheel", "--verbose", "--no-deps", "--no-cache-dir"]
    command += ["--wheel-dir", str(folder), "--constraint", str(ROOT / "constraints.txt"), LLAMA]
    flags = compiler_flags()
    run_with_progress(command, {"CFLAGS": flags, "CXXFLAGS": flags} if flags else {})
    wheel = kept_wheel()
    if wheel is None:
        raise Missing(f"Compiling {LLAMA} left no wheel in {folder}.")
    return wheel


def compiler_flags() -> str:
    """Flags that leave out what this compiler gets wrong.

    GCC 12 miscompiles the loading of AMX tiles, so that llama.cpp dies at its first prompt; a compiler that
    does not know the flags does not make such code either.
    """
    if not shutil.which("cc"):
        return ""
    test = ["cc", *WITHOUT_AMX.split(), "-E", "-x", "c", os.devnull]
    known = subprocess.run(test, check=False, capture_output=True).returncode == 0
    return WITHOUT_AMX if known else ""


def run_with_progress(command: list[str], settings: dict[str, str]) -> None:
    """Run a build with one line of progress, taken from ninja's [n/m]; on failure show the end of its log."""
    began, tail, done = time.monotonic(), list[str](), "starting"
    environment = {**os.environ, **settings}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        for line in process.stdout or ():
            tail = [*tail[-40:], line]
            if found := re.search(r"\[(\d+)/(\d+)\]", line):
                done = f"{100 * int(found[1]) // int(found[2]):3d} %"
            show_progress(done, time.monotonic() - began)
    print()
    if process.returncode:
        print("".join(tail), file=sys.stderr)
        raise subprocess.CalledProcessError(process.returncode, command)


def show_progress(done: str, seconds: float) -> None:
    if sys.stdout.isatty():
        print(f"\r  {done}  {int(seconds) // 60}:{int(seconds) % 60:02d}\x1b[K", end="", flush=True)


def processor() -> str:
    """A short name for this processor's abilities."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or "unknown"
    flags = next((line for line in text.splitlines() if line.startswith(("flags", "Features"))), "")
    return hashlib.sha256(flags.encode()).hexdigest()[:12]


def pinned(package: str) -> str:
    text = (ROOT / "constraints.txt").read_text()
    found = re.search(rf"^{re.escape(package)}==(\S+)$", text, re.MULTILINE | re.IGNORECASE)
    if not found:
        raise Missing(f"constraints.txt names no version of {package}.")
    return found[1]


def pip(venv: Path, *arguments: str) -> None:
    constraint = ["--constraint", str(ROOT / "constraints.txt")]
    subprocess.run([*pip_command(venv), *arguments, *constraint], check=True)


def pip_command(venv: Path) -> list[str]:
    return [str(venv / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
