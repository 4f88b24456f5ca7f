"""The model runtime beside llama.cpp alone: every figure it is held to, in one run.

With $ASKFIRST_BENCH_BIG=1, or once the large file is there, on a model with random weights in the shape of
BotPsy 0.8B at Q8_0 (see runtime_model.py); else on a toy, which only shows that all of it runs: it computes
so fast that most of what is measured is what goes on around it.
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from statistics import median

import runtime_model
from rows import Row, Spent, duration, table, timed
from rows import median as seconds_in_median
from runtime_bare import Bare
from runtime_cancel import Stopping, slow
from runtime_subject import TOOLS, Conversation, Course, Subject, own_part, rendered, resident

from assistant.model.held.spoken import Spoken
from assistant.model.host.engine import spare_threads
from assistant.model.shapes import ToolShape, tool_shapes
from assistant.model.spec import DialectName, ModelSpec

CONTEXT = 8192
ROUNDS, TOKENS = 5, 48
CANCELS = 40
# Seconds from an answer to the next goal.
TYPING = 5.0
PROCESSOR = "    the same by processor time"
# A goal that fills much of the context.
LONG = "Say what this is about: " + "the list of messages and events on this day " * 300
GOALS = Path(__file__).with_name("goals.txt").read_text("utf-8").splitlines()
CALL = """
<function=calendar.create_event>
<parameter=title>
Lunch with Sam
</parameter>
<parameter=when>
Friday at noon
</parameter>
<parameter=invite>
["sam@example.org"]
</parameter>
</function>
</tool_call>"""


def run() -> list[Row]:
    """All rows, over the large model if it is wanted or there."""
    big = os.environ.get("ASKFIRST_BENCH_BIG") == "1" or runtime_model.large_is_there()
    file = runtime_model.large() if big else runtime_model.small()
    note = "" if big else "; a toy: ASKFIRST_BENCH_BIG=1 makes and measures the shape of 0.8B"
    print(f"runtime: {file.name}, {spare_threads()} of {os.cpu_count()} cores, context {CONTEXT:,}{note}")
    with tempfile.TemporaryDirectory(prefix="askfirst-bench-") as states:
        return asyncio.run(_measure(file, Path(states)))


async def _measure(file: Path, states: Path) -> list[Row]:
    spec = ModelSpec("bench", "Bench", file, DialectName.QWEN, context=CONTEXT)
    bare = Bare(file, CONTEXT, spare_threads())
    rows: list[Row] = []
    try:
        _tell("answering beside llama.cpp", rows)
        prompt = await _answering(spec, bare, rows)
        _tell("cancelling", rows)
        await _cancelling(spec, prompt, rows)
        _tell("reading the tools for the first time", rows)
        cold = await _first_goals(spec, states, bare, rows)
        _tell("the same after a restart, and a conversation", rows)
        await _later_goals(spec, states, bare, rows, cold)
        _tell("done", rows)
    finally:
        bare.close()
    return rows


def _tell(what: str, rows: list[Row]) -> None:
    """Say what is begun, how busy the machine is, and what is known by now."""
    load = " ".join(f"{part:.1f}" for part in os.getloadavg())
    known = f"{table(rows)}\n" if rows else ""
    print(f"{known}{what} … (load average {load})", file=sys.stderr, flush=True)


async def _first_goals(spec: ModelSpec, states: Path, bare: Bare, rows: list[Row]) -> Spent:
    """The first goal of all, and one of a new conversation; what it took to the first token of the first."""
    engine = Subject(spec, states=states)
    engine.change = {"most_tokens": TOKENS, "seed": 1}
    first = await Conversation(spec, engine).ask(GOALS[0])
    cold, alone = first.to_first, bare.read(rendered(spec.path, first.prompt))
    name = f"runtime: first goal, {first.opened.tokens:,} tokens, to the first token"
    rows.append(timed(name, cold.clock, alone.clock, "llama.cpp alone"))
    rows.append(timed(PROCESSOR, cold.processor, alone.processor, "llama.cpp alone"))
    second = await Conversation(spec, engine).ask(GOALS[1])
    rows += _again("second goal", second, cold, 20, bare, spec.path)
    rows.append(_memory(engine, spec.path, second))
    await engine.close()
    return cold


async def _later_goals(spec: ModelSpec, states: Path, bare: Bare, rows: list[Row], cold: Spent) -> None:
    """A goal after a restart, and the fifth of a conversation."""
    engine = Subject(spec, states=states)
    engine.change = {"most_tokens": TOKENS, "seed": 1}
    talk = Conversation(spec, engine)
    course = await talk.ask(GOALS[2])
    rows += _again("after a restart", course, cold, 10, bare, spec.path)
    for goal in GOALS[3:7]:
        await talk.pause(TYPING)
        course = await talk.ask(goal)
    rows += _again("fifth goal of a conversation", course, cold, 20, bare, spec.path)
    course = await talk.ask(LONG)
    rows.append(_memory(engine, spec.path, course))
    await engine.close()


def _memory(engine: Subject, file: Path, course: Course) -> Row:
    """What the model's process holds over its file after a goal, and what it held at most so far."""
    assert engine.pid
    over, most = (size - file.stat().st_size for size in resident(engine.pid))
    name = f"runtime: memory over the file, {course.opened.tokens:,} of {CONTEXT:,} tokens read"
    taken = f"{over / 1e6:.0f} MB, at most {most / 1e6:.0f}"
    return Row(name, taken, "400 MB", over / 4e8, "<= 1", over <= 4e8)


