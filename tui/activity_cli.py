"""`askfirst activity`: the list, the check that nothing was altered, the export, and what was cut off."""

import argparse
import asyncio
import json
import re
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from assistant.frontend import Frontend
from connectors.base import Option, Question
from permissions.audit import PermissionChange
from permissions.chain import Anchor
from permissions.entry import Entry, State
from permissions.journal import Journal
from tui.home import Home, unclear_words
from tui.output import DONE, FAILED, complain, show_list
from tui.waiting import WaitingOut

_ANCHOR = re.compile(r"(\d+):([0-9a-f]{64})")
_SHOWN = 20


def list_calls(options: argparse.Namespace, home: Home) -> int:
    """The latest calls, and changes of what is permitted, newest first."""
    calls = [_row(entry) for entry in home.activity(options.number)]
    changes = [_change(change) for change in home.permits.history(options.number)]
    rows = sorted([*calls, *changes], key=lambda row: _moment(row["at"]), reverse=True)[: options.number]
    lines = (f"{row['id']:.8}  {row['at']:.16}  {row['state']:<9}  {row['title']}" for row in rows)
    return show_list(rows, lines, as_json=options.json, empty="Nothing has been asked yet.")


def verify(journal: Journal, against: str, *, as_json: bool) -> int:
    """Say whether the journal is as it was written, and where its log stands."""
    given = _ANCHOR.fullmatch(against) if against != "" else None
    if against and given is None:
        return complain(
            "What to hold the journal against is written as COUNT:HASH, as this command shows it."
        )
    anchor = Anchor(int(given[1]), given[2]) if given else None
    faults, head = journal.verify(anchor), journal.anchor()
    if as_json:
        report = {"whole": not faults, "faults": list(faults), "head": f"{head.count}:{head.head}"}
        sys.stdout.write(json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    elif faults:
        shown = [f"✗ {fault}" for fault in faults[:_SHOWN]]
        more = [f"  and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        sys.stdout.write("\n".join(["The journal is not as it was written:", *shown, *more, ""]))
    else:
        sys.stdout.write(f"The journal is whole. It stands at {head.count}:{head.head}\n")
    return FAILED if faults else DONE


def export(journal: Journal, path: Path) -> int:
    """Write the whole log into a new file, one JSON object a line, the last of them where it stands."""
    lines = [json.dumps(row, ensure_ascii=True) for row in journal.exported()]
    try:
        with path.open("x", encoding="ascii") as file:
            path.chmod(0o600)
            file.write("\n".join(lines) + "\n")
    except FileExistsError:
        return complain(f"{path} is there already; nothing was written.")
    except OSError as error:
        return complain(f"{path} cannot be written: {error.strerror}.")
    sys.stdout.write(f"{len(lines) - 1} rows written to {path}\n")
    return DONE


def recover(options: argparse.Namespace, home: Home, front: Frontend | None) -> int:
    """Go through what was held or cut off, one by one; with no `front`, or as JSON, only list it."""
    entries = tuple(home.unclear())
    if front is None or options.json:
        rows = [{**_row(entry), "known": unclear_words(entry)} for entry in entries]
        lines = [f"{entry.id:.8}  {entry.at:%Y-%m-%d %H:%M}  {unclear_words(entry)}" for entry in entries]
        return show_list(rows, lines, as_json=options.json, empty="Nothing was cut off.")

    async def each() -> None:
        waiting = WaitingOut(home, lambda text: sys.stdout.write(f"{text}\n"))
        try:
            for entry in entries:
                await _decide(entry, home, front)
            await waiting.wait()
        finally:
            await home.close()

    if not entries:
        sys.stdout.write("Nothing was cut off.\n")
    with suppress(KeyboardInterrupt):
        asyncio.run(each())
    return DONE


async def _decide(entry: Entry, home: Home, front: Frontend) -> None:
    go_on = Option("ask me to send it", {"do": "send"})
    if entry.state is State.UNKNOWN:
        go_on = Option("look again whether it was done", {"do": "look"})
    options = (go_on, Option("let it go", {"do": "drop"}), Option("decide another time", {}))
    wish = (await front.choose(Question(unclear_words(entry), options))).arguments or {}
    match wish.get("do"):
        case "look":
            sys.stdout.write(f"  {await home.look_again(entry)}\n")
        case "send":
            await home.ask_again(entry, front)
        case "drop":
            home.let_go(entry)


def _row(entry: Entry) -> dict[str, object]:
    return {
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


def _change(change: PermissionChange) -> dict[str, object]:
    return {
        "id": f"row-{change.number}",
        "at": change.at.isoformat(timespec="seconds") if change.at else "",
        "title": f"You {change.words}",
        "state": change.kind.value,
        "about": change.about,
        "details": list(change.details),
    }


def _moment(at: object) -> datetime:
    return datetime.fromisoformat(str(at))
