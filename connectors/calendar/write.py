"""Carries out prepared changes: refuses if anything moved, records before acting, reads back after."""

import contextlib
import errno
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from connectors.base import Arguments, Call, Context, Item, Needs, Outcome, Prepared, failed
from connectors.calendar.agree import differences
from connectors.calendar.desk import Desk
from connectors.calendar.handles import read_place, spell
from connectors.calendar.records import FileChange, Record, new_name
from connectors.calendar.store import Collection, Moved, Place, StoreError, Uncertain, Unreadable, digest
from connectors.calendar.watch import Span, state_of

UNDO = "It can be taken back."
UNDO_MAILED = "It can be taken back; who was mailed is then mailed again."
_CHANGED = "The calendar has changed since it was looked at, so nothing was done. Please look again."
_UNSEEN = "It could not be looked at just before the change, so nothing was done."
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


class NotAPlan(Exception):
    """A payload that no prepare of this calendar made; the text is a plain sentence."""


class HalfWritten(StoreError):
    """Some files of a change were written and could not be put back."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Files to be written, and what to look at again afterwards.

    `changes` has each file's new bytes (None: it goes); `spans` are the times whose other events were shown;
    `report` says what to read back, in words of the verb that made the plan.
    """

    context: Context
    changes: tuple[tuple[Place, bytes | None], ...]
    spans: tuple[Span, ...] = ()
    made: Collection | None = None
    report: Arguments | None = None

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(place for place, _ in self.changes)


@dataclass(frozen=True, slots=True)
class Told:
    """What is true after a change, read back from the files: is it as planned, in words, and which things."""

    ok: bool
    text: str
    items: tuple[Item, ...] = ()


def payload_of(plan: Plan) -> Arguments:
    """A plan in JSON values."""
    spans: list[JsonValue] = [[start.isoformat(), end.isoformat()] for start, end in plan.spans]
    changes: list[JsonValue] = [
        {"file": spell(place), "content": None if data is None else data.decode()}
        for place, data in plan.changes
    ]
    return {
        "changes": changes,
        "spans": spans,
        "made": [plan.made.name, plan.made.displayname] if plan.made else None,
        "report": dict(plan.report or {}),
        **moment_of(plan.context),
    }


def moment_of(context: Context) -> dict[str, JsonValue]:
    """The moment of a call in JSON values."""
    return {"now": context.now.isoformat(), "zone": context.zone.key}


def context_of(payload: Arguments) -> Context:
    """The moment at which a call was prepared."""
    zone = ZoneInfo(str(payload["zone"]))
    return Context(datetime.fromisoformat(str(payload["now"])).astimezone(zone), zone)


def plan_of(payload: Arguments) -> Plan:
    """The plan that `payload_of` wrote. Raises NotAPlan for any other payload."""
    try:
        return _read_plan(payload)
    except (ValueError, KeyError, TypeError) as error:
        raise NotAPlan("What was prepared cannot be read, so nothing was done.") from error


def _read_plan(payload: Arguments) -> Plan:
    changes, spans, made, report = (payload[name] for name in ("changes", "spans", "made", "report"))
    if not isinstance(changes, list) or not isinstance(spans, list) or not isinstance(report, dict):
        raise ValueError("not a plan of this calendar")
    context = context_of(payload)
    return Plan(
        context=context,
        changes=tuple(_read_change(each) for each in changes),
        spans=tuple(_read_span(each, context.zone) for each in spans),
        made=Collection(str(made[0]), str(made[1])) if isinstance(made, list) else None,
        report=report,
    )


