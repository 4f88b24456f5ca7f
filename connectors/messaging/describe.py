"""How messages, people and sizes are said in one line; all text that comes in here is clean already."""

from datetime import datetime

from connectors.base import Field, Item
from connectors.clean import clean_line
from connectors.messaging.maildir.index import Summary
from connectors.messaging.maildir.names import DRAFTS, SENT, shown
from connectors.messaging.mime.headers import Correspondent
from connectors.when import describe

NO_SUBJECT = "(no subject)"
_UNITS = ("kB", "MB", "GB")


def person(name: str, address: str) -> str:
    """Somebody with their address; a name that looks like an address itself is left out, it may be a lie."""
    if not name or any(sign in name for sign in "<>@"):
        return address or name
    return f"{name} <{address}>" if address else name


def called(who: Correspondent) -> str:
    """Somebody in a word or two: the name, else the address."""
    return who.name if who.name and "@" not in who.name else who.address or who.name or "somebody"


def label(summary: Summary) -> str:
    """A message in one line: "Carla Nowak: Invoice November", or "To Ana Ruiz: Friday" if one's own."""
    who = called(summary.sender)
    if summary.entry.folder in (SENT, DRAFTS):
        names = [called(each) for each in summary.recipients]
        who = f"To {listed(names)}" if names else "To nobody yet"
    return f"{who}: {summary.subject or NO_SUBJECT}"


def item(summary: Summary, now: datetime, *, size: bool = False) -> Item:
    """A message for a list, with its date, its folder, and whether it is unread; or with its size."""
    details = [date(summary, now)]
    if summary.entry.unread:
        details.append("unread")
    if summary.entry.folder != "INBOX":
        details.append(f"in {folder(summary.entry.folder)}")
    if size:
        details.append(in_bytes(summary.entry.size))
    return Item(summary.handle, label(summary), ", ".join(details))


def fields(summary: Summary, now: datetime, note: str = "") -> tuple[Field, ...]:
    """A message in a preview: what it is about, who it is from in full, and when it came."""
    return (
        Field("Message", label(summary), "message", note),
        Field("From", person(summary.sender.name, summary.sender.address) or "nobody named"),
        Field("Came", date(summary, now)),
    )


def date(summary: Summary, now: datetime) -> str:
    """When a message came, in the zone of `now`."""
    return describe(summary.came(now).astimezone(now.tzinfo), now)


def folder(name: str) -> str:
    """A folder's name, clean."""
    return clean_line(shown(name), 80)


def listed(names: list[str], most: int = 3) -> str:
    """Names in a row: "Ana and Ben"; more than `most` are counted."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def counted(number: int, one: str = "message") -> str:
    return f"{number:,} {one}" + ("" if number == 1 else "s")


def in_bytes(size: int) -> str:
    """A size in bytes or decimal units: "480 bytes", "12 kB", "3.4 MB"."""
    if size < 1000:
        return f"{size} bytes"
    power = min((len(str(size)) - 1) // 3, len(_UNITS))
    amount = size / 1000**power
    return f"{amount:.0f} {_UNITS[power - 1]}" if amount >= 10 else f"{amount:.1f} {_UNITS[power - 1]}"
