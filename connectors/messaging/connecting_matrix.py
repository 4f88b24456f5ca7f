"""Puts an account into messaging.toml, of mail or on Matrix, by questions to a person at a terminal."""

import importlib
from pathlib import Path

from connectors.asking import Asker, GivenUp, need
from connectors.config import load
from connectors.messaging.config import Config
from connectors.messaging.connecting import connect_mail
from connectors.messaging.conversations import SECRET
from connectors.messaging.matrix.missing import INSTALL
from connectors.people import is_matrix_id
from connectors.secrets.chain import Secrets
from connectors.written import text_of, write_settings

_MAIL, _MATRIX = ("1", "mail"), ("2", "matrix")


def connect_messaging(person: Asker, path: Path, secrets: Secrets, *, only_show: bool = False) -> str:
    """Ask which kind of account it is to be, and set it up; returns the lines added.

    With `only_show` nothing is written and no secret kept. Raises GivenUp, OSError, and ConfigError where the
    settings that are there cannot be read.
    """
    before = load(path, Config)
    usual = "2" if before.imap and not before.matrix else "1"
    while True:
        said = need(person.ask("What is to be connected? (1 mail, 2 Matrix)", usual)).lower()
        if said in _MAIL:
            return connect_mail(person, path, secrets, only_show=only_show)
        if said in _MATRIX:
            return connect_matrix(person, path, secrets, only_show=only_show)
        person.say("Say 1 for mail, or 2 for Matrix.")


def connect_matrix(person: Asker, path: Path, secrets: Secrets, *, only_show: bool = False) -> str:
    """Find out about an account on Matrix and add it to the settings at `path`; see `connect_messaging`."""
    before = load(path, Config)
    try:
        # Loaded only here, as it brings the library along, which is an extra.
        wizard = importlib.import_module("connectors.messaging.matrix.connect")
    except ModuleNotFoundError:
        person.say(INSTALL)
        raise GivenUp from None
    if before.matrix:
        person.say(f"{before.matrix.user} is set up in {path} already; you only sign in again.")
        connected = wizard.sign_in_again(person, before.matrix)
    else:
        connected = wizard.connect(person, _user(person))
    table: str = connected.table
    if not only_show:
        person.begin_writing()
        where = secrets.keep(SECRET, connected.token)
        if before.matrix:
            person.say(f"The access token is {where}.")
            return ""
        table = table.replace("[matrix]\n", f"[matrix]  # the access token is {where}\n", 1)
        write_settings(path, f"{text_of(path).rstrip()}\n\n{table}".lstrip("\n"), Config)
    return table


def _user(person: Asker) -> str:
    while True:
        user = need(person.ask("Your Matrix id, such as @you:example.org:"))
        if is_matrix_id(user):
            return user
        person.say("That is no Matrix id; it begins with @ and has a server behind a colon.")
