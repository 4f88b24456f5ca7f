"""A call of unknown outcome is looked for, never tried again; only what is seen is claimed."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Arguments, Call, Context, Needs, Outcome, Prepared, Question, failed
from permissions.entry import State
from permissions.gate import Gate, Patience
from permissions.journal import JournalConflict
from tests.permissions.fakes import ANA, Bench, FakeService, for_ever
from tests.permissions.held import ripples

SEND = Call("c", "messaging.send", {"to": [ANA], "text": "hello"})
DONE = Outcome(ok=True, text="It is in Sent.")
NOT = failed(Needs.UNAVAILABLE, "It never left.")


class Seeing(FakeService):
    """A service that can look whether a call was done; `sees` is what it finds, or raises."""

    def __init__(self, sees: Any = None, mark: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.sees = sees
        self.mark = {"id": "7"} if mark is None else mark
        self.looks: list[tuple[str, Arguments]] = []

    async def prepare(self, call: Call, context: Context) -> Prepared | Question | Outcome:
        found = await super().prepare(call, context)
        return replace(found, mark=dict(self.mark)) if isinstance(found, Prepared) else found

    async def probe(self, tool: str, mark: Arguments) -> Any:
        self.looks.append((tool, mark))
        if isinstance(self.sees, Exception):
            raise self.sees
        if self.sees is asyncio.Event:
            await asyncio.Event().wait()
        return self.sees


def seeing(folder: Path, sees: Any, mark: Mapping[str, str] | None = None) -> Bench:
    service = Seeing(sees, mark)
    bench = Bench(folder, service=service)
    patience = Patience(look=0.02, read=0.02, effect=0.02)
    bench.gate = Gate([service], bench.journal, bench.grants, bench.clock, patience=patience)
    return bench


async def cut(prepared: Prepared) -> None:
    raise ConnectionError("the line was cut")


@pytest.mark.parametrize(
    ("sees", "told", "state"),
    [
        (DONE, DONE, "resolved_done"),
        (NOT, NOT, "resolved_not"),
        (None, None, "unknown"),
        (ValueError("token=abc"), None, "unknown"),
        ("a word", None, "unknown"),
        (asyncio.Event, None, "unknown"),
    ],
)
async def test_an_effect_that_broke_off_is_looked_for_once(
    folder: Path, sees: Any, told: Outcome | None, state: str, caplog: pytest.LogCaptureFixture
) -> None:
    bench = seeing(folder, sees)
    bench.service.after = cut
    outcome = await bench.run(SEND)
    assert (outcome == told) if told else outcome.text.endswith("it is not tried again by itself.")
    assert bench.states() == [state]
    assert bench.service.looks == [("messaging.send", {"id": "7"})]
    assert len(bench.service.effects) == 1
    assert "abc" not in caplog.text
    bench.journal.close()


async def test_what_still_runs_is_not_said_to_be_undone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("permissions.deed._GRACE", 0.01)
    bench = seeing(folder, NOT)
    release = asyncio.Event()

    async def stubborn(prepared: Prepared) -> None:
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue

    bench.service.before = stubborn
    outcome = await bench.run(SEND)
    assert (outcome.needs, bench.states()) == (Needs.TIMEOUT, ["unknown"])
    release.set()
    await ripples()
    assert bench.states() == ["resolved_done"]
    bench.journal.close()


@pytest.mark.parametrize("verb", ["read", "send"])
async def test_a_look_is_only_for_effects_that_left_something_to_look_for(folder: Path, verb: str) -> None:
    bench = seeing(folder, DONE, {} if verb == "send" else None)
    bench.service.before = for_ever
    await bench.run(Call("c", f"messaging.{verb}", {"to": [ANA], "thing": "note:1"}))
    assert bench.service.looks == []
    bench.journal.close()


async def test_after_a_restart_a_look_is_the_persons_to_ask_for(folder: Path) -> None:
    first = seeing(folder, None)
    first.service.after = cut
    await first.run(SEND)
    first.journal.close()
    bench = seeing(folder, None)
    assert bench.journal.unfinished() == ()
    (entry,) = bench.journal.unclear()
    assert (entry.state, entry.mark) == (State.UNKNOWN, {"id": "7"})
    assert bench.service.looks == []
    assert await bench.gate.look_again(entry) is None
    assert bench.states() == ["unknown"]
    bench.service.sees = DONE
    assert await bench.gate.look_again(entry) == DONE
    assert bench.states() == ["resolved_done"]
    assert bench.journal.entries()[0].outcome == "It is in Sent."
    assert bench.journal.unclear() == ()
    with pytest.raises(JournalConflict):
        await bench.gate.look_again(entry)
    bench.journal.close()


@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "after a restart"])
async def test_what_a_look_finds_done_can_be_taken_back_as_the_look_says(folder: Path, at_once: bool) -> None:
    done = replace(DONE, undo=Call("u", "messaging.undo", {"record": "7"}))
    bench = seeing(folder, done if at_once else None)
    bench.service.after = cut
    await bench.run(SEND)
    if not at_once:
        bench.service.sees = done
        await bench.gate.look_again(bench.journal.unclear()[0])
    undo = bench.journal.entries()[0].undo
    assert undo is not None
    assert (undo.tool, dict(undo.arguments)) == ("messaging.undo", {"record": "7"})
    bench.journal.close()


async def test_a_person_may_leave_it_at_not_knowing(folder: Path) -> None:
    bench = seeing(folder, None)
    bench.service.after = cut
    await bench.run(SEND)
    (entry,) = bench.journal.unclear()
    bench.gate.drop(entry)
    assert (bench.states(), bench.journal.unclear()) == (["left"], ())
    assert not (await bench.run(SEND)).ok, "what may have been done is not done again"
    bench.journal.close()


async def test_there_is_nothing_to_look_for_or_let_go_where_all_is_known(folder: Path) -> None:
    bench = seeing(folder, DONE)
    assert (await bench.run(SEND)).ok
    (entry,) = bench.journal.entries()
    assert await bench.gate.look_again(entry) is None
    bench.gate.drop(entry)
    assert bench.states() == ["done"]
    bench.journal.close()


@pytest.mark.parametrize(
    ("mark", "kept"),
    [
        ({"message_id": f"<{'0a' * 16}@askfirst.invalid>", "sha": "ab" * 32}, True),
        ({"file": "files:Documents/password=hunter2.txt"}, False),
        ({"file": "x" * 3000}, False),
    ],
)
async def test_what_is_kept_for_looking_is_short_and_no_secret(
    folder: Path, mark: dict[str, str], kept: bool
) -> None:
    bench = seeing(folder, None, mark)
    await bench.run(SEND)
    assert bench.journal.entries()[0].mark == (mark if kept else {})
    bench.journal.close()
