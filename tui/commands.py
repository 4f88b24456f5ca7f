"""What each command of the command line does; every list also comes as JSON."""

import argparse
import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from assistant.events import Ending, TurnEnded
from assistant.frontend import Frontend
from assistant.headless import Headless
from assistant.history import HistoryError
from assistant.model.base import ModelError
from connectors.config import ConfigError, load
from permissions.grants import StoreError
from permissions.journal import JournalError
from permissions.rule_file import rule_faults
from permissions.trials import Keeping
from tui import doctor
from tui.activity_cli import export, list_calls, recover, verify
from tui.compose import open_home, services_for, tools_of
from tui.composition.connecting import connect_service
from tui.connecting import LineAsker
from tui.home import Home
from tui.house import ConnectorState
from tui.line import LineFront
from tui.models import models
from tui.output import DONE, FAILED, REFUSED, complain, progress, show_list
from tui.permits_cli import permissions
from tui.places import Places, throw_away
from tui.settings import Settings
from tui.tty import Tty, present
from tui.waiting import WaitingOut

Options = argparse.Namespace


def run(options: Options, places: Places) -> int:
    """Run the command; what stands in its way is told in one sentence."""
    try:
        return _COMMANDS[options.command](options, places)
    except (ConfigError, JournalError, HistoryError, ModelError, StoreError) as error:
        return complain(str(error))


def _app(options: Options, places: Places) -> int:
    from tui.app import AskfirstApp
    from tui.keymap import read_keymap

    home = open_home(places, demo=options.demo, resume=options.resume)
    signs = load(places.config / "config.toml", Settings).waiting
    wish = AskfirstApp(home, signs=signs, keys=read_keymap(places.config / "keys.toml")).run()
    if wish != "demo":
        return DONE
    options.demo = True
    with throw_away(places.cache) as demo:
        return _app(options, demo)


def _do(options: Options, places: Places) -> int:
    goal = " ".join(options.goal).strip()
    if not goal:
        return complain('Say what to do, in your own words: askfirst do "what is on tomorrow"')
    return _turn(options, places, lambda home, front: home.run(goal, front))


def _undo(options: Options, places: Places) -> int:
    return _turn(options, places, lambda home, front: home.undo(options.id, front))


def _activity(options: Options, places: Places) -> int:
    home = open_home(places, demo=options.demo)
    for notice in home.notices():
        if notice.connector == "journal":
            complain(notice.text)
    if options.verify is not None:
        return verify(home.journal, options.verify, as_json=options.json)
    if options.export:
        return export(home.journal, Path(options.export))
    if options.recover:
        return recover(options, home, LineFront(Tty()) if present() else None)
    return list_calls(options, home)


def _connectors(options: Options, places: Places) -> int:
    home = open_home(places, demo=options.demo)
    asyncio.run(home.probe())
    states = home.connectors()
    lines = [_told_of(state) for state in states]
    for notice in home.notices():
        lines += [f"! {notice.text}", *(f"    {detail}" for detail in notice.details)]
    return show_list([asdict(state) for state in states], lines, as_json=options.json)


def _told_of(state: ConnectorState) -> str:
    """A service, or further in an account with how much of it is used."""
    used = f"{state.state}, {state.mode}" if state.account and state.state != state.mode else state.state
    return f"{'  ' if state.account else ''}{state.name:<10}  {used:<12}  {state.detail}"


def _permissions(options: Options, places: Places) -> int:
    return permissions(options, open_home(places, demo=options.demo))


def _connect(options: Options, places: Places) -> int:
    if not present():
        return complain("Setting up an account takes questions, and there is no terminal to ask them on.")
    try:
        lines = connect_service(options.service, LineAsker(Tty()), places, only_show=options.stdout)
    except OSError as error:
        return complain(f"The settings could not be written: {error.strerror}.")
    if lines is None:
        return complain("Nothing was set up.")
    sys.stdout.write(lines)
    return DONE


