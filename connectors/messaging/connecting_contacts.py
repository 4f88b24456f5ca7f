"""Puts an account with address books into messaging.toml, by questions to a person at a terminal."""

import importlib
import tomllib
from pathlib import Path

from connectors.asking import Asker
from connectors.atomic import write_file
from connectors.config import load
from connectors.messaging.config import Config
from connectors.secrets.chain import Secrets


def connect_contacts(person: Asker, path: Path, secrets: Secrets, *, only_show: bool = False) -> str:
    """Find out about an account and add it to the settings at `path`; returns the lines added.

    With `only_show` nothing is written and no password kept. Raises GivenUp, OSError, and ConfigError where
    the settings that are there cannot be read.
    """
    before = load(path, Config)
    # Loaded only here: the libraries for servers take longer to load than all of Askfirst.
    wizard = importlib.import_module("connectors.people.carddav.connect")
    connected = wizard.connect(person, tuple(before.contacts))
    if only_show:
        lines: str = wizard.toml_of(connected, '# password.command = ["pass", "show", "..."]')
        return lines
    where = secrets.keep(f"contacts/{connected.name}", connected.secret)
    lines = wizard.toml_of(connected, f"# The password is {where}.")
    text = path.read_text("utf-8") if path.exists() else ""
    whole = f"{text.rstrip()}\n\n{lines}".lstrip("\n")
    # What was written by hand stays as it was; that all of it still fits together is made sure of first.
    Config.model_validate(tomllib.loads(whole))
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_file(path, whole.encode())
    return lines
