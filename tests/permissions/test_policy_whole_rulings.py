"""Every ruling says all of it: the verdict, the rule, the reason, the flags, the key and the word."""

from dataclasses import replace
from datetime import time, timedelta

import pytest

from connectors.base import Resolved, Role
from permissions.policy import MANY, Policy, decide, sufficient
from permissions.rules import Hours, Rule
from permissions.words import Ban, Flag, Key, Limit, Ruling, Scope, Verdict, Who, Width
from tests.permissions.fakes import EVE, GOAL, NOW
from tests.permissions.policy_cases import NONE, UNDO, Case, D, M, S, W, case, dest, grant_for, ruled, targets

WORDS = Resolved(Role.CONTENT, "text", "hello", "hello")
TO_A_STRANGER = frozenset({Flag.DESTINATION_NOT_YOURS, Flag.DESTINATION_NEW})
ANYWHERE = (Limit("*", Width.ANY),)


class TestAPermissionThatIsNotEnough:
    def test_words_of_others_are_asked_about_with_the_key_of_a_send(self) -> None:
        judged = case(S, (dest(), WORDS), (Who.YOU, Who.MODEL))
        reason = "a permission covers this, but not all the words are yours"
        assert ruled(judged, grant_for(judged)) == Ruling(
            Verdict.ASK, "ask.words", reason, frozenset(), Key.CAPITAL, ""
        )

    def test_words_of_others_to_a_stranger_need_the_domain_typed(self) -> None:
        judged = case(S, (dest(EVE, 0), WORDS), (Who.CONTENT, Who.CONTENT))
        reason = "a permission covers this, but not all the words are yours"
        assert ruled(judged, grant_for(judged, Scope.ONCE)) == Ruling(
            Verdict.ASK_TYPED, "ask.words", reason, TO_A_STRANGER, Key.TYPED, "evil.example"
        )

    def test_words_of_others_that_stay_here_are_covered(self) -> None:
        judged = case(W, (*targets(), WORDS), (Who.YOU, Who.MODEL), undo=UNDO)
        assert ruled(judged, grant_for(judged)).verdict is Verdict.ALLOW

    def test_a_stranger_needs_the_domain_typed(self) -> None:
        judged = case(S, (dest(EVE, 0),), Who.CONTENT)
        reason = "a permission covers this, but there is something to look at first"
        assert ruled(judged, grant_for(judged, Scope.ONCE)) == Ruling(
            Verdict.ASK_TYPED, "ask.flagged", reason, TO_A_STRANGER, Key.TYPED, "evil.example"
        )

    def test_no_permission_at_all_is_told_with_all_there_is_to_see(self) -> None:
        reason = "no permission covers messaging.send yet"
        assert ruled(case(S, (dest(EVE, 0),), Who.CONTENT)) == Ruling(
            Verdict.ASK_TYPED, "ask.default", reason, TO_A_STRANGER, Key.TYPED, "evil.example"
        )


class TestARuleThatWantsAWord:
    RULES = Policy((Rule("word", Verdict.ASK_TYPED),))

    def ruling(self, judged: Case) -> Ruling:
        return ruled(judged, grant_for(judged), policy=self.RULES)

    def asked(self, flags: frozenset[Flag], word: str) -> Ruling:
        reason = "your rule “word” says to ask for a word"
        return Ruling(Verdict.ASK_TYPED, "user.ask:word", reason, flags, Key.TYPED, word)

    def test_it_wants_each_domain_once(self) -> None:
        judged = case(S, (dest("ana@Acme.com"), dest("bob@acme.com"), dest("x@x.org"), dest("+4512")))
        assert self.ruling(judged) == self.asked(frozenset(), "acme.com x.org +4512")

    def test_the_domain_is_what_stands_after_the_last_at_sign(self) -> None:
        judged = case(S, (dest('"ana@acme.com"@evil.example'),))
        assert self.ruling(judged).word == "evil.example"

    @pytest.mark.parametrize(
        ("tool", "word"),
        [("messaging.mark_as_read", "mark as read"), ("messaging.mark.as_read", "mark.as read")],
    )
    def test_where_nothing_leaves_it_wants_the_deed_in_words(self, tool: str, word: str) -> None:
        judged = case(M, undo=UNDO)
        call = replace(judged.prepared.call, tool=tool)
        judged = replace(
            judged,
            tool=replace(judged.tool, name=call.tool),
            prepared=replace(judged.prepared, call=call),
        )
        assert self.ruling(judged) == self.asked(frozenset(), word)

    def test_the_word_for_a_danger_stays(self) -> None:
        judged = case(D, targets(MANY + 1), undo=UNDO)
        assert self.ruling(judged) == self.asked(frozenset({Flag.MANY}), "6")

    def test_what_there_is_to_look_at_is_told(self) -> None:
        judged = case(S, (dest(EVE, 3),), Who.CONTENT)
        assert self.ruling(judged) == self.asked(frozenset({Flag.DESTINATION_NOT_YOURS}), "evil.example")


