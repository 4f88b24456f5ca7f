"""What could cut the person off stays only if they say so afterwards, whatever else happens."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from connectors.settings.tools import Setting
from permissions.entry import State
from permissions.journal import JournalError
from permissions.policy import Policy
from permissions.provenance import Provenance
from permissions.rule_book import OFF
from permissions.shelf import Shelf
from permissions.ticket import fingerprint
from permissions.trials import KEEP_IT, Keeping
from permissions.words import Verdict
from tests.permissions.on_trial import BRIEF, GOAL, Desk, dies


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    made = Desk(folder)
    yield made
    assert made.journal.verify() == ()
    made.journal.close()


async def keeps() -> bool:
    return True


async def declines() -> bool:
    return False


async def says_nothing() -> bool:
    await asyncio.Event().wait()
    return True


async def breaks() -> bool:
    raise RuntimeError("the terminal is gone")


async def test_what_is_kept_stays_and_can_still_be_taken_back(desk: Desk) -> None:
    outcome = await desk.turn(keeps)
    assert (outcome.ok, outcome.text) == (True, "Wi-Fi is off. It was kept.")
    assert not desk.wifi
    assert desk.promised == ()
    undoable = desk.journal.last_undoable()
    assert undoable is not None
    assert undoable.undo is not None
    assert any('"kept"' in str(row.get("body")) for row in desk.journal.exported())


async def test_the_question_says_what_is_so_and_what_silence_means(desk: Desk) -> None:
    await desk.turn(keeps)
    (question,) = desk.asked
    assert question.text == "Wi-Fi is off. Keep it so? Without an answer it is set back in 0.05 seconds."
    assert [option.label for option in question.options] == ["Set it back", "Keep it"]
    assert question.options[1] == KEEP_IT
    assert question.seconds == BRIEF


@pytest.mark.parametrize("answer", [declines, says_nothing, breaks])
async def test_anything_but_a_yes_sets_it_back(desk: Desk, answer: Callable[[], Awaitable[bool]]) -> None:
    outcome = await desk.turn(answer)
    assert not outcome.ok
    assert outcome.text == "Wi-Fi is on. It was set back, for nobody said to keep it."
    assert desk.wifi
    assert desk.promised == ()
    back, deed = desk.journal.entries()
    assert (deed.state, deed.undone) == (State.DONE, True)
    assert (back.state, back.answer) == (
        State.DONE,
        "it is set back, since nobody said to keep it",
    )
    assert desk.journal.last_undoable() is None


async def test_a_goal_that_is_stopped_meanwhile_keeps_nothing(desk: Desk) -> None:
    begun = asyncio.Event()

    async def waits() -> bool:
        begun.set()
        return await says_nothing()

    said: list[str] = []
    desk.gate.trials.heard = said.append
    task = asyncio.ensure_future(desk.turn(waits))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert said == ["Wi-Fi is on. It was set back, for nobody said to keep it."]
    assert desk.wifi
    assert desk.promised == ()


async def test_a_rule_that_came_meanwhile_does_not_keep_it_from_being_set_back(desk: Desk) -> None:
    async def panics() -> bool:
        desk.gate.policy = Policy((OFF,))
        return False

    assert "Wi-Fi is on." in (await desk.turn(panics)).text
    assert desk.wifi


async def test_what_somebody_else_turned_back_already_is_left_at_that(desk: Desk) -> None:
    async def others() -> bool:
        await desk.machine.write(Setting.WIFI, True)
        return False

    outcome = await desk.turn(others)
    assert "Wi-Fi is already on" in outcome.text
    assert desk.promised == ()


async def test_a_device_that_is_busy_is_tried_again(desk: Desk) -> None:
    desk.machine.stubborn = 2
    assert "Wi-Fi is on." in (await desk.turn(declines)).text
    assert desk.wifi


async def test_what_cannot_be_set_back_is_said_and_tried_at_the_next_start(desk: Desk, folder: Path) -> None:
    desk.machine.stubborn = 3
    outcome = await desk.turn(declines)
    assert outcome.text.startswith("It could not be set back yet: Wi-Fi was not changed: the adapter is busy")
    assert outcome.undo is not None
    assert not desk.wifi
    assert len(desk.promised) == 1
    assert await desk.gate.trials.take_up() == ()  # This very process lives.
    desk.journal.close()
    later = Desk(folder)
    (said,) = await later.gate.trials.take_up()
    assert said.endswith("(Turn Wi-Fi off), so it is set back: Wi-Fi is on.")
    assert later.wifi
    assert later.promised == ()
    desk.journal = later.journal


async def test_a_service_that_is_off_at_the_next_start_leaves_the_promise_for_the_one_after(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.machine.stubborn = 3
    await desk.turn(declines)
    desk.journal.close()
    later = Desk(folder)
    desk.journal = later.journal
    with monkeypatch.context() as off:
        off.setattr(type(later.gate._toolbox.service("settings")), "tools", ())
        (said,) = await later.gate.trials.take_up()
        assert said.endswith("It could not be set back yet: the service that could do it is off.")
    assert len(later.promised) == 1
    await later.gate.trials.take_up()
    assert later.wifi


async def test_with_nobody_there_it_is_refused_before_anything_is_done(desk: Desk) -> None:
    desk.gate.trials.keeping = Keeping.REFUSE
    request = desk.gate.request(await desk.prepared(), Provenance(), GOAL)
    assert (request.ruling.verdict, request.ruling.rule) == (Verdict.REFUSE, "floor.unattended")
    assert "--keep" in request.ruling.reason
    harmless = desk.gate.request(await desk.prepared("volume", "20 %"), Provenance(), GOAL)
    assert harmless.ruling.verdict is Verdict.ASK
    assert desk.wifi


async def test_a_word_given_before_keeps_it_unasked(desk: Desk) -> None:
    desk.gate.trials.keeping = Keeping.KEEP
    assert (await desk.turn(breaks)).ok
    assert not desk.wifi
    assert desk.asked == []


async def test_what_has_no_risk_is_not_asked_about_twice(desk: Desk) -> None:
    assert (await desk.turn(breaks, "volume", "20 %")).ok
    assert desk.asked == []
    assert desk.promised == ()


async def test_without_a_promise_on_the_disk_nothing_is_done(desk: Desk, folder: Path) -> None:
    (folder / "no folder").write_text("")
    desk.journal.trials = Shelf(folder / "no folder")
    outcome = await desk.turn(keeps)
    assert "could not be written down" in outcome.text
    assert desk.wifi
    assert desk.journal.entries()[0].state is State.DENIED


async def test_a_journal_that_fails_meanwhile_does_not_keep_the_machine_cut_off(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails() -> bool:
        def full(*_: object) -> None:
            raise JournalError("The disk is full.")

        monkeypatch.setattr(desk.journal, "planned", full)
        return False

    assert "Wi-Fi is on." in (await desk.turn(fails)).text
    assert desk.wifi


async def test_the_promise_is_part_of_what_is_approved(desk: Desk) -> None:
    prepared = await desk.prepared()
    assert prepared.trial is not None
    without, longer = replace(prepared, trial=None), replace(prepared.trial, seconds=900)
    prints = [fingerprint("r", each, "") for each in (prepared, without, replace(prepared, trial=longer))]
    assert len(set(prints)) == 3
    assert prepared.undo == "it is set back to on by itself after 15 seconds, unless you keep it"


STATES: Mapping[str, State] = {
    "before": State.RESOLVED_NOT,
    "after": State.RESOLVED_NOT,
    "while asked": State.DONE,
}


@pytest.mark.parametrize("when", STATES)
def test_a_process_that_is_killed_leaves_a_promise_that_the_next_one_keeps(folder: Path, when: str) -> None:
    dies(folder, when)
    desk = Desk(folder)
    desk.journal.unfinished()
    (said,) = asyncio.run(desk.gate.trials.take_up())
    assert "Turn Wi-Fi off" in said
    assert desk.wifi
    assert desk.promised == ()
    (deed,) = (entry for entry in desk.journal.entries() if entry.title == "Turn Wi-Fi off")
    assert deed.state is STATES[when]
    assert asyncio.run(desk.gate.trials.take_up()) == ()
    assert desk.journal.verify() == ()
    desk.journal.close()


async def test_what_was_kept_stays_even_if_the_promise_is_still_on_the_disk(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stuck(id: str) -> None:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as broken:
        broken.setattr(desk.journal.trials, "drop", stuck)
        assert (await desk.turn(keeps)).ok
    assert len(desk.promised) == 1
    desk.journal.close()
    later = Desk(folder)
    desk.journal = later.journal
    assert await later.gate.trials.take_up() == ()
    assert later.promised == ()
    assert not later.wifi


def test_another_askfirst_that_still_runs_is_left_to_it(folder: Path) -> None:
    first, second = Desk(folder), Desk(folder)

    async def both() -> None:
        async def looked_at_by_the_other() -> bool:
            assert await second.gate.trials.take_up() == ()
            return True

        assert (await first.turn(looked_at_by_the_other)).ok

    asyncio.run(both())
    assert not first.wifi
    first.journal.close()
    second.journal.close()
