"""A calendar of ten thousand events is listed without reading each of them again."""

import time
from datetime import datetime, timedelta
from typing import Any


async def test_a_week_of_ten_thousand_events_is_listed_quickly(world: Any) -> None:
    start = datetime(2017, 1, 2, 8)  # noqa: DTZ001 - the files write their zone beside it
    for number in range(10_000):
        when = start + timedelta(hours=9 * number)
        rule = "\nRRULE:FREQ=WEEKLY" if number % 100 == 0 else ""
        world.event(
            f"SUMMARY:Event {number}\nDTSTART;TZID=Europe/Copenhagen:{when:%Y%m%dT%H%M%S}{rule}",
            name=f"e{number}",
        )
    outcomes, costs = [], []
    for _ in range(2):
        begun = time.process_time()
        outcomes.append(await world.do("list_events", when="2026-11-30 to 2026-12-06"))
        costs.append(time.process_time() - begun)
    assert len(outcomes[0].items) == 100
    assert outcomes[0].items == outcomes[1].items
    assert costs[0] < 15
    assert costs[1] < 3

    changed = world.event("SUMMARY:New\nDTSTART;TZID=Europe/Copenhagen:20261130T000100", name="e5000")
    outcome = await world.do("list_events", when="2026-11-30 to 2026-12-06")
    assert outcome.items[0].handle == changed
    found = await world.do("list_events", search="event 9654")
    assert [item.label for item in found.items] == ["Event 9654"]
