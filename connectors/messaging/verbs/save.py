"""Saves a file that a message carries into one of the person's folders, never over another."""

from collections.abc import Sequence
from dataclasses import dataclass

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
from connectors.clean import clean_line
from connectors.lending import Spot
from connectors.messaging import describe
from connectors.messaging.chat import NOT_FETCHED, is_chat
from connectors.messaging.find import Finder, Wanted
from connectors.messaging.maildir.index import Summary
from connectors.messaging.mime.letter import Attachment, carried
from connectors.messaging.records import short_hash
from connectors.messaging.resources import Resources, local
from connectors.messaging.tools import SaveAttachment as Arguments
from connectors.messaging.words import fold

_MOST_OPTIONS = 20


@dataclass(frozen=True, slots=True)
class _Chosen:
    """One file of a message: its place among the others (from 1), what its sender says of it, its bytes."""

    number: int
    attachment: Attachment
    data: bytes

    @property
    def shown(self) -> str:
        return clean_line(self.attachment.name, 120)


class SaveAttachment:
    """`messaging.save_attachment`"""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._finder = Finder(resources.index, resources.book)

    def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        arguments = Arguments.model_validate(call.arguments)
        summary = self._finder.one(arguments.message, arguments.sender, local(context))
        if not isinstance(summary, Summary):
            return summary
        chosen = self._chosen(summary, arguments.attachment)
        if not isinstance(chosen, _Chosen):
            return chosen
        spot = self._resources.taker.spot(
            chosen.attachment.name, chosen.data, arguments.folder or "", "folder", context.zone
        )
        return self._prepared(call, context, summary, chosen, spot) if isinstance(spot, Spot) else spot

    def perform(self, prepared: Prepared) -> Outcome:
        payload = prepared.payload
        entry = self._resources.mailbox.locate(str(payload["handle"]))
        if entry is None:
            return failed(Needs.CONFLICT, "The message is not there any more; nothing was saved.")
        files = carried(self._resources.mailbox.read(entry))
        place = int(str(payload["number"])) - 1
        spot = Spot(str(payload["file"]), str(payload["name"]), "", "")
        if place >= len(files) or _basis(files[place][1], spot) != prepared.basis:
            return failed(
                Needs.CONFLICT, "The message has changed since it was looked at; nothing was saved."
            )
        return self._resources.taker.take(spot, files[place][1], prepared.call)

    def _chosen(self, summary: Summary, said: str | None) -> _Chosen | Question | Outcome:
        if is_chat(summary.entry):
            return failed(Needs.UNSUPPORTED, NOT_FETCHED)
        found = carried(self._resources.mailbox.read(summary.entry))
        files = [_Chosen(number, each, data) for number, (each, data) in enumerate(found, start=1)]
        label = describe.label(summary)
        if not files:
            return failed(Needs.NOT_FOUND, f"“{label}” carries no file.")
        fitting = _fitting(files, said) if said else files
        if len(fitting) != 1:
            missing = f"It carries no “{clean_line(said, 60)}”. " if said and not fitting else ""
            return _which(fitting or files, missing)
        (chosen,) = fitting
        most = self._resources.config.most_saved
        if len(chosen.data) > most:
            has, can = describe.in_bytes(len(chosen.data)), describe.in_bytes(most)
            return failed(Needs.INVALID, f"“{chosen.shown}” has {has}, and at most {can} are saved.")
        return chosen

    def _prepared(
        self, call: Call, context: Context, summary: Summary, chosen: _Chosen, spot: Spot
    ) -> Prepared:
        called = "" if spot.name == chosen.attachment.name else f"called “{chosen.shown}” in the message"
        new = (Field("New folder", ", ".join(spot.folders)),) if spot.folders else ()
        sender = describe.called(summary.sender)
        folder = "folder" if call.arguments.get("folder") else ""
        return Prepared(
            call=call,
            effects=frozenset({Effect.WRITE}),
            resolved=(
                Resolved(Role.TARGET, "message", summary.handle, describe.label(summary)),
                Resolved(Role.DESTINATION, folder, spot.handle, spot.name),
            ),
            payload={
                "handle": summary.handle,
                "number": chosen.number,
                "file": spot.handle,
                "name": spot.name,
            },
            preview=Preview(
                f"Save {spot.name} from {sender}",
                "saves an attachment",
                (
                    *describe.fields(summary, local(context)),
                    Field("New file", spot.path, "folder", called),
                    *new,
                    Field("Holds", spot.kind, "attachment", describe.in_bytes(len(chosen.data))),
                ),
                warnings=spot.warnings,
            ),
            basis=_basis(chosen.data, spot),
            undo="the new file is put in the trash",
        )


def _basis(data: bytes, spot: Spot) -> str:
    """A digest of the very bytes that would be saved, and of where."""
    return short_hash(data, spot.handle)


def _fitting(files: Sequence[_Chosen], said: str) -> list[_Chosen]:
    """The files that words mean: by the whole name, else by words in it, else by their number."""
    wanted = fold(said).strip()
    same = [each for each in files if fold(each.attachment.name).strip() == wanted]
    if same:
        return same
    words = Wanted.from_words(said).words
    holding = [each for each in files if words and all(word in fold(each.attachment.name) for word in words)]
    return holding or [each for each in files if said.strip() == str(each.number)]


def _which(files: Sequence[_Chosen], missing: str) -> Question:
    names = [each.attachment.name for each in files]
    options = tuple(
        Option(
            each.shown,
            {
                "attachment": each.attachment.name
                if names.count(each.attachment.name) == 1
                else str(each.number)
            },
            describe.in_bytes(len(each.data)),
        )
        for each in files[:_MOST_OPTIONS]
    )
    return Question(f"{missing}Which file?", options, "attachment")
