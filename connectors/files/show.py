"""How sizes, days and files are said to a person."""

import os
import stat
from datetime import datetime
from zoneinfo import ZoneInfo

from connectors.base import Item
from connectors.files.places import Place

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_UNITS = ("KB", "MB", "GB", "TB")


def size(count: int) -> str:
    """A number of bytes, in decimal units as file managers say it: "2 KB"."""
    if count < 1000:
        return "1 byte" if count == 1 else f"{count} bytes"
    amount = float(count)
    for unit in _UNITS:
        amount /= 1000
        if amount < 999.5 or unit == _UNITS[-1]:
            break
    return f"{amount:.1f} {unit}".replace(".0 ", " ") if amount < 9.95 else f"{amount:,.0f} {unit}"


def day(seconds: float, zone: ZoneInfo) -> str:
    """A time since the epoch as a day: "Tue 24 Nov 2026"."""
    moment = datetime.fromtimestamp(seconds, zone)
    return f"{_DAYS[moment.weekday()]} {moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


def count(number: int, noun: str) -> str:
    """A number of things: "1 file", "1,200 files", "2 files or folders"."""
    return f"{number:,} {noun if number == 1 else noun.replace(' or', 's or') + 's'}"


def kind(status: os.stat_result) -> str:
    """What sort of thing it is, in a word."""
    if stat.S_ISDIR(status.st_mode):
        return "folder"
    if stat.S_ISREG(status.st_mode):
        return "file"
    return "link" if stat.S_ISLNK(status.st_mode) else "special file"


def describe(place: Place, status: os.stat_result, zone: ZoneInfo) -> str:
    """Where a file is, how large, and when it was changed."""
    changed = f"changed {day(status.st_mtime, zone)}"
    what = size(status.st_size) if stat.S_ISREG(status.st_mode) else kind(status)
    return f"{place.shown}, {what}, {changed}"


def item(place: Place, status: os.stat_result, zone: ZoneInfo) -> Item:
    """A file or folder as one thing in a list."""
    return Item(place.handle, place.label, describe(place, status, zone))
