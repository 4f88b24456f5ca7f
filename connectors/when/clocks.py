"""Works out which times of day a piece of a phrase can mean, in minutes from the start of its day."""

from dataclasses import dataclass

from connectors.when.answers import DoubtError
from connectors.when.pieces import Clock, Midnight, Part, SameTime

HOUR = 60
DAY = 24 * HOUR
_EVENING_ABOUT = 17 * HOUR
_NIGHT_FROM = 18 * HOUR
_WAKING = (6 * HOUR, 22 * HOUR)
_LONGEST_OVERNIGHT = 12 * HOUR

PART_MINUTES = {
    Part.MORNING: (6 * HOUR, 12 * HOUR),
    Part.LUNCHTIME: (12 * HOUR, 14 * HOUR),
    Part.AFTERNOON: (12 * HOUR, 18 * HOUR),
    Part.EVENING: (18 * HOUR, 22 * HOUR),
    Part.NIGHT: (18 * HOUR, DAY),
}
_PART_ACCEPTS = {
    Part.MORNING: (0, 12 * HOUR),
    Part.LUNCHTIME: (11 * HOUR, 15 * HOUR),
    Part.AFTERNOON: (12 * HOUR, 19 * HOUR),
    Part.EVENING: (16 * HOUR, DAY),
}


@dataclass(frozen=True, slots=True)
class Hint:
    """What helps to tell the halves of the day apart: a part of the day, the time of the thing changed."""

    part: Part | None = None
    about: int | None = None


def readings(clock: Clock | Midnight | SameTime, hint: Hint) -> tuple[int, ...]:
    """Every time of day that the piece can mean, the likeliest first; DAY and more lie in the next day."""
    match clock:
        case Midnight():
            return _midnight(hint.part)
        case SameTime():
            if hint.about is None:
                raise DoubtError("The same time as what?")
            return (hint.about,)
        case Clock():
            minutes = clock.hour * HOUR + clock.minute
            if hint.part:
                return _in_part(minutes, hint.part, exact=clock.exact)
            if clock.exact:
                return (minutes,)
            return _bare(minutes, hint.about)


def end_readings(start: int, clock: Clock | Midnight | SameTime, part: Part | None) -> tuple[int, ...]:
    """Every time at which something that starts at `start` can end; a bare hour is the next such hour."""
    if isinstance(clock, Midnight):
        return ((start // DAY + 1) * DAY,)
    if isinstance(clock, SameTime):
        raise DoubtError("The same time as what?")
    minutes = clock.hour * HOUR + clock.minute
    if not clock.exact and not part:
        return (_next_after(start, minutes % (12 * HOUR), 12 * HOUR),)
    found = _in_part(minutes, part, exact=clock.exact) if part else (minutes,)
    end = _next_after(start, found[0] % DAY, DAY)
    if end // DAY > start // DAY and end % DAY and end - start > _LONGEST_OVERNIGHT:
        raise DoubtError("That ends before it starts.")
    return (end,)


def start_readings(
    clock: Clock | Midnight | SameTime, end: Clock | Midnight | SameTime, hint: Hint
) -> tuple[int, ...]:
    """The times at which a range can start, given that its end may tell the half of the day ("3-4pm")."""
    known_end = isinstance(end, Clock) and end.exact
    if (
        not (isinstance(clock, Clock) and not clock.exact and known_end and isinstance(end, Clock))
        or hint.part
    ):
        return readings(clock, hint)
    minutes, last = clock.hour * HOUR + clock.minute, end.hour * HOUR + end.minute
    both = sorted({minutes % (12 * HOUR), minutes % (12 * HOUR) + 12 * HOUR})
    before = [each for each in both if each < last]
    return (before[-1],) if before else (both[-1],)


def _midnight(part: Part | None) -> tuple[int, ...]:
    match part:
        case None:
            return 0, DAY
        case Part.EVENING | Part.NIGHT:
            return (DAY,)
        case Part.MORNING:
            return (0,)
        case _:
            raise DoubtError(f"Midnight is not in the {part.value}.")


def _next_after(start: int, minutes: int, step: int) -> int:
    return start + ((minutes - start - 1) % step + 1)


def _bare(minutes: int, about: int | None) -> tuple[int, ...]:
    early = minutes % (12 * HOUR)
    late = early + 12 * HOUR
    if minutes >= 8 * HOUR:
        if about is None or about % DAY < _EVENING_ABOUT:
            return (late,) if minutes >= 12 * HOUR else (early,)
        return (late,) if minutes < 12 * HOUR else (late, DAY)
    if about is not None:
        same_half = late if about % DAY >= 12 * HOUR else early
        if _WAKING[0] <= same_half < _WAKING[1]:
            return (same_half,)
    return late, early


def _in_part(minutes: int, part: Part, *, exact: bool) -> tuple[int, ...]:
    if part is Part.NIGHT:
        found = _at_night(minutes, exact=exact)
    else:
        first, after = _PART_ACCEPTS[part]
        early = minutes % (12 * HOUR)
        candidates = (minutes,) if exact else (early, early + 12 * HOUR, early + DAY)
        found = tuple(each for each in candidates if first <= each < after or each == after == DAY)
    if not found:
        raise DoubtError(f"{minutes // HOUR:02}:{minutes % HOUR:02} is not in the {part.value}.")
    return found


def _at_night(minutes: int, *, exact: bool) -> tuple[int, ...]:
    """After midnight, a night can belong to the day before or to the day itself."""
    early = minutes if exact else minutes % (12 * HOUR)
    if early in (0, DAY):
        return (DAY,)
    if early < 6 * HOUR:
        return early + DAY, early
    late = early if exact else early + 12 * HOUR
    return (late,) if late >= _NIGHT_FROM else ()