class TestRulesOfTheDay:
    @pytest.mark.parametrize("verdict", list(Verdict))
    def test_a_rule_for_some_hours_holds_in_those_only(self, verdict: Verdict) -> None:
        judged = case(W, undo=UNDO)
        rules = [
            Policy((Rule("now", verdict, hours=Hours(time(hour), time(hour + 1)), limits=ANYWHERE),))
            for hour in (10, 11)
        ]
        assert ruled(judged, policy=rules[0]).rule.endswith(":now")
        assert ruled(judged, policy=rules[1]).rule == "ask.default"

    def test_what_a_rule_allows_is_told_with_its_key(self) -> None:
        rules = Policy((Rule("mine", Verdict.ALLOW, limits=ANYWHERE),))
        reason = "your rule “mine” allows it"
        assert ruled(case(W, undo=UNDO), policy=rules) == Ruling(
            Verdict.ALLOW, "user.allow:mine", reason, frozenset(), Key.SMALL
        )

    def test_one_that_asks_for_a_danger_wants_its_word(self) -> None:
        rules = Policy((Rule("mine", Verdict.ASK),))
        assert ruled(case(D, targets(MANY + 1), undo=UNDO), policy=rules) == Ruling(
            Verdict.ASK_TYPED,
            "user.ask:mine",
            "your rule “mine” says to ask",
            frozenset({Flag.MANY}),
            Key.TYPED,
            "6",
        )


class TestStandingNoes:
    def ban(self, scope: Scope, goal: str = "") -> Ban:
        return Ban("messaging.send", (("to", (EVE,)),), scope, NOW, "never to eve, ever again", goal)

    def test_what_was_said_is_told(self) -> None:
        judged = case(S, (dest(), dest(EVE)))
        ruling = decide(judged, NONE, [grant_for(judged)], NOW, [self.ban(Scope.ALWAYS)])
        assert ruling == Ruling(
            Verdict.REFUSE, "user.never", "you said never to eve, ever again", key=Key.CAPITAL
        )

    @pytest.mark.parametrize(
        ("goal", "verdict"), [(GOAL.id, Verdict.REFUSE), ("another", Verdict.ASK), ("", Verdict.ASK)]
    )
    def test_a_no_for_one_goal_holds_in_that_goal_only(self, goal: str, verdict: Verdict) -> None:
        judged = case(S, (dest(EVE),))
        assert decide(judged, NONE, (), NOW, [self.ban(Scope.GOAL, goal)]).verdict is verdict

    def test_a_no_to_somebody_else_stops_nothing(self) -> None:
        assert decide(case(S), NONE, (), NOW, [self.ban(Scope.ALWAYS)]).rule == "ask.default"


class TestWhatLetsACallRunByItself:
    def test_each_permission_that_covers_it_does_in_their_order(self) -> None:
        judged = case(W, undo=UNDO)
        goal, session = grant_for(judged), grant_for(judged, Scope.SESSION)
        other = replace(goal, tool="messaging.other")
        later = replace(goal, given=NOW + timedelta(seconds=1))
        assert sufficient(judged, NONE, [goal, other, later, session], NOW) == (goal, session)
        assert sufficient(judged, NONE, [], NOW) == ()

    def test_a_call_counts_with_all_that_its_tool_does(self) -> None:
        judged = case(S)
        less = replace(judged, prepared=replace(judged.prepared, effects=frozenset({M})))
        covers_less = replace(grant_for(judged), effects=frozenset({M}))
        assert sufficient(less, NONE, [covers_less], NOW) == ()
        assert sufficient(less, NONE, [replace(covers_less, effects=frozenset({M, S}))], NOW) != ()

    @pytest.mark.parametrize(
        ("judged", "policy"),
        [
            (case(S, (dest(), WORDS), (Who.YOU, Who.MODEL)), NONE),
            (case(W, who=Who.MODEL, undo=UNDO), NONE),
            (case(W, undo=UNDO, repeated=True), NONE),
            (case(W, targets(MANY + 1), undo=UNDO), NONE),
            (case(W, undo=UNDO), Policy((Rule("ask", Verdict.ASK),))),
            (case(W, undo=UNDO), Policy((Rule("word", Verdict.ASK_TYPED),))),
            (case(W, undo=UNDO), Policy((Rule("no", Verdict.REFUSE),))),
            (case(W, undo=UNDO), Policy((Rule("now", Verdict.ASK, hours=Hours(time(10), time(11))),))),
        ],
    )
    def test_none_does_where_the_call_is_asked_or_refused_all_the_same(
        self, judged: Case, policy: Policy
    ) -> None:
        assert sufficient(judged, policy, [grant_for(judged)], NOW) == ()
        assert ruled(judged, grant_for(judged), policy=policy).verdict is not Verdict.ALLOW

    def test_a_rule_for_other_hours_changes_nothing(self) -> None:
        judged = case(W, undo=UNDO)
        rules = Policy((Rule("later", Verdict.ASK, hours=Hours(time(11), time(12))),))
        assert sufficient(judged, rules, [grant_for(judged)], NOW) == (grant_for(judged),)

    def test_none_does_for_what_cannot_be_judged(self) -> None:
        assert sufficient(None, NONE, [grant_for(case(W))], NOW) == ()


def test_the_version_of_known_rules_is_pinned() -> None:
    assert NONE.version == "ccd462934e99133cc111e80c320743ba4bedc57570fc0d8f48408667cca7511d"
    assert (
        Policy((Rule("a", Verdict.ASK, "s", "v", S),)).version
        == "91f627ca2a0c82d22a025255b2a1be8a4e79cd55256d99d847933bdab58696a6"
    )


def test_a_permission_is_held_against_the_time_of_the_ruling() -> None:
    judged = case(W, undo=UNDO)
    ends = replace(grant_for(judged, Scope.UNTIL), expires=NOW + timedelta(minutes=15))
    assert decide(judged, NONE, [ends], NOW + timedelta(minutes=14)).rule == "grant.until"
    assert decide(judged, NONE, [ends], NOW + timedelta(minutes=15)).rule == "ask.default"
