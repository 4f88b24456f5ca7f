"""The sealed plan takes the calls it was made of, as often as it has them, and nothing else."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from connectors.base import Call, Effect
from permissions.plan import Plan, PlanStep, Progress, Slot, admits, seal, unsealed
from permissions.values import filled, is_open, spelled

EFFECTS = {"messaging.read": Effect.READ, "messaging.mark": Effect.MARK}


def call(tool: str = "messaging.send", id: str = "c", **arguments: JsonValue) -> Call:
    return Call(id, tool, arguments)


def sealed(*calls: Call) -> Plan:
    return seal("write to ana", calls, lambda tool: EFFECTS.get(tool, Effect.SEND))


def nobody(argument: str, item: str) -> bool:
    return False


def fits(plan: Plan, asked: Call) -> bool:
    return Progress("g").place(plan, asked, nobody) is not None


class TestWhatAPlanHolds:
    def test_it_takes_the_very_call_it_was_made_of(self) -> None:
        assert fits(sealed(call(to=["ana"], text="hi", loud=True)), call(to=["ana"], text="hi", loud=True))

    @pytest.mark.parametrize(
        "other",
        [
            call("messaging.reply", to=["ana"], text="hi"),
            call(to=["eve"], text="hi"),
            call(to=["ana", "eve"], text="hi"),
            call(to=["ana"], text="hi "),
            call(to=["ana"], text="hi", subject="x"),
            call(to=["ana"]),
            call(text="hi"),
            call(to=[], text="hi"),
        ],
    )
    def test_another_tool_value_or_argument_is_outside_it(self, other: Call) -> None:
        assert not fits(sealed(call(to=["ana"], text="hi")), other)

    def test_fewer_of_several_is_inside_it(self) -> None:
        assert fits(sealed(call(to=["ana", "ben"], text="hi")), call(to=["ben"], text="hi"))

    def test_an_open_slot_takes_anything_and_only_it_does(self) -> None:
        plan = sealed(call(to=["ana"], text="?"))
        assert fits(plan, call(to=["ana"], text="whatever was read"))
        assert fits(plan, call(to=["ana"]))
        assert not fits(plan, call(to=["eve"], text="?"))

    def test_what_the_person_picked_is_inside_it(self) -> None:
        plan = sealed(call(to=["ana"], text="hi"))

        def picked(argument: str, item: str) -> bool:
            return (argument, item) in {("to", "ana@acme.com"), ("text", ""), ("subject", "x")}

        place = Progress("g").place
        assert place(plan, call(to=["ana@acme.com"], subject="x"), picked)
        assert not place(plan, call(to=["ana@acme.com"], subject="y"), picked)
        assert not place(plan, call(to=[], text="hi"), picked)

    @pytest.mark.parametrize(
        ("tool", "reads"), [("messaging.read", True), ("messaging.mark", True), ("messaging.send", False)]
    )
    def test_a_step_knows_whether_it_only_looks(self, tool: str, reads: bool) -> None:
        assert sealed(call(tool)).steps[0].reads is reads

    def test_the_services_of_a_plan_are_those_of_its_steps(self) -> None:
        assert sealed(call("calendar.list_events"), call()).services == {"calendar", "messaging"}


class TestCounts:
    def test_a_step_is_given_out_as_often_as_the_plan_has_it(self) -> None:
        progress = Progress("g")
        plan = sealed(call(to=["ana"]), call(to=["ana"], id="d"))
        (step,) = plan.steps
        assert step.count == 2
        assert [progress.place(plan, call(to=["ana"], id=id), nobody) for id in "xyz"] == [step, step, None]

    def test_the_same_call_keeps_its_step_however_often_it_is_tried(self) -> None:
        progress, plan = Progress("g"), sealed(call(to=["ana"]))
        assert all(progress.place(plan, call(to=["ana"]), nobody) for _ in range(3))
        assert progress.place(plan, call(to=["eve"]), nobody) is None, "and no other call under its id"

    def test_an_exact_step_is_taken_before_an_open_one(self) -> None:
        progress = Progress("g")
        plan = sealed(call(to=["?"]), call(to=["ana"]))
        assert [progress.place(plan, call(to=["ana"], id=id), nobody) for id in "xyz"] == [
            plan.steps[1],
            plan.steps[0],
            None,
        ]

    def test_what_the_person_lets_in_counts_once_more(self) -> None:
        progress, plan = Progress("g"), sealed(call(to=["ana"]))
        assert progress.place(plan, call(to=["ana"], id="x"), nobody)
        more = plan.let_in(call(to=["ana"]), Effect.SEND)
        step = progress.place(more, call(to=["ana"], id="y"), nobody)
        assert step is not None
        assert step.added
        assert progress.place(more, call(to=["ana"], id="z"), nobody) is None

    @given(
        st.lists(st.sampled_from(["ana", "ben", "?"]), max_size=4),
        st.lists(st.sampled_from("ab"), max_size=8),
    )
    def test_no_more_calls_are_ever_in_a_plan_than_it_has(self, planned: list[str], asked: list[str]) -> None:
        plan = sealed(*(call(to=[who]) for who in planned))
        names = {"a": "ana", "b": "eve"}
        progress = Progress("g")
        inside = [
            progress.place(plan, call(to=[names[who]], id=str(number)), nobody)
            for number, who in enumerate(asked)
        ]
        assert sum(step is not None for step in inside) <= len(planned)


class TestSealing:
    def test_every_part_of_a_plan_is_in_its_digest(self) -> None:
        step = PlanStep("a.b", (Slot("to", ("x",)),))
        plan = Plan("g", (step,))
        others = [
            replace(plan, goal="h"),
            Plan("g"),
            Plan("g", (step, step)),
            Plan("g", (replace(step, tool="a.c"),)),
            Plan("g", (replace(step, slots=(Slot("to", ("y",)),)),)),
            Plan("g", (replace(step, slots=(Slot("cc", ("x",)),)),)),
            Plan("g", (replace(step, slots=(Slot("to", ("x",), open=True),)),)),
            Plan("g", (replace(step, reads=True),)),
            Plan("g", (replace(step, count=2),)),
            Plan("g", (replace(step, added=True),)),
        ]
        assert len({plan.digest, *(other.digest for other in others)}) == len(others) + 1
        assert plan.digest == Plan("g", (step,)).digest
        assert plan.digest == "0fdf4da6f017ae01523a3e2b20d56105f32639b6bf93c5fb7a4702ba75591c3c"

    def test_the_same_calls_for_another_goal_are_another_plan(self) -> None:
        plans = [seal(goal, [call(to=["ana"])], lambda tool: Effect.SEND) for goal in ("ask", "tell", "ask")]
        assert [plan.goal for plan in plans] == ["ask", "tell", "ask"]
        assert plans[0].digest == plans[2].digest != plans[1].digest

    def test_letting_a_call_in_makes_another_plan_and_leaves_the_first_as_it_was(self) -> None:
        plan = sealed(call(to=["ana"]))
        before = plan.digest
        assert plan.let_in(call("messaging.read"), Effect.READ).steps[-1] == PlanStep(
            "messaging.read", (), reads=True, added=True
        )
        assert plan.digest == before


class TestUnsealed:
    def test_only_what_the_plan_holds_or_the_person_picked_is_sealed(self) -> None:
        (step,) = sealed(call(to=["ana"], text="?", loud=True)).steps
        asked = call(to=["ana"], text="read somewhere", loud=True)
        assert unsealed(step, asked, nobody) == {"text"}
        assert unsealed(None, asked, nobody) == {"to", "text", "loud"}
        assert unsealed(step, asked, lambda argument, item: item == "read somewhere") == frozenset()
        assert unsealed(step, call(to=["ana", "eve"]), nobody) == {"to"}
        assert admits(step, asked, nobody)

    def test_what_was_let_in_later_seals_nothing(self) -> None:
        asked = call(to=["ana"], text="hi")
        step = Plan("g").let_in(asked, Effect.SEND).steps[0]
        assert admits(step, asked, nobody)
        assert unsealed(step, asked, nobody) == {"to", "text"}
        assert unsealed(step, asked, lambda argument, item: argument == "to") == {"text"}


class TestValues:
    @pytest.mark.parametrize(
        ("value", "open_", "rest"),
        [
            ("?", True, None),
            (" ? ", True, None),
            (["ana", "?"], True, ["ana"]),
            (["?"], True, []),
            ("what?", False, "what?"),
            (["ana"], False, ["ana"]),
            (3, False, 3),
            (None, False, None),
        ],
    )
    def test_an_open_value_is_a_question_mark_alone(
        self, value: JsonValue, open_: bool, rest: JsonValue
    ) -> None:
        assert (is_open(value), filled(value)) == (open_, rest)

    def test_values_are_spelled_one_by_one(self) -> None:
        assert list(spelled(["a", 1, 1.5, True, False, None, ["b"]])) == [
            "a",
            "1",
            "1.5",
            "true",
            "false",
            "b",
        ]

    def test_a_value_with_parts_of_its_own_is_spelled_as_a_whole(self) -> None:
        (one,) = spelled({"a": 1, "b": 2})
        assert list(spelled({"b": 2, "a": 1})) == [one]
        assert list(spelled({"a": 1, "b": 3})) != [one]
