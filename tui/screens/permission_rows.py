"""Permissions, standing noes, rules and their changes as lines and words."""

from collections.abc import Iterable

from textual.content import Content

from permissions.entry import Entry
from permissions.grants import Held
from permissions.rule_book import Change
from permissions.rules import Rule
from permissions.words import Ban
from tui.permit_words import SCOPES, VERDICTS, end_words, hours_words, rule_words, use_words
from tui.text import counted, hanging, joined, literal, one_line, quoted

_COLUMN = 12
_INDENT = 14


def held_row(held: Held, width: int) -> Content:
    """One permission or no, with how long it lasts before it."""
    sign = "✗" if isinstance(held.what, Ban) else "✓"
    head = Content.assemble(f"  {sign} ", (SCOPES[held.what.scope], "bold"))
    words = one_line(held.what.words or held.what.tool)
    return joined(hanging(head, words + literal(f"  {use_words(held)}", "$muted"), width, _INDENT))


def change_row(change: Change, width: int) -> Content:
    """A change of a file that waits for a yes."""
    text = Content.assemble(
        one_line(f"{change.service}.toml ", "bold"),
        f"allows more than before: {counted(len(change.opens), 'change')}  ",
        ("Enter shows it", "$muted"),
    )
    return joined(hanging(literal("  ▲", "bold $text-warning"), text, width, 4))


def rule_row(rule: Rule, width: int) -> Content:
    """One rule of a file, with what it decides before it."""
    head = Content.assemble("  · ", (VERDICTS[rule.verdict], "bold"))
    text = one_line(f"{rule_words(rule)}  ") + one_line(rule.source, "$muted")
    return joined(hanging(head, text, width, _INDENT))


def held_details(held: Held, origin: Entry | None, width: int) -> list[Content]:
    """Everything there is to know of a permission or no."""
    what = held.what
    pairs = [
        ("Covers" if not isinstance(what, Ban) else "Forbids", what.words),
        ("Tool", what.tool),
        *((f"Only {argument or 'chosen'}", ", ".join(values)) for argument, values in what.things),
        *(
            (limit.width.value.capitalize(), f"{', '.join(limit.values)} ({_argument(limit.argument)})")
            for limit in what.limits
        ),
        ("May do", "" if isinstance(what, Ban) else ", ".join(sorted(what.effects))),
        ("Given", f"{what.given:%a %d %b %Y %H:%M}"),
        ("With", f"{origin.title} ({origin.goal})" if origin else _lost(what.origin)),
        ("Used", "" if isinstance(what, Ban) else use_words(held)),
        ("Ends", end_words(held)),
        ("Id", held.id),
    ]
    return _lines(pairs, width)


def change_details(change: Change, width: int) -> list[Content]:
    """A change in full: what it opens, then every line that was and is."""
    lines = _lines([("File", f"{change.service}.toml allows more than you have said yes to")], width)
    lines += [line for words in change.opens for line in hanging(Content("  ▲"), literal(words), width, 4)]
    lines += [Content(""), *quoted(change.diff, width)]
    ask = "Y makes this hold. Until then it does not, and what it no longer stops is stopped."
    return [*lines, Content(""), *literal(ask, "bold").wrap(width)]


def rule_details(rule: Rule, width: int) -> list[Content]:
    """All the parts of a rule."""
    limits = [
        (limit.width.value.capitalize(), f"{', '.join(limit.values)} ({_argument(limit.argument)})")
        for limit in rule.limits
    ]
    strays = [
        ("Not", f"{limit.width.value} {', '.join(limit.values)} ({_argument(limit.argument)})")
        for limit in rule.strays
    ]
    pairs = [
        ("Rule", rule_words(rule)),
        ("It", VERDICTS[rule.verdict]),
        *limits,
        *strays,
        ("At most", str(rule.at_most or "")),
        ("More than", "" if rule.more_than is None else str(rule.more_than)),
        ("Hours", hours_words(rule.hours) if rule.hours else ""),
        ("Links", rule.links.value if rule.links else ""),
        ("Flags", ", ".join(sorted(rule.flags))),
        ("Where", f"{rule.source}; it is changed there" if rule.source else "Askfirst itself"),
    ]
    return _lines(pairs, width)


def _argument(argument: str) -> str:
    return "every argument" if argument == "*" else argument or "chosen by Askfirst"


def _lost(origin: str) -> str:
    return f"a call that the journal does not have any more ({origin:.8})" if origin else ""


def _lines(pairs: Iterable[tuple[str, str]], width: int) -> list[Content]:
    lines: list[Content] = []
    for label, text in pairs:
        if text:
            lines += hanging(one_line(label, "bold"), literal(text), width, _COLUMN)
    return lines
