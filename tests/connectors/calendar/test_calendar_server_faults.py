"""A server that is slow, breaks off or refuses: nothing is lost, nothing is done twice or said wrongly."""

from typing import Any

import pytest

from connectors.base import Needs
from connectors.dav.store import DavStore
from tests.connectors.faults import Fault, FaultProxy, no_fault

ONCE = "SUMMARY:Dentist\nDTSTART:20261204T140000Z\nDTEND:20261204T143000Z"
READS = ("PROPFIND", "REPORT", "GET", "OPTIONS")


def on(*methods: str, fault: Fault) -> Any:
    """Let a fault happen to the first request of one of these methods."""
    left = [fault]
    return lambda method, path: left.pop() if method in methods and left else Fault.NONE


def always(*methods: str, fault: Fault) -> Any:
    return lambda method, path: fault if method in methods else Fault.NONE


async def test_through_the_proxy_all_is_well_without_faults(far: Any) -> None:
    assert (await far.do("change_event", event="dentist", when="at 16:00")).ok
    assert "DTSTART:20261204T150000Z" in far.text()


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault.NEVER_ARRIVES, "did not answer"),
        (Fault.NO_ANSWER, "did not answer"),
        (Fault.HALF_AN_ANSWER, "did not answer"),
        (Fault.SLOW, "did not answer"),
        (Fault.SIGN_IN, "does not accept the user and password; sign in again"),
        (Fault.TOO_MANY, "asks to come back in 7 seconds"),
        (Fault.BROKEN, "is not well (it answered 500)"),
        (Fault.GATEWAY, "did not answer the gateway"),
        (Fault.LOGIN_PAGE, "something that is not CalDAV"),
    ],
)
async def test_what_was_seen_is_still_shown_when_the_server_fails_and_is_said_to_be_old(
    far: Any, proxy: FaultProxy, fault: Fault, words: str
) -> None:
    assert await far.agenda("friday") != []
    proxy.choose = always(*READS, fault=fault)
    outcome = await far.do("list_events", when="friday")
    assert [item.label for item in outcome.items] == ["Dentist"]
    assert words in outcome.text
    assert "What is shown of it is from" in outcome.text


@pytest.mark.parametrize("fault", [Fault.NEVER_ARRIVES, Fault.SIGN_IN, Fault.LOGIN_PAGE])
async def test_with_nothing_seen_yet_no_empty_calendar_is_claimed(
    far: Any, proxy: FaultProxy, fault: Fault
) -> None:
    proxy.choose = always(*READS, fault=fault)
    outcome = await far.refused("list_events", when="friday")
    assert "No events" not in outcome.text
    assert outcome.text


async def test_a_calendar_that_takes_long_to_read_for_the_first_time_is_said_to(
    far: Any, proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DavStore.refresh.__kwdefaults__, "first", 0.1)
    far.account["timeout"] = 10
    far.restart()
    proxy.choose = always(*READS, fault=Fault.SLOW)
    refused = await far.refused("list_events", when="friday")
    assert refused.text == "dav is still being read."
    proxy.choose = no_fault


@pytest.mark.parametrize("fault", [Fault.SIGN_IN])
async def test_a_password_that_is_refused_is_not_tried_over_and_over(
    far: Any, proxy: FaultProxy, fault: Fault
) -> None:
    await far.agenda("friday")
    proxy.choose = always(*READS, fault=fault)
    for _ in range(5):
        await far.do("list_events", when="friday")
    asked = len(proxy.seen)
    for _ in range(5):
        await far.do("list_events", when="friday")
    assert len(proxy.seen) == asked


@pytest.mark.parametrize(
    ("fault", "needs"),
    [
        (Fault.NEVER_ARRIVES, Needs.TIMEOUT),
        (Fault.SIGN_IN, Needs.SIGNED_OUT),
        (Fault.CHANGED, Needs.CONFLICT),
        (Fault.TOO_MANY, Needs.UNAVAILABLE),
        (Fault.BROKEN, Needs.UNAVAILABLE),
    ],
)
async def test_a_write_that_was_not_done_is_not_said_to_be(
    far: Any, proxy: FaultProxy, fault: Fault, needs: Needs
) -> None:
    before = far.snapshot()
    prepared = await far.ready("change_event", event="dentist", when="at 16:00")
    proxy.choose = on("PUT", fault=fault)
    outcome = await far.connector.perform(prepared)
    assert not outcome.ok
    assert outcome.needs is needs
    assert proxy.writes() == ["PUT"]
    assert far.snapshot() == before


@pytest.mark.parametrize(
    "fault", [Fault.NO_ANSWER, Fault.HALF_AN_ANSWER, Fault.SLOW, Fault.BROKEN_AFTER, Fault.GATEWAY]
)
@pytest.mark.parametrize("verb", ["create_event", "change_event", "delete_event"])
async def test_a_write_whose_answer_is_lost_is_looked_for_and_never_sent_again(
    far: Any, proxy: FaultProxy, verb: str, fault: Fault
) -> None:
    arguments: dict[str, Any] = {
        "create_event": {"title": "Call", "when": "friday at 9:00"},
        "change_event": {"event": "dentist", "when": "at 16:00"},
        "delete_event": {"event": "dentist"},
    }[verb]
    prepared = await far.ready(verb, **arguments)
    proxy.choose = on("PUT", "DELETE", fault=fault)
    outcome = await far.connector.perform(prepared)
    assert outcome.ok, outcome
    assert len(proxy.writes()) == 1
    assert (await far.take_back(outcome)).ok
    assert "DTSTART:20261204T140000Z" in far.text()
    assert len(far.snapshot()) == 1


