"""The real keyring of GNOME on a bus of its own, open and locked."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not (shutil.which("gnome-keyring-daemon") and shutil.which("dbus-run-session")),
    reason="gnome-keyring and dbus are not installed",
)
CODE = """
import sys
from connectors.secrets.base import Secret, SecretError
from connectors.secrets.desktop import DesktopKeyring
keyring = DesktopKeyring()
try:
    print(keyring.find("calendar/work"))
    keyring.keep("calendar/work", Secret("größe"))
    print(keyring.find("calendar/work").reveal())
    keyring.forget("calendar/work")
    print(keyring.find("calendar/work"))
except SecretError as error:
    print("refused:", error)
"""


def in_a_session(tmp_path: Path, daemon: str) -> list[str]:
    """What the code prints in a session whose keyring is started in one way."""
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "XDG_RUNTIME_DIR": str(runtime),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "PYTHONPATH": os.getcwd(),
        "LANG": "C.UTF-8",
    }
    (tmp_path / "code.py").write_text(CODE)
    script = f"{daemon} >/dev/null 2>&1; exec {sys.executable} {tmp_path}/code.py"
    done = subprocess.run(
        ["dbus-run-session", "--", "sh", "-c", script],
        capture_output=True,
        text=True,
        env=environment,
        stdin=subprocess.DEVNULL,
        timeout=50,
        check=False,
    )
    lines = done.stdout.split("\n")
    if "refused: There is no keyring here." in lines:
        pytest.skip("gnome-keyring does not start here (it needs CAP_IPC_LOCK)")
    return [line for line in lines if line]


def test_a_secret_is_kept_found_and_forgotten(tmp_path: Path) -> None:
    said = in_a_session(tmp_path, "printf pw | gnome-keyring-daemon --unlock --components=secrets")
    assert said == ["None", "größe", "None"]


def test_a_locked_keyring_is_said_to_be_locked_and_asks_nobody(tmp_path: Path) -> None:
    # The first start makes the keyring and unlocks it; the second finds it and is not told the password.
    assert (
        in_a_session(tmp_path, "printf pw | gnome-keyring-daemon --unlock --components=secrets")[0] == "None"
    )
    (tmp_path / "run").rename(tmp_path / "before")
    said = in_a_session(tmp_path, "gnome-keyring-daemon --start --components=secrets")
    assert said == ["refused: The keyring is locked."]
