"""May this call run? One pure decision: floors > the person's no > the person's "ask me" > a grant > ask."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime

from connectors.base import Prepared, Role, Tool
from permissions.canonical import digest
from permissions.case import Case, destinations, objects, whole
from permissions.coverage import READING, bans, covers
from permissions.floors import MOST_DELETED, broken
from permissions.rules import Rule
from permissions.standing_table import refusal, speaks_for_others, typed_word, watched
from permissions.words import Asker, Ban, Flag, Grant, Key, Ruling, Verdict, Who, grave

__all__ = ["MANY", "MOST_DELETED", "Case", "Policy", "Rule", "decide", "sufficient", "whole"]

MANY = 5

_CODE = "1"
_NO_GRANT_PAST = frozenset(Flag) - {Flag.DESTINATION_NEW}


@dataclass(frozen=True, slots=True)
class Policy:
    """The person's rules; none as things stand out of the box, where every call asks.

    `version` is a digest of all that decides, so that an approval ends when a rule changes.
    """

    rules: tuple[Rule, ...] = ()
    version: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Neither the rules nor anything in them can change, so this is true as long as they are there.
        version = digest({"code": _CODE, "rules": [rule.parts() for rule in self.rules]})
        object.__setattr__(self, "version", version)

    def first(
        self, verdict: Verdict, prepared: Prepared, flags: frozenset[Flag], now: datetime
    ) -> Rule | None:
        """The first rule of this verdict that holds for a call."""
        return next((r for r in self.rules if r.verdict is verdict and r.matches(prepared, flags, now)), None)

    def hides(self, tool: Tool) -> bool:
        """True if a tool is denied whatever it is called with, so that no model need know of it."""
        effects = frozenset({tool.effect})
        return any(
            rule.verdict is Verdict.REFUSE and rule.unconditional and rule.is_for(tool.name, effects)
            for rule in self.rules
        )


def decide(
    case: Case, policy: Policy, grants: Iterable[Grant], now: datetime, noes: Iterable[Ban] = ()
) -> Ruling:
    """The ruling on a call; total and pure, and no where anything about the call is not understood."""
    try:
        return _decide(case, policy, grants, now, noes)
    except Exception:  # A call that cannot be judged must not run, whatever is wrong with it.
        return _refuse("floor.unreadable", "this call cannot be judged")


def sufficient(case: Case, policy: Policy, grants: Iterable[Grant], now: datetime) -> tuple[Grant, ...]:
    """Those of the grants that let the call run unasked, each by itself; none where `decide` would not."""
    try:
        askable = _weighed(case, policy, (), now)
        if isinstance(askable, Ruling) or _even_if_covered(askable):
            return ()
        return tuple(grant for grant in grants if covers(grant, askable.case.prepared, case.goal, now))
    except Exception:  # What cannot be judged is let run by nothing.
        return ()


@dataclass(frozen=True, slots=True)
class _Askable:
    """A call that nothing stops, and that no rule of the person's wants asked; `verdict` is to ask it."""

    case: Case
    flags: frozenset[Flag]
    verdict: Verdict
    key: Key
    word: str

    def asked(self, rule: str, reason: str) -> Ruling:
        return Ruling(self.verdict, rule, reason, self.flags, self.key, self.word)


def _decide(
    case: Case, policy: Policy, grants: Iterable[Grant], now: datetime, noes: Iterable[Ban]
) -> Ruling:
    askable = _weighed(case, policy, noes, now)
    if isinstance(askable, Ruling):
        return askable
    covered = _granted(askable.case, grants, now) or _ruled(askable, policy, now)
    if covered is None:
        return askable.asked("ask.default", f"no permission covers {case.tool.name} yet")
    return _even_if_covered(askable) or Ruling(Verdict.ALLOW, *covered, askable.flags, askable.key)


def _weighed(case: Case, policy: Policy, noes: Iterable[Ban], now: datetime) -> Ruling | _Askable:
    """The ruling on a call as far as no permission can change it."""
    if not case.prepared.effects:
        return _refuse("floor.effect", "it is not known what this call does")
    prepared = whole(case.prepared, case.tool)
    if prepared is not case.prepared:
        case = replace(case, prepared=prepared)
    if floor := broken(case):
        return _refuse(*floor)
    flags = _flags(case)
    if stopped := _stopped(case, policy, noes, flags, now):
        return stopped
    key, word = _key(case, flags)
    if asked := policy.first(Verdict.ASK_TYPED, case.prepared, flags, now):
        reason = f"your rule “{asked.name}” says to ask for a word"
        word = word or _plain_word(case)
        return Ruling(Verdict.ASK_TYPED, f"user.ask:{asked.name}", reason, flags, Key.TYPED, word)
    askable = _Askable(case, flags, Verdict.ASK_TYPED if key is Key.TYPED else Verdict.ASK, key, word)
    if asked := policy.first(Verdict.ASK, case.prepared, flags, now):
        return askable.asked(f"user.ask:{asked.name}", f"your rule “{asked.name}” says to ask")
    return askable


