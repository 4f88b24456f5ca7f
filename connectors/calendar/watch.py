"""The version of all that a preview was made from, to be compared just before writing."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import datetime

from connectors.base import Context
from connectors.calendar.desk import Desk
from connectors.calendar.expand import Occurrence, overlaps
from connectors.calendar.handles import spell
from connectors.calendar.moments import Moment, aware
from connectors.calendar.store import Place, digest

Span = tuple[Moment, Moment]


def beside(
    desk: Desk,
    spans: Sequence[Span],
    context: Context,
    apart_from: Iterable[tuple[Place, Moment | None]] = (),
) -> tuple[Occurrence, ...]:
    """The timed and busy occurrences that share time with one of the spans of timed events."""
    timed = [(start, end) for start, end in spans if isinstance(start, datetime)]
    if not timed:
        return ()
    zone = context.zone
    first = min(aware(start, zone) for start, _ in timed)
    last = max(aware(end, zone) for _, end in timed)
    known = set(apart_from)
    return tuple(
        each
        for each in desk.index.between(first, last, zone).occurrences
        if each.busy
        and isinstance(each.start, datetime)
        and not {(each.place, each.recurrence), (each.place, None)} & known
        and any(overlaps(each, start, end, zone) for start, end in timed)
    )


def state_of(desk: Desk, targets: Iterable[Place], spans: Sequence[Span], context: Context) -> str:
    """A digest of the files to be changed and of all that has an occurrence in the spans."""
    versions = {spell(place): digest(desk.store.read(place)) for place in targets}
    for occurrence in beside(desk, spans, context):
        entry = desk.index.get(occurrence.place)
        versions.setdefault(spell(occurrence.place), entry.version if entry else "")
    rows = json.dumps(sorted(versions.items()))
    return hashlib.sha256(rows.encode()).hexdigest()
