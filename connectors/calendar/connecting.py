"""Puts a new account into calendar.toml, by questions to a person at a terminal."""

import importlib
from pathlib import Path

from connectors.asking import Asker
from connectors.calendar.config import Config
from connectors.config import load
from connectors.secrets.chain import Secrets
from connectors.written import text_of, write_settings

_NEW_FILE = "# Calendars on servers, one table for each account.\n"


def connect_calendar(person: Asker, path: Path, secrets: Secrets, *, only_show: bool = False) -> str:
    """Find out about an account and add it to the settings at `path`; returns the lines added.

    With `only_show` nothing is written and no password kept. Raises GivenUp, OSError, and ConfigError where
    the settings that are there cannot be read.
    """
    before = load(path, Config)
    # Loaded only here: the libraries for servers take longer to load than all of Askfirst.
    wizard = importlib.import_module("connectors.calendar.caldav.connect")
    connected = wizard.connect(person, tuple(before.accounts))
    if only_show:
        lines: str = wizard.toml_of(connected, '# password.command = ["pass", "show", "..."]')
        return lines
    person.begin_writing()
    where = secrets.keep(f"calendar/{connected.name}", connected.secret)
    lines = wizard.toml_of(connected, f"# The password is {where}.")
    write_settings(path, f"{text_of(path, _NEW_FILE).rstrip()}\n\n{lines}", Config)
    return lines
