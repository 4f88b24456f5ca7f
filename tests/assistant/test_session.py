"""A goal becomes calls, each asked for and carried out once, and the end tells what was really done."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.budget import Limits
from assistant.events import Ending, TextStreamed
from assistant.model.base import Cut, Garbled, ModelLost, NoToolFits, Proposal, Result, Text, Wish
from permissions.words import Asker, Decision, Reply, Scope
from tests.assistant.bench import Bench
from tests.assistant.fakes import Person

TELL_BEN = Wish("messaging.send", {"to": "Ben", "text": "late"})
TELL_ANA = Wish("messaging.send", {"to": "Ana", "text": "late"})
DELETE_KEYS = Wish("messaging.delete", {"message": "keys"})
READ_KEYS = Wish("messaging.read", {"message": "keys"})


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.close()


async def test_a_planned_call_is_asked_for_and_then_done(bench: Bench) -> None:
    person = await bench.run("tell Ben late", Person(), [TELL_BEN])
    assert person.titles == ["Send a message to Ben"]
    assert bench.world.sent == [("ben@x.example", "late")]
    assert person.ended.ending is Ending.DONE
    assert person.ended.summary == "✓ Sent to ben@x.example."
    assert person.plan() == [("send: Ben, late", "done")]


async def test_a_no_runs_nothing_and_says_so(bench: Bench) -> None:
    person = await bench.run("tell Ben late", Person(Reply.NO), [TELL_BEN])
    assert bench.world.sent == []
    assert "you said no" in person.ended.summary
    assert [entry.state.value for entry in bench.journal.entries()] == ["denied"]


async def test_stop_ends_the_goal_before_the_next_call(bench: Bench) -> None:
    person = await bench.run("two things", Person(Reply.STOP), [READ_KEYS, TELL_BEN])
    assert len(person.asked) == 1
    assert (bench.world.sent, bench.world.trash) == ([], [])
    assert person.ended.ending is Ending.STOPPED


async def test_a_soft_stop_lets_the_running_call_end_and_begins_no_other(bench: Bench) -> None:
    class Stopper(Person):
        async def answer(self, request):
            bench.session.stop_softly()
            return await super().answer(request)

    person = await bench.run("two things", Stopper(), [DELETE_KEYS, TELL_BEN])
    assert bench.world.trash == ["keys"]
    assert bench.world.sent == []
    assert person.ended.ending is Ending.STOPPED
    assert "✓ Trashed keys." in person.ended.summary


async def test_two_people_of_one_name_are_a_question_and_the_answer_is_used(bench: Bench) -> None:
    person = await bench.run("tell Ana late", Person(picks=[1]), [TELL_ANA])
    assert [option.label for option in person.questions[0].options] == ["ana", "ana ruiz"]
    assert bench.world.sent == [("ruiz@post.example", "late")]


async def test_a_missing_detail_is_asked_for_and_no_answer_means_no(bench: Bench) -> None:
    wish = Wish("messaging.send", {"to": "Ben"})
    person = await bench.run("write to Ben", Person(picks=["see you"]), [wish])
    assert bench.world.sent == [("ben@x.example", "see you")]
    person = await bench.run("write to Ben", Person(), [wish])
    assert person.asked == []
    assert len(bench.world.sent) == 1
    assert "It was not said: What should it say?" in person.ended.summary


async def test_an_edited_call_is_prepared_and_asked_anew(bench: Bench) -> None:
    edit = Decision(Reply.EDIT, edited={"text": "ten minutes late"})
    person = await bench.run("tell Ben late", Person(edit), [TELL_BEN])
    assert len(person.asked) == 2
    assert bench.world.sent == [("ben@x.example", "ten minutes late")]
    [session] = bench.history.sessions()
    [result] = [turn for turn in bench.history.turns(session.id) if isinstance(turn, Result)]
    assert result.edited == {"text": "ten minutes late"}


async def test_the_whole_story_of_repairs_asks_every_step_on_its_own_and_sends_once(bench: Bench) -> None:
    bench.world.online, bench.world.room = False, 2
    person = await bench.run("tell Ben late", Person(picks=[0]), [TELL_BEN])
    assert person.titles == [
        "Send a message to Ben",
        "Turn Wi-Fi on",
        "Send a message to Ben",
        "Delete old newsletter",
        "Send a message to Ben",
    ]
    assert [request.asker for request in person.asked] == [
        Asker.PLAN,
        Asker.REPAIR,
        Asker.PLAN,
        Asker.REPAIR,
        Asker.PLAN,
    ]
    assert bench.world.sent == [("ben@x.example", "late")]
    assert bench.world.trash == ["old newsletter"]
    assert person.ended.ending is Ending.DONE
    assert len(person.repairs()) == 2


@pytest.mark.parametrize("refused", range(5))
async def test_a_no_anywhere_in_the_story_sends_nothing(bench: Bench, refused: int) -> None:
    bench.world.online, bench.world.room = False, 2
    answers = [Reply.YES] * refused + [Reply.NO]
    person = await bench.run("tell Ben late", Person(*answers, picks=[0]), [TELL_BEN])
    assert bench.world.sent == []
    assert len(person.asked) == refused + 1
    assert person.ended.ending is Ending.DONE
    assert "✗" in person.ended.summary


async def test_picking_no_message_ends_the_story_with_nothing_deleted(bench: Bench) -> None:
    bench.world.room = 2
    person = await bench.run("tell Ben late", Person(picks=[None]), [TELL_BEN])
    assert (bench.world.sent, bench.world.trash) == ([], [])
    assert "The mailbox is full." in person.ended.summary


async def test_what_has_changed_meanwhile_is_shown_and_asked_again(bench: Bench) -> None:
    bench.world.moved = 1
    person = await bench.run("delete keys", Person(), [DELETE_KEYS])
    assert person.titles == ["Delete keys", "Delete keys"]
    assert bench.world.trash == ["keys"]


async def test_what_keeps_changing_is_given_up(bench: Bench) -> None:
    bench.world.moved = 99
    person = await bench.run("delete keys", Person(), [DELETE_KEYS])
    assert bench.world.trash == []
    assert person.ended.ending in (Ending.DONE, Ending.LIMIT)


async def test_nothing_fits_says_what_can_be_done_instead(bench: Bench) -> None:
    person = await bench.run("what is the capital of France", Person(), [NoToolFits()])
    assert person.ended.ending is Ending.NOTHING_FITS
    assert "messaging: read, send, delete" in person.ended.summary
    assert person.asked == []


async def test_the_model_reads_outcomes_and_may_add_calls_that_are_marked_as_added(bench: Bench) -> None:
    person = Person(picks=[1])
    await bench.run("read keys and tidy", person, [READ_KEYS], [DELETE_KEYS], [Text("All tidy.")])
    assert [request.asker for request in person.asked] == [Asker.PLAN, Asker.ADDED]
    heard = bench.model.heard[1]
    assert isinstance(heard[-1], Result)
    assert heard[-1].outcome.content is not None
    assert TextStreamed("All tidy.") in person.events


async def test_a_failed_call_repeated_unchanged_is_not_run_again(bench: Bench) -> None:
    gone = Wish("messaging.read", {"message": "gone"})
    person = await bench.run("read gone", Person(), [gone], [gone], [Text("It is gone.")])
    assert len(person.outcomes()) == 1
    assert person.ended.ending is Ending.DONE


async def test_the_same_call_three_times_ends_the_goal(bench: Bench) -> None:
    person = await bench.run("loop", Person(), *[[READ_KEYS]] * 9)
    assert person.ended.ending is Ending.LIMIT
    assert len(person.asked) == 2


async def test_budgets_end_a_goal(bench: Bench) -> None:
    bench.session = bench.new_session([TELL_BEN, READ_KEYS, DELETE_KEYS], limits=Limits(calls=2))
    person = Person()
    await bench.session.run("much", person)
    assert person.ended.ending is Ending.LIMIT
    assert bench.world.trash == []


async def test_an_unreadable_answer_goes_back_to_the_model_twice_at_most(bench: Bench) -> None:
    garbled = Garbled("{", "this is not JSON")
    person = await bench.run("x", Person(), [garbled], [TELL_BEN])
    assert len(person.asked) == 1
    person = await bench.run("x", Person(), [garbled], [garbled], [garbled], [TELL_BEN])
    assert person.asked == []
    assert person.ended.ending is Ending.FAILED
    assert "cannot be read" in person.ended.summary


async def test_an_answer_with_several_faults_goes_back_once_with_all_of_them(bench: Bench) -> None:
    one, other = Garbled("{", "this is not JSON"), Garbled("[", "this has no name")
    bad = [one, other, one, Wish("files.format", {})]
    person = await bench.run("x", Person(), bad, bad, [TELL_BEN])
    assert len(person.asked) == 1, "two answers that cannot be read are two repairs, however bad they are"
    told = [turn.outcome.text for turn in bench.model.heard[1] if isinstance(turn, Result)]
    assert told[:2] == ["this is not JSON", "this has no name"]
    assert len(told) == 3


async def test_a_tool_that_does_not_exist_runs_nothing(bench: Bench) -> None:
    person = await bench.run(
        "x", Person(), [Wish("files.format", {}), Wish("messaging.undo", {"record": "keys"})]
    )
    assert person.asked == []
    assert person.ended.ending is Ending.FAILED


async def test_a_call_cut_off_by_a_limit_never_runs(bench: Bench) -> None:
    person = await bench.run("x", Person(), [TELL_BEN, Cut("the answer was too long")])
    assert person.asked == []
    assert "the answer was too long" in person.ended.summary


async def test_a_model_that_dies_mid_answer_ends_the_turn_with_a_sentence(bench: Bench) -> None:
    person = await bench.run("x", Person(), [Text("I"), ModelLost("the model's process ended")])
    assert person.ended.ending is Ending.FAILED
    assert "the model's process ended" in person.ended.summary


async def test_a_grant_for_this_goal_makes_the_rest_of_the_goal_quiet(bench: Bench) -> None:
    class Granter(Person):
        async def answer(self, request):
            self.asked.append(request)
            offer = next(offer for offer in request.offers if offer.grant.scope is Scope.GOAL)
            return Decision(Reply.YES, grant=offer.grant)

    again = Wish("messaging.read", {"message": "old newsletter"})
    person = await bench.run("read all", Granter(), [READ_KEYS], [again])
    assert len(person.asked) == 1
    assert len(person.outcomes()) == 2
    assert list(bench.gate.grants) == [], "what was given for a goal ends with it"


async def test_undo_takes_the_last_deed_back_and_is_asked_for(bench: Bench) -> None:
    await bench.run("delete keys", Person(), [DELETE_KEYS])
    person = Person()
    await bench.session.run("Undo that.", person)
    assert [request.asker for request in person.asked] == [Asker.UNDO]
    assert bench.world.trash == []
    assert "keys is back" in person.ended.summary
    again = Person()
    await bench.session.run("undo", again)
    assert again.ended.summary == "There is nothing that can be undone."


async def test_an_undo_that_was_refused_can_be_asked_for_again(bench: Bench) -> None:
    await bench.run("delete keys", Person(), [DELETE_KEYS])
    await bench.session.run("undo", Person(Reply.NO))
    assert bench.world.trash == ["keys"]
    await bench.session.run("undo", Person())
    assert bench.world.trash == []


async def test_cancelling_mid_question_runs_nothing_and_answers_every_call(bench: Bench) -> None:
    class Silent(Person):
        async def answer(self, request):
            asking.set()
            await asyncio.Event().wait()

    asking = asyncio.Event()
    person = Silent()
    turn = asyncio.create_task(bench.run("two", person, [DELETE_KEYS, TELL_BEN]))
    await asking.wait()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert bench.world.trash == []
    assert person.ended.ending is Ending.STOPPED
    session = bench.history.latest()
    assert session is not None
    turns = bench.history.turns(session)
    assert {t.call.id for t in turns if isinstance(t, Proposal)} == {
        t.call_id for t in turns if isinstance(t, Result)
    }


async def test_a_resumed_session_gives_the_model_what_was_said_before(bench: Bench) -> None:
    await bench.run("read keys", Person(), [READ_KEYS])
    past = bench.history.latest()
    assert past is not None
    session = bench.new_session([Text("Yes.")])
    turns = session.resume(past)
    await session.run("and now?", Person())
    goal, proposal, result, _ = bench.model.heard[0]
    assert (goal, proposal) == turns[:2]
    assert isinstance(result, Result)
    assert (result.outcome.text, result.outcome.content) == ("Done.", None)


async def test_an_error_inside_a_front_end_still_ends_the_turn(bench: Bench) -> None:
    class Broken(Person):
        async def answer(self, request):
            raise RuntimeError("cannot draw")

    person = await bench.run("delete keys", Broken(), [DELETE_KEYS])
    assert bench.world.trash == []
    assert person.ended.ending is Ending.FAILED
