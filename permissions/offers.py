"""What may go with an answer: permissions with a yes and standing noes with a no, the narrowest first."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

from connectors.base import Effect, Prepared, Resolved, Role
from permissions.coverage import READING, covers, may_last, reaches, touched
from permissions.limits import calendar_of, domain_of, folder_of
from permissions.words import (
    EVERY_ARGUMENT,
    Ban,
    GoalRef,
    Grant,
    Key,
    Limit,
    Offer,
    Ruling,
    Scope,
    Verdict,
    Width,
)

UNUSED = timedelta(days=60)
"""How long an always grant lives without being used."""
QUARTER = timedelta(minutes=15)

_SERVICES = {
    "calendar": "the calendar",
    "messaging": "messages that leaves them as they are",
    "files": "files",
    "settings": "settings",
}
_SHOWN = 3
_MOST_COVERED = 50
_UNDO = "undo"
_SHARED_DOMAINS = frozenset(
    {
        "gmail.com",
        "googlemail.com",
        "outlook.com",
        "hotmail.com",
        "live.com",
        "yahoo.com",
        "icloud.com",
        "me.com",
    }
    | {"aol.com", "gmx.de", "gmx.net", "web.de", "mail.com", "proton.me", "protonmail.com", "fastmail.com"}
    | {"posteo.de", "mailbox.org", "yandex.ru", "mail.ru", "qq.com", "163.com"}
)
"""Where anybody can have an address: to know one person there says nothing of the others."""


@dataclass(frozen=True, slots=True)
class Past:
    """A call that was done before, made exact again, and how it is told."""

    prepared: Prepared
    words: str


@dataclass(frozen=True, slots=True)
class _Span:
    """How long a grant lasts, in words."""

    scope: Scope
    words: str
    expires: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Reach:
    """What a grant would cover, in words."""

    tool: str
    words: str
    things: tuple[tuple[str, tuple[str, ...]], ...] = ()
    limits: tuple[Limit, ...] = ()


def offers(
    prepared: Prepared,
    ruling: Ruling,
    goal: GoalRef,
    now: datetime,
    past: Sequence[Past] = (),
    origin: str = "",
) -> tuple[Offer, ...]:
    """The grants that may go with a yes to this call: by scope, each scope's narrowest first.

    Every one covers the call itself. None where a word must be typed or a rule of the person's asks, and none
    for a deed that happens once. `past` are the calls that longer grants are held against.
    """
    if ruling.verdict is not Verdict.ASK or ruling.key is Key.TYPED or ruling.rule.startswith("user."):
        return ()
    if Effect.DELETE in prepared.effects:
        return ()
    wide = _reading(prepared) if prepared.effects == READING else _acting(prepared)
    made = []
    for span in _spans(prepared, now):
        for reach in _fitting(wide, span.scope, reads=prepared.effects == READING):
            words = f"{reach.words}, {span.words}"
            goal_id = goal.id if span.scope is Scope.GOAL else ""
            grant = Grant(
                reach.tool,
                reach.things,
                span.scope,
                now,
                goal_id,
                prepared.effects,
                reach.limits,
                span.expires,
                words,
                origin,
            )
            if covers(grant, prepared, goal, now):
                made.append(Offer(grant, words))
    return held_against(past, made)


def held_against(past: Sequence[Past], made: Iterable[Offer]) -> tuple[Offer, ...]:
    """The offers, each with the past calls that it would have covered."""
    if not past:
        return tuple(made)
    return tuple(replace(offer, covered=_covered(offer.grant, past)) for offer in made)


def standing_noes(prepared: Prepared, goal: GoalRef, now: datetime, origin: str = "") -> tuple[Ban, ...]:
    """The noes that may be kept with a no to this call, the narrowest first: for this goal, then for good."""
    tool = prepared.call.tool
    deed = prepared.preview.deed
    found = (
        [_Reach(tool, f"anything that {deed} ({_named(prepared)})", _exact(prepared))]
        if touched(prepared)
        else []
    )
    if domains := _domain_limits(prepared):
        names = _listed(sorted({value for limit in domains for value in limit.values}))
        found.append(_Reach(tool, f"anything that {deed}, to anyone at {names}", limits=domains))
    found.append(_Reach(tool, f"anything that {deed}"))
    made = []
    for scope, when, id in ((Scope.GOAL, "in this goal", goal.id), (Scope.ALWAYS, "ever again", "")):
        made += [
            Ban(
                reach.tool, reach.things, scope, now, f"never {reach.words}, {when}", id, reach.limits, origin
            )
            for reach in found
        ]
    return tuple(made)


def _spans(prepared: Prepared, now: datetime) -> Iterator[_Span]:
    """For how long a call like this may be allowed; ends are in UTC, where no hour comes twice."""
    start = now.astimezone(UTC)
    midnight = datetime.combine(now.date() + timedelta(days=1), time(), now.tzinfo).astimezone(UTC)
    spans = [
        _Span(Scope.GOAL, "for this goal"),
        _Span(Scope.SESSION, "for this session"),
        _Span(Scope.UNTIL, "for 15 minutes", start + QUARTER),
        _Span(Scope.UNTIL, "until midnight today", midnight if midnight - start > QUARTER else None),
        _Span(Scope.ALWAYS, f"always, until unused for {UNUSED.days} days", start + UNUSED),
    ]
    # What takes one deed back happens once.
    once = prepared.call.tool.partition(".")[2] == _UNDO
    return (
        span for span in spans if may_last(span.scope, prepared) and (span.scope is Scope.GOAL or not once)
    )


def _fitting(reaches: list[_Reach], scope: Scope, *, reads: bool) -> Iterable[_Reach]:
    """The widths on offer for a scope: short ones need not be as narrow as what lasts for good."""
    if scope is Scope.ALWAYS or (scope is Scope.GOAL and not reads):
        return reaches
    return reaches[-1:] if reads else reaches[:1]


def _reading(prepared: Prepared) -> list[_Reach]:
    tool = prepared.call.tool
    service = tool.partition(".")[0]
    deed = prepared.preview.deed
    found = []
    if limits := _place_limits(prepared):
        found.append(_Reach(tool, f"anything that {deed} ({_within(limits)})", limits=limits))
    found.append(_Reach(tool, f"anything that {deed}"))
    found.append(_Reach(service, f"any reading of {_SERVICES.get(service, service)}"))
    return found


def _acting(prepared: Prepared) -> list[_Reach]:
    tool = prepared.call.tool
    more = f"anything more that {prepared.preview.deed}"
    exact = _exact(prepared)
    found = [_Reach(tool, f"{more} (only {_named(prepared)})", exact)]
    if limits := _place_limits(prepared):
        found.append(_Reach(tool, f"{more} ({_within(limits)})", limits=limits))
    if domains := _domain_limits(prepared):
        names = _listed(sorted({value for limit in domains for value in limit.values}))
        others = tuple(
            (argument, kept)
            for argument, values in exact
            if (kept := tuple(value for value in values if not domain_of(value)))
        )
        words = f"{more}, to anyone at {names} you have written to before"
        found.append(_Reach(tool, words, others, domains))
    return found


def _exact(prepared: Prepared) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The exact things the call touches, by argument."""
    named: dict[str, dict[str, None]] = {}
    for thing in touched(prepared):
        named.setdefault(thing.argument, {})[thing.value] = None
    return tuple((argument, tuple(values)) for argument, values in named.items())


