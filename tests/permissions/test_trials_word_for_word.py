"""Every word and value of what becomes of a change on trial, and every state an ended process may leave."""

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from connectors.base import Call, Context, Needs, Outcome, Prepared, Question, failed
from connectors.settings.device import DeviceError, Value
from connectors.settings.tools import Setting
from permissions.entry import Entry, State
from permissions.gate import Gate
from permissions.grants import GrantBook
from permissions.words import GoalRef
from tests.permissions.fakes import NOW, ZONE
from tests.permissions.on_trial import GOAL, Desk, dies


@pytest.fixture
def desk(folder: Path) -> Iterator[Desk]:
    made = Desk(folder)
    yield made
    made.journal.close()


async def declines() -> bool:
    return False


async def keeps() -> bool:
    return True


def service(desk: Desk) -> object:
    return desk.gate._toolbox.service("settings")


class TestWhatIsSaid:
    async def test_when_it_was_set_back(self, desk: Desk) -> None:
        outcome = await desk.turn(declines)
        assert outcome == Outcome(ok=False, text="Wi-Fi is on. It was set back, for nobody said to keep it.")

    async def test_when_it_could_not_be(self, desk: Desk) -> None:
        desk.machine.stubborn = 3
        outcome = await desk.turn(declines)
        assert outcome.ok is False
        assert outcome.needs is None
        assert outcome.text == (
            "It could not be set back yet: Wi-Fi was not changed: the adapter is busy. Wi-Fi is still off."
        )
        assert outcome.undo is not None

    async def test_when_it_stood_as_before_already(self, desk: Desk) -> None:
        async def others() -> bool:
            await desk.machine.write(Setting.WIFI, True)
            return False

        assert (await desk.turn(others)).needs is None

    async def test_when_no_promise_could_be_written(self, desk: Desk, folder: Path) -> None:
        def stuck(id: str, call: Call) -> None:
            raise OSError("the disk is full")

        desk.journal.trials.keep = stuck
        outcome = await desk.turn(keeps)
        reason = "that it is set back could not be written down (the disk is full), so nothing was done"
        assert outcome == failed(Needs.UNAVAILABLE, f"Not done: {reason}.")
        assert desk.journal.entries()[0].answer == f"refused: {reason}"

    async def test_an_asking_that_breaks_is_in_the_log_and_a_silence_is_not(
        self, desk: Desk, caplog: pytest.LogCaptureFixture
    ) -> None:
        async def breaks() -> bool:
            raise RuntimeError("the terminal is gone")

        async def is_silent() -> bool:
            await asyncio.Event().wait()
            return True

        with caplog.at_level(logging.ERROR):
            await desk.turn(is_silent)
            assert caplog.text == ""
            await desk.turn(breaks)
        assert "asking whether to keep a change failed:" in caplog.text
        assert "the terminal is gone" in caplog.text


