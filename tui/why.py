"""Why a call was asked, allowed or refused, from the journal's record of it alone, and what is said now."""

from permissions.entry import Entry, Touched
from permissions.judged_again import Again
from permissions.words import Flag, Key, Ruling, Verdict, Who
from tui.prompt.words import FLAGS

_VERDICTS = {
    Verdict.ALLOW: "allowed without asking",
    Verdict.ASK: "asked",
    Verdict.ASK_TYPED: "asked, with a word to type",
    Verdict.REFUSE: "refused without asking",
}
_ASKING = (Verdict.ASK, Verdict.ASK_TYPED)
_WHO = {
    Who.YOU: "you",
    Who.CONFIG: "your settings or address book",
    Who.WRITTEN_TO: "somebody you have written to",
    Who.CONTENT: "a text that others wrote",
    Who.MODEL: "the model",
}
_RULES = {
    "floor": "a floor: nothing and nobody can lift it",
    "plan": "where the call stands: in the plan or not, after foreign text or not",
    "user": "what you have laid down yourself",
    "grant": "a permission that you gave",
    "ask": "every call asks unless a permission covers it",
}


_TOO_OLD = "the record is too old to judge the call again"
_INEXACT = "not all that counts is in the journal, so this may differ for the very same call"


def reasons(entry: Entry) -> list[tuple[str, str]]:
    """What decided, and what it looked at, as labels and words."""
    ruling, why = entry.ruling, entry.why
    kind = _RULES.get(ruling.rule.partition(".")[0], "")
    pairs = [
        ("Call", f"{entry.title} ({entry.tool}), {', '.join(sorted(entry.effects))}"),
        ("Ruling", f"{_VERDICTS[ruling.verdict]}, by the rule {ruling.rule}"),
        ("", kind),
        ("Reason", ruling.reason),
        ("Mind", _flags(ruling)),
        ("Key", _key(ruling.key, ruling.word) if ruling.verdict in _ASKING else ""),
        *(("Touches", _thing(thing)) for thing in why.touched),
        *(("From", f"{name or 'the rest'}: {_WHO[who]}") for name, who in why.origins),
        ("Place", f"{why.step} of {why.steps} in the plan" if why.step else "not a step of the plan"),
        ("Read", "foreign text had been read before" if why.tainted else "no foreign text had been read"),
        *(("Offered", words) for words in why.offers),
        ("Answer", entry.answer),
        ("Rules", f"version {why.policy:.12}" if why.policy else ""),
    ]
    return [(label, text) for label, text in pairs if text]


def reasons_now(entry: Entry, again: Again | None) -> list[tuple[str, str]]:
    """What would be said if the call came again now, and where that differs from what was said then."""
    if again is None:
        return [("Now", _TOO_OLD)]
    ruling = again.ruling
    pairs = [
        ("Now", f"{_VERDICTS[ruling.verdict]}, by the rule {ruling.rule}"),
        ("", ruling.reason),
        ("", _flags(ruling)),
        ("", "" if again.exact else _INEXACT),
        *(("Since", words) for words in changes(entry, again) or ["nothing has changed in the answer"]),
    ]
    return [(label, text) for label, text in pairs if text]


def changes(entry: Entry, again: Again) -> list[str]:
    """Where the answer of now differs from that of then, in words; nothing where it does not."""
    then, now = entry.ruling, again.ruling
    found = []
    if then.verdict is not now.verdict:
        found.append(f"it was {_VERDICTS[then.verdict]}, and would now be {_VERDICTS[now.verdict]}")
    if then.rule != now.rule:
        found.append(f"then the rule {then.rule} decided, now {now.rule}")
    if (then.key, then.word) != (now.key, now.word) and now.verdict in _ASKING:
        found.append(f"the yes would now be {_key(now.key, now.word)}")
    found += [f"new to look at: {FLAGS[flag]}" for flag in Flag if flag in now.flags - then.flags]
    found += [f"no longer pointed out: {FLAGS[flag]}" for flag in Flag if flag in then.flags - now.flags]
    if found:
        found.append("your rules are as they were" if again.same_rules else "your rules have changed since")
    return found


def _flags(ruling: Ruling) -> str:
    return "; ".join(FLAGS[flag] for flag in Flag if flag in ruling.flags)


def _key(key: Key, word: str) -> str:
    match key:
        case Key.TYPED:
            return f"the word “{word}”, typed"
        case Key.CAPITAL:
            return "Y: it leaves this machine, or cannot be undone"
        case Key.SMALL:
            return "y: it only looks, or can be undone"


def _thing(thing: Touched) -> str:
    seen = f", first seen in {thing.seen}" if thing.seen else ""
    before = "" if thing.written_before is None else f", written to before: {thing.written_before}"
    return f"{thing.label} = {thing.value} ({thing.role.value}; named by {_WHO[thing.who]}{seen}{before})"
