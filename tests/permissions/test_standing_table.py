"""Where a call stands decides what is asked at all: inside the plan or not, after foreign text or not."""

from dataclasses import replace

import pytest

from connectors.base import Effect, Resolved, Role
from permissions.policy import MANY, Case
from permissions.standing_table import OUTSIDE
from permissions.words import Asker, Flag, Key, Scope, Verdict, Who
from tests.permissions.fakes import ANA, EVE
from tests.permissions.policy_cases import UNDO, D, R, S, W, case, dest, grant_for, ruled, targets

CHANGING = [effect for effect in Effect if effect not in (Effect.READ, Effect.MARK)]
SECRET = frozenset({Flag.CARRIES_PRIVATE})


class TestOutsideThePlan:
    @pytest.mark.parametrize("effect", CHANGING)
    def test_after_foreign_text_nothing_that_changes_is_even_asked_for(self, effect: Effect) -> None:
        judged = case(effect, undo=UNDO, tainted=True, in_plan=False)
        ruling = ruled(judged, grant_for(judged))
        assert (ruling.verdict, ruling.rule) == (Verdict.REFUSE, OUTSIDE)
        assert ruling.reason == "it is not in your request, and a text that others wrote had been read"
        assert Flag.NOT_IN_PLAN in ruling.flags

    @pytest.mark.parametrize("effect", [Effect.READ, Effect.MARK])
    def test_looking_is_asked_for_and_flagged(self, effect: Effect) -> None:
        ruling = ruled(case(effect, undo=UNDO, tainted=True, in_plan=False))
        assert ruling.verdict is Verdict.ASK
        assert ruling.flags == {Flag.NOT_IN_PLAN}

    def test_a_read_that_also_marks_is_still_only_looking(self) -> None:
        judged = case(R, also=frozenset({Effect.MARK}), undo=UNDO, tainted=True, in_plan=False)
        assert ruled(judged).verdict is Verdict.ASK

    @pytest.mark.parametrize("effect", list(Effect))
    def test_before_foreign_text_it_is_asked_for_and_flagged(self, effect: Effect) -> None:
        ruling = ruled(case(effect, undo=UNDO, in_plan=False))
        assert ruling.verdict is Verdict.ASK
        assert Flag.NOT_IN_PLAN in ruling.flags

    @pytest.mark.parametrize("effect", list(Effect))
    def test_inside_the_plan_foreign_text_changes_nothing_for_what_is_the_persons(
        self, effect: Effect
    ) -> None:
        assert ruled(case(effect, undo=UNDO, tainted=True)) == ruled(case(effect, undo=UNDO))

    def test_what_the_person_let_in_is_asked_for_with_its_flag(self) -> None:
        ruling = ruled(case(S, tainted=True, asker=Asker.ADDED))
        assert (ruling.verdict, ruling.flags) == (Verdict.ASK, {Flag.NOT_IN_PLAN})

    def test_a_read_that_also_sends_is_more_than_looking(self) -> None:
        judged = case(W, (*targets(), dest()), also=frozenset({R, S}), tainted=True, in_plan=False)
        assert ruled(judged).rule == OUTSIDE


class TestLookingElsewhere:
    def judged(self, **where: bool) -> Case:
        return case(R, **{"tainted": True, "in_plan": False, "service_in_plan": False, **where})

    def test_no_permission_silences_looking_in_another_service_than_planned(self) -> None:
        judged = self.judged()
        ruling = ruled(judged, grant_for(judged, Scope.SESSION))
        assert (ruling.verdict, ruling.rule) == (Verdict.ASK, "ask.flagged")

    @pytest.mark.parametrize("where", [{"tainted": False}, {"in_plan": True}, {"service_in_plan": True}])
    def test_elsewhere_a_permission_for_reading_is_quiet(self, where: dict[str, bool]) -> None:
        judged = self.judged(**where)
        assert ruled(judged, grant_for(judged, Scope.SESSION)).verdict is Verdict.ALLOW


