"""What of a conversation is told to a model whose context is finite: nothing is left out without a word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from assistant.model.base import Goal, Result, Turn
from connectors.clean import clean_line

_Episode = tuple[Goal, list[Turn]]

_LEAST = 48
"""To so many tokens a result that was read before is shortened, when there is no other way."""

_LINES = 8
_TITLE = 80


@dataclass(frozen=True, slots=True)
class Fitted:
    """The first `dropped` goals are told in `earlier` only; of some results only so many tokens are told.

    `cuts` are those tokens by the number of the turn.
    """

    dropped: int = 0
    earlier: str = ""
    cuts: Mapping[int, int] = field(default_factory=dict)


def fit(turns: Sequence[Turn], sizes: Sequence[int], room: int, dropped: int = 0) -> Fitted | None:
    """What to tell in `room` tokens, given the size of each turn; None if the last goal does not fit at all.

    One result takes half of the room at most, and earlier goals two fifths. If they are more, the oldest are
    dropped until they take half of that, so that the beginning of what is told stays the same for a while;
    `dropped` is how many were dropped before. With no goal left open at the end, all goals are earlier ones.
    """
    starts = [at for at, turn in enumerate(turns) if isinstance(turn, Goal)]
    last = starts[-1] if starts else 0
    cuts = _cuts(turns, sizes, room, last)
    now = sum(cuts.get(at, sizes[at]) for at in range(last, len(turns)))
    if now > room:
        return None
    return _with_earlier(turns, sizes, starts, min(room - now, room * 2 // 5), dropped, cuts)


def fit_earlier(turns: Sequence[Turn], sizes: Sequence[int], room: int, dropped: int = 0) -> Fitted:
    """What to tell of goals that are all over, as `fit` will tell it of them before the next goal."""
    starts = [at for at, turn in enumerate(turns) if isinstance(turn, Goal)]
    return _with_earlier(turns, sizes, [*starts, len(turns)], room * 2 // 5, dropped, {})


def summary(turns: Sequence[Turn], dropped: int) -> str:
    """What became of the first goals, a line for each; of the oldest only how many there were."""
    return _summary(_episodes(turns), dropped)


def guessed(text: str) -> int:
    """How many tokens a text is at most, as far as that can be said without a vocabulary."""
    return len(text.encode()) // 2 + 1


def _with_earlier(
    turns: Sequence[Turn],
    sizes: Sequence[int],
    starts: Sequence[int],
    space: int,
    dropped: int,
    cuts: Mapping[int, int],
) -> Fitted:
    earlier = max(len(starts) - 1, 0)
    dropped = min(dropped, earlier)
    episodes, before = _episodes(turns), [0, *accumulate(sizes)]

    def taken(goals: int) -> int:
        return before[starts[-1]] - before[starts[goals]] + guessed(_summary(episodes, goals))

    if earlier and taken(dropped) > space:
        while dropped < earlier and taken(dropped) > space // 2:
            dropped += 1
    text = _summary(episodes, dropped)
    if text and guessed(text) > space:
        text = f"({dropped} earlier requests are left out.)"
    return Fitted(dropped, text, cuts)


def _cuts(turns: Sequence[Turn], sizes: Sequence[int], room: int, last: int) -> dict[int, int]:
    results = [at for at in range(last, len(turns)) if isinstance(turns[at], Result)]
    cuts = {at: room // 2 for at in results if sizes[at] > room // 2}
    now = sum(cuts.get(at, sizes[at]) for at in range(last, len(turns)))
    for at in results:
        size = cuts.get(at, sizes[at])
        if now > room and size > _LEAST:
            # The newest, which comes last, keeps as much as there is room for.
            cuts[at] = max(_LEAST, size - (now - room)) if at == results[-1] else _LEAST
            now -= size - cuts[at]
    return cuts


def _summary(episodes: Sequence[_Episode], dropped: int) -> str:
    if not dropped:
        return ""
    before = dropped - _LINES
    lines = [f"- and {before} more before that"] if before > 0 else []
    for goal, rest in episodes[max(before, 0) : dropped]:
        lines.append(f"- “{clean_line(goal.text, _TITLE)}” → {_ending(rest)}")
    return "\n".join(["(Earlier, in short:", *lines]) + ")"


def _episodes(turns: Sequence[Turn]) -> list[_Episode]:
    episodes: list[_Episode] = []
    for turn in turns:
        if isinstance(turn, Goal):
            episodes.append((turn, []))
        elif episodes:
            episodes[-1][1].append(turn)
    return episodes


def _ending(turns: Sequence[Turn]) -> str:
    went = [turn.outcome.ok for turn in turns if isinstance(turn, Result) and turn.call_id]
    if not went:
        return "answered"
    return "done" if all(went) else "partly done" if any(went) else "not done"
