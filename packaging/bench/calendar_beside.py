"""vdirsyncer and khal over the server that the calendar is measured on, each started as a person does."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from calendar_query import NOW

# The same command without the start of the process: khal's own code, called once to load and once to measure.
_IN_PROCESS = """
import contextlib, io, sys, time
from khal.cli import main_khal
def once():
    with contextlib.redirect_stdout(io.StringIO()) as said:
        main_khal(sys.argv[1:], standalone_mode=False)
    return said.getvalue()
once()
began = time.perf_counter()
once()
print(time.perf_counter() - began)
"""


class Others:
    """vdirsyncer and khal with settings of their own, over the account of `url`."""

    def __init__(self, folder: Path, url: str) -> None:
        folder.mkdir()
        self._environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")}
        self._environment |= {"XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache")}
        self._syncer, self._khal = folder / "vdirsyncer", folder / "khal"
        self._syncer.write_text(
            f'[general]\nstatus_path = "{folder}/status"\n'
            '[pair ana]\na = "here"\nb = "there"\ncollections = ["home"]\n'
            f'[storage here]\ntype = "filesystem"\npath = "{folder}/calendar"\nfileext = ".ics"\n'
            f'[storage there]\ntype = "caldav"\nurl = "{url}"\nusername = "ana"\npassword = "any"\n'
        )
        self._khal.write_text(
            f"[calendars]\n[[home]]\npath = {folder}/calendar/home\n"
            "[locale]\ntimeformat = %H:%M\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\n"
            "datetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\n"
            f"[sqlite]\npath = {folder}/khal.db\n"
        )
        self._run("vdirsyncer", "-c", str(self._syncer), "discover", said="y\n" * 10)

    def sync(self) -> None:
        self._run("vdirsyncer", "-c", str(self._syncer), "sync")

    def agenda(self) -> str:
        return self._run("khal", *self._listing())

    def search(self, words: str) -> str:
        return self._run("khal", "-c", str(self._khal), "search", words)

    def agenda_without_start(self) -> float:
        """The seconds that khal takes for the agenda once it is loaded."""
        return float(self._run("python", "-c", _IN_PROCESS, *self._listing()))

    def search_without_start(self, words: str) -> float:
        return float(self._run("python", "-c", _IN_PROCESS, "-c", str(self._khal), "search", words))

    def expect(self, title: str) -> None:
        self.sync()
        assert title in self.agenda()

    def _listing(self) -> tuple[str, ...]:
        return ("-c", str(self._khal), "list", f"{NOW:%Y-%m-%d}", "7d")

    def _run(self, program: str, *arguments: str, said: str = "") -> str:
        path = shutil.which(program, path=str(Path(sys.executable).parent)) or program
        done = subprocess.run(
            [path, *arguments], input=said, capture_output=True, text=True, env=self._environment, check=False
        )
        assert done.returncode == 0, (program, done.stdout, done.stderr)
        return done.stdout
