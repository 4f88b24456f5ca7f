"""A person's own rules: for which calls each of them is."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time
from enum import StrEnum

from connectors.base import Effect, Prepared, Resolved, Role
from permissions.coverage import READING, may_last, touched
from permissions.limits import concerns, contains, within
from permissions.words import EVERY_ARGUMENT, Flag, Limit, Scope, Verdict


class Links(StrEnum):
    """Whether every link that a call carries out is one the person gave."""

    FROM_USER = "from_user"
    NOT_FROM_USER = "not_from_user"


@dataclass(frozen=True, slots=True)
class Hours:
    """A time of the day where the person is, from `start` until before `end`; it may go over midnight."""

    start: time
    end: time

    def has(self, now: datetime) -> bool:
        clock = now.time().replace(tzinfo=None, fold=0)
        if self.start < self.end:
            return self.start <= clock < self.end
        return clock >= self.start or clock < self.end

    def within(self, other: "Hours") -> bool:
        """True if all of this is also in the other."""
        return all(other._has_minute(minute) for minute in self._minutes())

    def _minutes(self) -> Iterator[int]:
        start, end = _minute(self.start), _minute(self.end)
        length = (end - start) % _DAY or _DAY
        return ((start + n) % _DAY for n in range(length))

    def _has_minute(self, minute: int) -> bool:
        start, end = _minute(self.start), _minute(self.end)
        return start <= minute < end if start < end else minute >= start or minute < end


_DAY = 24 * 60


def _minute(clock: time) -> int:
    return clock.hour * 60 + clock.minute


@dataclass(frozen=True, slots=True)
class Rule:
    """A person's own rule; a part left empty stands for any.

    A no and an "ask me" hold where one thing of the call is within the limits for its argument and role, read
    generously, and one is outside all `strays` for its own; an allow holds only if all that the call touches
    is within a limit, to the letter. `at_most` and `more_than` count the things touched, `hours` are of the
    person's day, and `flags` wants one of them raised. `source` is where the rule stands, as "file:line".
    """

    name: str
    verdict: Verdict
    service: str = ""
    verb: str = ""
    effect: Effect | None = None
    limits: tuple[Limit, ...] = ()
    strays: tuple[Limit, ...] = ()
    at_most: int | None = None
    more_than: int | None = None
    hours: Hours | None = None
    links: Links | None = None
    flags: frozenset[Flag] = frozenset()
    source: str = field(default="", compare=False)

    def is_for(self, tool: str, effects: frozenset[Effect]) -> bool:
        """True if the rule is about such a call, whatever the call is about."""
        service, _, verb = tool.partition(".")
        return (
            self.service in ("", service)
            and self.verb in ("", verb)
            and (self.effect is None or self.effect in effects)
        )

    def matches(self, prepared: Prepared, flags: frozenset[Flag], now: datetime) -> bool:
        """True if the rule holds for this call now."""
        if not self.is_for(prepared.call.tool, prepared.effects) or not self._in_case(prepared, flags, now):
            return False
        if self.verdict is Verdict.ALLOW:
            return self._takes_in(prepared)
        things = prepared.resolved
        return all(
            any(within(limit, thing, generous=True) for limit in group for thing in things)
            for group in _by_scope(self.limits)
        ) and all(any(_strays(group, thing) for thing in things) for group in _by_scope(self.strays))

    @property
    def unconditional(self) -> bool:
        """True if it holds for every call of its tools."""
        conditions = (self.limits, self.strays, self.flags)
        counted = (self.at_most, self.more_than, self.hours, self.links)
        return not any(conditions) and all(each is None for each in counted)

    def parts(self) -> list[object]:
        """All that decides, in plain values."""
        return [
            self.name,
            self.verdict.value,
            self.service,
            self.verb,
            self.effect.value if self.effect else "",
            [_plain(limit) for limit in self.limits],
            [_plain(limit) for limit in self.strays],
            self.at_most,
            self.more_than,
            [self.hours.start.isoformat(), self.hours.end.isoformat()] if self.hours else None,
            self.links.value if self.links else "",
            sorted(flag.value for flag in self.flags),
        ]

    def _in_case(self, prepared: Prepared, flags: frozenset[Flag], now: datetime) -> bool:
        """True if the circumstances are those that the rule is for."""
        count = len({thing.value for thing in touched(prepared)})
        yours = Links.NOT_FROM_USER if Flag.LINK_NOT_YOURS in flags else Links.FROM_USER
        return (
            (self.at_most is None or count <= self.at_most)
            and (self.more_than is None or count > self.more_than)
            and (self.hours is None or self.hours.has(now))
            and self.links in (None, yours)
            and (not self.flags or bool(self.flags & flags))
        )

    def _takes_in(self, prepared: Prepared) -> bool:
        """True if this allow covers all that the call touches, as a permission for good would."""
        if not may_last(Scope.ALWAYS, prepared):
            return False
        if self.effect is not None and not prepared.effects <= {self.effect, Effect.READ}:
            return False
        if prepared.effects == READING and not self.limits:
            return True
        things = touched(prepared)
        return bool(things) and all(map(self._has, things)) and all(map(self._may_carry, prepared.resolved))

    def _has(self, thing: Resolved) -> bool:
        return any(within(limit, thing) for limit in self.limits)

    def _may_carry(self, thing: Resolved) -> bool:
        """True unless a limit is about this very argument and the thing is outside it."""
        named = [limit for limit in self.limits if limit.argument == thing.argument != EVERY_ARGUMENT]
        return not named or any(within(limit, thing) for limit in named)


def takes_in(wide: Rule, narrow: Rule) -> bool:
    """True if every call that the narrow rule holds for, the wide one holds for too.

    Both are of one kind: permissions, or rules that stop a call. True is certain; false may be for want of a
    proof.
    """
    allows = narrow.verdict is Verdict.ALLOW
    return (
        wide.service in ("", narrow.service)
        and wide.verb in ("", narrow.verb)
        and wide.effect in (None, narrow.effect)
        and _limits_take_in(wide, narrow, allows=allows)
        and (wide.at_most is None or (narrow.at_most is not None and narrow.at_most <= wide.at_most))
        and (wide.more_than is None or (narrow.more_than is not None and narrow.more_than >= wide.more_than))
        and (wide.hours is None or (narrow.hours is not None and narrow.hours.within(wide.hours)))
        and wide.links in (None, narrow.links)
        and (not wide.flags or (bool(narrow.flags) and narrow.flags <= wide.flags))
    )


def _limits_take_in(wide: Rule, narrow: Rule, *, allows: bool) -> bool:
    if allows:
        return _allows_take_in(wide, narrow)
    met = all(
        any(_each_within(narrower, wider, generous=True) for narrower in _by_scope(narrow.limits))
        for wider in _by_scope(wide.limits)
    )
    left = all(
        any(
            _scope(wider[0]) == _scope(other[0]) and _each_within(wider, other)
            for other in _by_scope(narrow.strays)
        )
        for wider in _by_scope(wide.strays)
    )
    return met and left


def _allows_take_in(wide: Rule, narrow: Rule) -> bool:
    if not wide.limits:
        # Without limits a permission is for reading only, which may then touch anything.
        return not narrow.limits or narrow.effect is Effect.READ
    if not narrow.limits or not _each_within(narrow.limits, wide.limits):
        return False
    # What a limit says of one argument binds all that the argument holds.
    for argument in {w.argument for w in wide.limits} - {EVERY_ARGUMENT}:
        own = [w for w in wide.limits if w.argument == argument]
        given = [n for n in narrow.limits if n.argument == argument]
        if not given or not _each_within(given, own):
            return False
    return True


def _each_within(narrow: Sequence[Limit], wide: Sequence[Limit], *, generous: bool = False) -> bool:
    return all(any(contains(w, n, generous=generous) for w in wide) for n in narrow)


def _by_scope(limits: Iterable[Limit]) -> list[list[Limit]]:
    """Limits that are about the same things stand together: one of them is enough."""
    groups: dict[tuple[str, Role | None], list[Limit]] = {}
    for limit in limits:
        groups.setdefault(_scope(limit), []).append(limit)
    return list(groups.values())


def _scope(limit: Limit) -> tuple[str, Role | None]:
    return limit.argument, limit.role


def _strays(group: Sequence[Limit], thing: Resolved) -> bool:
    """True if the limits are about this thing, and it is outside all of them."""
    return concerns(group[0], thing) and not any(within(limit, thing) for limit in group)


def _plain(limit: Limit) -> list[object]:
    return [limit.argument, limit.width.value, list(limit.values), limit.role.value if limit.role else ""]
