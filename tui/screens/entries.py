"""The journal's entries as lines and words."""

from collections.abc import Iterable
from itertools import groupby

from textual.content import Content

from permissions.audit import ChangeKind, PermissionChange
from permissions.entry import Entry, State
from permissions.words import Asker, Flag
from tui.prompt.words import FLAGS
from tui.text import hanging, joined, literal, one_line

STATES = {
    State.PLANNED: ("·", "waiting"),
    State.DENIED: ("✗", "not allowed"),
    State.EXPIRED: ("–", "expired"),
    State.APPROVED: ("·", "allowed"),
    State.HELD: ("◷", "held"),
    State.WITHDRAWN: ("–", "taken back, not sent"),
    State.STARTED: ("▸", "running"),
    State.DONE: ("✓", "done"),
    State.FAILED: ("✗", "failed"),
    State.UNKNOWN: ("?", "unknown"),
    State.DIVERGED: ("▲", "did more than was shown"),
    State.RESOLVED_DONE: ("✓", "done, found later"),
    State.RESOLVED_NOT: ("✗", "not done, found later"),
    State.LEFT: ("?", "unknown, left at that"),
}

CHANGES = {
    ChangeKind.REVOKED: "–",
    ChangeKind.RESTORED: "+",
    ChangeKind.TURNED_OFF: "■",
    ChangeKind.TURNED_ON: "▸",
    ChangeKind.ACCEPTED: "+",
}

Told = Entry | PermissionChange
"""What the activity tells of."""

ASKERS = {
    Asker.PLAN: "as planned",
    Asker.ADDED: "added by the model after the plan",
    Asker.REPAIR: "proposed by Askfirst to clear the way",
    Asker.UNDO: "to take back a deed",
}


def state_words(entry: Entry) -> str:
    """How a call ended, in words."""
    return STATES[entry.state][1] + ("; undone since" if entry.undone else "")


def can_be_undone(entry: Entry) -> bool:
    done = entry.state in (State.DONE, State.RESOLVED_DONE, State.DIVERGED)
    return entry.undo is not None and not entry.undone and done


def matches(entry: Entry, words: str) -> bool:
    """True if every word is in the entry somewhere."""
    text = " ".join(
        (entry.goal, entry.title, entry.tool, state_words(entry), entry.rule, entry.answer, entry.outcome)
    )
    return all(word in text.casefold() for word in words.casefold().split())


def by_goal(entries: Iterable[Entry]) -> list[tuple[Entry, list[Entry]]]:
    """Entries that stand together because they belong to one goal, each group with its newest."""
    groups = [list(group) for _, group in groupby(entries, key=lambda entry: entry.goal_id)]
    return [(group[0], group) for group in groups]


def by_time(
    entries: Iterable[Entry], changes: Iterable[PermissionChange]
) -> list[tuple[Content, list[Told]]]:
    """The calls of each goal, and between them what was changed of what is permitted; a heading for each."""
    calls: list[tuple[Content, list[Told]]] = []
    latest = [(group[0].at, heading(first), list[Told](group)) for first, group in by_goal(entries)]
    other = [(change.at, change) for change in changes if change.at]
    for at, head, group in latest:
        calls += _permissions([change for when, change in other if when > at])
        other = [(when, change) for when, change in other if when <= at]
        calls.append((head, group))
    return [*calls, *_permissions([change for _, change in other])]


def _permissions(changes: list[PermissionChange]) -> list[tuple[Content, list[Told]]]:
    """Changes that stand together, under a heading of their own."""
    if not changes:
        return []
    head = Content.assemble(("Permissions", "bold"), (f"  {changes[0].at:%a %d %b %Y}", "$muted"))
    return [(head, list[Told](changes))]


def heading(entry: Entry) -> Content:
    """The line above the calls of a goal."""
    return Content.assemble(one_line(entry.goal, "bold"), (f"  {entry.at:%a %d %b %Y}", "$muted"))


def row(entry: Entry) -> Content:
    """One call in a line."""
    sign = STATES[entry.state][0]
    undo = "  u undoes it" if can_be_undone(entry) or entry.state is State.HELD else ""
    return Content.assemble(
        f"  {sign} {entry.at:%H:%M} ",
        one_line(entry.title),
        "  ",
        (state_words(entry), "bold"),
        (undo, "$muted"),
    )


def change_row(change: PermissionChange, width: int) -> Content:
    """One change of what is permitted, as wide as it may be."""
    head = literal(f"  {CHANGES[change.kind]} {change.at:%H:%M}")
    return joined(hanging(head, one_line(f"You {change.words}"), width, head.cell_length + 1))


def change_details(change: PermissionChange, width: int) -> list[Content]:
    """Everything the journal has of a change of what is permitted."""
    pairs = [
        ("Did", f"You {change.words}"),
        ("When", f"{change.at:%a %d %b %Y %H:%M:%S %Z}"),
        ("About", change.about),
        *(("", line) for line in change.details),
        ("Log", f"row {change.number}"),
    ]
    lines: list[Content] = []
    for label, text in pairs:
        if text:
            lines += hanging(one_line(label, "bold"), literal(text), width, 12)
    return lines


def change_matches(change: PermissionChange, words: str) -> bool:
    """True if every word is in the change somewhere."""
    text = " ".join(("permissions", change.words, change.about, *change.details)).casefold()
    return all(word in text for word in words.casefold().split())


def recovery_row(entry: Entry) -> Content:
    """One call that was held or running when Askfirst ended."""
    known = "held, so it was not sent" if entry.state is State.HELD else "not known if it was done"
    return Content.assemble(
        f"  {STATES[entry.state][0]} {entry.at:%a %d %b %H:%M} ",
        one_line(entry.title),
        "  ",
        (known, "bold"),
    )


def details(entry: Entry, width: int, now: Iterable[tuple[str, str]] = ()) -> list[Content]:
    """Everything the journal has of a call, and what would be said to it now."""
    pairs = [
        ("Goal", entry.goal),
        ("Call", f"{entry.title} ({entry.tool})"),
        ("Asked", f"{entry.at:%a %d %b %Y %H:%M:%S %Z}, {ASKERS[entry.asker]}"),
        *entry.fields,
        *(("Touches", f"{thing} (from: {who})") for thing, who in entry.things),
        ("Effects", ", ".join(sorted(entry.effects))),
        ("Rule", f"{entry.rule}: {entry.verdict}"),
        ("Reason", entry.reason),
        ("Mind", "; ".join(FLAGS[flag] for flag in Flag if flag in entry.ruling.flags)),
        ("Answer", entry.answer),
        ("State", state_words(entry)),
        ("Outcome", entry.outcome),
        ("Undo", "u undoes it" if can_be_undone(entry) else "not from here"),
        *now,
    ]
    lines: list[Content] = []
    for label, text in pairs:
        if text:
            lines += hanging(one_line(label, "bold"), literal(text), width, 12)
    return lines
