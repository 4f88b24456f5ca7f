"""A world with a folder of files that may go along with messages."""

import email
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

from connectors.base import Outcome, Question
from connectors.files.config import Config as FilesConfig
from connectors.files.connector import FilesConnector
from connectors.files.places import Root
from connectors.lending import FileFinder, Lender

PDF = b"%PDF-1.7\n" + bytes(range(256)) * 9


class Desk:
    """The friends' world with a folder of files beside it."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.folder = world.root / "Documents"
        self.folder.mkdir()
        self.files = FilesConnector(
            [Root("Documents", self.folder)],
            world.root / "files state",
            FilesConfig(index=False),
            trash=world.root / "trash",
        )
        self.finder: FileFinder | None = self.files.lending
        self.build()

    def build(self, **config: object) -> None:
        self.world.lender = Lender(lambda: self.finder)
        self.world.build(**config)

    def put(self, name: str, data: bytes = PDF) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    async def sending(self, *files: str, **more: object) -> Any:
        return await self.world.look(
            "send", **{"to": ["Ana"], "body": "See it.", "attachments": files, **more}
        )

    async def ready(self, *files: str, **more: object) -> Any:
        prepared = await self.sending(*files, **more)
        assert not isinstance(prepared, Question | Outcome), prepared
        return prepared

    def arrived(self) -> EmailMessage:
        (data,) = self.world.delivered("ana@post.example")
        return email.message_from_bytes(data, policy=default)