def _place_limits(prepared: Prepared) -> tuple[Limit, ...]:
    """The calendars or folders that all things of the call are in, or none where one is in neither."""
    limits: dict[Limit, None] = {}
    for thing in touched(prepared):
        if calendar := _calendar(prepared, thing):
            limits[Limit(EVERY_ARGUMENT, Width.CALENDAR, (calendar,))] = None
        elif folder := folder_of(thing.value):
            limits[Limit(thing.argument, Width.UNDER, (folder,))] = None
        else:
            return ()
    return tuple(limits)


def _calendar(prepared: Prepared, thing: Resolved) -> str:
    if found := calendar_of(thing.value):
        return found if found.isprintable() else ""
    whole = thing.role is Role.TARGET and prepared.call.tool.startswith("calendar.")
    return thing.value if whole and thing.argument in ("", "calendar") else ""


def _domain_limits(prepared: Prepared) -> tuple[Limit, ...]:
    """The domains that the call goes to, by argument; none where anybody can have an address there."""
    domains: dict[str, dict[str, None]] = {}
    for thing in touched(prepared):
        if thing.role is Role.DESTINATION:
            domain = domain_of(thing.value)
            if not domain or domain in _SHARED_DOMAINS:
                return ()
            domains.setdefault(thing.argument, {})[domain] = None
    return tuple(
        Limit(argument, Width.DOMAIN, tuple(values), Role.DESTINATION) for argument, values in domains.items()
    )


def _covered(grant: Grant, past: Sequence[Past]) -> tuple[str, ...]:
    """The past calls that a lasting grant would have covered, newest first."""
    if grant.scope in (Scope.ONCE, Scope.GOAL):
        return ()
    return tuple(each.words for each in past if reaches(grant, each.prepared))[:_MOST_COVERED]


def _named(prepared: Prepared) -> str:
    """What the call touches, by label; addresses are spelled out, since two people may share a name."""
    return _listed([_said(thing) for thing in touched(prepared)])


def _said(thing: Resolved) -> str:
    spelled = domain_of(thing.value) and thing.value not in thing.label
    return f"{thing.label} <{thing.value}>" if spelled else thing.label


def _listed(names: Iterable[str]) -> str:
    unique = list(dict.fromkeys(names))
    more = f" and {len(unique) - _SHOWN} more" if len(unique) > _SHOWN else ""
    return f"{', '.join(unique[:_SHOWN])}{more}"


def _within(limits: Iterable[Limit]) -> str:
    places = [
        f"in the calendar {value}" if limit.width is Width.CALENDAR else f"in {value} or below"
        for limit in limits
        for value in limit.values
    ]
    return _listed(places)
