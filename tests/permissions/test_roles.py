"""A name said to look at a thing is no leave to do something else with it."""

import pytest

from connectors.base import Call, Effect, Prepared, Resolved, Role
from permissions.plan import Plan, seal
from permissions.roles import clashes, only_looks
from permissions.words import Origin, Who
from tests.permissions.fakes import prepared_for
from tests.permissions.origins import target

READ, SEND, DELETE = Effect.READ, Effect.SEND, Effect.DELETE


@pytest.mark.parametrize(
    "line",
    [
        "read the budget",
        "Show me what's on tomorrow?",
        "what's on friday",
        "find the file about the lease.",
        "“list” everything from Carla",
    ],
)
def test_a_plain_question_only_looks(line: str) -> None:
    assert only_looks(line)


@pytest.mark.parametrize(
    "line",
    [
        "delete the budget",
        "find the budget and delete it",
        "find the budget, thanks",
        "what's on friday? cancel lunch",
        "show the budget then bin it",
        "open it: budget",
        "open notes.X",
        "tell Ana I'm late",
        "budget",
        "what can I delete",
        "",
        "…",
    ],
)
def test_anything_else_may_do_more(line: str) -> None:
    assert not only_looks(line)


def deed(effect: Effect = DELETE, name: str = "Budget", role: Role = Role.TARGET) -> Prepared:
    return prepared_for(
        "files.delete", frozenset({effect}), (Resolved(role, "file", "f:1", name),), {"file": name}
    )


def plan_of(*calls: Call) -> Plan:
    return seal("g", calls, lambda tool: READ if tool == "files.read" else DELETE)


YOU = (Origin(Who.YOU, "budget"),)
READ_BUDGET = Call("r", "files.read", {"file": "the budget"})
DELETE_BUDGET = Call("d", "files.delete", {"file": "Budget"})
DELETE_OPEN = Call("d", "files.delete", {"file": "?"})


class TestGoals:
    @pytest.mark.parametrize("effect", [e for e in Effect if e not in (Effect.READ, Effect.MARK)])
    @pytest.mark.parametrize("role", [Role.TARGET, Role.DESTINATION])
    def test_a_deed_on_what_a_goal_only_looks_at_clashes(self, effect: Effect, role: Role) -> None:
        assert clashes(deed(effect, role=role), YOU, ["read the budget"], None, None)

    @pytest.mark.parametrize("effect", [Effect.READ, Effect.MARK])
    def test_looking_never_clashes(self, effect: Effect) -> None:
        assert not clashes(deed(effect), YOU, ["read the budget"], plan_of(READ_BUDGET), None)

    def test_looking_and_marking_at_once_does_not_either(self) -> None:
        looks = prepared_for("files.delete", frozenset({READ, Effect.MARK}), (target("Budget"),), {})
        assert not clashes(looks, YOU, ["read the budget"], None, None)

    def test_a_thing_whose_origin_is_not_known_is_no_answer(self) -> None:
        both = prepared_for("files.delete", frozenset({DELETE}), (target("Other"), target("Budget")), {})
        with pytest.raises(ValueError, match="shorter"):
            clashes(both, (Origin(Who.MODEL, "other"),), ["read the budget"], None, None)

    @pytest.mark.parametrize("goal", ["delete the budget", "read the mail", "show it"])
    def test_a_goal_that_does_more_or_names_something_else_does_not(self, goal: str) -> None:
        assert not clashes(deed(), YOU, [goal], None, None)

    @pytest.mark.parametrize("who", [who for who in Who if who is not Who.YOU])
    def test_what_is_not_the_persons_is_flagged_as_that_and_not_as_this(self, who: Who) -> None:
        assert not clashes(deed(), (Origin(who, "budget"),), ["read the budget"], None, None)

    @pytest.mark.parametrize("role", [Role.CONTENT, Role.BOUND])
    def test_words_have_no_such_role(self, role: Role) -> None:
        assert not clashes(deed(role=role), YOU, ["read the budget"], None, None)

    def test_one_of_several_is_enough(self) -> None:
        both = prepared_for("files.delete", frozenset({DELETE}), (target("Other"), target("Budget")), {})
        for who in (Who.YOU, Who.MODEL):
            traced = (Origin(who, "other"), *YOU)
            assert clashes(both, traced, ["read the budget"], None, None)


