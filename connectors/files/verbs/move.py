"""Moving a file or folder into another folder, or giving it another name."""

import stat

from connectors.base import Call, Context, Effect, Field, Needs, Outcome, Prepared, Preview, Role
from connectors.files.desk import (
    Desk,
    ask,
    check_new_names,
    conflict,
    finished,
    folders_field,
    link_warnings,
    real_path_note,
    target,
)
from connectors.files.disk.crawl import ANY
from connectors.files.disk.jail import make_folders, missing_folders
from connectors.files.disk.versions import digest, identity
from connectors.files.errors import Refused
from connectors.files.finding.destination import destination
from connectors.files.moving import move
from connectors.files.places import Place
from connectors.files.tools import Move


def prepare(desk: Desk, call: Call, said: Move, context: Context) -> Prepared:
    if not said.file:
        raise ask("Which file should be moved?", "file")
    source = desk.finder.one(said.file, ANY, "file", context.zone)
    if not said.to:
        raise ask(f"Where should “{source.label}” go, or what should it be called?", "to")
    status = desk.jail.status(source)
    goal = destination(desk, source, said.to, context.zone)
    folders = missing_folders(desk.jail, goal.parent)
    _check(desk, source, goal, folders, is_folder=stat.S_ISDIR(status.st_mode))
    renames = source.parent == goal.parent
    title = (
        f"Rename {source.shown} to {goal.label}" if renames else f"Move {source.shown} to {goal.parent.shown}"
    )
    fields = (
        Field("From", source.shown, "file"),
        Field("To", goal.shown, "to"),
        *folders_field(folders),
        *(() if folders else real_path_note(desk, goal.parent)),
    )
    aim = goal.parent if goal.name == source.name else goal
    deed = "renames" if renames else "moves"
    what = "a folder" if stat.S_ISDIR(status.st_mode) else "a file"
    return Prepared(
        call,
        frozenset({Effect.WRITE}),
        (target("file", source), target("to", aim, Role.DESTINATION)),
        {"file": source.handle, "to": goal.handle, "seen": identity(status)},
        Preview(title, f"{deed} {what}", fields, warnings=link_warnings(source, status)),
        _basis(desk, source, goal),
        "it can be moved back",
    )


def perform(desk: Desk, prepared: Prepared) -> Outcome:
    source = desk.places.at(str(prepared.payload["file"]))
    goal = desk.places.at(str(prepared.payload["to"]))
    if _basis(desk, source, goal) != prepared.basis:
        raise conflict(source)
    made = make_folders(desk.jail, goal.parent)
    after = move(desk, source, goal, str(prepared.payload["seen"]))
    facts = {
        "from": source.handle,
        "to": goal.handle,
        "seen": after,
        "made": [folder.handle for folder in made],
    }
    renames = source.parent == goal.parent
    text = f"Renamed {source.shown} to {goal.label}." if renames else f"Moved {source.shown} to {goal.shown}."
    return finished(desk, prepared.call, text, "moved", facts)


def _check(desk: Desk, source: Place, goal: Place, folders: tuple[Place, ...], *, is_folder: bool) -> None:
    if not source.relative:
        raise Refused(
            Needs.INVALID, f"“{source.shown}” is one of the folders themselves, so it stays where it is."
        )
    if goal == source:
        raise Refused(Needs.INVALID, f"“{source.shown}” is there already, under that name.")
    if is_folder and goal.is_within(source):
        raise Refused(Needs.INVALID, f"“{source.shown}” cannot be moved into itself.")
    if desk.jail.find(goal) is not None:
        raise Refused(
            Needs.CONFLICT, f"There is already a “{goal.shown}”, and nothing is ever replaced by a move."
        )
    check_new_names(desk, *folders, *(() if goal.name == source.name else (goal,)))


def _basis(desk: Desk, source: Place, goal: Place) -> str:
    folders = missing_folders(desk.jail, goal.parent)
    there = "taken" if desk.jail.find(goal) is not None else "free"
    names = (folder.handle for folder in folders)
    return digest(source.handle, identity(desk.jail.status(source)), goal.handle, there, *names)
