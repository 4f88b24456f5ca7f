"""Whoever waits for a deed may be told to stop: a reading ends at once, an effect comes to its end first."""

import asyncio
from typing import Any

import pytest

from connectors.base import Outcome
from permissions.deed import Watched, watch
from tests.permissions.held import ripples

DONE = Outcome(ok=True, text="Done.")


class Deed:
    """A deed that ends when told, with what it was told; `stubborn`, it is asked to stop in vain."""

    def __init__(self, gives: Any = DONE, *, stubborn: bool = False) -> None:
        self.gives = gives
        self.stubborn = stubborn
        self.asked = asyncio.Event()
        self.end = asyncio.Event()

    async def __call__(self) -> Any:
        while True:
            try:
                await self.end.wait()
                return self.gives
            except asyncio.CancelledError:
                self.asked.set()
                if not self.stubborn:
                    raise


def waiting(deed: Deed, seconds: float = 60, *, shielded: bool) -> asyncio.Task[Watched]:
    return asyncio.ensure_future(watch(deed(), seconds, shielded=shielded))


async def cancelled(waiter: asyncio.Task[Watched]) -> None:
    await ripples()
    waiter.cancel()
    await ripples()


async def test_a_reading_is_asked_to_stop_as_soon_as_its_waiter_is() -> None:
    deed = Deed()
    waiter = waiting(deed, shielded=False)
    await cancelled(waiter)
    assert deed.asked.is_set()
    watched = await waiter
    assert (watched.cancelled, watched.late, watched.outcome) == (True, False, None)


async def test_an_effect_goes_on_after_the_first_time_and_not_after_the_second() -> None:
    deed = Deed()
    waiter = waiting(deed, shielded=True)
    await cancelled(waiter)
    assert not deed.asked.is_set()
    await cancelled(waiter)
    assert deed.asked.is_set()
    assert (await waiter).cancelled


async def test_a_waiter_that_is_told_to_stop_while_the_deed_winds_down_passes_that_on() -> None:
    deed = Deed(stubborn=True)
    waiter = waiting(deed, 0.01, shielded=True)
    await deed.asked.wait()
    await cancelled(waiter)
    watched = await waiter
    assert (watched.cancelled, watched.late) == (True, True)
    deed.end.set()
    assert await watched.task == DONE


@pytest.mark.parametrize("stopped", [False, True])
async def test_what_is_no_outcome_is_an_error_and_hides_no_wish_to_stop(stopped: bool) -> None:
    deed = Deed(gives="fine")
    waiter = waiting(deed, shielded=True)
    if stopped:
        await cancelled(waiter)
    deed.end.set()
    watched = await waiter
    assert (watched.outcome, watched.cancelled) == (None, stopped)
    assert isinstance(watched.error, TypeError)
    assert str(watched.error) == "a service gave no outcome"


@pytest.mark.parametrize("stopped", [False, True])
async def test_the_outcome_comes_along_with_the_wish_to_stop(stopped: bool) -> None:
    deed = Deed()
    waiter = waiting(deed, shielded=True)
    if stopped:
        await cancelled(waiter)
    deed.end.set()
    watched = await waiter
    assert (watched.outcome, watched.error, watched.cancelled) == (DONE, None, stopped)


async def test_a_deed_that_will_not_stop_in_time_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("permissions.deed._GRACE", 0.01)
    deed = Deed(stubborn=True)
    watched = await waiting(deed, 0.01, shielded=True)
    assert (watched.late, watched.cancelled, watched.outcome) == (True, False, None)
    deed.end.set()
    assert await watched.task == DONE
    assert not watched.late


async def test_a_deed_that_stops_when_asked_is_not_late() -> None:
    watched = await waiting(Deed(), 0.01, shielded=True)
    assert (watched.late, watched.cancelled, watched.outcome, watched.error) == (False, False, None, None)
