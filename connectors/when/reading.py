"""Puts the pieces of a phrase together: what belongs to the start, the end, the repetition."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from connectors.when.answers import DoubtError
from connectors.when.lengths import Length
from connectors.when.pieces import (
    BareNumber,
    Clock,
    Day,
    For,
    In,
    Mark,
    Midnight,
    MonthDay,
    Offset,
    Part,
    Piece,
    Repeat,
    SameTime,
    Shift,
    Span,
    Times,
    UtcOffset,
    Zone,
)

_HOUR_MARKS = (Mark.AT, Mark.FROM, Mark.BETWEEN, Mark.TO, Mark.UNTIL, Mark.AND)
_RANGE_MARKS = (Mark.TO, Mark.UNTIL, Mark.AND)
Time = Clock | Midnight | SameTime


@dataclass(slots=True, eq=False)
class Side:
    """What was said about one end of a time."""

    days: list[Day] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    clock: Time | None = None
    part: Part | None = None
    counted: In | Shift | None = None
    offset: Length | None = None
    utc_offset: UtcOffset | None = None

    @property
    def has_day(self) -> bool:
        return bool(self.days or self.spans or self.counted)

    @property
    def empty(self) -> bool:
        return not self.has_day and self.clock is None and self.part is None


@dataclass(slots=True, eq=False)
class Reading:
    """A whole phrase, put together but not yet worked out."""

    left: Side = field(default_factory=Side)
    right: Side | None = None
    starting: Side = field(default_factory=Side)
    until: Side = field(default_factory=Side)
    zone: Zone | None = None
    repeat: Repeat | None = None
    times: int | None = None
    lasting: Length | None = None
    marks: set[Mark] = field(default_factory=set)
    number: int | None = None

    @property
    def empty(self) -> bool:
        return self.left.empty and self.repeat is None and self.number is None and self.starting.empty


def compose(pieces: Sequence[Piece]) -> Reading:
    """The reading of a phrase, or a doubt when its pieces contradict each other."""
    composer = _Composer([piece for piece in pieces if piece is not Mark.FILLER])
    composer.run()
    return _settled(composer.reading)


def _settled(reading: Reading) -> Reading:
    """The reading with its days in their places; a doubt when something that was said would be dropped."""
    left = reading.left
    if reading.repeat is None and not reading.starting.empty:
        if left.has_day:
            raise DoubtError("That names two different days.")
        left.days, left.spans, left.counted = (
            reading.starting.days,
            reading.starting.spans,
            reading.starting.counted,
        )
        reading.starting = Side()
    for applies, trouble in _dropped(reading):
        if applies:
            raise DoubtError(trouble)
    return reading


def _dropped(reading: Reading) -> tuple[tuple[bool, str], ...]:
    left, right, marks, lasting = reading.left, reading.right, reading.marks, reading.lasting
    timed = left.clock is not None or left.part is not None or reading.number is not None
    special = marks & {Mark.SINCE, Mark.WEEK_OF, Mark.SOMETIME}
    return (
        (right is None and Mark.BETWEEN in marks, "Between that and what?"),
        (right is not None and lasting is not None, "That names both an end and a length."),
        (
            bool(left.spans) and not left.days and lasting is not None and reading.repeat is None,
            "On which day does it start?",
        ),
        (left.utc_offset is not None and not timed, "A distance from UTC needs a time of day."),
        (left.clock is None and right is not None and right.clock is not None, "At what time does it start?"),
        (bool(special) and bool(lasting or reading.repeat), "I cannot work out that combination."),
        (Mark.SINCE in marks and right is not None, "Since one time, or from one to another?"),
        (Mark.WEEK_OF in marks and (right is not None or timed), "On which day of that week?"),
        (reading.times is not None and reading.repeat is None, "So many times, but how often?"),
        (len(special) > 1, "I cannot work out that combination."),
    )


class _Composer:
    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces
        self.reading = Reading()
        self.side = self.reading.left
        self.at = 0
        self.left_had_day = False

    def run(self) -> None:
        for at, piece in enumerate(self.pieces):
            self.at = at
            if isinstance(piece, Mark):
                self._mark(piece)
            elif isinstance(piece, Day):
                self._day(piece)
            elif isinstance(piece, Span):
                self._side_for_day().spans.append(piece)
            elif isinstance(piece, BareNumber):
                self._number(piece)
            elif isinstance(piece, Time):
                self._clock(piece)
            else:
                self._other(piece)

    def _near(self, step: int) -> Piece | None:
        at = self.at + step
        return self.pieces[at] if 0 <= at < len(self.pieces) else None

    def _mark(self, mark: Mark) -> None:
        following = self._near(1)
        day_follows = isinstance(following, Day | Span | In)
        if mark is Mark.AND and Mark.BETWEEN not in self.reading.marks:
            raise DoubtError("I do not understand what “and” joins there.")
        if mark in _RANGE_MARKS:
            self._range(day_follows=day_follows, mark=mark)
        elif mark is Mark.STARTING or (mark is Mark.FROM and self.reading.repeat and day_follows):
            self.side = self.reading.starting
        else:
            self.reading.marks.add(mark)

    def _range(self, *, day_follows: bool, mark: Mark) -> None:
        if self.at == 0 and mark is Mark.TO:
            return
        if self.reading.empty or self.at == len(self.pieces) - 1:
            raise DoubtError("That names only one end of a time.")
        if self.reading.repeat and day_follows:
            self.side = self.reading.until
        elif self.reading.right is None:
            self.left_had_day = self.reading.left.has_day
            self.side = self.reading.right = Side()
        else:
            raise DoubtError("That names more than one end.")

    def _side_for_day(self) -> Side:
        right = self.reading.right
        if self.side is right and right.clock is not None and not self.left_had_day:
            return self.reading.left
        return self.side

    def _day(self, day: Day) -> None:
        self._side_for_day().days.append(day)

    def _number(self, number: BareNumber) -> None:
        marked = self._near(-1) in _HOUR_MARKS or any(isinstance(piece, Part) for piece in self.pieces)
        before_range = self._near(1) in _RANGE_MARKS and isinstance(
            self._near(2), Clock | BareNumber | Midnight
        )
        if marked or before_range:
            self._clock(_as_clock(number.value))
        elif self.reading.number is None:
            self.reading.number = number.value
        else:
            raise DoubtError("I do not know what the numbers in that mean.")

    def _clock(self, clock: Time) -> None:
        side = self.side
        if side in (self.reading.starting, self.reading.until):
            side = self.reading.left
        if side.clock is not None:
            raise DoubtError("That names two times of day; join a start and an end with “to”.")
        side.clock = clock

    def _other(self, piece: Piece) -> None:
        reading = self.reading
        match piece:
            case Part():
                self._part(piece)
            case In() | Shift():
                _once(self.side.counted)
                self.side.counted = piece
            case Offset():
                _once(self.side.offset)
                self.side.offset = piece.length
            case UtcOffset():
                _once(self.side.utc_offset)
                self.side.utc_offset = piece
            case For():
                _once(reading.lasting)
                reading.lasting = piece.length
            case Zone():
                _once(reading.zone)
                reading.zone = piece
            case Repeat():
                _once(reading.repeat)
                reading.repeat = piece
                self._range_of_repeat()
            case Times():
                _once(reading.times)
                reading.times = piece.count

    def _range_of_repeat(self) -> None:
        """From one day to another, every so often: the second day is where the repetition ends."""
        right = self.reading.right
        if right is not None and right.has_day and right.clock is None and right.part is None:
            self.reading.until, self.reading.right = right, None
            self.side = self.reading.left

    def _part(self, part: Part) -> None:
        side, left = self.side, self.reading.left
        if side in (self.reading.starting, self.reading.until):
            side = left
        _once(side.part)
        side.part = part
        if side is self.reading.right and side.clock is not None and left.part is None and not side.has_day:
            left.part = part


def _once(value: object) -> None:
    if value is not None:
        raise DoubtError("That says the same thing twice, in two ways.")


def _as_clock(value: int) -> Clock:
    hour, minute = (value, 0) if value < 100 else divmod(value, 100)
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        raise DoubtError(f"There is no hour {value}.")
    return Clock(hour, minute, exact=value >= 100 or not 1 <= value <= 12)


def as_hour(reading: Reading) -> Reading | None:
    """The reading in which an unmarked number is a time of day, if it can be one."""
    number = reading.number
    if number is None or reading.left.clock is not None or not (number <= 24 or number >= 1900):
        return None
    return _with_left(reading, clock=_as_clock(number)) if number % 100 < 60 or number < 100 else None


def as_day(reading: Reading) -> Reading | None:
    """The reading in which an unmarked number is a day of the month, if it can be one."""
    number = reading.number
    if number is None or reading.left.has_day or not 1 <= number <= 31:
        return None
    return _with_left(reading, day=MonthDay(number))


def _with_left(reading: Reading, *, clock: Clock | None = None, day: MonthDay | None = None) -> Reading:
    left = reading.left
    changed = replace(left, clock=clock or left.clock, days=[*left.days, *([day] if day else [])])
    return replace(reading, left=changed, number=None)