class TestSecrets:
    @pytest.mark.parametrize("who", [Who.CONTENT, Who.MODEL])
    @pytest.mark.parametrize("effect", [Effect.SEND, Effect.SHARE])
    def test_a_secret_is_never_sent_to_somebody_the_person_did_not_name(
        self, effect: Effect, who: Who
    ) -> None:
        things = (dest(ANA), dest(EVE, 0))
        ruling = ruled(case(effect, things, (Who.YOU, who), flags=SECRET))
        assert (ruling.verdict, ruling.rule) == (Verdict.REFUSE, "plan.smuggles")
        assert ruling.reason == "it would carry something private to an address that you did not name"

    def test_as_it_stood_in_the_plan_before_anything_was_read_it_needs_the_domain_typed(self) -> None:
        ruling = ruled(case(S, (dest(EVE, 3),), Who.CONTENT, flags=SECRET, sealed=True))
        assert (ruling.verdict, ruling.word) == (Verdict.ASK_TYPED, "evil.example")

    def test_to_somebody_they_named_it_needs_the_domain_typed(self) -> None:
        things = (dest(ANA), dest("ben@Acme.com"), dest("+4512"), *targets())
        whos = (Who.YOU, Who.WRITTEN_TO, Who.CONFIG, Who.MODEL)
        ruling = ruled(case(S, things, whos, flags=SECRET))
        assert (ruling.verdict, ruling.key) == (Verdict.ASK_TYPED, Key.TYPED)
        assert ruling.word == "acme.com +4512"

    def test_the_domain_is_what_stands_after_the_last_at_sign(self) -> None:
        judged = case(S, (dest('"ana@acme.com"@Evil.example'),), flags=SECRET)
        assert ruled(judged).word == "evil.example"

    def test_what_stays_here_may_hold_one(self) -> None:
        assert ruled(case(W, undo=UNDO, flags=SECRET, who=Who.MODEL)).verdict is Verdict.ASK

    def test_who_a_target_is_from_does_not_matter_to_where_a_secret_goes(self) -> None:
        things = (dest(ANA), *targets())
        assert ruled(case(S, things, (Who.YOU, Who.CONTENT), flags=SECRET)).verdict is Verdict.ASK_TYPED


class TestDeleting:
    @pytest.mark.parametrize("who", [Who.CONTENT, Who.MODEL])
    def test_what_the_person_did_not_name_needs_a_word_after_foreign_text(self, who: Who) -> None:
        judged = case(D, who=who, undo=UNDO)
        assert ruled(judged).key is Key.SMALL
        ruling = ruled(replace(judged, tainted=True))
        assert (ruling.verdict, ruling.word) == (Verdict.ASK_TYPED, "delete")

    def test_many_things_that_were_not_named_are_never_swept_away_after_it(self) -> None:
        judged = case(D, targets(MANY + 1), (Who.YOU,) * MANY + (Who.CONTENT,), undo=UNDO)
        assert ruled(judged).word == "6"
        ruling = ruled(replace(judged, tainted=True))
        assert (ruling.verdict, ruling.rule) == (Verdict.REFUSE, "plan.sweeps")
        assert ruling.reason == "it would delete many things that you did not name"

    def test_few_or_named_or_other_deeds_are_asked_for(self) -> None:
        assert ruled(case(D, targets(MANY + 1), undo=UNDO, tainted=True)).word == "6"
        assert ruled(case(W, targets(MANY + 1), Who.CONTENT, undo=UNDO, tainted=True)).word == "6"
        assert ruled(case(W, who=Who.CONTENT, undo=UNDO, tainted=True)).key is Key.SMALL

    def test_what_stood_in_the_plan_before_anything_was_read_no_text_has_chosen(self) -> None:
        judged = case(D, who=Who.CONTENT, undo=UNDO, tainted=True, sealed=True)
        assert ruled(judged) == ruled(replace(judged, tainted=False))
        many = case(D, targets(MANY + 1), Who.CONTENT, undo=UNDO, tainted=True, sealed=True)
        assert ruled(many).word == "6"

    def test_only_what_it_acts_on_counts(self) -> None:
        words = Resolved(Role.CONTENT, "text", "x", "x")
        judged = case(D, (*targets(), words), (Who.YOU, Who.CONTENT), undo=UNDO, tainted=True)
        assert ruled(judged).key is Key.SMALL