@pytest.mark.parametrize("verb", ["create_event", "change_event"])
async def test_a_page_in_answer_to_a_write_is_not_taken_for_a_yes(
    far: Any, proxy: FaultProxy, verb: str
) -> None:
    before = far.snapshot()
    arguments = {"title": "Call", "when": "friday at 9:00"} if verb == "create_event" else {}
    arguments |= {"event": "dentist", "when": "at 16:00"} if verb == "change_event" else {}
    prepared = await far.ready(verb, **arguments)
    proxy.choose = on("PUT", fault=Fault.LOGIN_PAGE)
    outcome = await far.connector.perform(prepared)
    assert outcome.needs is Needs.TIMEOUT
    assert "it is not known whether that was done. It is not there now" in outcome.text
    assert far.snapshot() == before


async def test_where_the_second_of_two_files_is_unknown_the_first_is_named(
    far: Any, proxy: FaultProxy
) -> None:
    far.event("SUMMARY:Yoga\nDTSTART:20261201T170000Z\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=5", name="yoga")
    wanted = {"event": "yoga", "on": "2026-12-15", "when": "at 20:00", "series": "following"}
    prepared = await far.ready("change_event", **wanted)
    puts = iter([Fault.NONE, Fault.NEVER_ARRIVES])
    proxy.choose = lambda method, path: next(puts, Fault.NONE) if method == "PUT" else Fault.NONE
    outcome = await far.connector.perform(prepared)
    assert outcome.needs is Needs.TIMEOUT
    assert "Written before that: dav~home/" in outcome.text
    assert far.text("yoga").count("COUNT=5") == 1, "nothing of the series is missing"


async def test_of_several_files_none_is_written_while_the_calendar_cannot_be_looked_at(
    far: Any, proxy: FaultProxy
) -> None:
    far.event("SUMMARY:Yoga\nDTSTART:20261201T170000Z\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=5", name="yoga")
    wanted = {"event": "yoga", "on": "2026-12-15", "when": "at 20:00", "series": "following"}
    prepared = await far.ready("change_event", **wanted)
    proxy.choose = always("PROPFIND", "REPORT", fault=Fault.BROKEN)
    outcome = await far.connector.perform(prepared)
    assert outcome.text == (
        "dav is not well (it answered 500). "
        "It could not be looked at just before the change, so nothing was done."
    )
    assert proxy.writes() == []


async def test_a_write_of_which_nothing_can_be_learnt_is_said_to_be_unknown(
    far: Any, proxy: FaultProxy
) -> None:
    prepared = await far.ready("change_event", event="dentist", when="at 16:00")
    proxy.choose = always("PUT", "GET", fault=Fault.NO_ANSWER)
    outcome = await far.connector.perform(prepared)
    assert outcome.needs is Needs.TIMEOUT
    assert "it is not known whether that was done" in outcome.text
    assert proxy.writes() == ["PUT"]


async def test_the_word_of_a_server_that_cannot_be_read_back_is_not_enough(
    far: Any, proxy: FaultProxy
) -> None:
    prepared = await far.ready("change_event", event="dentist", when="at 16:00")
    proxy.choose = always("GET", fault=Fault.TOO_MANY)
    outcome = await far.connector.perform(prepared)
    assert outcome.needs is Needs.TIMEOUT
    assert "says it was done, but it could not be read back" in outcome.text


async def test_of_two_files_one_that_failed_leaves_neither(far: Any, proxy: FaultProxy) -> None:
    far.event("SUMMARY:Yoga\nDTSTART:20261201T170000Z\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=5", name="yoga")
    before = far.snapshot()
    prepared = await far.ready(
        "change_event", event="yoga", on="2026-12-15", when="at 20:00", series="following"
    )
    puts = iter([Fault.NONE, Fault.BROKEN, *[Fault.NONE] * 9])
    proxy.choose = lambda method, path: next(puts) if method == "PUT" else Fault.NONE
    outcome = await far.connector.perform(prepared)
    assert not outcome.ok
    assert far.snapshot().keys() == before.keys()
    assert len(await far.agenda("december", "yoga")) == 5


async def test_another_program_that_writes_at_the_same_time_is_not_written_over(
    far: Any, proxy: FaultProxy
) -> None:
    prepared = await far.ready("change_event", event="dentist", when="at 16:00")

    def meddle(method: str, path: str) -> Fault:
        if method == "PUT":
            far.event(ONCE + "\nLOCATION:New street")
        return Fault.NONE

    proxy.choose = meddle
    outcome = await far.connector.perform(prepared)
    assert outcome.needs is Needs.CONFLICT
    assert "LOCATION:New street" in far.text()
    assert "DTSTART:20261204T140000Z" in far.text()


async def test_what_another_program_wrote_just_after_is_not_taken_for_ours(
    far: Any, proxy: FaultProxy
) -> None:
    prepared = await far.ready("change_event", event="dentist", when="at 16:00")
    written: list[str] = []

    def meddle(method: str, path: str) -> Fault:
        if method == "PUT":
            written.append(path)
        elif method == "GET" and written and len(written) == 1:
            written.append("once")
            far.event(ONCE + "\nLOCATION:New street")
        return Fault.NONE

    proxy.choose = meddle
    outcome = await far.connector.perform(prepared)
    assert not outcome.ok
    assert outcome.text == "It was written, but another version is there now."
    undone = await far.connector.prepare(outcome.undo, far.now)
    assert undone.needs is Needs.CONFLICT
    assert "LOCATION:New street" in far.text()


async def test_nobody_listening_is_offline(far: Any, proxy: FaultProxy) -> None:
    await far.agenda("friday")
    prepared = await far.ready("delete_event", event="dentist")
    far.account["url"] = "http://127.0.0.1:9/"
    far.restart()
    outcome = await far.connector.perform(prepared)
    assert outcome.needs is Needs.OFFLINE
    assert "cannot be reached" in outcome.text
