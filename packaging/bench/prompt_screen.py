"""From a prepared request to the prompt on the screen, beside an empty widget in the same place."""

import asyncio
import statistics
import time
from collections.abc import Callable, Sequence

from rows import Row, timed
from textual.widget import Widget
from textual.widgets import Static

from permissions.words import Decision, Reply, Request
from tui.app import AskfirstApp
from tui.dock import Open
from tui.house import House

SIZE = (80, 24)
TIMES = 60
WARM_UP = 5


async def rows(house: House, requests: Sequence[Request]) -> list[Row]:
    """Show each request and an empty widget by turns, and compare how long both took to be painted."""
    app = AskfirstApp(house)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        ours, empty = [], []
        for turn in range(TIMES + WARM_UP):
            empty.append(await _empty(app))
            await pilot.pause()
            ours.append(await _prompt(app, requests[turn % len(requests)]))
            await pilot.pause()
    middle, slow = statistics.median, lambda times: statistics.quantiles(times, n=20)[-1]
    ours, empty = ours[WARM_UP:], empty[WARM_UP:]
    return [
        timed(f"prompt on screen, p50 of {TIMES}", middle(ours), middle(empty), "an empty widget"),
        timed("prompt on screen, p95", slow(ours), slow(empty), "an empty widget"),
    ]


async def _empty(app: AskfirstApp) -> float:
    """Seconds until an empty widget stands painted in the composer's place, with the focus."""
    dock, widget = app.conversation.dock, Static("")
    widget.can_focus = True
    began = time.perf_counter()
    dock.composer.display = False
    await dock.mount(widget)
    widget.focus(scroll_visible=False)
    await _painted(widget)
    took = time.perf_counter() - began
    await widget.remove()
    dock.composer.display = True
    return took


async def _prompt(app: AskfirstApp, request: Request) -> float:
    """Seconds until a request is painted, through the same door as in a turn."""
    began = time.perf_counter()
    asked = asyncio.create_task(app.front.ask((request,)))
    prompt = await _until(lambda: app.conversation.dock.asking)
    await _painted(prompt)
    took = time.perf_counter() - began
    prompt.answer(Decision(Reply.NO))
    await asked
    return took


async def _painted(widget: Widget) -> None:
    """Wait until all that is due for a widget has been drawn."""
    painted = asyncio.Event()
    widget.call_after_refresh(painted.set)
    await painted.wait()


async def _until(found: Callable[[], Open | None]) -> Open:
    while (thing := found()) is None:  # noqa: ASYNC110 - nothing tells when it opens
        await asyncio.sleep(0)
    return thing
