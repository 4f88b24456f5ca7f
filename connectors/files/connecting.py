"""Chooses the folders that may be used, by questions to a person, and puts them into files.toml."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import platformdirs

from connectors.asking import Asker, GivenUp, may_change, need
from connectors.clean import clean_line
from connectors.config import load, toml_string
from connectors.files.config import Config
from connectors.files.places import root_name_is_good
from connectors.files.roots import expanded
from connectors.written import text_of, with_lines, with_values, write_settings

_SHOWN = 100
_NOT_IN_A_NAME = re.compile(r"[^\w -]+")
_NEW_FILE = "# The folders that Askfirst may use, by the names you call them.\n"


def connect_files(person: Asker, path: Path, home: Path, *, only_show: bool = False) -> str:
    """Ask for folders and add them to the settings at `path`; returns the lines added.

    With `only_show` nothing is written. Raises GivenUp, OSError, and ConfigError where the settings that are
    there cannot be read, or name their folders in a way that lines cannot be added to.
    """
    before = load(path, Config)
    there = {name: expanded(folder, home) for name, folder in before.folders.items()}
    for name, folder in there.items():
        person.say(f"{name} is used already: {clean_line(str(folder), _SHOWN)}")
    chosen = _chosen(person, _offered(there.values(), home), home)
    if not chosen:
        person.say("No folder was chosen.")
        raise GivenUp
    lines = [
        f"{toml_string(name)} = {toml_string(_short(folder, home))}"
        for name, folder in _named(chosen, there).items()
    ]
    mode = may_change(person, "what is in them")
    if not only_show:
        person.begin_writing()
        text = with_values(text_of(path, _NEW_FILE), {"mode": f'"{mode.value}"  # off, read-only or full'})
        write_settings(path, with_lines(text, "folders", lines), Config)
    return f'mode = "{mode.value}"\n\n[folders]\n' + "".join(f"{line}\n" for line in lines)


def _offered(used: Iterable[Path], home: Path) -> list[Path]:
    """The usual folders of a person that exist and are not used yet."""
    usual = (
        platformdirs.user_documents_path(),
        platformdirs.user_downloads_path(),
        platformdirs.user_desktop_path(),
        platformdirs.user_pictures_path(),
        platformdirs.user_music_path(),
        platformdirs.user_videos_path(),
    )
    taken = {folder.resolve() for folder in used} | {home.resolve()}
    fresh = [folder for folder in usual if folder.is_dir() and folder.resolve() not in taken]
    return list(dict.fromkeys(fresh))


def _chosen(person: Asker, offered: Sequence[Path], home: Path) -> list[Path]:
    chosen: list[Path] = []
    if offered:
        shown = [clean_line(_short(folder, home), _SHOWN) for folder in offered]
        picked = person.pick("Which of these may be used? Numbers, or nothing for none:", shown)
        if picked is None:
            raise GivenUp
        chosen = [offered[place] for place in picked]
    while said := need(person.ask("The path of another folder, or nothing:")):
        folder = expanded(Path(said), home)
        if why := _unfit(folder, home):
            person.say(why)
        else:
            chosen.append(folder)
    return list(dict.fromkeys(chosen))


def _unfit(folder: Path, home: Path) -> str:
    """Why a folder is not taken, or nothing."""
    shown = clean_line(str(folder), _SHOWN)
    if not folder.is_dir():
        return f"There is no folder {shown}."
    if home.resolve().is_relative_to(folder.resolve()):
        return f"{shown} holds everything that is yours; name a folder in it."
    return ""


def _named(chosen: Iterable[Path], there: Mapping[str, Path]) -> dict[str, Path]:
    """The folders by names of their own, which no other has."""
    taken = {name.casefold() for name in there}
    named: dict[str, Path] = {}
    for folder in chosen:
        base = " ".join(_NOT_IN_A_NAME.sub(" ", folder.name).split())
        base = base if root_name_is_good(base) else "Folder"
        name, number = base, 2
        while name.casefold() in taken:
            name, number = f"{base} {number}", number + 1
        taken.add(name.casefold())
        named[name] = folder
    return named


def _short(folder: Path, home: Path) -> str:
    """The path, from the home folder where it is in there."""
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else str(folder)
