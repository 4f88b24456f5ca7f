"""A real Dovecot on loopback with one account, in a folder of its own."""

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.connectors.messaging.post_office import free_port
from tests.missing import missing

USER, PASSWORD = "robin@home.example", "correct-horse"
_NOBODY = 65534
_CONFIG = """
base_dir = {run}
state_dir = {run}
log_path = {top}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = {ssl}
disable_plaintext_auth = no
default_internal_user = {internal}
default_internal_group = {group}
default_login_user = {internal}
first_valid_uid = 1
mail_location = maildir:{top}/mail/%u:LAYOUT=fs
mail_plugins = quota
auth_mechanisms = plain xoauth2 oauthbearer
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={top}/home
}}
namespace inbox {{
  inbox = yes
  separator = /
  mailbox Drafts {{
    special_use = \\Drafts
    auto = create
  }}
  mailbox "Sent Items" {{
    special_use = \\Sent
    auto = create
  }}
  mailbox Trash {{
    special_use = \\Trash
    auto = create
  }}
}}
protocol imap {{
  mail_plugins = quota imap_quota
  imap_capability = {capability}
}}
plugin {{
  quota = count:User quota
  quota_vsizes = yes
  quota_rule = *:{quota}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = 127.0.0.1
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""


@dataclass(slots=True)
class Dovecot:
    """A running server; `top` holds its log and mail."""

    top: Path
    port: int
    program: str
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Run it, and wait until it answers."""
        command = [self.program, "-F", "-c", str(self.top / "dovecot.conf")]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        _wait(self)

    def stop(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait(20)

    @property
    def log(self) -> str:
        path = self.top / "dovecot.log"
        return path.read_text(errors="replace") if path.exists() else ""


@contextmanager
def dovecot(
    *, quota: str = "storage=1G", capability: str = "", certificate: tuple[str, str] | None = None
) -> Iterator[Dovecot]:
    """A server that is ready; `capability` is all that it says it can do, `certificate` a chain and a key."""
    program = shutil.which("dovecot") or "/usr/sbin/dovecot"
    if not Path(program).exists():
        missing("dovecot-imapd is not installed")
    top = Path(tempfile.mkdtemp(prefix="askfirst-dovecot-"))
    top.chmod(0o755)
    server = _set_up(program, top, quota, capability, certificate)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(top, ignore_errors=True)


def _set_up(
    program: str, top: Path, quota: str, capability: str, certificate: tuple[str, str] | None
) -> Dovecot:
    root = os.getuid() == 0
    uid, gid = (_NOBODY, _NOBODY) if root else (os.getuid(), os.getgid())
    for name in ("run", "mail", "home"):
        (top / name).mkdir()
        os.chown(top / name, uid if name != "run" else os.getuid(), gid if name != "run" else os.getgid())
    port = free_port()
    config = _CONFIG.format(
        top=top,
        run=top / "run",
        port=port,
        uid=uid,
        gid=gid,
        password=PASSWORD,
        quota=quota,
        capability=capability,
        internal="nobody" if root else getpass.getuser(),
        group="nogroup" if root else str(os.getgid()),
        ssl="yes" if certificate else "no",
    )
    if certificate:
        config += f"ssl_cert = <{certificate[0]}\nssl_key = <{certificate[1]}\n"
    path = top / "dovecot.conf"
    path.write_text(config)
    return Dovecot(top, port, program)


def _wait(server: Dovecot) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        assert server.process is not None
        assert server.process.poll() is None, server.log
        try:
            with socket.create_connection(("127.0.0.1", server.port), timeout=1) as probe:
                if probe.recv(100).startswith(b"* OK"):
                    return
        except OSError:
            time.sleep(0.05)
    pytest.fail(f"Dovecot did not start: {server.log}")
