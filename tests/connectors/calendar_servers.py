"""Real CalDAV and CardDAV servers on loopback, each with a user of its own, run by the tests."""

import asyncio
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import niquests
import radicale.config
import radicale.server
from aiohttp import web
from xandikos.web import SingleUserFilesystemBackend, XandikosApp

USER, PASSWORD = "ana", "correct horse"
_PAUSE = threading.Event()
_MKCALENDAR = """<?xml version="1.0"?><c:mkcalendar xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">
<d:set><d:prop><d:displayname>{name}</d:displayname></d:prop></d:set></c:mkcalendar>"""

_MKBOOK = """<?xml version="1.0"?><d:mkcol xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav">
<d:set><d:prop><d:resourcetype><d:collection/><c:addressbook/></d:resourcetype>
<d:displayname>{name}</d:displayname></d:prop></d:set></d:mkcol>"""
_XML = {"Content-Type": "text/xml"}


@dataclass(frozen=True)
class CalendarServer:
    """A server that runs, with its data in `folder`; `home` is where the user's calendars are.

    `books` is where the user's address books are.
    """

    kind: str
    url: str
    home: str
    folder: Path
    books: str = ""

    @property
    def of_books(self) -> "CalendarServer":
        """The same server where `home` is where the address books are."""
        return replace(self, home=self.books)

    def make_book(self, slug: str, displayname: str) -> None:
        self.ask("MKCOL", f"{slug}/", _MKBOOK.format(name=escape(displayname)), _XML, expect=(201, 207))

    def make_calendar(self, slug: str, displayname: str) -> None:
        body = _MKCALENDAR.format(name=escape(displayname))
        self.ask("MKCALENDAR", f"{slug}/", body, _XML, expect=(201,))

    def ask(
        self,
        method: str,
        path: str,
        body: str | bytes = "",
        headers: dict[str, str] | None = None,
        expect: tuple[int, ...] = (200, 201, 204, 207),
    ) -> niquests.Response:
        """A request of another program than ours."""
        data = body.encode() if isinstance(body, str) else body
        with niquests.Session(disable_http3=True) as session:
            session.trust_env = False
            reply = session.request(
                method, self.home + path, data=data, headers=headers or {}, auth=(USER, PASSWORD), timeout=10
            )
        assert reply.status_code in expect, (method, path, reply.status_code, reply.text)
        return reply

    def put(self, path: str, data: bytes) -> None:
        self.ask("PUT", path, data, {"Content-Type": "text/calendar; charset=utf-8"})

    def get(self, path: str) -> bytes | None:
        reply = self.ask("GET", path, expect=(200, 404))
        return reply.content if reply.status_code == 200 else None

    def delete(self, path: str) -> None:
        self.ask("DELETE", path)

    def names(self, path: str) -> list[str]:
        """What a folder holds, by the last part of each address."""
        reply = self.ask("PROPFIND", path, "", {"Depth": "1"}, expect=(207, 404))
        if reply.status_code == 404:
            return []
        hrefs = [each.text or "" for each in ElementTree.fromstring(reply.content).iter("{DAV:}href")]
        own = urlsplit(self.home + path).path.rstrip("/")
        return sorted(
            {
                each.rstrip("/").rpartition("/")[2]
                for each in hrefs
                if urlsplit(each).path.rstrip("/") != own and urlsplit(each).path.startswith(own)
            }
        )

    def clear(self) -> None:
        """Remove every calendar of the user."""
        for name in self.names(""):
            self.ask("DELETE", f"{name}/")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until_up(port: int) -> None:
    """Wait until somebody listens."""
    for _ in range(400):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            _PAUSE.wait(0.025)
    raise RuntimeError("the server did not start")


@contextmanager
def radicale_server() -> Iterator[CalendarServer]:
    """Radicale with a password file, where each user sees only their own."""
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        (folder / "users").write_text(f"{USER}:{PASSWORD}\nben:other\n")
        configuration = radicale.config.load()
        configuration.update(
            {
                "server": {"hosts": f"127.0.0.1:{port}"},
                "storage": {"filesystem_folder": str(folder / "data"), "_filesystem_fsync": "False"},
                "auth": {
                    "type": "htpasswd",
                    "htpasswd_filename": str(folder / "users"),
                    "htpasswd_encryption": "plain",
                    "delay": "0",
                },
                "rights": {"type": "owner_only"},
                "logging": {"level": "critical"},
            },
            privileged=True,
        )
        ours, theirs = socket.socketpair()
        thread = threading.Thread(target=radicale.server.serve, args=(configuration, theirs), daemon=True)
        thread.start()
        until_up(port)
        root = f"http://127.0.0.1:{port}/"
        try:
            yield CalendarServer("radicale", root, f"{root}{USER}/", folder, f"{root}{USER}/")
        finally:
            ours.close()
            thread.join(timeout=10)
            theirs.close()


@contextmanager
def xandikos_server() -> Iterator[CalendarServer]:
    """Xandikos, which knows no passwords."""
    with tempfile.TemporaryDirectory() as name:
        port = free_port()
        backend = SingleUserFilesystemBackend(name)
        backend._mark_as_principal(f"/{USER}/")
        backend.create_principal(f"/{USER}/", create_defaults=True)
        app = XandikosApp(backend, current_user_principal=f"/{USER}/", strict=True)
        loop = asyncio.new_event_loop()
        runner: list[web.AppRunner] = []

        async def handle(request: web.Request) -> web.StreamResponse:
            response: web.StreamResponse = await app.aiohttp_handler(request, "/")
            return response

        async def start() -> None:
            site = web.Application(client_max_size=1 << 26)
            site.router.add_route("*", "/{path_info:.*}", handle)
            runner.append(web.AppRunner(site, access_log=None))
            await runner[0].setup()
            await web.TCPSite(runner[0], "127.0.0.1", port).start()

        def serve() -> None:
            loop.run_until_complete(start())
            loop.run_forever()
            loop.run_until_complete(runner[0].cleanup())
            loop.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        until_up(port)
        root = f"http://127.0.0.1:{port}/"
        try:
            home = f"{root}{USER}/"
            yield CalendarServer("xandikos", root, f"{home}calendars/", Path(name), f"{home}contacts/")
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join(timeout=10)
