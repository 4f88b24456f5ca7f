"""Putting back what a file said before."""

from connectors.base import Call, Field, Outcome, Preview
from connectors.files import show
from connectors.files.desk import Desk, conflict, undo_call
from connectors.files.disk.versions import digest, identity, sha256
from connectors.files.edit import difference
from connectors.files.places import Place
from connectors.files.records import Record
from connectors.files.text import decode
from connectors.files.undo.reversal import Look, Reversal
from connectors.files.verbs.write_change import look as look_at
from connectors.files.verbs.write_change import put


def look(desk: Desk, record: Record) -> Look:
    place, now, seen = _now(desk, record)
    before = desk.records.before(record.name)
    current, old = decode(now), decode(before)
    fields = (
        Field("File", place.shown),
        Field("Size", show.size(len(before)), before=show.size(len(now))),
    )
    changes = difference(current.text, old.text, place.label) if current and old else None
    preview = Preview(f"Put back what {place.shown} said before", "restores a file", fields, diff=changes)
    days = show.count(desk.config.keep_days, "day")
    return Look((place,), preview, digest(record.name, seen), f"the text as it is now is kept for {days}")


def act(desk: Desk, record: Record, call: Call) -> Outcome:
    place, now, _ = _now(desk, record)
    again = put(desk, place, now, desk.records.before(record.name))
    size = show.size(desk.jail.status(place).st_size)
    return Outcome(True, f"{place.shown} says what it said before, {size}.", undo=undo_call(call, again))


def _now(desk: Desk, record: Record) -> tuple[Place, bytes, str]:
    place = desk.places.at(record.text("place"))
    status, now = look_at(desk, place)
    if sha256(now) != record.text("seen"):
        raise conflict(place)
    return place, now, identity(status)


CONTENT = Reversal(look, act)
