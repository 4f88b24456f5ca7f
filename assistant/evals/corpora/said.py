"""One annotated utterance with its spans, and what can be read off them."""

import re
from dataclasses import dataclass

from assistant.evals.corpora.label import Label, Value

SPAN = re.compile(r"\[\s*(\w+)\s*:\s*([^\]]+?)\s*\]")
WHEN = ("date", "time", "timeofday", "general_frequency")
BEFORE = re.compile(
    r"(?:\b(?:at|in|on|the|this|next|last|every|from|between|until|till|before|after|since|around|about|coming|for|to|by|of|each)\s+)+$",
    re.I,
)
LEADING = re.compile(r"^(?:on|for|to|by|of)\s+", re.I)
JOIN = re.compile(r"^[\s,]*(?:(?:at|in|on|the|for|of|from|to|and|until|till|next|this|-)[\s,]*)*$", re.I)
ARTICLE = re.compile(r"^the (?=(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\w+ (?:am|pm|o'?clock)\b)", re.I)
OWNED = re.compile(r"[\w .]+(?:['’]s|s['’])\s+", re.I)
POSSESSIVE = re.compile(r"(?:['’]s|(?<=today)s|(?<=tomorrow)s)$", re.I)


@dataclass(frozen=True, slots=True)
class Said:
    """One utterance with its annotated spans as (slot, start, end) in `text`."""

    text: str
    spans: tuple[tuple[str, int, int], ...]

    def words(self, *slots: str) -> list[str]:
        """The texts of all spans of these slots, in order."""
        return [self.text[a:b] for slot, a, b in self.spans if slot in slots]

    def when(self) -> str | None:
        """The date and time words, pieces that stand apart joined with a space."""
        pieces: list[list[int]] = []
        for slot, a, b in self.spans:
            if slot not in WHEN:
                continue
            start = a - len(match[0]) if (match := BEFORE.search(self.text[:a])) else a
            if pieces and JOIN.match(self.text[pieces[-1][1] : a]):
                pieces[-1][1] = b
            else:
                pieces.append([start, b])
        texts = [ARTICLE.sub("", POSSESSIVE.sub("", LEADING.sub("", self.text[a:b]))) for a, b in pieces]
        return " ".join(texts) or None

    def named(self, *slots: str) -> str | None:
        """The first span of these slots, with whose it is before it and a "with ..." that follows it."""
        for i, (slot, start, b) in enumerate(self.spans):
            if slot not in slots:
                continue
            whose, c, _ = self.spans[i - 1] if i else ("", start, start)
            owned = whose in ("person", "relation") and OWNED.fullmatch(self.text[c:start])
            a = c if owned else start
            for after, c, d in self.spans[i + 1 :]:
                if after in ("person", "relation") and re.fullmatch(
                    r"\s+with\s+(?:my\s+|the\s+)?", self.text[b:c], re.I
                ):
                    b = d
            return self.text[a:b]
        return None


def parse(annotated: str) -> Said:
    text, spans, at = "", [], 0
    for match in SPAN.finditer(annotated):
        text += annotated[at : match.start()]
        spans.append((match[1], len(text), len(text) + len(match[2])))
        text += match[2]
        at = match.end()
    return Said(text + annotated[at:], tuple(spans))


def relocate(said: Said, typed: str) -> Said | None:
    low, at, spans = typed.lower(), 0, []
    for slot, a, b in said.spans:
        found = low.find(said.text[a:b].lower(), at)
        if found < 0:
            return None
        spans.append((slot, found, found + b - a))
        at = found + b - a
    return Said(typed, tuple(spans))


def call(tool: str, **arguments: Value | None) -> tuple[Label, ...]:
    return (Label(tool, {name: value for name, value in arguments.items() if value not in (None, "", [])}),)


def person(said: Said) -> str | None:
    found = said.words("person", "relation", "business_name")
    return re.sub(r"^my |['’]s$", "", found[0], flags=re.I) if found else None