class TestEarlierLines:
    @pytest.mark.parametrize(
        ("lines", "clash"),
        [
            (["read the budget", "write a note called ideas"], True),
            (["read the budget", "show the budget", "rename ideas"], True),
            (["read the budget", "now delete it"], False),
            (["read the budget", "delete that one"], False),
            (["rename the budget", "write a note"], False),
            (["read the budget", "rename the budget", "write a note"], False),
            (["read the budget", "delete the budget"], False),
            (["delete the budget", "read the budget"], True),
            (["read the lease", "write a note"], False),
            ([], False),
        ],
    )
    def test_they_speak_for_a_deed_if_they_asked_for_one_or_the_goal_refers_back(
        self, lines: list[str], clash: bool
    ) -> None:
        assert clashes(deed(), YOU, lines, None, None) is clash


class TestPlans:
    GOAL = ("go through the budget",)

    def test_a_name_that_the_plan_only_reads_by_clashes(self) -> None:
        plan = plan_of(READ_BUDGET, DELETE_OPEN)
        assert clashes(deed(), YOU, self.GOAL, plan, plan.steps[1])
        assert clashes(deed(), YOU, self.GOAL, plan, None)

    @pytest.mark.parametrize("effect", [Effect.WRITE, Effect.SEND, Effect.SHARE, Effect.CONFIGURE])
    def test_what_was_looked_for_by_name_may_be_what_an_open_step_is_for_unless_it_deletes(
        self, effect: Effect
    ) -> None:
        plan = plan_of(READ_BUDGET, DELETE_OPEN)
        assert not clashes(deed(effect), YOU, self.GOAL, plan, plan.steps[1])
        assert clashes(deed(effect), YOU, self.GOAL, plan, None)
        other = plan_of(READ_BUDGET, Call("d", "files.delete", {"from": "?"}))
        assert clashes(deed(effect), YOU, self.GOAL, other, other.steps[1])

    def test_the_steps_own_name_does_not(self) -> None:
        plan = plan_of(READ_BUDGET, DELETE_BUDGET)
        assert not clashes(deed(), YOU, self.GOAL, plan, plan.steps[1])

    def test_what_a_step_has_by_another_name_does_not_either(self) -> None:
        plan = plan_of(READ_BUDGET, Call("d", "files.delete", {"file": "file:1"}))
        assert not clashes(deed(), YOU, self.GOAL, plan, plan.steps[1])

    def test_what_was_let_in_later_has_no_name_of_its_own(self) -> None:
        plan = plan_of(READ_BUDGET).let_in(DELETE_BUDGET, Effect.READ)
        assert clashes(deed(), YOU, self.GOAL, plan, plan.steps[1])

    def test_a_name_that_the_plan_also_does_something_with_does_not(self) -> None:
        plan = plan_of(READ_BUDGET, DELETE_BUDGET)
        assert not clashes(deed(), YOU, self.GOAL, plan, None)

    def test_a_name_that_the_plan_does_not_have_does_not(self) -> None:
        plan = plan_of(Call("r", "files.read", {"file": "lease"}), DELETE_OPEN)
        assert not clashes(deed(), YOU, self.GOAL, plan, plan.steps[1])

    def test_a_longer_name_for_the_same_counts(self) -> None:
        plan = plan_of(Call("r", "files.read", {"file": "budget"}), DELETE_OPEN)
        assert clashes(deed(), (Origin(Who.YOU, "the budget 2026"),), self.GOAL, plan, plan.steps[1])
