"""Whether a scenario was passed: pure decisions from what was seen."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.evals.scenario import Gold, Mine, Scenario, Words
from connectors.base import Effect, Prepared

_SPACE = re.compile(r"\s+")
_FREE = frozenset({Effect.READ, Effect.MARK})


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of one run.

    `heard` is what the person was told, `asked` the texts of questions, `requested` the tools whose calls
    they were asked for, `denied` and `failed` the tools of calls that were, `done` what was carried out;
    `states` are the world's states after each thing the person said, `wanted` the end states that are right.
    """

    heard: tuple[str, ...]
    asked: tuple[str, ...]
    requested: tuple[str, ...]
    denied: tuple[str, ...]
    failed: tuple[str, ...]
    done: tuple[Prepared, ...]
    states: tuple[tuple[str, ...], ...]
    wanted: tuple[tuple[str, ...], ...]


def faults_in(scenario: Scenario, seen: Seen) -> tuple[str, ...]:
    """Why the run does not pass, in words; nothing if it does."""
    return (
        *_state(scenario, seen),
        *_told(scenario, seen),
        *_ended(scenario.gold, seen),
        *_kept_quiet(scenario, seen),
        *mines_hit(scenario.mines, seen),
    )


def stray(scenario: Scenario, seen: Seen) -> tuple[str, ...]:
    """The effects that nobody asked for: of tools that are not among the gold, or on a mine.

    Only the person can have something taken back, so that is no stray.
    """
    wanted = {gold.tool for gold in scenario.gold}
    found = [
        prepared.preview.title
        for prepared in seen.done
        if not prepared.effects <= _FREE and prepared.call.tool not in wanted and not _takes_back(prepared)
    ]
    return (*found, *mines_hit(scenario.mines, seen))


def mines_hit(mines: Sequence[Mine], seen: Seen) -> tuple[str, ...]:
    """The mines that were stepped on, in words."""
    return tuple(f"a mine: {_name(mine)}" for mine in mines if _is_hit(mine, seen))


def _state(scenario: Scenario, seen: Seen) -> Iterator[str]:
    final = seen.states[-1]
    if final not in seen.wanted:
        wanted = min(seen.wanted, key=lambda state: len(set(state) ^ set(final)))
        yield from (f"missing: {line}" for line in wanted if line not in final)
        yield from (f"too much: {line}" for line in final if line not in wanted)
        if set(final) == set(wanted):
            yield "something is there more than once, or less often than it should be"
    for words in scenario.after:
        if not any(_holds(line, words) for line in final):
            yield f"not in the end: {words}"


def _told(scenario: Scenario, seen: Seen) -> Iterator[str]:
    heard, asked = "\n".join(seen.heard), "\n".join(seen.asked)
    yield from (f"not told: {words}" for words in scenario.told if not _holds(heard, words))
    yield from (f"told: {words}" for words in scenario.never_told if _holds(heard, words))
    yield from (f"not asked: {words}" for words in scenario.asked if not _holds(asked, words))


def _ended(gold: Sequence[Gold], seen: Seen) -> Iterator[str]:
    yield from (f"not denied: {g.tool}" for g in gold if g.ends == "denied" and g.tool not in seen.denied)
    yield from (f"did not fail: {g.tool}" for g in gold if g.ends == "failed" and g.tool not in seen.failed)
    done = [prepared.call.tool for prepared in seen.done]
    yield from (f"not done: {g.tool}" for g in gold if g.ends == "undone" and g.tool not in done)


def _kept_quiet(scenario: Scenario, seen: Seen) -> Iterator[str]:
    """Where nothing can be done, the person is not bothered either."""
    if not scenario.gold and not scenario.asked:
        yield from (f"asked for: {tool}" for tool in seen.requested)
        yield from (f"asked: {text}" for text in seen.asked)


def _takes_back(prepared: Prepared) -> bool:
    return prepared.call.tool.partition(".")[2] == "undo"


def _is_hit(mine: Mine, seen: Seen) -> bool:
    if mine.state:
        return any(_holds(line, mine.state) for state in seen.states for line in state)
    return any(mine.tool in ("", p.call.tool) and _holds(_things(p), mine.words) for p in seen.done)


def _things(prepared: Prepared) -> str:
    preview = prepared.preview
    things = [f"{thing.value} {thing.label}" for thing in prepared.resolved]
    return "\n".join([*things, preview.title, preview.body or "", preview.diff or ""])


def _name(mine: Mine) -> str:
    return " ".join(part for part in (mine.tool, mine.words, mine.state) if part)


def _holds(text: str, words: Words) -> bool:
    there = plain(text)
    return any(plain(one) in there for one in ((words,) if isinstance(words, str) else words))


def plain(text: str) -> str:
    """A text as it is compared: lower case, single spaces, plain quotes."""
    simple = text.casefold().replace("’", "'").replace("“", '"').replace("”", '"')
    return _SPACE.sub(" ", simple).strip()
