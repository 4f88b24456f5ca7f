"""Everything asks when nothing was allowed; the key and the word fit the danger."""

import pytest

from connectors.base import Effect, Resolved, Role
from permissions.policy import MANY, Case
from permissions.words import Asker, Flag, Key, Verdict, Who
from tests.permissions.fakes import ANA, EVE
from tests.permissions.policy_cases import (
    SH,
    UNDO,
    C,
    D,
    M,
    R,
    S,
    W,
    case,
    dest,
    ruled,
    targets,
)


class TestAsking:
    @pytest.mark.parametrize("effect", list(Effect))
    def test_everything_asks_when_nothing_was_allowed(self, effect: Effect) -> None:
        ruling = ruled(case(effect))
        assert (ruling.verdict, ruling.rule) == (Verdict.ASK, "ask.default")
        assert ruling.reason == f"no permission covers messaging.{effect.value} yet"

    @pytest.mark.parametrize(
        ("judged", "key"),
        [
            (case(R), Key.SMALL),
            (case(W, undo=UNDO), Key.SMALL),
            (case(W), Key.CAPITAL),
            (case(M), Key.CAPITAL),
            (case(M, undo=UNDO), Key.SMALL),
            (case(C, undo=UNDO), Key.SMALL),
            (case(D, undo=UNDO), Key.SMALL),
            (case(D), Key.CAPITAL),
            (case(S), Key.CAPITAL),
            (case(S, undo=UNDO), Key.CAPITAL),
            (case(SH, undo=UNDO), Key.CAPITAL),
            (case(W, (*targets(), dest()), also=frozenset({S}), undo=UNDO), Key.CAPITAL),
        ],
    )
    def test_the_key_is_small_only_if_nothing_leaves_and_it_can_be_taken_back(
        self, judged: Case, key: Key
    ) -> None:
        assert (ruled(judged).key, ruled(judged).word) == (key, "")

    def test_a_stranger_that_the_person_did_not_name_needs_the_domain_typed(self) -> None:
        ruling = ruled(case(S, (dest(EVE, 0),), Who.CONTENT))
        assert (ruling.verdict, ruling.key, ruling.word) == (Verdict.ASK_TYPED, Key.TYPED, "evil.example")
        assert ruling.flags == {Flag.DESTINATION_NOT_YOURS, Flag.DESTINATION_NEW}

    @pytest.mark.parametrize(
        ("written", "who", "typed"),
        [
            (0, Who.YOU, False),
            (0, Who.CONFIG, False),
            (3, Who.CONTENT, False),
            (3, Who.MODEL, False),
            (0, Who.MODEL, True),
            (None, Who.MODEL, True),
            (0, Who.WRITTEN_TO, False),
        ],
    )
    def test_a_word_is_needed_only_for_one_neither_named_nor_written_to(
        self, written: int | None, who: Who, typed: bool
    ) -> None:
        assert (ruled(case(S, (dest(EVE, written),), who)).key is Key.TYPED) is typed

    def test_only_strangers_are_typed_each_domain_once(self) -> None:
        things = (
            dest(ANA, 3),
            dest(EVE, 0),
            dest("eve2@Evil.example", 0),
            dest("x@other.org", 0),
            dest("+4512345", 0),
        )
        whos = (Who.YOU, Who.CONTENT, Who.MODEL, Who.YOU, Who.MODEL)
        assert ruled(case(S, things, whos)).word == "evil.example +4512345"

    def test_a_lookalike_needs_its_domain_typed_even_if_it_came_from_the_settings(self) -> None:
        judged = case(S, (dest(EVE, 0),), Who.CONFIG, flags=frozenset({Flag.LOOKALIKE}))
        assert ruled(judged).word == "evil.example"

    def test_a_draft_to_a_stranger_is_flagged_but_needs_no_word(self) -> None:
        ruling = ruled(case(W, (dest(EVE, 0),), Who.CONTENT, undo=UNDO))
        assert (ruling.key, ruling.verdict) == (Key.SMALL, Verdict.ASK)
        assert Flag.DESTINATION_NOT_YOURS in ruling.flags

    def test_many_things_need_their_number_typed(self) -> None:
        assert ruled(case(D, targets(MANY), undo=UNDO)).key is Key.SMALL
        ruling = ruled(case(D, targets(MANY + 1), undo=UNDO))
        assert (ruling.key, ruling.word) == (Key.TYPED, "6")
        assert Flag.MANY in ruling.flags

    def test_things_and_people_count_together_and_twins_once(self) -> None:
        people = tuple(dest(f"p{n}@x.org") for n in range(3))
        assert ruled(case(S, (*people, *targets(3)))).word == "6"
        assert ruled(case(W, targets(1) * 9, undo=UNDO)).key is Key.SMALL

    def test_reading_many_things_is_only_reading(self) -> None:
        ruling = ruled(case(R, targets(30), Who.MODEL))
        assert (ruling.key, ruling.flags) == (Key.SMALL, frozenset())

    def test_what_came_after_the_plan_is_flagged(self) -> None:
        assert ruled(case(R, asker=Asker.ADDED)).flags == {Flag.NOT_IN_PLAN}
        assert ruled(case(S, in_plan=False)).flags == {Flag.NOT_IN_PLAN}
        assert ruled(case(S, asker=Asker.REPAIR)).flags == frozenset()

    def test_a_target_that_the_person_did_not_name_is_flagged(self) -> None:
        assert ruled(case(D, who=Who.CONTENT, undo=UNDO)).flags == {Flag.TARGET_NOT_YOURS}
        assert ruled(case(D, who=Who.CONFIG, undo=UNDO)).flags == frozenset()

    def test_words_and_bounds_may_be_anybodys(self) -> None:
        words = (Resolved(Role.CONTENT, "text", "x", "x"), Resolved(Role.BOUND, "when", "y", "y"))
        judged = case(W, (*targets(), *words), (Who.YOU, Who.MODEL, Who.CONTENT), undo=UNDO)
        assert ruled(judged).flags == frozenset()
