"""What works on this machine and what is missing, with what to do about it."""

import importlib.util
import os
import platform
import shlex
import shutil
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.model.base import ModelError
from assistant.model.capacity.footprint import need_memory
from assistant.model.capacity.machine import available_memory
from assistant.model.shelf.catalogue import find
from connectors.config import ConfigError, load
from tui.house import ConnectorState
from tui.model_sources import tuning_of
from tui.places import Places
from tui.services import Running, Services
from tui.settings import Settings, zone_of
from tui.states import states_of

_EDIT = "mend that line, or take it out; nothing is written over"
_ROOM = 20e6
"""Below so many bytes a database cannot be relied on to grow."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at, and what would mend it; `needed` says that Askfirst does not work without it."""

    subject: str
    ok: bool
    text: str
    needed: bool = True
    mend: str = ""


def finding_lines(finding: Finding) -> Iterator[str]:
    """A finding as lines, what to do about it below."""
    yield f"{'✓' if finding.ok else '✗'} {finding.subject:<12}  {finding.text}"
    if finding.mend:
        yield f"  {'':<12}  → {finding.mend}"


def examine(places: Places, services: Services) -> tuple[Finding, ...]:
    """Look at everything Askfirst stands on; nothing is changed."""
    return (
        Finding("python", True, f"{platform.python_version()} in {sys.prefix}"),
        _llama(),
        _model(places),
        _search(),
        *_folders(places),
        *_settings(places),
        *(_service(each) for each in services.running if each.built),
        *(_account(each) for each in states_of(services) if each.account),
        *(Finding(each.connector, False, each.text, needed=False) for each in services.notices()),
        _terminal(),
    )


def config_faults(places: Places, services: Services) -> Sequence[str]:
    """What is wrong in the configuration files, one sentence each."""
    return [finding.text for finding in _settings(places) if not finding.ok] + [
        notice.text for notice in services.left_out
    ]


def _llama() -> Finding:
    there = importlib.util.find_spec("llama_cpp") is not None
    if there:
        return Finding("llama.cpp", True, "installed")
    return Finding("llama.cpp", False, "missing, so no model can run", mend="pip install llama-cpp-python")


def _model(places: Places) -> Finding:
    try:
        settings = load(places.config / "config.toml", Settings)
        spec = find(places.cache, settings.model, tuning=tuning_of(settings, settings.model))
        need_memory(spec, available_memory())
    except ModelError as error:
        return Finding("model", False, str(error))
    except ConfigError as error:
        return Finding("model", False, f"not known, since {error}", mend=_EDIT)
    return Finding("model", True, f"{spec.title}, {spec.path.stat().st_size / 1e6:.0f} MB")


def _search() -> Finding:
    with sqlite3.connect(":memory:") as connection:
        options = {row[0] for row in connection.execute("PRAGMA compile_options")}
    there = "ENABLE_FTS5" in options
    text = f"SQLite {sqlite3.sqlite_version}" + ("" if there else " lacks FTS5: files are searched slowly")
    return Finding("search", there, text, needed=False)


def _folders(places: Places) -> Iterator[Finding]:
    for subject, folder in (("state", places.state), ("data", places.data), ("cache", places.cache)):
        yield _folder(subject, folder)


def _folder(subject: str, folder: Path) -> Finding:
    name = shlex.quote(str(folder))
    if not folder.is_dir():
        return Finding(subject, False, f"{folder} does not exist", mend=f"mkdir -p {name}")
    if not os.access(folder, os.W_OK | os.X_OK):
        mend = f"chown or chmod it so that you may write there: chmod u+rwx {name}"
        return Finding(subject, False, f"{folder} cannot be written to", mend=mend)
    free = shutil.disk_usage(folder).free
    if free < _ROOM:
        text = f"{folder} has only {free / 1e6:.0f} MB left"
        return Finding(subject, False, text, mend="make room on that disk: nothing can be kept without")
    if folder.stat().st_mode & 0o077:
        return Finding(subject, True, f"{folder}; others may look into it", mend=f"chmod 700 {name}")
    return Finding(subject, True, str(folder))


def _settings(places: Places) -> Iterator[Finding]:
    try:
        settings = load(places.config / "config.toml", Settings)
        yield Finding("time zone", True, zone_of(settings).key)
    except ConfigError as error:
        yield Finding("config", False, str(error), mend=_EDIT)


def _service(service: Running) -> Finding:
    count = len([tool for tool in service.live.tools if tool.offered])
    if count:
        return Finding(service.name, True, f"{count} tools", needed=False)
    why = f"why is told by: askfirst connectors; set it up with: askfirst connect {service.name}"
    return Finding(service.name, False, "offers nothing here", needed=False, mend=why)


def _account(state: ConnectorState) -> Finding:
    return Finding(state.name, state.state != "unavailable", f"{state.mode}; {state.detail}", needed=False)


def _terminal() -> Finding:
    if not sys.stdout.isatty():
        text = "none here: goals that need a yes are refused"
        mend = "run it on a terminal, or bring rules for what it may do: askfirst do --grant FILE"
        return Finding("terminal", False, text, needed=False, mend=mend)
    columns, lines = os.get_terminal_size()
    roomy = columns >= 60 and lines >= 16
    mend = "" if roomy else "make the window at least 60x16: no yes counts before all of a prompt is shown"
    return Finding("terminal", roomy, f"{columns}x{lines}", needed=False, mend=mend)
