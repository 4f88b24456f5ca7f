"""The messaging service as the rest of Askfirst sees it: tools, looking, acting, and what is wrong."""

import errno
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from connectors.base import (
    Arguments,
    Call,
    Context,
    Effect,
    Needs,
    Notice,
    Outcome,
    Prepared,
    Question,
    failed,
)
from connectors.lending import FileFinder, FileTaker, Lender, Receiver
from connectors.messaging import describe
from connectors.messaging.acquaintances import Acquaintances
from connectors.messaging.config import Config, Mode
from connectors.messaging.errors import MailboxError
from connectors.messaging.invitations import Invitations
from connectors.messaging.mailbox import Box
from connectors.messaging.maildir.index import Index
from connectors.messaging.outbox import Outbox
from connectors.messaging.probe import look_for, marked
from connectors.messaging.records import UNDO_TOOL, Records
from connectors.messaging.resources import Resources
from connectors.messaging.tools import TOOLS
from connectors.messaging.transport import Transport
from connectors.messaging.verbs.contacts import AddContact, FindContact
from connectors.messaging.verbs.draft import Draft
from connectors.messaging.verbs.move import Delete, Move
from connectors.messaging.verbs.read import Read
from connectors.messaging.verbs.reply import Reply
from connectors.messaging.verbs.save import SaveAttachment
from connectors.messaging.verbs.search import Search
from connectors.messaging.verbs.send import Send
from connectors.messaging.verbs.undo import Undo
from connectors.messaging.verbs.verb import Threaded, Verb
from connectors.people import AddressBook, Contact
from connectors.stores import StoreError

_NEEDS: Mapping[int, Needs] = {
    errno.ENOSPC: Needs.NO_SPACE,
    errno.EDQUOT: Needs.NO_SPACE,
    errno.EACCES: Needs.READ_ONLY,
    errno.EPERM: Needs.READ_ONLY,
    errno.EROFS: Needs.READ_ONLY,
    errno.ENOENT: Needs.CONFLICT,
}
_CHANGES = frozenset(Effect) - {Effect.READ}
_KEPT_FROM: Mapping[Mode, frozenset[Effect]] = {
    Mode.OFF: frozenset(Effect),
    Mode.READ_ONLY: _CHANGES,
    Mode.DRAFT_ONLY: frozenset({Effect.SEND}),
    Mode.FULL: frozenset(),
}
_WORDS: Mapping[Needs, str] = {
    Needs.NO_SPACE: "There is no space left on the disk.",
    Needs.READ_ONLY: "The mailbox may not be written to, or not be read.",
    Needs.CONFLICT: "The message has just been moved or removed by another program.",
    Needs.UNAVAILABLE: "The mailbox cannot be read or written just now.",
}


class MessagingConnector:
    """A mailbox, the contacts of `book`, a transport for what is sent, and `files` that may go along;
    `taker` takes what is saved from them.

    `state` is a folder for what the connector must remember: an index, undo records, and the outbox.
    Nothing is made on disk before something is read from or written to the mailbox.
    """

    name = "messaging"

    def __init__(
        self,
        mailbox: Box,
        state: Path,
        config: Config,
        book: AddressBook,
        transport: Transport,
        files: FileFinder | None = None,
        taker: FileTaker | None = None,
    ) -> None:
        self.tools = tuple(tool for tool in TOOLS if tool.effect not in _KEPT_FROM[config.mode])
        self._mailbox = mailbox
        self._book = book
        self._index = Index(mailbox, state / "index.db")
        self._resources = resources = Resources(
            mailbox=mailbox,
            index=self._index,
            written=Acquaintances(self._index),
            book=book,
            config=config,
            records=Records(state / "undo"),
            outbox=Outbox(state / "outbox"),
            transport=transport,
            files=files or Lender(),
            taker=taker or Receiver(),
        )
        self._invitations = Invitations(resources)
        self._verbs: Mapping[str, Verb] = {
            "messaging.search": Threaded(Search(resources)),
            "messaging.read": Threaded(Read(resources)),
            "messaging.save_attachment": Threaded(SaveAttachment(resources)),
            "messaging.draft": Threaded(Draft(resources)),
            "messaging.send": Send(resources),
            "messaging.reply": Reply(resources),
            "messaging.move": Threaded(Move(resources)),
            "messaging.delete": Threaded(Delete(resources)),
            "messaging.find_contact": Threaded(FindContact(resources)),
            "messaging.add_contact": Threaded(AddContact(resources)),
            UNDO_TOOL: Threaded(Undo(resources)),
        }

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        """Look, never act: what exactly would happen, what is missing for it, or why it cannot be."""
        verb = self._verb(call.tool)
        if verb is None:
            return failed(Needs.UNSUPPORTED, "The mailbox cannot do that.")
        try:
            return marked(await verb.prepare(call, context))
        except (OSError, StoreError) as error:
            return _explained(error)
        except ValidationError:
            return failed(Needs.INVALID, "The request has arguments that do not fit.")

    async def perform(self, prepared: Prepared) -> Outcome:
        """Do exactly what was prepared, or say why not."""
        verb = self._verb(prepared.call.tool)
        if verb is None:
            return failed(Needs.UNSUPPORTED, "The mailbox cannot do that.")
        try:
            return await verb.perform(prepared)
        except (OSError, StoreError) as error:
            return _explained(error)

    async def probe(self, tool: str, mark: Arguments) -> Outcome | None:
        """Look whether a message was sent, in Sent, the outbox, and where the transport can tell."""
        try:
            return await look_for(self._resources, mark)
        except OSError:
            return None

    def _verb(self, name: str) -> Verb | None:
        return self._verbs.get(name) if any(tool.name == name for tool in self.tools) else None

    def domains(self) -> frozenset[str]:
        """The mail domains of the person's contacts, as far as they are known without asking a server."""
        return self._book.domains()

    @property
    def invitations(self) -> Invitations:
        """What finds the invitations that messages carry."""
        return self._invitations

    def people(self) -> tuple[Contact, ...]:
        """The person's contacts, as far as they are known without asking a server."""
        return self._book.known()

    @property
    def own_address(self) -> str:
        """What the person's messages are from, or nothing."""
        return self._resources.config.address

    def notices(self) -> tuple[Notice, ...]:
        """What could not be read, when last looked at."""
        notices = [*self._book.notices()]
        if unreadable := self._index.unreadable:
            text = f"{describe.counted(len(unreadable))} in the mailbox could not be read."
            notices.append(Notice(self.name, text, unreadable))
        if trouble := self._mailbox.trouble:
            notices.append(Notice(self.name, trouble))
        return tuple(notices)


def _explained(error: OSError | StoreError) -> Outcome:
    if isinstance(error, StoreError):
        return failed(error.needs, str(error))
    if isinstance(error, MailboxError):
        return failed(error.needs, error.text)
    needs = _NEEDS.get(error.errno or 0, Needs.UNAVAILABLE)
    return failed(needs, _WORDS[needs])
