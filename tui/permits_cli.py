"""`askfirst permissions`: the list, taking one back, and why a call was asked, then and now."""

import argparse
import sys
from collections.abc import Iterable
from typing import Any

from connectors.clean import clean_line
from permissions.entry import Entry
from permissions.grants import Held, StoreError
from permissions.journal import JournalError
from permissions.words import Ban, Ruling
from tui.home import Home
from tui.output import DONE, REFUSED, complain, show_list
from tui.permit_words import SCOPES, VERDICTS, end_words, rule_words, use_words
from tui.permits import Permits
from tui.tty import Tty, present
from tui.why import changes, reasons, reasons_now

_FAR_BACK = 1000


def permissions(options: argparse.Namespace, home: Home) -> int:
    """Carry out one of the actions."""
    match options.action:
        case "revoke":
            return _revoke(options.what, home.permits)
        case "accept":
            return _accept(options.what, home.permits)
        case "why":
            return _why(options, home)
        case _:
            return _list(home.permits, as_json=options.json)


def _list(permits: Permits, *, as_json: bool) -> int:
    for text in permits.notices:
        complain(text)
    rows = [*_changes(permits), *(_held(permits, held) for held in permits.held()), *_rules(permits)]
    lines = (f"{row['id']:<16}  {row['kind']:<6}  {row['scope']:<9}  {row['words']}" for row in rows)
    return show_list(
        rows, lines, as_json=as_json, empty="Nothing is permitted in advance; every call is asked."
    )


def _changes(permits: Permits) -> Iterable[dict[str, Any]]:
    for change in permits.changes:
        yield {
            "id": f"{change.service}.toml",
            "kind": "change",
            "scope": "waits",
            "words": "; ".join(change.opens),
            "diff": change.diff,
        }


def _held(permits: Permits, held: Held) -> dict[str, Any]:
    origin = permits.origin(held)
    return {
        "id": held.id,
        "kind": "never" if isinstance(held.what, Ban) else "grant",
        "scope": SCOPES[held.what.scope],
        "words": f"{held.what.words} ({use_words(held)})",
        "tool": held.what.tool,
        "given": held.what.given.isoformat(timespec="seconds"),
        "origin": held.what.origin,
        "origin_title": origin.title if origin else "",
        "uses": held.uses,
        "last_used": held.used.isoformat(timespec="seconds") if held.used else "",
        "ends": end_words(held),
        "expires": held.expires.isoformat(timespec="seconds") if held.expires else "",
    }


def _rules(permits: Permits) -> Iterable[dict[str, Any]]:
    for rule in permits.rules:
        yield {
            "id": rule.source,
            "kind": "rule",
            "scope": VERDICTS[rule.verdict],
            "words": rule_words(rule),
            "tool": ".".join(part for part in (rule.service, rule.verb) if part),
        }


def _revoke(id: str, permits: Permits) -> int:
    held = permits.find(id)
    if held is None:
        return complain(
            f"There is no permission {id!r}." if id else "Say which: askfirst permissions revoke ID."
        )
    try:
        permits.revoke(held)
    except StoreError as error:
        return complain(str(error))
    sys.stdout.write(f"Taken back: {held.what.words}.\n")
    return DONE


def _accept(service: str, permits: Permits) -> int:
    """Show what a changed file of rules opens, and let the person type its name to make it hold."""
    change = next((each for each in permits.changes if each.service == service), None)
    if change is None:
        waiting = ", ".join(each.service for each in permits.changes)
        return complain(
            f"These wait for your yes: {waiting}." if waiting else "No change waits for your yes."
        )
    if not present():
        complain("Nobody is here to say yes to what a file of rules allows.")
        return REFUSED
    terminal = Tty()
    for line in (*change.opens, "", *change.diff.split("\n"), ""):
        terminal.write(clean_line(line))
    typed = terminal.read(f"To make this hold, type {service}: ")
    if typed is None or typed.strip() != service:
        return complain("Nothing was changed.")
    try:
        permits.accept(change)
    except JournalError as error:
        return complain(f"It does not hold: {error}")
    terminal.write("It holds now.")
    return DONE


def _why(options: argparse.Namespace, home: Home) -> int:
    found = [
        entry for entry in home.activity(_FAR_BACK) if options.what and entry.id.startswith(options.what)
    ]
    if len(found) != 1:
        return complain("Say which call: askfirst permissions why ID, with an id of askfirst activity.")
    entry = found[0]
    try:
        again = home.permits.judged_again(entry)
    except StoreError as error:
        return complain(str(error))
    pairs = [*reasons(entry), *reasons_now(entry, again)]
    width = max(len(label) for label, _ in pairs)
    lines = (f"{label:<{width}}  {text}" for label, text in pairs)
    record = {**_record(entry), "now": _ruling(again.ruling) if again else None}
    if again:
        record |= {"exact": again.exact, "changed": changes(entry, again)}
    return show_list([record], lines, as_json=options.json)


def _record(entry: Entry) -> dict[str, Any]:
    """The ruling and all that it was made of, as the journal has it."""
    ruling, why = entry.ruling, entry.why
    return {
        "id": entry.id,
        "tool": entry.tool,
        "title": entry.title,
        "effects": sorted(entry.effects),
        **_ruling(ruling),
        "policy": why.policy,
        "asker": entry.asker.value,
        "step": why.step,
        "steps": why.steps,
        "tainted": why.tainted,
        "things": [
            {
                "role": thing.role.value,
                "argument": thing.argument,
                "value": thing.value,
                "label": thing.label,
                "from": thing.who.name.lower(),
                "seen": thing.seen,
                "written_before": thing.written_before,
            }
            for thing in why.touched
        ],
        "origins": {name: who.name.lower() for name, who in why.origins},
        "offers": list(why.offers),
        "answer": entry.answer,
        "state": entry.state.value,
    }


def _ruling(ruling: Ruling) -> dict[str, Any]:
    return {
        "verdict": ruling.verdict.value,
        "rule": ruling.rule,
        "reason": ruling.reason,
        "flags": sorted(ruling.flags),
        "key": ruling.key.value,
        "word": ruling.word,
    }
