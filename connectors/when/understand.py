"""From a phrase in a person's words to an exact time, or to the question that has to be asked."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from connectors.clean import clean_line
from connectors.when.answers import DoubtError, Unclear, When
from connectors.when.describe import describe
from connectors.when.grammar import RULES, Unread, normalise, scan
from connectors.when.moments import GapError, GapSide, World, zone_of
from connectors.when.phrases import options_for
from connectors.when.pieces import Day, In, Piece, Repeat
from connectors.when.reading import as_day, as_hour, compose
from connectors.when.resolve import each_once, every_meaning

_LONGEST = 200
_SHOWN = 80
_YEARS = range(1900, 2200)
_TURNS_MEANING = frozenset(
    (
        "or", "not", "no", "except", "but", "without", "before", "after", "any", "never",
        "if", "when", "unless", "than", "either", "neither", "instead", "time", "zone",
    )
)  # fmt: skip


def understand(
    phrase: str, now: datetime, *, about: datetime | date | None = None, past: bool = False
) -> When | Unclear:
    """The exact time that the phrase names when said at `now` (aware, in the person's zone), or a question.

    `about` is the start of the thing being changed: a time without a day keeps its day, a day without a time
    keeps its time. `past` prefers the past, as for when a message came. The phrase is understood in full or
    asked about; nothing is guessed from a part of it. Never raises on any text.
    """
    words = " ".join(phrase.split())
    text = normalise(phrase[: _LONGEST + 1])
    if len(phrase) > _LONGEST:
        return Unclear(f"“{clean_line(words, _SHOWN)}” is too long for a time.")
    if not text:
        return Unclear("That names no time.")
    world = World(
        now.replace(tzinfo=zone_of(now)) if now.tzinfo is None else now.astimezone(zone_of(now)), about, past
    )
    try:
        return _understood(words, text, world)
    except DoubtError as doubt:
        return Unclear(f"“{clean_line(words, _SHOWN)}”: {doubt.text}", doubt.options)
    except (OverflowError, ValueError):
        return Unclear(f"“{clean_line(words, _SHOWN)}” is too far away to work out.")


def _understood(words: str, text: str, world: World) -> When | Unclear:
    scanned = scan(text, RULES)
    pieces = [piece for piece in scanned if not isinstance(piece, Unread)]
    unread = [piece.text for piece in scanned if isinstance(piece, Unread)]
    if unread:
        return _not_understood(words, unread, pieces, world)
    try:
        found, sure = _meanings(words, pieces, world)
    except GapError as gap:
        return _gap(gap, words, pieces, world)
    if not found:
        raise DoubtError("That ends before it starts.")
    if len(found) == 1 and sure:
        return found[0]
    question = (
        "can mean more than one time. Which one?" if len(found) > 1 else "is not certain. Is this the time?"
    )
    return Unclear(f"“{clean_line(words, _SHOWN)}” {question}", options_for(found, world))


def _meanings(words: str, pieces: Sequence[Piece], world: World) -> tuple[tuple[When, ...], bool]:
    """Every meaning, and whether a single one may be taken without asking."""
    reading = compose(pieces)
    if reading.number is None:
        return _reasonable(every_meaning(reading, world, words)), True
    found: list[When] = []
    for way in (as_hour(reading), as_day(reading)):
        if way is not None:
            found += every_meaning(way, world, words)
    if not found:
        raise DoubtError(f"I do not know what {reading.number} means there.")
    return _reasonable(each_once(found)), False


def _reasonable(found: tuple[When, ...]) -> tuple[When, ...]:
    if any(when.start.year not in _YEARS or (when.end and when.end.year not in _YEARS) for when in found):
        raise OverflowError
    return found


def _not_understood(words: str, unread: list[str], pieces: list[Piece], world: World) -> Unclear:
    missed = clean_line(" … ".join(unread), _SHOWN)
    said = clean_line(words, _SHOWN)
    if not pieces:
        return Unclear(f"“{said}” names no time I know.")
    if not _names_day(pieces) or _TURNS_MEANING.intersection(unread) or "/" in missed:
        return Unclear(f"I do not understand “{missed}” in “{said}”.")
    try:
        found, _ = _meanings(words, pieces, world)
    except (DoubtError, GapError):
        found = ()
    return Unclear(
        f"I do not understand “{missed}” in “{said}”." + (" Is the rest right?" if found else ""),
        options_for(found, world),
    )


def _names_day(pieces: list[Piece]) -> bool:
    """Without a day, the words that were not understood may well have been the day."""
    return any(isinstance(piece, Day | In | Repeat) for piece in pieces)


def _gap(gap: GapError, words: str, pieces: list[Piece], world: World) -> Unclear:
    """The question about a time that the clocks jump over, with the whole phrase on either side of it."""
    found: list[When] = []
    for side in (GapSide.AFTER, GapSide.BEFORE):
        found += _meanings(words, pieces, replace(world, across_gap=side))[0]
    day = describe(gap.wall.date(), world.now)
    return Unclear(
        f"{gap.wall:%H:%M} does not exist on {day} in {gap.zone.key}: the clocks are set forward over it. "
        "Which time instead?",
        options_for(each_once(found), world),
    )
