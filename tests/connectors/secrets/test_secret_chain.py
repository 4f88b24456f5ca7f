"""Passwords come from where they were said to be, or from one keeper after the other, and show nowhere."""

import copy
import os
import pickle
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from connectors.config import ConfigError, load
from connectors.secrets.base import Secret, SecretError
from connectors.secrets.chain import Secrets
from connectors.secrets.command import CommandKeeper
from connectors.secrets.desktop import DesktopKeyring
from connectors.secrets.settings import SecretSource

NAME = "calendar/work"
WORD = "tr0ub4dor & 3, größe"


class Drawer:
    """A keyring in memory, or one that says why it is shut."""

    def __init__(self, shut: str = "", **kept: str) -> None:
        self.shut, self.kept = shut, kept

    def find(self, name: str) -> Secret | None:
        if self.shut:
            raise SecretError(self.shut)
        return Secret(self.kept[name]) if name in self.kept else None

    def keep(self, name: str, secret: Secret) -> None:
        if self.shut:
            raise SecretError(self.shut)
        self.kept[name] = secret.reveal()


def private(path: Path, text: str, mode: int = 0o600) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


@pytest.fixture
def secrets(tmp_path: Path) -> Callable[..., Secrets]:
    return lambda environment=None, keyring=None: Secrets(
        tmp_path / "secrets", environment or {}, keyring or Drawer()
    )


def test_the_keyring_comes_first_then_the_private_file_then_the_environment(
    secrets: Callable[..., Secrets], tmp_path: Path
) -> None:
    environment = {"ASKFIRST_CALENDAR_WORK_PASSWORD": "third"}
    assert secrets(environment).find(NAME).reveal() == "third"
    private(tmp_path / "secrets" / "calendar-work", "second\nnot this line\n")
    assert secrets(environment).find(NAME).reveal() == "second"
    assert secrets(environment, Drawer(**{NAME: "first"})).find(NAME).reveal() == "first"


@pytest.mark.parametrize("shut", ["The keyring is locked.", "There is no keyring here."])
def test_a_keyring_that_cannot_be_used_gives_way_to_the_next(
    secrets: Callable[..., Secrets], shut: str
) -> None:
    found = secrets({"ASKFIRST_CALENDAR_WORK_PASSWORD": WORD}, Drawer(shut))
    assert found.find(NAME).reveal() == WORD
    with pytest.raises(SecretError) as refused:
        secrets({}, Drawer(shut)).find(NAME)
    assert str(refused.value).endswith(f"in ASKFIRST_CALENDAR_WORK_PASSWORD. {shut}")


@pytest.mark.parametrize("shut", ["", "The keyring is locked."])
def test_what_is_kept_is_found_again(secrets: Callable[..., Secrets], tmp_path: Path, shut: str) -> None:
    chain = secrets({}, Drawer(shut))
    where = chain.keep(NAME, Secret(WORD))
    path = tmp_path / "secrets" / "calendar-work"
    assert where == (f"in {path}, for you alone" if shut else "in the keyring")
    assert path.exists() == bool(shut)
    if shut:
        assert path.stat().st_mode & 0o777 == 0o600
    assert chain.find(NAME).reveal() == WORD


def test_what_was_said_is_the_only_place_looked_in(secrets: Callable[..., Secrets]) -> None:
    environment = {"ASKFIRST_CALENDAR_WORK_PASSWORD": "not this", "MINE": WORD}
    chain = secrets(environment, Drawer(**{NAME: "nor this", "other": "this"}))
    assert chain.find(NAME, SecretSource(environment="MINE")).reveal() == WORD
    assert chain.find(NAME, SecretSource(keyring="other")).reveal() == "this"
    for source, words in (
        (SecretSource(environment="YOURS"), "The environment variable YOURS is not set."),
        (SecretSource(keyring="none"), "The keyring holds nothing called none."),
        (SecretSource(file=Path("/nowhere/x")), "The file /nowhere/x is not there."),
    ):
        with pytest.raises(SecretError) as refused:
            chain.find(NAME, source)
        assert str(refused.value) == words


def test_a_command_is_run_without_a_shell_a_terminal_or_input(tmp_path: Path) -> None:
    program = private(
        tmp_path / "show",
        f"#!{sys.executable}\nimport os, sys\n"
        "assert not sys.stdin.read() and os.getsid(0) == os.getpid()\n"
        "try:\n    os.open('/dev/tty', os.O_RDWR)\nexcept OSError:\n    print(sys.argv[1])\n"
        "print('a second line')\n",
        0o700,
    )
    assert CommandKeeper([str(program), "$HOME; `id`"]).find(NAME).reveal() == "$HOME; `id`"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import sys; print('x'); sys.exit(3)", "ended with the code 3."),
        ("import time; time.sleep(60)", "did not answer in 0.3 seconds."),
        ("pass", "gave nothing."),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\n')", "gave something that is not text."),
    ],
)
def test_a_command_that_gives_no_password_says_so_without_what_it_printed(code: str, words: str) -> None:
    with pytest.raises(SecretError) as refused:
        CommandKeeper([sys.executable, "-c", code], seconds=0.3 if "sleep" in code else 30).find(NAME)
    assert str(refused.value) == f"The command {os.path.basename(sys.executable)} {words}"


def test_a_command_that_is_not_there_is_named() -> None:
    with pytest.raises(SecretError, match="The command nopass could not be run: No such file"):
        CommandKeeper(["nopass"]).find(NAME)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_a_file_that_others_can_read_is_not_used(
    secrets: Callable[..., Secrets], tmp_path: Path, mode: int
) -> None:
    path = private(tmp_path / "mine", WORD, mode)
    with pytest.raises(SecretError, match="can be read by others, so it is not used; chmod 600"):
        secrets().find(NAME, SecretSource(file=path))
    path.chmod(0o600)
    assert secrets().find(NAME, SecretSource(file=path)).reveal() == WORD


def test_a_pipe_is_no_file_and_is_not_waited_for(secrets: Callable[..., Secrets], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    with pytest.raises(SecretError, match="is not a plain file"):
        secrets().find(NAME, SecretSource(file=tmp_path / "pipe"))


def test_a_secret_shows_itself_nowhere() -> None:
    secret = Secret(WORD)
    shown = [repr(secret), str(secret), f"{secret}", f"{secret!r:>20}", repr([secret])]
    assert not [each for each in shown if WORD in each]
    assert secret == Secret(WORD)
    assert secret != Secret("other")
    for write in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            write(secret)


class Settings(BaseModel):
    password: SecretSource = SecretSource()


def test_a_password_in_the_settings_is_refused_and_not_repeated(tmp_path: Path) -> None:
    path = tmp_path / "calendar.toml"
    path.write_text(f'# mine\npassword = "{WORD}"\n')
    with pytest.raises(ConfigError) as refused:
        load(path, Settings)
    assert str(refused.value).startswith("calendar.toml, line 2: 'password': a password never stands")
    assert WORD not in str(refused.value)


@pytest.mark.parametrize(
    "wrong",
    [{"command": [], "file": None}, {"command": []}, {"file": "x", "environment": "Y"}, {"shell": "x"}],
)
def test_one_place_is_named_and_no_other(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        SecretSource.model_validate(wrong)


def test_without_a_bus_the_keyring_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    with pytest.raises(SecretError, match=r"There is no keyring here\."):
        DesktopKeyring().find(NAME)


def test_a_keyring_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "bus"
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(path))
        silent.listen()
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={path}")
        with pytest.raises(SecretError, match=r"did not answer in 0\.2 seconds"):
            DesktopKeyring(seconds=0.2).find(NAME)
