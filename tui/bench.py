"""The command `askfirst bench`: how fast a model is on this machine, and what would make it faster."""

import argparse
import asyncio
import json
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from functools import partial
from pathlib import Path

from assistant.model.capacity.advice import advice, warm_seconds
from assistant.model.capacity.footprint import gigabytes
from assistant.model.capacity.measure import Asked, Measured, Measuring
from assistant.model.shelf.catalogue import find
from assistant.model.starter import KEY, is_fetched
from connectors.base import Tool
from connectors.config import load
from tui.composition.simulated import demo_services
from tui.model_sources import tuning_of
from tui.output import DONE, complain, progress
from tui.places import Places, throw_away
from tui.planner import fetch
from tui.settings import Settings, zone_of

_WIDTH = 80
_COLUMN = 18


def bench(options: argparse.Namespace, places: Places) -> int:
    """Measure the model in use, or the one that is named. Raises ModelError or ConfigError."""
    settings = load(places.config / "config.toml", Settings)
    key, zone = options.model or settings.model, zone_of(settings)
    with throw_away(places.cache) as world:
        services = demo_services(world, datetime.now(zone))
        tools = [tool for service in services.built for tool in service.tools]
        try:
            measured = asyncio.run(_measured(settings, key, tools, places.cache))
        except KeyboardInterrupt:
            progress("", 1)
            return complain("Stopped; nothing was measured to its end.")
    progress("", 1)
    if options.json:
        told = {**asdict(measured), "warm_seconds": warm_seconds(measured), "advice": advice(measured)}
        sys.stdout.write(f"{json.dumps(told, indent=2, ensure_ascii=False)}\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in report(measured))
    return DONE


async def _measured(settings: Settings, key: str, tools: list[Tool], cache: Path) -> Measured:
    if key == KEY and not is_fetched(cache):
        await fetch(cache, progress)
    zone = zone_of(settings)
    spec = await asyncio.to_thread(partial(find, cache, key, tuning=tuning_of(settings, key)))
    clock = partial(datetime.now, zone)
    return await Measuring(spec, tools, clock, progress, threads=settings.threads).run()


def report(measured: Measured) -> Iterator[str]:
    """What was measured, in lines of at most 80 characters."""
    free = f", {gigabytes(measured.available)} free" if measured.available is not None else ""
    yield f"{measured.title}, {gigabytes(measured.size)}; {_count(measured.cores, 'core')}{free}"
    yield ""
    usual = measured.usual
    yield from _lines("loading", f"{measured.load:.1f} s")
    yield from _lines(
        "reading", f"{usual.reading:.0f} tokens a second with {_count(usual.threads, 'thread')}"
    )
    yield from _lines("answering", f"{usual.answering:.0f} tokens a second")
    for other in measured.speeds[1:]:
        threads = f"with {_count(other.threads, 'thread')}"
        yield from _lines(threads, f"reading {other.reading:.0f}, answering {other.answering:.0f}")
    yield from _lines("first goal", _waited(measured.cold))
    for asked in measured.warm:
        yield from _lines("another goal", _waited(asked))
    if measured.otherwise:
        word = "without thinking" if measured.thinking else "with thinking"
        yield from _lines(word, _waited(measured.otherwise))
    yield from _lines("memory", _memory(measured))
    yield ""
    for sentence in advice(measured):
        yield from textwrap.wrap(sentence, _WIDTH, subsequent_indent="  ")


def _waited(asked: Asked) -> str:
    read = f"{asked.read:,} of {asked.prompt:,} tokens read"
    if asked.called is not None:
        return f"{asked.called:.1f} s to the first call; {read}"
    if asked.first is None:
        return f"no answer in the time given; {read}"
    return f"no call; {asked.first:.1f} s to the first word; {read}"


def _memory(measured: Measured) -> str:
    most = f"up to {gigabytes(measured.needed)} with all of {measured.context:,} tokens in use"
    return f"{gigabytes(measured.memory)}, {most}" if measured.memory is not None else most


def _lines(name: str, text: str) -> list[str]:
    return textwrap.wrap(f"  {name:<{_COLUMN}}{text}", _WIDTH, subsequent_indent=" " * (_COLUMN + 2))


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"
