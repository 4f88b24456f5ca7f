"""May this call run? One pure decision: floors > the person's no > the person's "ask me" > a grant > ask."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from connectors.base import Effect, Prepared, Resolved, Role, Tool
from permissions.canonical import digest
from permissions.coverage import READING, bans, covers, touched
from permissions.rules import Rule
from permissions.standing_table import refusal, speaks_for_others, typed_word, watched
from permissions.words import Asker, Ban, Flag, GoalRef, Grant, Key, Origin, Ruling, Verdict, Who, grave

__all__ = ["MANY", "MOST_DELETED", "Case", "Policy", "Rule", "decide", "whole"]

MANY = 5
MOST_DELETED = 20

_CODE = "1"
_RESERVED = frozenset({"permissions", "policy", "grants", "journal", "log", "model"})
_NO_GRANT_PAST = frozenset(Flag) - {Flag.DESTINATION_NEW}


@dataclass(frozen=True, slots=True)
class Policy:
    """The person's rules; none as things stand out of the box, where every call asks."""

    rules: tuple[Rule, ...] = ()

    @property
    def version(self) -> str:
        """A digest of all that decides, so that an approval ends when a rule changes."""
        return digest({"code": _CODE, "rules": [rule.parts() for rule in self.rules]})

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


@dataclass(frozen=True, slots=True)
class Case:
    """One call to be judged.

    `traced` has the origin of each of `prepared.resolved`, in that order; `flags` are those that only
    provenance can see; `repeated` says that this very deed has failed in this goal and nothing was mended.
    `tainted` says that foreign text has entered the model's context since the goal was typed,
    `service_in_plan` that the plan uses the call's service, and `sealed` that every value stood in the plan
    before anything was read.
    """

    tool: Tool
    prepared: Prepared
    traced: tuple[Origin, ...]
    asker: Asker
    in_plan: bool
    goal: GoalRef
    flags: frozenset[Flag] = frozenset()
    repeated: bool = False
    tainted: bool = False
    service_in_plan: bool = True
    sealed: bool = False

    @property
    def effects(self) -> frozenset[Effect]:
        """All that the call may do."""
        return self.prepared.effects


def whole(prepared: Prepared, tool: Tool) -> Prepared:
    """The call with all its effects: never less than its tool is declared to have."""
    return replace(prepared, effects=prepared.effects | {tool.effect})


def decide(
    case: Case, policy: Policy, grants: Iterable[Grant], now: datetime, noes: Iterable[Ban] = ()
) -> Ruling:
    """The ruling on a call; total and pure, and no where anything about the call is not understood."""
    try:
        return _decide(case, policy, grants, now, noes)
    except Exception:  # A call that cannot be judged must not run, whatever is wrong with it.
        return _refuse("floor.unreadable", "this call cannot be judged")


def _decide(
    case: Case, policy: Policy, grants: Iterable[Grant], now: datetime, noes: Iterable[Ban]
) -> Ruling:
    if not case.prepared.effects:
        return _refuse("floor.effect", "it is not known what this call does")
    case = replace(case, prepared=whole(case.prepared, case.tool))
    for rule, reason, broken in _floors():
        if broken(case):
            return _refuse(rule, reason)
    flags = _flags(case)
    if stopped := _stopped(case, policy, noes, flags, now):
        return stopped
    key, word = _key(case, flags)
    if asked := policy.first(Verdict.ASK_TYPED, case.prepared, flags, now):
        reason = f"your rule “{asked.name}” says to ask for a word"
        word = word or _plain_word(case)
        return Ruling(Verdict.ASK_TYPED, f"user.ask:{asked.name}", reason, flags, Key.TYPED, word)
    verdict = Verdict.ASK_TYPED if key is Key.TYPED else Verdict.ASK
    if asked := policy.first(Verdict.ASK, case.prepared, flags, now):
        reason = f"your rule “{asked.name}” says to ask"
        return Ruling(verdict, f"user.ask:{asked.name}", reason, flags, key, word)
    covered = _covered(case, policy, grants, flags, now)
    if covered is None:
        reason = f"no permission covers {case.tool.name} yet"
        return Ruling(verdict, "ask.default", reason, flags, key, word)
    if speaks_for_others(case):
        reason = "a permission covers this, but not all the words are yours"
        return Ruling(verdict, "ask.words", reason, flags, key, word)
    if watched(case) or (case.effects != READING and (flags & _NO_GRANT_PAST or key is Key.TYPED)):
        reason = "a permission covers this, but there is something to look at first"
        return Ruling(verdict, "ask.flagged", reason, flags, key, word)
    return Ruling(Verdict.ALLOW, *covered, flags, key)


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


