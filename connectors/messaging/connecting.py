"""Puts a mail account into messaging.toml, by questions to a person at a terminal."""

import importlib
from pathlib import Path

from connectors.asking import Asker, GivenUp
from connectors.config import load
from connectors.messaging.config import Config
from connectors.messaging.credentials import APP, REFRESH
from connectors.messaging.servers.offer import FindServers
from connectors.oauth.browser import Browser
from connectors.secrets.chain import Secrets
from connectors.written import text_of, write_settings


def connect_mail(
    person: Asker,
    path: Path,
    secrets: Secrets,
    *,
    only_show: bool = False,
    finder: FindServers | None = None,
    browser: Browser | None = None,
) -> str:
    """Find out about an account and add it to the settings at `path`; returns the lines added.

    `finder` finds the servers of an address, `browser` opens a page. With `only_show` nothing is written and
    no password kept. Raises GivenUp, OSError, and ConfigError where the settings that are there cannot be
    read.
    """
    before = load(path, Config)
    # Loaded only here, as it brings the library for servers along.
    wizard = importlib.import_module("connectors.messaging.imap.connect")
    if before.oauth and before.imap and before.imap.login == "oauth" and not only_show:
        person.say(f"An account is set up in {path} already; you only sign in again.")
        secret = wizard.sign_in_again(person, before.oauth, secrets.find, browser)
        person.begin_writing()
        person.say(f"What signs in is {secrets.keep(REFRESH, secret)}.")
        return ""
    if before.imap or before.smtp or before.sendmail:
        person.say(f"An account is set up in {path} already; change it there.")
        raise GivenUp
    connected = wizard.connect(person, before, finder, browser)
    head: str = connected.head
    tables: str = connected.tables
    if not only_show:
        person.begin_writing()
        if connected.app:
            secrets.keep(APP, connected.app)
        where = secrets.keep(connected.name, connected.secret)
        what = "what signs in" if connected.name == REFRESH else "the password"
        tables = tables.replace("[imap]\n", f"[imap]  # {what} is {where}\n", 1)
        write_settings(path, f"{head}{_without(text_of(path), head)}\n{tables}", Config)
    return f"{head}\n{tables}"


def _without(text: str, head: str) -> str:
    """What stood in the file, without the keys that the new head gives."""
    keys = {line.partition(" ")[0] for line in head.splitlines()}
    return "".join(
        line for line in text.splitlines(keepends=True) if line.partition("=")[0].strip() not in keys
    )