def _again(name: str, course: Course, cold: Spent, share: int, bare: Bare, file: Path) -> list[Row]:
    """How much of a prompt was read again, beside the turn's own tokens, and how soon an answer came."""
    own = len(bare.parts(own_part(rendered(file, course.prompt))))
    ratio, read = course.evaluated / own, f"{course.evaluated} of {course.opened.tokens:,}"
    rows = [
        Row(
            f"runtime: {name}, tokens evaluated", read, f"{own} the goal's own", ratio, "<= 1.1", ratio <= 1.1
        )
    ]
    warm = course.to_first
    for title, ours, first in (
        (f"runtime: {name}, to the first token", warm.clock, cold.clock),
        (PROCESSOR, warm.processor, cold.processor),
    ):
        sooner = ours / first
        bar = f"<= 1/{share}"
        rows.append(Row(title, duration(ours), f"{duration(first)} cold", sooner, bar, sooner <= 1 / share))
    return rows


async def _answering(spec: ModelSpec, bare: Bare, rows: list[Row]) -> str:
    """Tokens a second, in turn: llama.cpp alone, ours, and ours with calls held to the tools.

    Returns the prompt.
    """
    engine, few = Subject(spec), TOOLS[:3]
    shapes = tool_shapes(few)

    async def answered(goal: str, calls: tuple[ToolShape, ...] | None) -> Course:
        engine.change = {"most_tokens": TOKENS, "seed": 1, "calls": calls or ()}
        return await Conversation(spec, engine).ask(goal, few)

    first = await answered(GOALS[0], None)
    prompt = rendered(spec.path, first.prompt)
    bare.read(prompt)
    alone, free, held = [], [], []
    for goal in GOALS[1 : ROUNDS + 1]:
        alone.append(bare.a_token(TOKENS))
        free.append((await answered(goal, None)).a_token)
        held.append((await answered(goal, shapes)).a_token)
    await engine.close()
    rows += _speeds("runtime: tokens a second", free, alone, "llama.cpp alone", 0.95)
    rows += _speeds("runtime: tokens a second, calls held", held, free, "not held", 0.90)
    check, decode = _checking(bare), median(spent.processor for spent in alone)
    name, ratio = "runtime: to hold one token of a call", decode / (decode + check)
    rows.append(
        Row(name, duration(check), f"{duration(decode)} to decode it", ratio, ">= 0.90", ratio >= 0.9)
    )
    return prompt


def _speeds(name: str, ours: list[Spent], beside: list[Spent], what: str, least: float) -> list[Row]:
    """Two speeds measured in turn, by the clock and by processor time."""
    rows = []
    for title, seconds in (
        (name, lambda spent: spent.clock),
        (PROCESSOR, lambda spent: spent.processor),
    ):
        value, baseline = (1 / median(map(seconds, all_)) for all_ in (ours, beside))
        ratio = median(seconds(other) / seconds(one) for one, other in zip(ours, beside, strict=True))
        bar = f">= {least:.2f}"
        rows.append(Row(title, f"{value:.1f}", f"{baseline:.1f} {what}", ratio, bar, ratio >= least))
    return rows


def _checking(bare: Bare) -> float:
    """Seconds to hold one token of a well-formed call to the tools."""
    tokens = [part.encode() for part in bare.parts(CALL)]
    shapes = tool_shapes(TOOLS)

    def hold() -> None:
        spoken = Spoken(shapes, "xml", thinking=False)
        spoken.push(b"<tool_call>", mark=True)
        for token in tokens:
            assert spoken.accepts(token, mark=token == b"</tool_call>")
            spoken.push(token, mark=token == b"</tool_call>")

    return seconds_in_median(hold, 20) / len(tokens)


async def _cancelling(spec: ModelSpec, prompt: str, rows: list[Row]) -> None:
    stopping = await Stopping.load(spec, prompt)
    for what, times in (
        ("reading", await stopping.reading(CANCELS)),
        ("answering", await stopping.answering(CANCELS)),
    ):
        late = slow(times)
        name = f"runtime: cancel while {what}, p95 of {len(times)}"
        rows.append(Row(name, duration(late), "100 ms", late / 0.1, "<= 1", late <= 0.1))
    await stopping.close()
