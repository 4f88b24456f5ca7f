"""Puts a message into another folder, or into the trash; nothing is ever deleted for good."""

from connectors.base import (
    Call,
    Context,
    Effect,
    Field,
    Needs,
    Option,
    Outcome,
    Prepared,
    Preview,
    Question,
    Resolved,
    Role,
    failed,
)
from connectors.messaging import describe
from connectors.messaging.chat import FIXED, is_chat
from connectors.messaging.errors import unseen
from connectors.messaging.find import Finder
from connectors.messaging.folders import folder_called
from connectors.messaging.maildir.index import Summary
from connectors.messaging.maildir.names import DRAFTS, SENT, TRASH
from connectors.messaging.maildir.names import handle as handle_of
from connectors.messaging.resources import Resources, local
from connectors.messaging.tools import Delete as DeleteArguments
from connectors.messaging.tools import Move as MoveArguments


class _Mover:
    """Shows and makes the move of one message to one folder."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self.finder = Finder(resources.index, resources.book)

    def prepared(self, call: Call, context: Context, summary: Summary, folder: str) -> Prepared | Outcome:
        label, came_from = describe.label(summary), describe.folder(summary.entry.folder)
        if summary.entry.folder == folder:
            return failed(Needs.INVALID, f"“{label}” is in {came_from} already.")
        if is_chat(summary.entry):
            return failed(Needs.UNSUPPORTED, FIXED)
        now = local(context)
        trashed = folder == TRASH
        fields = (
            *describe.fields(summary, now),
            Field("Folder", describe.folder(folder), "" if trashed else "folder", before=came_from),
        )
        title = f"Put “{label}” in the trash" if trashed else f"Move “{label}” to {describe.folder(folder)}"
        resolved = [Resolved(Role.TARGET, "message", summary.handle, label)]
        if call.tool == "messaging.move":
            resolved.append(Resolved(Role.BOUND, "folder", folder, describe.folder(folder)))
        return Prepared(
            call=call,
            effects=frozenset({Effect.DELETE} if trashed else {Effect.WRITE}),
            resolved=tuple(resolved),
            payload={"handle": summary.handle, "folder": folder, "label": label},
            preview=Preview(title, "puts a message in the trash" if trashed else "moves a message", fields),
            basis=self._resources.version(summary.entry),
            undo=f"it can be moved back to {came_from}",
        )

    def perform(self, prepared: Prepared) -> Outcome:
        mailbox = self._resources.mailbox
        handle, folder = str(prepared.payload["handle"]), str(prepared.payload["folder"])
        entry = mailbox.locate(handle)
        if entry is None:
            return failed(Needs.CONFLICT, "The message is not there any more; nothing was moved.")
        if self._resources.version(entry) != prepared.basis:
            return failed(
                Needs.CONFLICT, "The message has changed since it was looked at; nothing was moved."
            )
        content, unique = self._resources.content(entry), mailbox.name_in(entry, folder)
        # The record comes first, so that nothing can be done that could not be taken back as promised.
        undo = self._resources.records.keep(
            prepared.call,
            kind="move",
            handle=handle_of(folder, unique),
            content=content,
            folder=entry.folder,
            subdir=entry.subdir,
        )
        mailbox.move(entry, folder, unique, entry.subdir)
        if not self._arrived(handle, handle_of(folder, unique), content):
            return failed(Needs.UNAVAILABLE, f"The message is not to be found in {describe.folder(folder)}.")
        where = "in the trash" if folder == TRASH else f"in {describe.folder(folder)}"
        return Outcome(ok=True, text=f"“{prepared.payload['label']}” is now {where}.", undo=undo)

    def _arrived(self, before: str, after: str, content: str) -> bool:
        """True if the message is under its new handle alone. Raises MailboxError if that cannot be seen."""
        mailbox = self._resources.mailbox
        try:
            there = mailbox.locate(after)
            gone = mailbox.locate(before) is None
            return there is not None and gone and self._resources.content(there) == content
        except OSError as error:
            raise unseen(error) from error


class Move:
    """`messaging.move`"""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._mover = _Mover(resources)

    def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        arguments = MoveArguments.model_validate(call.arguments)
        summary = self._mover.finder.one(arguments.message, arguments.sender, local(context))
        if not isinstance(summary, Summary):
            return summary
        folders = self._resources.mailbox.folders()
        if not arguments.folder:
            options = tuple(
                Option(describe.folder(each), {"folder": describe.folder(each)})
                for each in folders
                if each not in (summary.entry.folder, SENT, DRAFTS)
            )
            return Question("Where should the message go?", options, "folder")
        folder = folder_called(arguments.folder, folders, "folder")
        if isinstance(folder, Question):
            return folder
        if folder in (SENT, DRAFTS):
            # What is in Sent says whom the person has written to; nothing else may get in there.
            return failed(Needs.INVALID, f"Only your own messages get into {describe.folder(folder)}.")
        return self._mover.prepared(call, context, summary, folder)

    def perform(self, prepared: Prepared) -> Outcome:
        return self._mover.perform(prepared)


class Delete:
    """`messaging.delete`"""

    def __init__(self, resources: Resources) -> None:
        self._mover = _Mover(resources)

    def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        arguments = DeleteArguments.model_validate(call.arguments)
        summary = self._mover.finder.one(arguments.message, arguments.sender, local(context))
        if not isinstance(summary, Summary):
            return summary
        return self._mover.prepared(call, context, summary, TRASH)

    def perform(self, prepared: Prepared) -> Outcome:
        return self._mover.perform(prepared)
