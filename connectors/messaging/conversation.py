"""Which conversation a message goes into, and everybody who will read it there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from connectors.base import Field, Needs, Outcome, Resolved, Role, failed
from connectors.messaging import describe
from connectors.messaging.chat import Chats, Room
from connectors.messaging.mime.headers import Correspondent
from connectors.messaging.recipients import Recipient, Recipients
from connectors.messaging.records import short_hash
from connectors.people.matrix_ids import is_matrix_room

MOST_READERS: Final = 100
_IN_CLEAR: Final = "none: the servers it passes through can read it"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message goes: a room, or a new conversation with `invite`; `readers` are all who are in it.

    `argument` names the call's argument that said so.
    """

    room: Room | None
    invite: str
    readers: tuple[Recipient, ...]
    argument: str
    written: int = 0
    doubts: tuple[str, ...] = ()

    @property
    def several(self) -> bool:
        """True for a room that goes by its name, and not by the one person in it."""
        return not self._alone

    @property
    def _alone(self) -> bool:
        return len(self.readers) == 1 and (self.room is None or self.room.direct != "" or self._unnamed)

    @property
    def _unnamed(self) -> bool:
        return self.room is not None and self.room.name in (self.readers[0].name, self.readers[0].address)

    @property
    def called(self) -> str:
        """Where it goes, in a few words."""
        if self.room is None or self._alone:
            return describe.called(Correspondent(self.readers[0].name, self.readers[0].address))
        return f"“{self.room.name}”"

    @property
    def channel(self) -> str:
        """The way it goes, as a line of a prompt."""
        if self.room is None:
            return "by Matrix, in a NEW conversation that is opened with it"
        if self._alone:
            return "by Matrix, in your conversation with this person"
        return f"by Matrix, in the room “{self.room.name}”"

    @property
    def fields(self) -> tuple[Field, ...]:
        """The channel, and one line for each who will read it."""
        lines = [Field("Channel", self.channel)]
        if self._alone:
            lines.append(self.readers[0].field(self.argument))
        else:
            name = self.room.name if self.room else ""
            lines.append(Field("To", f"the room “{name}”", self.argument))
            lines += [_reader(each, self.argument) for each in self.readers]
        return (*lines, Field("Encryption", _IN_CLEAR))

    @property
    def resolved(self) -> tuple[Resolved, ...]:
        """Everybody who reads it, and the room where it is one of several."""
        people = tuple(each.resolved(self.argument) for each in self.readers)
        if self._alone or self.room is None:
            return people
        room = Resolved(Role.DESTINATION, self.argument, self.room.id, self.room.name, self.written)
        return (room, *people)

    @property
    def warnings(self) -> tuple[str, ...]:
        if self.room is not None and self.room.open:
            return (f"Anybody can come into “{self.room.name}” and read what was said there.", *self.doubts)
        return self.doubts

    @property
    def basis(self) -> str:
        """A digest of where it goes and of everybody who reads it."""
        room = self.room
        said = (room.id, room.name, room.direct, str(room.encrypted), str(room.open)) if room else ("new",)
        return short_hash(*said, self.invite, *(each.address for each in self.readers))


class Places:
    """Finds the conversation; may raise OSError."""

    def __init__(self, chats: Chats, recipients: Recipients) -> None:
        self._chats = chats
        self._recipients = recipients

    def of(self, recipients: Sequence[Recipient], argument: str) -> Place | Outcome:
        """The conversation that these recipients, all of them on Matrix, stand for."""
        if len(recipients) != 1:
            text = "By Matrix a message goes into one conversation: name one person or one room."
            return failed(Needs.INVALID, text)
        (wanted,) = recipients
        rooms = self._chats.now()
        if is_matrix_room(wanted.address):
            return self.room(wanted.address, argument, rooms)
        room = _direct(rooms, wanted.address)
        return self._in(room, argument) if room else Place(None, wanted.address, (wanted,), argument)

    def room(self, id: str, argument: str, rooms: Sequence[Room] | None = None) -> Place | Outcome:
        """A room by its id."""
        known = self._chats.now() if rooms is None else rooms
        room = next((each for each in known if each.id == id), None)
        if room is None:
            return failed(
                Needs.NOT_FOUND, "You are not in that Matrix room (any more), so nothing can be sent."
            )
        return self._in(room, argument)

    def _in(self, room: Room, argument: str) -> Place | Outcome:
        if room.encrypted:
            return failed(
                Needs.UNSUPPORTED,
                f"The conversation “{room.name}” is encrypted, and Askfirst cannot encrypt: nothing is sent"
                " into it in clear. Write there from a Matrix app, or by mail.",
            )
        if not room.people:
            return failed(Needs.INVALID, f"Nobody but you is in “{room.name}”, so nobody would read it.")
        if len(room.people) > MOST_READERS:
            count = f"{len(room.people):,} people"
            return failed(Needs.UNSUPPORTED, f"{count} read “{room.name}”: more than can be shown to you.")
        readers = tuple(self._recipients.known(each) for each in room.people)
        doubts = tuple(doubt for each in room.people for doubt in self._recipients.borrowed_name(each))
        return Place(room, "", readers, argument, self._chats.written(room.id), doubts)


def _direct(rooms: Sequence[Room], user: str) -> Room | None:
    """The direct conversation with somebody, the liveliest first, else a room with nobody else in it."""
    marked = (room for room in rooms if room.direct == user)
    alone = (room for room in rooms if [each.address for each in room.people] == [user] and not room.open)
    return next(marked, None) or next(alone, None)


def _reader(who: Recipient, argument: str) -> Field:
    return Field("Read by", describe.person(who.name, who.address), argument, who.note)
