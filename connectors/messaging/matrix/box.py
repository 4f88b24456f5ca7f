"""The messages of all rooms as a mailbox; what was said stays where it was said."""

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, Protocol

from connectors.base import Needs
from connectors.clean import clean_line, shorten
from connectors.messaging.chat import FIXED, MATRIX
from connectors.messaging.errors import MailboxError
from connectors.messaging.mailbox import Handles, Limit
from connectors.messaging.maildir.names import DRAFT, DRAFTS, SEEN, SENT, Entry, Subdir, place, split, suffix
from connectors.messaging.matrix.store import Draft, Message, Store
from connectors.messaging.mime.headers import Correspondent
from connectors.messaging.mime.letter import Attachment, Letter

_SUBJECT: Final = 80
_REMOVED: Final = "(this message was removed)"
_GONE: Final = "The message is not there any more."


class Keeper(Protocol):
    """What keeps the store in step."""

    trouble: str

    def look(self, *, anew: bool = False) -> None:
        """Bring what is known up to date, as far as the server can be reached."""
        ...


class MatrixBox:
    """Over what is known of an account; `me` is the person's own name and id."""

    def __init__(
        self, store: Store, keeper: Keeper, me: Correspondent, clock: Callable[[], float] = time.time
    ) -> None:
        self._store = store
        self._keeper = keeper
        self._me = me
        self._clock = clock
        self._entries: tuple[int, tuple[Entry, ...]] = (-1, ())

    @property
    def trouble(self) -> str:
        return self._keeper.trouble

    def folders(self) -> tuple[str, ...]:
        return (MATRIX,)

    def entries(self, folders: Iterable[str] | None = None) -> tuple[Entry, ...]:
        self._keeper.look()
        generation, entries = self._entries
        if generation != self._store.generation:
            generation = self._store.generation
            said, drafts = self._store.messages(), self._store.drafts()
            entries = (*map(self._entry, said), *map(_drafted, drafts))
            self._entries = generation, entries
        if folders is None:
            return entries
        wanted = set(folders)
        return tuple(entry for entry in entries if entry.folder in wanted)

    def look_again(self, folder: str) -> None:
        self._keeper.look(anew=True)

    def locate(self, handle: str) -> Entry | None:
        where = place(handle)
        if where is None:
            return None
        message = self._store.message(where[1])
        if message:
            return self._entry(message)
        return next((_drafted(each) for each in self._store.drafts() if each.id == where[1]), None)

    def read(self, entry: Entry) -> bytes:
        message = self._store.message(entry.unique)
        if message is None:
            return self._draft(entry).data
        said = message.said
        told = [said.id, said.room, said.sender, said.stamp, message.text, bool(message.removed)]
        return json.dumps(told).encode()

    def head(self, entry: Entry) -> bytes:
        return self.read(entry)

    def letter(self, entry: Entry) -> Letter:
        """What a message says. Raises FileNotFoundError where it is gone."""
        message = self._store.message(entry.unique)
        return self._letter(message) if message else _letter_of_draft(self._draft(entry), self._me)

    def search(self, words: Sequence[Sequence[str]], among: Handles | None = None) -> frozenset[str]:
        return frozenset()

    def limits(self) -> tuple[Limit, ...]:
        return ()

    def new_name(self, data: bytes) -> str:
        return f"$draft-{hashlib.sha256(data).hexdigest()[:32]}"

    def deliver(self, folder: str, data: bytes, flags: str, unique: str = "") -> Entry:
        if folder != DRAFTS:
            raise MailboxError(Needs.UNSUPPORTED, FIXED)
        draft = Draft(unique or self.new_name(data), data, int(self._clock() * 1000))
        self._store.keep_draft(draft)
        return _drafted(draft)

    def name_in(self, entry: Entry, folder: str) -> str:
        raise MailboxError(Needs.UNSUPPORTED, FIXED)

    def move(self, entry: Entry, folder: str, unique: str, subdir: Subdir) -> Entry:
        raise MailboxError(Needs.UNSUPPORTED, FIXED)

    def mark(self, entry: Entry, flags: str) -> Entry:
        """Marks here alone: that something was read is not told to those who wrote it."""
        self._store.set_seen(entry.unique, SEEN in flags)
        return replace(entry, flags=flags, suffix=suffix(flags))

    def put_back(self, entry: Entry, subdir: Subdir, file_suffix: str) -> Entry:
        return self.mark(entry, split(f"x{file_suffix}")[1])

    def remove(self, entry: Entry) -> None:
        if entry.folder != DRAFTS:
            raise MailboxError(Needs.UNSUPPORTED, FIXED)
        self._store.drop_draft(entry.unique)

    def _draft(self, entry: Entry) -> Draft:
        found = next((each for each in self._store.drafts() if each.id == entry.unique), None)
        if found is None:
            raise FileNotFoundError(_GONE)
        return found

    def _entry(self, message: Message) -> Entry:
        said = message.said
        flags = SEEN if message.seen else ""
        latest = max(said.stamp, message.changed, message.removed)
        return Entry(
            SENT if said.sender == self._me.address else MATRIX,
            said.id,
            "cur",
            flags,
            len(message.text.encode("utf-8", "surrogatepass")),
            latest * 1_000_000 + message.version % 1_000_000,
            suffix(flags),
        )

    def _letter(self, message: Message) -> Letter:
        said, room = message.said, self._store.room(message.said.room)
        people = room.people if room else ()
        names = {each.address: each for each in (*people, self._me)}
        sender = names.get(said.sender, Correspondent("", said.sender))
        mine = said.sender == self._me.address
        text = _REMOVED if message.removed else message.text
        title = shorten(next(iter(text.strip().splitlines()), ""), _SUBJECT)
        if not title and said.file:
            title = said.file.name
        if room and not room.direct and len(people) > 1:
            title = f"{room.name}: {title}"
        return Letter(
            senders=(sender,),
            recipients=(message.readers or (Correspondent(room.name if room else "", ""),))
            if mine
            else (self._me,),
            reply_to=(),
            subject=title,
            sent=_moment(said.stamp),
            message_id=said.id,
            in_reply_to=(said.answers,) if said.answers else (),
            references=(),
            text=text,
            attachments=_attachments(message),
            faults=(),
            notes=self._notes(message, room.name if room else said.room),
        )

    def _notes(self, message: Message, room: str) -> tuple[str, ...]:
        notes = [f"By: Matrix, in “{clean_line(room, 80)}”"]
        if message.changed and not message.removed:
            changed = _moment(message.changed)
            notes.append(f"Changed by its sender: {changed:%Y-%m-%d %H:%M} UTC" if changed else "Changed")
        if message.said.answers:
            parent = self._store.message(message.said.answers)
            words = parent.text.strip().splitlines()[0] if parent and parent.text.strip() else ""
            shown = f"“{clean_line(words, _SUBJECT)}”" if words else "an earlier message"
            notes.append(f"Answers: {shown}")
        return tuple(notes)


def _attachments(message: Message) -> tuple[Attachment, ...]:
    file = message.said.file
    return (Attachment(file.name, file.media, file.size),) if file and not message.removed else ()


def _drafted(draft: Draft) -> Entry:
    flags = DRAFT + SEEN
    stamp = draft.stamp * 1_000_000
    return Entry(DRAFTS, draft.id, "cur", flags, len(draft.data), stamp, suffix(flags))


def _letter_of_draft(draft: Draft, me: Correspondent) -> Letter:
    told = json.loads(draft.data)
    text = str(told["text"])
    return Letter(
        senders=(me,),
        recipients=tuple(Correspondent(*each) for each in told["to"]),
        reply_to=(),
        subject=shorten(next(iter(text.strip().splitlines()), ""), _SUBJECT),
        sent=_moment(draft.stamp),
        message_id=draft.id,
        in_reply_to=(),
        references=(),
        text=text,
        attachments=(),
        faults=(),
        notes=("By: Matrix",),
    )


def _moment(stamp: int) -> datetime | None:
    return datetime.fromtimestamp(stamp / 1000, UTC) if stamp else None
