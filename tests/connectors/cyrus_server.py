"""Cyrus on loopback, a CalDAV server that mails invitations by itself (RFC 6638), run by the tests.

Debian's package cannot stand beside Dovecot's, so it may be unpacked into a folder: ASKFIRST_CYRUS names it.
"""

import getpass
import imaplib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.connectors.calendar_servers import PASSWORD, USER, CalendarServer, free_port, until_up
from tests.missing import missing

ROOT = Path(os.environ.get("ASKFIRST_CYRUS", "/opt/askfirst-cyrus"))
_WAY = "unpack Debian's cyrus packages with packaging/unpack_cyrus.sh"
_SETTINGS = """
configdirectory: {folder}/config
partition-default: {folder}/spool
defaultpartition: default
proc_path: {folder}/proc
mboxname_lockpath: {folder}/lock
lmtpsocket: {folder}/lmtp
idlesocket: {folder}/idle
notifysocket: {folder}/notify
duplicate_db_path: {folder}/deliver.db
statuscache_db_path: {folder}/status.db
tls_sessions_db_path: {folder}/tls.db
sasl_pwcheck_method: alwaystrue
sasl_mech_list: PLAIN
allowplaintext: yes
delete_mode: immediate
httpmodules: caldav carddav
caldav_allowscheduling: on
caldav_create_default: no
unixhierarchysep: yes
virtdomains: no
admins: admin
cyrus_user: {user}
"""
_SERVICES = """
START {{
  recover cmd="{bin}/ctl_cyrusdb -C {folder}/imapd.conf -r"
}}
SERVICES {{
  http cmd="{bin}/httpd -C {folder}/imapd.conf -U 1000" listen="127.0.0.1:{http}" prefork=1
  imap cmd="{bin}/imapd -C {folder}/imapd.conf -U 1000" listen="127.0.0.1:{imap}" prefork=0
}}
EVENTS {{
}}
"""


@dataclass(frozen=True)
class CyrusServer(CalendarServer):
    """Cyrus, which is told by IMAP at `port` who has an account."""

    port: int = 0

    def clear(self) -> None:
        """Make the account anew: a calendar that was just read it does not always let go."""
        with imaplib.IMAP4("127.0.0.1", self.port, timeout=10) as admin:
            admin.login("admin", PASSWORD)
            admin.setacl(f"user/{USER}", "admin", "lrswipkxtecda")
            admin.delete(f"user/{USER}")  # there is none at first
            kind, said = admin.create(f"user/{USER}")
            assert kind == "OK", said


@contextmanager
def cyrus_server() -> Iterator[CalendarServer]:
    """Cyrus with an empty account; any password is right. Skips the test where it is not there."""
    root = next((each for each in (Path("/"), ROOT) if (each / "usr/sbin/cyrmaster").exists()), None)
    if root is None:
        missing(f"Cyrus is not here: {_WAY}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder, http, imap = Path(name), free_port(), free_port()
        _prepare(folder, root, http, imap)
        command = [
            root / "usr/sbin/cyrmaster",
            "-D",
            "-C",
            folder / "imapd.conf",
            "-M",
            folder / "cyrus.conf",
        ]
        master = subprocess.Popen(
            [*map(str, command), "-p", str(folder / "pid")],
            env={**os.environ, "LD_LIBRARY_PATH": _libraries(root)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            until_up(http)
            url = f"http://127.0.0.1:{http}/"
            home, books = (f"{url}dav/{each}/user/{USER}/" for each in ("calendars", "addressbooks"))
            server = CyrusServer("cyrus", url, home, folder, books, imap)
            server.clear()
            yield server
        finally:
            master.terminate()
            with suppress(subprocess.TimeoutExpired):
                master.wait(timeout=10)


def _prepare(folder: Path, root: Path, http: int, imap: int) -> None:
    # As root it gives up its rights, to somebody who then has to own its folders.
    user = "mail" if os.geteuid() == 0 else getpass.getuser()
    values = {"folder": folder, "user": user, "bin": root / "usr/lib/cyrus/bin", "http": http, "imap": imap}
    (folder / "imapd.conf").write_text(_SETTINGS.format(**values))
    (folder / "cyrus.conf").write_text(_SERVICES.format(**values))
    for each in ("config/socket", "config/db", "config/log", "spool", "proc", "lock"):
        (folder / each).mkdir(parents=True)
    if os.geteuid() == 0:
        for each in (folder, *folder.rglob("*")):
            shutil.chown(each, user)


def _libraries(root: Path) -> str:
    folders = [
        *(root / "usr/lib").glob("*-linux-gnu"),
        *(root / "lib").glob("*-linux-gnu"),
        root / "usr/lib/cyrus",
    ]
    return ":".join(map(str, folders))