def _even_if_covered(askable: _Askable) -> Ruling | None:
    """The question that no permission spares the person, if there is one."""
    case = askable.case
    if speaks_for_others(case):
        return askable.asked("ask.words", "a permission covers this, but not all the words are yours")
    to_look_at = askable.flags & _NO_GRANT_PAST or askable.key is Key.TYPED
    if watched(case) or (case.effects != READING and to_look_at):
        reason = "a permission covers this, but there is something to look at first"
        return askable.asked("ask.flagged", reason)
    return None


def _stopped(
    case: Case, policy: Policy, noes: Iterable[Ban], flags: frozenset[Flag], now: datetime
) -> Ruling | None:
    """The refusal by a rule, by a standing no, or because of where the call stands."""
    if denied := policy.first(Verdict.REFUSE, case.prepared, flags, now):
        return _refuse(f"user.deny:{denied.name}", f"your rule “{denied.name}” says no")
    if banned := next((ban for ban in noes if bans(ban, case.prepared, case.goal)), None):
        return _refuse("user.never", f"you said {banned.words}")
    if found := refusal(case, flags):
        return replace(_refuse(*found), flags=flags)
    return None


def _granted(case: Case, grants: Iterable[Grant], now: datetime) -> tuple[str, str] | None:
    """The permission given that covers the call, by name and in words."""
    grant = next((grant for grant in grants if covers(grant, case.prepared, case.goal, now)), None)
    return (f"grant.{grant.scope}", "a permission you gave covers this") if grant else None


def _ruled(askable: _Askable, policy: Policy, now: datetime) -> tuple[str, str] | None:
    """The rule that lets the call run unasked, by name and in words."""
    allowed = policy.first(Verdict.ALLOW, askable.case.prepared, askable.flags, now)
    return (f"user.allow:{allowed.name}", f"your rule “{allowed.name}” allows it") if allowed else None


def _flags(case: Case) -> frozenset[Flag]:
    flags = set(case.flags)
    if case.asker is Asker.ADDED or not case.in_plan:
        flags.add(Flag.NOT_IN_PLAN)
    if case.effects == READING:
        return frozenset(flags & {Flag.NOT_IN_PLAN})
    for thing, origin in zip(case.prepared.resolved, case.traced, strict=True):
        foreign = origin.who >= Who.CONTENT
        if thing.role is Role.DESTINATION:
            flags |= {Flag.DESTINATION_NOT_YOURS} if foreign else set()
            flags |= {Flag.DESTINATION_NEW} if thing.written_before == 0 else set()
        elif thing.role is Role.TARGET and foreign:
            flags.add(Flag.TARGET_NOT_YOURS)
    if len(objects(case.prepared)) > MANY:
        flags.add(Flag.MANY)
    return frozenset(flags)


def _key(case: Case, flags: frozenset[Flag]) -> tuple[Key, str]:
    """How a yes must be given, and the word to type where one is."""
    if word := _danger(case, flags):
        return Key.TYPED, word
    if case.effects == READING:
        return Key.SMALL, ""
    if grave(case.effects) or case.prepared.undo is None:
        return Key.CAPITAL, ""
    return Key.SMALL, ""


def _danger(case: Case, flags: frozenset[Flag]) -> str:
    """The word to type, taken from the danger itself: domains, the count of many things, or the deed."""
    if grave(case.effects):
        strangers = [
            thing.value
            for thing, origin in zip(case.prepared.resolved, case.traced, strict=True)
            if thing.role is Role.DESTINATION
            and not thing.written_before
            and (origin.who >= Who.CONTENT or Flag.LOOKALIKE in flags)
        ]
        if strangers:
            return " ".join(dict.fromkeys(_domain(value) for value in strangers))
    return str(len(objects(case.prepared))) if Flag.MANY in flags else typed_word(case, flags)


def _plain_word(case: Case) -> str:
    """The word to type where only a rule wants one: where it goes, else what it does."""
    domains = dict.fromkeys(_domain(thing.value) for thing in destinations(case.prepared))
    return " ".join(domains) or case.tool.name.partition(".")[2].replace("_", " ")


def _domain(address: str) -> str:
    return (address.rpartition("@")[2] or address).lower()


def _refuse(rule: str, reason: str) -> Ruling:
    return Ruling(Verdict.REFUSE, rule, reason, key=Key.CAPITAL)
