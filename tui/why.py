"""Why a call was asked, allowed or refused, in words, from the journal's record of it alone."""

from permissions.entry import Entry, Touched
from permissions.words import Flag, Key, Verdict, Who
from tui.prompt.words import FLAGS

_VERDICTS = {
    Verdict.ALLOW: "allowed without asking",
    Verdict.ASK: "asked",
    Verdict.ASK_TYPED: "asked, with a word to type",
    Verdict.REFUSE: "refused without asking",
}
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


def reasons(entry: Entry) -> list[tuple[str, str]]:
    """What decided, and what it looked at, as labels and words."""
    ruling, why = entry.ruling, entry.why
    kind = _RULES.get(ruling.rule.partition(".")[0], "")
    pairs = [
        ("Call", f"{entry.title} ({entry.tool}), {', '.join(sorted(entry.effects))}"),
        ("Ruling", f"{_VERDICTS[ruling.verdict]}, by the rule {ruling.rule}"),
        ("", kind),
        ("Reason", ruling.reason),
        ("Mind", "; ".join(FLAGS.get(flag, flag.value) for flag in Flag if flag in ruling.flags)),
        ("Key", _key(ruling.key, ruling.word) if ruling.verdict in (Verdict.ASK, Verdict.ASK_TYPED) else ""),
        *(("Touches", _thing(thing)) for thing in why.touched),
        *(("From", f"{name or 'the rest'}: {_WHO[who]}") for name, who in why.origins),
        ("Place", f"{why.step} of {why.steps} in the plan" if why.step else "not a step of the plan"),
        ("Read", "foreign text had been read before" if why.tainted else "no foreign text had been read"),
        *(("Offered", words) for words in why.offers),
        ("Answer", entry.answer),
        ("Rules", f"version {why.policy:.12}" if why.policy else ""),
    ]
    return [(label, text) for label, text in pairs if text]


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