class TestWhatDidNotHappen:
    async def test_a_change_that_was_refused_is_neither_asked_about_nor_set_back(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def refuses(setting: Setting, value: Value) -> None:
            raise DeviceError("no")

        monkeypatch.setattr(desk.machine, "write", refuses)
        outcome = await desk.turn(keeps)
        assert outcome == failed(Needs.UNAVAILABLE, "Wi-Fi was not changed: no. Wi-Fi is still on.")
        assert desk.asked == []
        assert desk.promised == ()
        assert len(desk.journal.entries()) == 1

    async def test_one_of_unknown_outcome_is_set_back_unasked(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = type(service(desk)).perform

        async def unsure(self: object, prepared: Prepared) -> Outcome:
            outcome: Outcome = await real(self, prepared)
            if prepared.trial:
                return failed(Needs.TIMEOUT, "It is not known.")
            return outcome

        monkeypatch.setattr(type(service(desk)), "perform", unsure)
        outcome = await desk.turn(keeps)
        assert outcome.needs is Needs.TIMEOUT
        assert outcome.text.startswith("Wi-Fi is on.")
        assert desk.asked == []
        assert desk.wifi

    async def test_one_that_went_elsewhere_is_set_back_unasked(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = type(service(desk)).perform

        async def partly(self: object, prepared: Prepared) -> Outcome:
            outcome: Outcome = await real(self, prepared)
            return replace(outcome, ok=False, needs=Needs.UNAVAILABLE) if prepared.trial else outcome

        monkeypatch.setattr(type(service(desk)), "perform", partly)
        outcome = await desk.turn(keeps)
        assert (outcome.ok, outcome.needs, outcome.undo) == (False, Needs.UNAVAILABLE, None)
        assert desk.asked == []
        assert desk.wifi


class TestSettingBack:
    def test_a_second_lies_between_two_tries_unless_it_is_said_otherwise(self, desk: Desk) -> None:
        assert Gate([], desk.journal, GrantBook(), lambda: NOW).trials.pause == 1

    async def test_being_stopped_with_nobody_listening_is_no_error(self, desk: Desk) -> None:
        asked = asyncio.Event()

        async def is_asked() -> bool:
            asked.set()
            await asyncio.Event().wait()
            return True

        task = asyncio.ensure_future(desk.turn(is_asked))
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert desk.wifi

    async def test_the_service_is_asked_as_at_any_moment_with_a_call_of_its_own(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        looked: list[tuple[Call, Context]] = []
        limits: list[float] = []
        real = desk.gate._toolbox.look

        async def look(call: Call, context: Context, seconds: float) -> Prepared | Question | Outcome:
            looked.append((call, context))
            limits.append(seconds)
            return await real(call, context, seconds)

        monkeypatch.setattr(desk.gate._toolbox, "look", look)
        await desk.turn(declines)
        call, context = looked[-1]
        assert call.id.startswith("back-")
        assert len(call.id) == len("back-") + 16
        assert context == Context(NOW, ZONE)
        assert limits[-1] == desk.gate.trials.look == 15

    async def test_a_clock_without_a_named_zone_is_read_as_utc(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen: list[str] = []
        real = desk.gate._toolbox.look

        async def look(call: Call, context: Context, seconds: float) -> Prepared | Question | Outcome:
            seen.append(context.zone.key)
            return await real(call, context, seconds)

        monkeypatch.setattr(desk.gate._toolbox, "look", look)
        monkeypatch.setattr(desk.gate.trials, "_clock", lambda: datetime(2026, 11, 30, 9, tzinfo=UTC))
        await desk.turn(declines)
        assert seen[-1] == "UTC"

    @pytest.mark.parametrize(("stubborn", "pauses"), [(0, 0), (1, 1), (2, 2), (9, 2)])
    async def test_it_is_tried_three_times_with_a_pause_between(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch, stubborn: int, pauses: int
    ) -> None:
        waited: list[float] = []
        real = asyncio.sleep

        async def sleep(seconds: float) -> None:
            if seconds == 7:
                waited.append(seconds)
            else:
                await real(seconds)

        monkeypatch.setattr("permissions.trials.asyncio.sleep", sleep)
        desk.gate.trials.pause = 7
        desk.machine.stubborn = stubborn
        await desk.turn(declines)
        assert len(waited) == pauses
        assert desk.machine.stubborn == max(stubborn - 3, 0)

    async def test_a_question_in_the_place_of_an_answer_sets_nothing_back(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def asks() -> bool:
            async def prepare(call: Call, context: Context) -> Question:
                return Question("Which adapter?")

            monkeypatch.setattr(service(desk), "prepare", prepare)
            return False

        outcome = await desk.turn(asks)
        assert outcome.text == "It could not be set back yet: Which adapter?"
        assert len(desk.promised) == 1

    async def test_being_stopped_twice_leaves_it_to_be_finished_and_the_end_waits_for_it(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begun, go = asyncio.Event(), asyncio.Event()
        asked = asyncio.Event()
        real = desk.machine.write

        async def slow(setting: Setting, value: Value) -> None:
            if value:
                begun.set()
                await go.wait()
            await real(setting, value)

        async def is_asked() -> bool:
            asked.set()
            await asyncio.Event().wait()
            return True

        monkeypatch.setattr(desk.machine, "write", slow)
        monkeypatch.setattr("tests.permissions.on_trial.BRIEF", 60)
        task = asyncio.ensure_future(desk.turn(is_asked))
        await asked.wait()
        task.cancel()
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not desk.wifi
        closing = asyncio.ensure_future(desk.gate.trials.close())
        await asyncio.sleep(0)
        assert not closing.done()
        go.set()
        await closing
        assert desk.wifi
        assert desk.promised == ()
        assert not desk.gate.trials._going
        await desk.gate.trials.close()


class TestTheNextStart:
    @pytest.fixture
    def left(self, folder: Path) -> Iterator[Desk]:
        """What a process that was killed while it asked has left."""
        dies(folder, "while asked")
        desk = Desk(folder)
        desk.journal.unfinished()
        yield desk
        desk.journal.close()

    def take_up(self, desk: Desk) -> tuple[str, ...]:
        return asyncio.run(desk.gate.trials.take_up())

    def test_it_is_said_word_for_word_and_done_for_the_same_goal(self, left: Desk) -> None:
        assert self.take_up(left) == (
            "Askfirst ended before a change was kept (Turn Wi-Fi off), so it is set back: Wi-Fi is on.",
        )
        back, deed = left.journal.entries()
        assert (back.goal_id, back.goal) == (deed.goal_id, deed.goal) == (GOAL.id, GOAL.text)
        assert deed.state is State.DONE

    def test_of_unknown_outcome_it_is_known_afterwards_that_it_does_not_stand(self, folder: Path) -> None:
        dies(folder, "after")
        desk = Desk(folder)
        desk.journal.unfinished()
        self.take_up(desk)
        deed = next(each for each in desk.journal.entries() if each.title == "Turn Wi-Fi off")
        assert (deed.state, deed.outcome) == (State.RESOLVED_NOT, "Wi-Fi is on.")
        desk.journal.close()

    def test_what_could_not_be_set_back_stays_unknown(self, folder: Path) -> None:
        dies(folder, "after")
        desk = Desk(folder)
        desk.journal.unfinished()
        desk.machine.stubborn = 3
        self.take_up(desk)
        deed = next(each for each in desk.journal.entries() if each.title == "Turn Wi-Fi off")
        assert deed.state is State.UNKNOWN
        desk.journal.close()

    def test_a_call_that_the_journal_has_no_more_is_set_back_too(
        self, left: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        goals: list[GoalRef] = []
        real = left.gate.trials._back

        async def back(prepared: Prepared, goal: GoalRef) -> Outcome:
            goals.append(goal)
            return await real(prepared, goal)

        (id,) = left.promised
        monkeypatch.setattr(left.gate.trials, "_back", back)
        monkeypatch.setattr(left.journal, "entry", lambda id: None)
        assert self.take_up(left) == (
            "Askfirst ended before a change was kept, so it is set back: Wi-Fi is on.",
        )
        assert goals == [GoalRef(id, "")]

    def test_a_promise_that_cannot_be_read_is_dropped(self, left: Desk, folder: Path) -> None:
        (id,) = left.promised
        (folder / "journal.db.trials" / f"{id}.json").write_text("{")
        assert self.take_up(left) == ()
        assert left.promised == ()
        assert not left.wifi

    @pytest.mark.parametrize("state", [State.PLANNED, State.APPROVED, State.DENIED, State.EXPIRED])
    def test_what_never_began_is_not_set_back(
        self, left: Desk, monkeypatch: pytest.MonkeyPatch, state: State
    ) -> None:
        self.with_entry(left, monkeypatch, state=state)
        assert self.take_up(left) == ()
        assert left.promised == ()
        assert not left.wifi

    @pytest.mark.parametrize("state", [State.STARTED, State.DONE, State.FAILED, State.UNKNOWN])
    def test_what_may_have_happened_is(
        self, left: Desk, monkeypatch: pytest.MonkeyPatch, state: State
    ) -> None:
        self.with_entry(left, monkeypatch, state=state)
        assert len(self.take_up(left)) == 1
        assert left.wifi

    def test_what_was_taken_back_by_hand_is_left_at_that(
        self, left: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.with_entry(left, monkeypatch, undone=True)
        assert self.take_up(left) == ()
        assert left.promised == ()

    def with_entry(self, desk: Desk, monkeypatch: pytest.MonkeyPatch, **changes: object) -> None:
        """Let the journal tell of the one deed as changed."""
        (id,) = desk.promised
        real = desk.journal.entry

        def entry(asked: str) -> Entry | None:
            found = real(asked)
            return replace(found, **changes) if found and asked == id else found

        monkeypatch.setattr(desk.journal, "entry", entry)
