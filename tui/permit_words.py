"""Permissions and rules in plain words, for the screen and the command line alike."""

from permissions.grants import Held
from permissions.rules import Hours, Rule
from permissions.words import EVERY_ARGUMENT, Ban, Limit, Scope, Verdict, Width

SCOPES = {
    Scope.ONCE: "once",
    Scope.GOAL: "this goal",
    Scope.SESSION: "session",
    Scope.UNTIL: "until",
    Scope.ALWAYS: "always",
}
VERDICTS = {
    Verdict.ALLOW: "allows",
    Verdict.ASK: "asks",
    Verdict.ASK_TYPED: "asks word",
    Verdict.REFUSE: "refuses",
}


def use_words(held: Held) -> str:
    """How often it was used, and when last."""
    if isinstance(held.what, Ban):
        return f"since {held.what.given:%d %b}"
    if held.used is None:
        return "never used"
    times = "once" if held.uses == 1 else f"{held.uses} times"
    return f"used {times}, last {held.used:%d %b %H:%M}"


def rule_words(rule: Rule) -> str:
    """What a rule is about, shortly."""
    what = ".".join(part for part in (rule.service, rule.verb) if part) or "everything"
    effect = f" that does: {rule.effect.value}" if rule.effect else ""
    limits = "".join(f", {limit_words(limit)}" for limit in rule.limits)
    strays = "".join(f", not {limit_words(limit)}" for limit in rule.strays)
    hours = f", {hours_words(rule.hours)}" if rule.hours else ""
    return f"“{rule.name}”: {what}{effect}{limits}{strays}{hours}"


def limit_words(limit: Limit) -> str:
    """What a limit takes in."""
    values = ", ".join(limit.values)
    match limit.width:
        case Width.ANY:
            return "any " + (limit.argument if limit.argument != EVERY_ARGUMENT else "thing")
        case Width.IS:
            return f"only {values}"
        case Width.DOMAIN:
            return f"to anyone at {values}"
        case Width.UNDER:
            return f"in {values} or below"
        case Width.CALENDAR:
            return f"in the calendar {values}"


def hours_words(hours: Hours) -> str:
    """A time of the day as a person writes it."""
    return f"{hours.start:%H:%M}-{hours.end:%H:%M}"


def end_words(held: Held) -> str:
    """When it ends by itself."""
    if held.expires is not None:
        local = held.expires.astimezone(held.what.given.tzinfo)
        end = f"{local:%a %d %b %Y %H:%M}"
        return f"{end}, unless it is used before" if held.what.scope is Scope.ALWAYS else end
    match held.what.scope:
        case Scope.GOAL:
            return "with the goal"
        case Scope.ALWAYS:
            return "never by itself"
        case _:
            return "when Askfirst ends"
