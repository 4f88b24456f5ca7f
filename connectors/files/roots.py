"""Which folders the files service may use when a person has named none."""

from pathlib import Path

import platformdirs

from connectors.files.config import Config
from connectors.files.places import Root, root_name_is_good

OWN_FOLDER = "Askfirst"


def roots_from(config: Config, home: Path) -> tuple[Root, ...]:
    """The folders a person named, or else the usual ones."""
    if not config.folders:
        usual = (
            platformdirs.user_documents_path(),
            platformdirs.user_downloads_path(),
            platformdirs.user_desktop_path(),
        )
        return usual_roots(home, usual)
    paths = {name: expanded(path, home) for name, path in config.folders.items()}
    return tuple(Root(name, path) for name, path in paths.items())


def usual_roots(home: Path, candidates: tuple[Path, ...]) -> tuple[Root, ...]:
    """Those candidates that exist, under their own names, or else a folder made for the purpose.

    A desktop environment that has no such folder may name the home folder itself in its place (xdg-user-dirs
    does): that would give away everything, so it does not count.
    """
    fitting = [
        path for path in candidates if path.is_dir() and not home.resolve().is_relative_to(path.resolve())
    ]
    named = {path.name: path for path in fitting if root_name_is_good(path.name)}
    if not named:
        return (Root(OWN_FOLDER, home / OWN_FOLDER, make=True),)
    return tuple(Root(name, path) for name, path in named.items())


def expanded(path: Path, home: Path) -> Path:
    """A path as a person writes it, from their home folder on where it is not from the root."""
    return home.joinpath(*path.parts[1:]) if path.parts[:1] == ("~",) else home / path
