"""What each command of the command line does; every list also comes as JSON."""

import argparse
import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from assistant.events import Ending, TurnEnded
from assistant.frontend import Frontend
from assistant.headless import Headless
from assistant.history import HistoryError
from assistant.model.base import ModelError
from assistant.model.catalogue import KNOWN, find, import_model, installed
from connectors.config import ConfigError
from permissions.journal import JournalError
from tui import doctor
from tui.compose import open_home, services_for
from tui.home import Home
from tui.line import LineFront
from tui.places import Places
from tui.planner import fetch
from tui.settings import use_model
from tui.tty import Tty, present

DONE, FAILED, REFUSED = 0, 1, 3
"""Exit codes: done, not done, and nobody there to ask."""

Options = argparse.Namespace


def run(options: Options, places: Places) -> int:
    """Run the command; what stands in its way is told in one sentence."""
    try:
        return _COMMANDS[options.command](options, places)
    except (ConfigError, JournalError, HistoryError, ModelError) as error:
        sys.stderr.write(f"askfirst: {error}\n")
        return FAILED


def _app(options: Options, places: Places) -> int:
    from tui.app import AskfirstApp

    home = open_home(places, demo=options.demo, resume=options.resume)
    wish = AskfirstApp(home).run()
    if wish != "demo":
        return DONE
    from tui.cli import main

    return main(["--demo"])


def _do(options: Options, places: Places) -> int:
    goal = " ".join(options.goal)
    return _turn(options, places, lambda home, front: home.run(goal, front))


def _undo(options: Options, places: Places) -> int:
    return _turn(options, places, lambda home, front: home.undo(options.id, front))


def _activity(options: Options, places: Places) -> int:
    entries = open_home(places, demo=options.demo).activity(options.number)
    rows = [
        {
            "id": entry.id,
            "at": entry.at.isoformat(timespec="seconds"),
            "goal": entry.goal,
            "tool": entry.tool,
            "title": entry.title,
            "state": entry.state.value,
            "rule": entry.rule,
            "answer": entry.answer,
            "outcome": entry.outcome,
            "can_undo": entry.undo is not None and not entry.undone,
            "undone": entry.undone,
        }
        for entry in entries
    ]
    lines = (f"{row['id']:.8}  {row['at']:.16}  {row['state']:<8}  {row['title']}" for row in rows)
    return _list(options, rows, lines, "Nothing has been asked yet.")


def _connectors(options: Options, places: Places) -> int:
    home = open_home(places, demo=options.demo)
    states = asyncio.run(_states(home))
    lines = [f"{state.name:<10}  {state.state:<12}  {state.detail}" for state in states]
    lines += [f"! {notice.text}" for notice in home.notices()]
    return _list(options, [asdict(state) for state in states], lines, "There are no services.")


async def _states(home: Home) -> Sequence[Any]:
    await home.probe()
    return home.connectors()


def _models(options: Options, places: Places) -> int:
    match options.action:
        case "get":
            if (options.what or "starter") != "starter":
                sys.stderr.write("askfirst: only the starter can be fetched; import any other from a file.\n")
                return FAILED
            asyncio.run(fetch(places.cache, _progress))
        case "import":
            model = import_model(_path(options.what), places.cache, _bytes_progress)
            sys.stdout.write(f"{model.title} is here as “{model.key}”. Use it: askfirst models use {model.key}\n")
            return DONE
        case "use":
            spec = find(places.cache, options.what)
            use_model(places.config / "config.toml", options.what)
            sys.stdout.write(f"From now on Askfirst uses {spec.title}.\n")
            return DONE
        case _:
            pass
    here = {model.key: model for model in installed(places.cache)}
    rows = [{"key": m.key, "title": m.title, "size": m.size, "here": True, "about": m.sha256[:12]} for m in here.values()]
    rows += [
        {"key": known.key, "title": known.title, "size": known.size, "here": False, "about": known.about}
        for known in KNOWN
        if known.key not in here
    ]
    lines = (
        f"{'✓' if row['here'] else ' '} {row['key']:<14}  {row['size'] / 1e6:>6.0f} MB  {row['title']}" for row in rows
    )
    return _list(options, rows, lines, "")


def _check(options: Options, places: Places) -> int:
    faults = doctor.config_faults(places, services_for(places, demo=options.demo))
    sys.stderr.writelines(f"askfirst: {fault}\n" for fault in faults)
    if not faults:
        sys.stdout.write("All configuration files are in order.\n")
    return FAILED if faults else DONE


def _doctor(options: Options, places: Places) -> int:
    services = services_for(places, demo=options.demo)
    findings = asyncio.run(doctor.examine(places, services))
    lines = [f"{'✓' if finding.ok else '✗'} {finding.subject:<12}  {finding.text}" for finding in findings]
    _list(options, [asdict(finding) for finding in findings], lines, "")
    return DONE if all(finding.ok for finding in findings if finding.needed) else FAILED


def _turn(options: Options, places: Places, work: Callable[[Home, Frontend], Awaitable[None]]) -> int:
    """One turn on this terminal; where there is none, everything that would be asked is refused and listed."""
    home = open_home(places, demo=options.demo, resume=options.resume)
    front = LineFront(Tty()) if present() else Headless(Tty().write)

    async def turn() -> None:
        try:
            await home.prepare_model(_progress)
            await work(home, front)
        finally:
            await home.close()

    with suppress(KeyboardInterrupt):
        asyncio.run(turn())
    ended = front.ended or TurnEnded(Ending.STOPPED, "Stopped.")
    sys.stdout.write(f"{ended.summary}\n")
    if isinstance(front, Headless) and front.needs:
        sys.stderr.write("Nobody was there to answer. It would have asked:\n")
        sys.stderr.writelines(f"  {need}\n" for need in front.needs)
        return REFUSED
    return DONE if ended.ending in (Ending.DONE, Ending.NOTHING_FITS) else FAILED


def _progress(stage: str, fraction: float | None) -> None:
    if sys.stderr.isatty():
        percent = f" {100 * fraction:.0f} %" if fraction is not None else " …"
        sys.stderr.write("\r\x1b[K" if fraction == 1 else f"\r\x1b[K{stage}{percent}")


def _list(options: Options, rows: Sequence[dict[str, Any]], lines: Iterable[str], empty: str) -> int:
    if options.json:
        sys.stdout.write(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
        return DONE
    text = "\n".join(lines) or empty
    sys.stdout.write(f"{text}\n" if text else "")
    return DONE


_COMMANDS: dict[str, Callable[[Options, Places], int]] = {
    "app": _app,
    "do": _do,
    "undo": _undo,
    "activity": _activity,
    "connectors": _connectors,
    "models": _models,
    "check": _check,
    "doctor": _doctor,
}
