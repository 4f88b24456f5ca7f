"""One file's task, open for ticking off; a repeating one moves on to its next time."""

from datetime import UTC, datetime

from icalendar import Calendar, Component

from connectors.calendar.compose import touch
from connectors.calendar.dates import TooLong, dates_of
from connectors.calendar.event_file import CannotChange
from connectors.calendar.ical import moment, part, rules, set_moment, text, values, written, zone_name
from connectors.calendar.moments import DAY, Moment, same_kind, wall
from connectors.calendar.parse import read_calendar
from connectors.calendar.rules import objection, settle_until

_YEARS_AHEAD = 6 * 366 * DAY


def is_done(task: Component) -> bool:
    """True for a task that was ticked off or given up."""
    return text(task, "STATUS").upper() in ("COMPLETED", "CANCELLED") or bool(values(task, "COMPLETED"))


def due_of(task: Component) -> Moment | None:
    """When a task is due, or else begins; None where it says neither."""
    return moment(task, "DUE") or moment(task, "DTSTART")


class TaskFile:
    """A file with one task. Raises CannotChange for any other."""

    def __init__(self, data: bytes) -> None:
        try:
            data.decode()
        except UnicodeDecodeError as error:
            raise CannotChange("The file is not UTF-8, so it is left as it is.") from error
        self._calendar = read_calendar(data)
        tasks = self._calendar.walk("VTODO")
        if len(tasks) != 1 or self._calendar.walk("VEVENT"):
            raise CannotChange("The file holds several different things, so it is left as it is.")
        self._task = tasks[0]

    @property
    def data(self) -> bytes:
        """What the file would be written as."""
        return written(self._calendar)

    def tick_off(self, now: datetime) -> Moment | None:
        """Mark the task as done, or move a repeating one on; None, or else when it comes round next."""
        following = self._following(now) if rules(self._task) else None
        touch(self._task, now)
        if following is not None:
            self._move_on(following)
            return following
        for name in ("STATUS", "PERCENT-COMPLETE", "COMPLETED"):
            self._task.pop(name, None)
        self._task.add("STATUS", "COMPLETED")
        self._task.add("PERCENT-COMPLETE", 100)
        set_moment(self._task, "COMPLETED", now.astimezone(UTC).replace(microsecond=0))
        return None

    def _begin(self) -> Moment:
        begin = moment(self._task, "DTSTART") or moment(self._task, "DUE")
        if begin is None:
            raise CannotChange("The task repeats but says no date to repeat from.")
        return begin

    def _dates(self) -> list[Moment]:
        """When the task comes round, from its current time on."""
        begin = self._begin()
        for rule in rules(self._task):
            settle_until(rule, begin)
            if reason := objection(rule):
                raise CannotChange(f"The next time cannot be worked out: {reason}.")
        bare = self._task.copy()
        for name in ("DUE", "DURATION"):
            bare.pop(name, None)
        bare["DTSTART"] = self._task["DTSTART" if "DTSTART" in self._task else "DUE"]
        calendar = Calendar()
        calendar.add_component(bare)
        try:
            found = dates_of(calendar, "VTODO").between(begin, begin + _YEARS_AHEAD)
        except TooLong as error:
            raise CannotChange("The next time takes too long to work out.") from error
        return sorted((start for each in found if (start := moment(each, "DTSTART"))), key=wall)

    def _following(self, now: datetime) -> Moment | None:
        begin = self._begin()
        today = now.date()
        later = [each for each in self._dates() if wall(each) > wall(begin) and wall(each).date() >= today]
        return later[0] if later else None

    def _move_on(self, following: Moment) -> None:
        begin, due = self._begin(), moment(self._task, "DUE")
        by = wall(following) - wall(begin)
        passed = sum(1 for each in self._dates() if wall(each) < wall(following))
        for rule in rules(self._task):
            if part(rule, "COUNT") is not None:
                rule["COUNT"] = [int(part(rule, "COUNT")) - passed]
        for name, old in (("DTSTART", moment(self._task, "DTSTART")), ("DUE", due)):
            if old is not None:
                set_moment(self._task, name, same_kind(old, old) + by, zone_name(self._task, name))
        for name in ("COMPLETED", "PERCENT-COMPLETE"):
            self._task.pop(name, None)
        self._task.pop("STATUS", None)
        self._task.add("STATUS", "NEEDS-ACTION")