def _check(options: Options, places: Places) -> int:
    services = services_for(places, demo=options.demo)
    folder = places.config / "permissions"
    faults = [*doctor.config_faults(places, services), *rule_faults(folder, tools_of(services))]
    faults += _key_faults(places.config / "keys.toml")
    for fault in faults:
        complain(fault)
    if not faults:
        sys.stdout.write("All configuration files are in order.\n")
    return FAILED if faults else DONE


def _key_faults(path: Path) -> list[str]:
    """What is wrong with the person's own keys; only where there are some is the app loaded to know."""
    if not path.exists():
        return []
    from tui.keymap import read_keymap

    try:
        read_keymap(path)
    except ConfigError as error:
        return [str(error)]
    return []


def _doctor(options: Options, places: Places) -> int:
    services = services_for(places, demo=options.demo)
    asyncio.run(services.probe())
    findings = doctor.examine(places, services)
    lines = [line for finding in findings for line in doctor.finding_lines(finding)]
    show_list([asdict(finding) for finding in findings], lines, as_json=options.json)
    return DONE if all(finding.ok for finding in findings if finding.needed) else FAILED


def _bench(options: Options, places: Places) -> int:
    from tui.bench import bench

    return bench(options, places)


def _eval(options: Options, places: Places) -> int:
    from tui.evals.command import evaluate

    return evaluate(options, places)


def granted(options: Options) -> list[Path]:
    """The files of rules that were named for this run."""
    return [Path(name) for name in getattr(options, "grant", None) or ()]


def _turn(options: Options, places: Places, work: Callable[[Home, Frontend], Awaitable[None]]) -> int:
    """One turn on this terminal; without one, all that would be asked is refused and listed."""
    home = open_home(
        places, demo=options.demo, resume=options.resume, granted=granted(options), keeping=_keeping(options)
    )
    as_json = getattr(options, "json", False)
    write = _aside if as_json else Tty().write
    for text in home.permits.notices:
        complain(text)
    front = LineFront(Tty()) if present() else Headless(write)

    waiting = WaitingOut(home, write)
    home.watch_news(complain)

    async def turn() -> None:
        try:
            await home.prepare_model(progress)
            await work(home, front)
            write(front.ended.summary if front.ended else "Stopped.")
            await waiting.wait()
        finally:
            waiting.take_back()
            await home.close()

    with suppress(KeyboardInterrupt):
        asyncio.run(turn())
    ended = front.ended or TurnEnded(Ending.STOPPED, "Stopped.")
    if front.ended is None:
        write(ended.summary)
    if as_json:
        needs = front.needs if isinstance(front, Headless) else []
        told = {**_told(ended, waiting), "needs": needs}
        sys.stdout.write(f"{json.dumps(told, indent=2, ensure_ascii=False)}\n")
    if isinstance(front, Headless) and front.needs:
        sys.stderr.write("Nobody was there to answer. It would have asked:\n")
        sys.stderr.writelines(f"  {need}\n" for need in front.needs)
        return REFUSED
    well = ended.ending in (Ending.DONE, Ending.NOTHING_FITS) and waiting.well
    return DONE if well else FAILED


def _keeping(options: Options) -> Keeping:
    """Who says whether what would be set back by itself is kept."""
    if getattr(options, "keep", False):
        return Keeping.KEEP
    return Keeping.ASK if present() else Keeping.REFUSE


def _aside(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _told(ended: TurnEnded, waiting: WaitingOut) -> dict[str, object]:
    return {"ending": ended.ending.value, "summary": ended.summary.split("\n"), "held": waiting.rows()}


_COMMANDS: dict[str, Callable[[Options, Places], int]] = {
    "app": _app,
    "do": _do,
    "undo": _undo,
    "activity": _activity,
    "connect": _connect,
    "connectors": _connectors,
    "models": models,
    "permissions": _permissions,
    "check": _check,
    "doctor": _doctor,
    "bench": _bench,
    "eval": _eval,
}
