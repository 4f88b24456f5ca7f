"""Asks which reading of a goal is meant, where the model was not sure of the likeliest."""

from collections.abc import Sequence

from assistant.frontend import Frontend
from assistant.model.base import Wish
from assistant.wording import call_words
from connectors.base import Option, Outcome, Question
from permissions.gate import Gate

DID_YOU_MEAN = "Did you mean one of these?"
READING = "reading"
"""The argument of each option of that question: its number, or -1 for none of them."""

_NEITHER = -1
Reading = Sequence[Wish]


async def which_is_meant(readings: Sequence[Reading], gate: Gate, front: Frontend) -> Reading | None:
    """The reading that the person picks, or None where they pick none; the likeliest stands first.

    A reading without calls (no tool fits) is not offered. Readings that come to the same are not asked about:
    the first of them holds.
    """
    offered = [(number, words) for number, reading in enumerate(readings) if (words := _words(reading, gate))]
    if len({_words(reading, gate) for reading in readings}) < len(readings) or not offered:
        return readings[0]
    options = [Option(words, {READING: number}) for number, words in offered]
    neither = Option("Neither" if len(offered) > 1 else "No", {READING: _NEITHER})
    answer = await front.choose(Question(DID_YOU_MEAN, (*options, neither)))
    picked = (answer.arguments or {}).get(READING)
    return next((readings[number] for number, _ in offered if number == picked), None)


def _words(reading: Reading, gate: Gate) -> str:
    """The calls of a reading in one line; empty where it has none, or one that cannot be made."""
    lines = []
    for wish in reading:
        call, tool = gate.make_call(wish.tool, wish.arguments), gate.tool(wish.tool)
        if isinstance(call, Outcome) or tool is None:
            return ""
        lines.append(call_words(call, tool))
    return ", then ".join(lines)