def _covered(
    case: Case, policy: Policy, grants: Iterable[Grant], flags: frozenset[Flag], now: datetime
) -> tuple[str, str] | None:
    """What lets the call run unasked, by name and in words: a permission given, or a rule."""
    grant = next((grant for grant in grants if covers(grant, case.prepared, case.goal, now)), None)
    if grant is not None:
        return f"grant.{grant.scope}", "a permission you gave covers this"
    allowed = policy.first(Verdict.ALLOW, case.prepared, flags, now)
    return (f"user.allow:{allowed.name}", f"your rule “{allowed.name}” allows it") if allowed else None


def _floors() -> tuple[tuple[str, str, Callable[[Case], bool]], ...]:
    """What never runs, whatever anybody allows: the rule's name, why in words, and whether it is broken."""
    return (
        ("floor.tool", "the call and its tool do not belong together", _wrong_tool),
        ("floor.reserved", "permissions are no tool", _reserved),
        ("floor.effect", "it is not known what this call does", _unknown_effect),
        ("floor.reading", "a tool that only reads wants to do more", _reads_too_much),
        ("floor.nothing", "it is not known what this call acts on", _nothing_resolved),
        ("floor.unseen", "part of this call cannot be shown", _unseen),
        ("floor.origin", "it is not known where the values come from", _untraced),
        ("floor.address", "an address is not written in the plain way", _odd_address),
        ("floor.too_many", f"more than {MOST_DELETED} things cannot be deleted at once", _too_many),
        ("floor.repeated", "this very call has failed before; it is not run again", _repeated),
    )


def _wrong_tool(case: Case) -> bool:
    return case.tool.name != case.prepared.call.tool or "." not in case.tool.name


def _reserved(case: Case) -> bool:
    names = [case.tool.name]
    if Effect.CONFIGURE in case.effects:
        names += [thing.value for thing in touched(case.prepared)]
    return any(name.lower().partition(".")[0] in _RESERVED for name in names)


def _unknown_effect(case: Case) -> bool:
    return not case.effects or not all(isinstance(effect, Effect) for effect in case.effects)


def _reads_too_much(case: Case) -> bool:
    return case.tool.effect is Effect.READ and not case.effects <= {Effect.READ, Effect.MARK}


def _nothing_resolved(case: Case) -> bool:
    if case.effects == READING:
        return False
    return not case.prepared.resolved or (grave(case.effects) and not _destinations(case.prepared))


def _unseen(case: Case) -> bool:
    preview = case.prepared.preview
    things = touched(case.prepared)
    texts = [preview.title, preview.deed, *(t.value for t in things), *(t.label for t in things)]
    return not all(text.strip() for text in texts)


def _untraced(case: Case) -> bool:
    traced = case.traced
    return len(traced) != len(case.prepared.resolved) or not all(isinstance(o.who, Who) for o in traced)


def _odd_address(case: Case) -> bool:
    """Only printable ASCII without spaces is an address, so that two addresses that look alike are alike."""
    values = [thing.value for thing in _destinations(case.prepared)]
    addresses = values if grave(case.effects) else [value for value in values if "@" in value]
    return not all(value.isascii() and value.isprintable() and " " not in value for value in addresses)


def _too_many(case: Case) -> bool:
    return Effect.DELETE in case.effects and len(_objects(case.prepared)) > MOST_DELETED


def _repeated(case: Case) -> bool:
    return case.repeated and case.effects != READING


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
    if len(_objects(case.prepared)) > MANY:
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
    return str(len(_objects(case.prepared))) if Flag.MANY in flags else typed_word(case, flags)


def _plain_word(case: Case) -> str:
    """The word to type where only a rule wants one: where it goes, else what it does."""
    domains = dict.fromkeys(_domain(thing.value) for thing in _destinations(case.prepared))
    return " ".join(domains) or case.tool.name.partition(".")[2].replace("_", " ")


def _domain(address: str) -> str:
    return (address.rpartition("@")[2] or address).lower()


def _destinations(prepared: Prepared) -> tuple[Resolved, ...]:
    return tuple(thing for thing in prepared.resolved if thing.role is Role.DESTINATION)


def _objects(prepared: Prepared) -> frozenset[str]:
    return frozenset(thing.value for thing in touched(prepared))


def _refuse(rule: str, reason: str) -> Ruling:
    return Ruling(Verdict.REFUSE, rule, reason, key=Key.CAPITAL)
