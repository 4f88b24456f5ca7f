"""What to change after a model was measured, in plain sentences."""

from collections.abc import Iterator
from statistics import median

from assistant.model.capacity.footprint import gigabytes
from assistant.model.capacity.measure import Asked, Measured, Speed
from assistant.model.starter import KEY as STARTER

# By general.file_type (ggml-org/ggml:docs/gguf.md): what is slower and no better than Q8_0, and Q8_0.
_LARGE = {0: "F32", 1: "F16", 32: "BF16"}
_Q8_0 = 7
# Slower than reading aloud.
_SLOW = 8.0
_LONG_WAIT = 20.0
_CLEARLY_FASTER = 1.15
# This share of what is free should be left to other programs.
_LEFT = 0.15
_FULL = 0.6
# So much of the processor in use by others is told.
_BUSY = 0.5
# Tokens of a usual goal.
_GOAL_READ, _GOAL_ANSWERED = 60, 50


def advice(measured: Measured) -> list[str]:
    """One sentence or two for each thing that could be better; what is right already is said in short."""
    return [
        *_busy(measured),
        *_threads(measured),
        *_file(measured),
        *_context(measured),
        *_thinking(measured),
        *_wait(measured),
    ]


def seconds_to_call(asked: Asked) -> float | None:
    """Seconds to the first call, or where none came, to the first word."""
    return asked.called if asked.called is not None else asked.first


def warm_seconds(measured: Measured) -> float | None:
    """The usual seconds to the first call once the tools have been read."""
    known = [seconds for asked in measured.warm if (seconds := seconds_to_call(asked)) is not None]
    return median(known) if known else None


def _busy(measured: Measured) -> Iterator[str]:
    if measured.busy > measured.cores * _BUSY:
        yield (
            f"Busy: other programs were computing (load {measured.busy:.1f} on {measured.cores} cores), so"
            " all of this is slower than it can be. Measure again when they are done."
        )


def _threads(measured: Measured) -> Iterator[str]:
    usual = measured.usual
    best = max(measured.speeds, key=_whole_speed)
    gain = _whole_speed(best) / max(_whole_speed(usual), 1e-9)
    if best is not usual and gain >= _CLEARLY_FASTER:
        yield (
            f"Threads: {_are(best.threads)} {gain:.1f} times as fast as {usual.threads} here. Set threads ="
            f" {best.threads} in config.toml, if the machine has nothing else to do."
        )
    elif len(measured.speeds) > 1:
        yield f"Threads: {_are(usual.threads)} right for this machine."


def _are(number: int) -> str:
    return f"{number} {'is' if number == 1 else 'are'}"


def _whole_speed(speed: Speed) -> float:
    """Goals a second, of which some tokens are read and some answered; 0 where nothing came."""
    if min(speed.reading, speed.answering) <= 0:
        return 0.0
    return 1 / (_GOAL_READ / speed.reading + _GOAL_ANSWERED / speed.answering)


def _file(measured: Measured) -> Iterator[str]:
    if kind := _LARGE.get(measured.file_type):
        yield f"File: a Q8_0 file answers as well as {kind}, in much less memory and time."
    elif measured.file_type == _Q8_0 and (_tight(measured) or measured.usual.answering < _SLOW):
        yield "File: a Q4_K_M file of this model takes a third less memory and time, and errs a little more."


def _tight(measured: Measured) -> bool:
    return measured.available is not None and measured.needed > measured.available * (1 - _LEFT)


def _context(measured: Measured) -> Iterator[str]:
    where = f"under [models.{measured.key}] in config.toml"
    if _tight(measured):
        yield (
            f"Context: with {measured.context:,} tokens it may take {gigabytes(measured.needed)} of the"
            f" {gigabytes(measured.available or 0)} that are free. Set a smaller context {where}."
        )
    elif measured.cold.prompt > measured.context * _FULL:
        yield (
            f"Context: the tools and one goal fill {measured.cold.prompt:,} of {measured.context:,} tokens."
            f" Set a larger context {where}."
        )


def _thinking(measured: Measured) -> Iterator[str]:
    usual = warm_seconds(measured)
    other = seconds_to_call(measured.otherwise) if measured.otherwise else None
    if usual is None or other is None:
        return
    on, off = (usual, other) if measured.thinking else (other, usual)
    if on - off < 1:
        return
    word = "is on" if measured.thinking else "is off"
    yield (
        f"Thinking {word}: with it a goal takes {on:.0f} s, without it {off:.0f} s. Set thinking = true or"
        f" false under [models.{measured.key}] in config.toml."
    )


def _wait(measured: Measured) -> Iterator[str]:
    warm = warm_seconds(measured)
    if warm is not None and warm > _LONG_WAIT and measured.key != STARTER:
        sooner = "The starter answers sooner: askfirst models use starter."
        yield f"Waiting: a goal takes {warm:.0f} s here. {sooner}"