def carry_out(desk: Desk, prepared: Prepared, plan: Plan, tell: Callable[[], Told]) -> Outcome:
    """Write a plan's files, all or none, and say what `tell` reads back; the calendar is fresh by then."""
    desk.index.refresh(at_once=True)
    if state_of(desk, plan.places, plan.spans, plan.context) != prepared.basis:
        return failed(Needs.CONFLICT, _CHANGED)
    if unsure := _unsure(desk, plan):
        return failed(unsure.needs, f"{unsure} {_UNSEEN}")
    changes = [FileChange(place, desk.store.read(place), data) for place, data in plan.changes]
    present = {each.name for each in desk.index.collections}
    made = plan.made if plan.made and plan.made.name not in present else None
    record = Record(new_name(), prepared.preview.title, plan.context.now, tuple(changes), made)
    try:
        desk.records.keep(record)
        kept = _write(desk, record)
    except Moved:
        return failed(Needs.CONFLICT, _CHANGED)
    except OSError as error:
        return _refused(error)
    with contextlib.suppress(OSError):
        if kept != record.changes:
            desk.records.amend(replace(record, changes=kept))
        desk.records.prune(plan.context.now, timedelta(days=desk.config.keep_days))
    desk.index.refresh()
    told = _told(desk, record.changes, kept, tell)
    undo = Call(f"undo-{prepared.call.id}", "calendar.undo", {"record": record.name})
    return Outcome(told.ok, told.text, None if told.ok else Needs.CONFLICT, told.items, undo=undo)


def _unsure(desk: Desk, plan: Plan) -> StoreError | None:
    """Why the files of a change may be others by now: of several, a first must not be written for nothing."""
    if len(plan.changes) < 2:
        return None
    found = (desk.store.outdated(each.collection) for each in plan.places)
    return next((each for each in found if each is not None), None)


def _write(desk: Desk, record: Record) -> tuple[FileChange, ...]:
    """Write every file, or put back those already written and leave no record; else raise HalfWritten.

    Returns the changes as they are kept now. Where it is not known whether a file was written, nothing is
    put back and the record stays.
    """
    done: list[FileChange] = []
    try:
        if record.made:
            desk.store.make_collection(record.made.name, record.made.displayname)
        for change in record.changes:
            kept = desk.store.put(change.place, change.after, change.before)
            done.append(replace(change, after=kept))
    except Uncertain as error:
        if not done:
            raise
        raise Uncertain(f"{error} Written before that: {_named(done)}.") from error
    except BaseException:
        _put_back(desk, record, done)
        raise
    return tuple(done)


def _told(
    desk: Desk, planned: Sequence[FileChange], kept: Sequence[FileChange], tell: Callable[[], Told]
) -> Told:
    """What the verb reads back, unless another version is there or the server changed what was approved."""
    if not _landed(desk, kept):
        return Told(False, "It was written, but another version is there now.")
    for wanted, found in zip(planned, kept, strict=True):
        if unlike := differences(wanted.after, found.after):
            return Told(False, f"It was written, but the server keeps it differently: {', '.join(unlike)}.")
    return tell()


def _put_back(desk: Desk, record: Record, done: Sequence[FileChange]) -> None:
    try:
        for change in reversed(done):
            desk.store.put(change.place, change.before, change.after)
        if record.made:
            desk.store.remove_collection(record.made.name, record.made.displayname)
    except (StoreError, OSError) as error:
        raise HalfWritten(f"The change could only be written in part: {_named(done)}.") from error
    desk.records.drop(record.name)


def _named(changes: Sequence[FileChange]) -> str:
    return ", ".join(str(change.place) for change in changes)


def _landed(desk: Desk, changes: Sequence[FileChange]) -> bool:
    try:
        return all(digest(desk.store.read(each.place)) == digest(each.after) for each in changes)
    except Unreadable:
        return False


def _refused(error: OSError) -> Outcome:
    if error.errno in _FULL:
        return failed(Needs.NO_SPACE, "There is no room left on the disk, so nothing was changed.")
    if error.errno in _FORBIDDEN:
        return failed(Needs.READ_ONLY, "The calendar folder may not be written to, so nothing was changed.")
    reason = error.strerror or "unknown error"
    return failed(Needs.UNAVAILABLE, f"The calendar could not be written ({reason}), so nothing was changed.")


def _read_change(found: JsonValue) -> tuple[Place, bytes | None]:
    if not isinstance(found, dict):
        raise ValueError("not a change")
    place, content = read_place(str(found["file"])), found["content"]
    if place is None:
        raise ValueError("not a file of the calendar")
    return place, content.encode() if isinstance(content, str) else None


def _read_span(found: JsonValue, zone: ZoneInfo) -> Span:
    if not isinstance(found, list):
        raise ValueError("not a span")
    start, end = (datetime.fromisoformat(str(each)).astimezone(zone) for each in found)
    return start, end
