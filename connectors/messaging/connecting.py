"""Puts a mail account into messaging.toml, by questions to a person at a terminal."""

import importlib
from pathlib import Path

from connectors.asking import Asker, GivenUp
from connectors.config import load
from connectors.messaging.config import Config
from connectors.secrets.chain import Secrets
from connectors.written import text_of, write_settings


def connect_mail(person: Asker, path: Path, secrets: Secrets, *, only_show: bool = False) -> str:
    """Find out about an account and add it to the settings at `path`; returns the lines added.

    With `only_show` nothing is written and no password kept. Raises GivenUp, OSError, and ConfigError where
    the settings that are there cannot be read.
    """
    before = load(path, Config)
    if before.imap or before.smtp or before.sendmail:
        person.say(f"An account is set up in {path} already; change it there.")
        raise GivenUp
    # Loaded only here, as it brings the library for servers along.
    connected = importlib.import_module("connectors.messaging.imap.connect").connect(person, before)
    head: str = connected.head
    tables: str = connected.tables
    if not only_show:
        person.begin_writing()
        where = secrets.keep("messaging/imap", connected.secret)
        tables = tables.replace("[imap]\n", f"[imap]  # the password is {where}\n", 1)
        write_settings(path, f"{head}{_without(text_of(path), head)}\n{tables}", Config)
    return f"{head}\n{tables}"


def _without(text: str, head: str) -> str:
    """What stood in the file, without the keys that the new head gives."""
    keys = {line.partition(" ")[0] for line in head.splitlines()}
    return "".join(
        line for line in text.splitlines(keepends=True) if line.partition("=")[0].strip() not in keys
    )
