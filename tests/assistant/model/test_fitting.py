"""What a model is told fits into its context, keeps its order, and leaves nothing out without a word."""

from hypothesis import given
from hypothesis import strategies as st

from assistant.model.base import Goal, Proposal, Reply, Result, Turn
from assistant.model.dialects.fitting import Fitted, fit, fit_earlier, guessed, summary
from connectors.base import Call, Needs, Outcome, failed


def read(number: int, text: str = "It says.") -> list[Turn]:
    call = Call(f"c{number}", "files.read", {"file": f"notes {number}"})
    return [Proposal(call), Result(call.id, Outcome(True, text))]


def talk(*calls: int) -> list[Turn]:
    """Goals with so many calls each."""
    turns: list[Turn] = []
    for number, count in enumerate(calls):
        turns.append(Goal(f"read notes {number}"))
        for each in range(count):
            turns += read(100 * number + each)
    return turns


talks = st.lists(st.integers(0, 3), min_size=1, max_size=8).map(lambda calls: talk(*calls))


def told(turns: list[Turn], sizes: list[int], fitted: Fitted) -> int:
    """The tokens of what is told."""
    starts = [at for at, turn in enumerate(turns) if isinstance(turn, Goal)]
    kept = range(starts[fitted.dropped], len(turns))
    return sum(fitted.cuts.get(at, sizes[at]) for at in kept) + guessed(fitted.earlier) * bool(fitted.earlier)


@given(talks, st.data(), st.integers(50, 2000), st.integers(0, 9))
def test_it_fits_or_the_last_goal_alone_is_too_long(
    turns: list[Turn], data: st.DataObject, room: int, before: int
) -> None:
    sizes = data.draw(st.lists(st.integers(20, 900), min_size=len(turns), max_size=len(turns)))
    fitted = fit(turns, sizes, room, before)
    last = max(at for at, turn in enumerate(turns) if isinstance(turn, Goal))
    fixed = [at for at in range(last, len(turns)) if not isinstance(turns[at], Result)]
    if fitted is None:
        results = len(turns) - last - len(fixed)
        assert sum(sizes[at] for at in fixed) + 48 * results > room
        return
    earlier = sum(isinstance(turn, Goal) for turn in turns) - 1
    assert fitted.dropped <= earlier
    assert bool(fitted.earlier) == bool(fitted.dropped), "what is dropped is never dropped silently"
    assert told(turns, sizes, fitted) <= room + guessed(fitted.earlier)
    assert all(isinstance(turns[at], Result) and at > last for at in fitted.cuts)
    assert all(cut < sizes[at] for at, cut in fitted.cuts.items())


@given(talks, st.integers(200, 2000))
def test_what_all_fits_is_told_in_full(turns: list[Turn], room: int) -> None:
    assert fit(turns, [1] * len(turns), room) == Fitted()


def test_one_result_takes_half_of_the_room_and_no_more() -> None:
    turns = talk(2)
    assert fit(turns, [20, 20, 900, 20, 30], 1000) == Fitted(cuts={2: 500})


def test_older_results_of_the_goal_give_way_to_the_newest() -> None:
    fitted = fit(talk(3), [20, 20, 400, 20, 400, 20, 400], 1000)
    assert fitted
    assert fitted.cuts == {2: 48}
    fitted = fit(talk(3), [20, 20, 400, 20, 400, 20, 400], 400)
    assert fitted
    assert fitted.cuts == {2: 48, 4: 48, 6: 200}


def test_earlier_goals_are_dropped_oldest_first_and_then_rarely() -> None:
    sizes_of = {Goal: 20, Proposal: 20, Result: 60}
    dropped, changes = 0, 0
    for goals in range(1, 40):
        turns = talk(*[1] * goals)
        fitted = fit(turns, [sizes_of[type(turn)] for turn in turns], 2500, dropped)
        assert fitted
        assert fitted.dropped >= dropped
        changes += fitted.dropped > dropped
        dropped = fitted.dropped
    assert dropped > 25
    assert changes <= 8, "the beginning of the prompt stays the same for several goals"


def test_before_the_next_goal_the_same_is_told_of_those_that_are_over() -> None:
    turns = talk(1, 1, 1, 1, 1, 1)
    sizes = [60] * len(turns)
    ahead = fit_earlier(turns, sizes, 1500)
    fitted = fit([*turns, Goal("and now?")], [*sizes, 20], 1500)
    assert fitted
    assert (fitted.dropped, fitted.earlier) == (ahead.dropped, ahead.earlier)
    assert ahead.dropped > 0


def test_what_is_dropped_is_told_in_a_line_for_each() -> None:
    turns: list[Turn] = [
        *(Goal("move the dentist"), *read(1)),
        *(Goal("mail Ana"), *read(2), Proposal(Call("d", "messaging.send", {}))),
        Result("d", failed(Needs.OFFLINE, "It was not done.")),
        *(Goal("mail Bo"), Proposal(Call("e", "messaging.send", {})), Result("e", Outcome(False, "No."))),
        *(Goal("who is Cy?"), Reply("I do not know.")),
        Goal("last"),
    ]
    assert summary(turns, 4).split("\n") == [
        "(Earlier, in short:",
        "- “move the dentist” → done",
        "- “mail Ana” → partly done",
        "- “mail Bo” → not done",
        "- “who is Cy?” → answered)",
    ]
    assert summary(turns, 0) == ""
    assert "- and 12 more before that" in summary(talk(*[1] * 30), 20)
