"""The person's own rules beat every grant, and a grant never silences what must be looked at."""

from dataclasses import replace
from datetime import timedelta

import pytest

from connectors.base import Effect, Tool
from permissions.policy import MANY, Policy, Rule
from permissions.words import Asker, Flag, Key, Ruling, Scope, Verdict, Who
from tests.permissions.fakes import EVE, NOW, Anything
from tests.permissions.policy_cases import (
    NONE,
    UNDO,
    D,
    R,
    S,
    W,
    case,
    dest,
    grant_for,
    ruled,
    targets,
)


class TestRules:
    DENY = Rule("no sending", Verdict.REFUSE, effect=S)
    ASK = Rule("always ask", Verdict.ASK, service="messaging")

    def test_the_persons_no_beats_their_ask_and_every_grant(self) -> None:
        judged = case(S)
        policy = Policy((self.ASK, self.DENY))
        ruling = ruled(judged, grant_for(judged), policy=policy)
        assert (ruling.verdict, ruling.rule) == (Verdict.REFUSE, "user.deny:no sending")
        assert ruling.reason == "your rule “no sending” says no"

    def test_a_floor_beats_the_persons_rules(self) -> None:
        assert ruled(case(S, ()), policy=Policy((self.DENY,))).rule == "floor.nothing"

    def test_the_persons_ask_beats_every_grant(self) -> None:
        judged = case(S)
        ruling = ruled(judged, grant_for(judged), policy=Policy((self.ASK,)))
        reason = "your rule “always ask” says to ask"
        assert ruling == Ruling(Verdict.ASK, "user.ask:always ask", reason, key=Key.CAPITAL)

    def test_the_persons_ask_still_wants_the_word_for_a_danger(self) -> None:
        ruling = ruled(case(S, (dest(EVE, 0),), Who.CONTENT), policy=Policy((self.ASK,)))
        assert (ruling.verdict, ruling.key, ruling.word) == (Verdict.ASK_TYPED, Key.TYPED, "evil.example")
        assert ruling.flags == {Flag.DESTINATION_NOT_YOURS, Flag.DESTINATION_NEW}

    def test_the_persons_ask_may_be_about_one_effect(self) -> None:
        policy = Policy((Rule("sending", Verdict.ASK, effect=S),))
        assert ruled(case(S), policy=policy).rule == "user.ask:sending"
        assert ruled(case(W, undo=UNDO), policy=policy).rule == "ask.default"

    @pytest.mark.parametrize(
        ("rule", "matches"),
        [
            (Rule("r", Verdict.REFUSE), True),
            (Rule("r", Verdict.REFUSE, "messaging"), True),
            (Rule("r", Verdict.REFUSE, "messaging", "send"), True),
            (Rule("r", Verdict.REFUSE, "", "send"), True),
            (Rule("r", Verdict.REFUSE, "messaging", "send", S), True),
            (Rule("r", Verdict.REFUSE, "mess"), False),
            (Rule("r", Verdict.REFUSE, "messaging", "sen"), False),
            (Rule("r", Verdict.REFUSE, "calendar", "send"), False),
            (Rule("r", Verdict.REFUSE, "messaging", "send", D), False),
        ],
    )
    def test_a_rule_matches_exact_names_only(self, rule: Rule, matches: bool) -> None:
        assert (ruled(case(S), policy=Policy((rule,))).verdict is Verdict.REFUSE) is matches

    def test_an_effect_rule_sees_every_effect_of_a_call(self) -> None:
        invites = case(W, (*targets(), dest()), also=frozenset({S}), undo=UNDO)
        assert ruled(invites, policy=Policy((self.DENY,))).rule == "user.deny:no sending"

    def test_a_tool_that_is_always_denied_is_hidden(self) -> None:
        send = Tool("messaging.send", "", Anything, S)
        assert Policy((self.DENY,)).hides(send)
        assert not Policy((self.ASK,)).hides(send)
        assert not Policy((self.DENY,)).hides(replace(send, effect=W))

    def test_the_version_changes_with_every_part_of_every_rule(self) -> None:
        base = Rule("a", Verdict.ASK, "s", "v", S)
        others = (
            replace(base, name="b"),
            replace(base, verdict=Verdict.REFUSE),
            replace(base, service=""),
            replace(base, verb=""),
            replace(base, effect=None),
        )
        policies = [NONE, *(Policy((rule,)) for rule in (base, *others)), Policy((base, base))]
        assert len({policy.version for policy in policies}) == len(policies)


class TestGrants:
    def test_a_grant_lets_a_call_run_unasked(self) -> None:
        judged = case(W, undo=UNDO)
        ruling = ruled(judged, grant_for(judged))
        assert ruling == Ruling(Verdict.ALLOW, "grant.goal", "a permission you gave covers this")

    def test_what_a_grant_lets_run_keeps_its_flags_and_key(self) -> None:
        ruling = ruled(case(R, asker=Asker.ADDED), grant_for(case(R)))
        assert ruling.flags == {Flag.NOT_IN_PLAN}
        assert ruled(case(S), grant_for(case(S))).key is Key.CAPITAL

    @pytest.mark.parametrize("effect", [e for e in Effect if e is not R])
    @pytest.mark.parametrize("who", [Who.CONTENT, Who.MODEL])
    @pytest.mark.parametrize("scope", list(Scope))
    def test_no_grant_silences_a_thing_that_is_not_the_persons(
        self, effect: Effect, who: Who, scope: Scope
    ) -> None:
        judged = case(effect, who=who, undo=UNDO)
        ruling = ruled(judged, grant_for(judged, scope))
        assert ruling.verdict is Verdict.ASK

    def test_reading_is_silent_whatever_it_reads(self) -> None:
        judged = case(R, who=Who.MODEL, asker=Asker.ADDED)
        assert ruled(judged, grant_for(judged)).verdict is Verdict.ALLOW

    @pytest.mark.parametrize("flag", [Flag.LOOKALIKE, Flag.LINK_NOT_YOURS])
    def test_no_grant_silences_a_flag(self, flag: Flag) -> None:
        judged = case(S, flags=frozenset({flag}))
        ruling = ruled(judged, grant_for(judged))
        reason = "a permission covers this, but there is something to look at first"
        assert ruling == Ruling(Verdict.ASK, "ask.flagged", reason, frozenset({flag}), Key.CAPITAL)

    def test_no_grant_silences_a_change_that_was_not_in_the_plan(self) -> None:
        judged = case(W, undo=UNDO, asker=Asker.ADDED)
        assert ruled(judged, grant_for(judged)).verdict is Verdict.ASK

    def test_no_grant_silences_many_things(self) -> None:
        judged = case(W, targets(MANY + 1), undo=UNDO)
        ruling = ruled(judged, grant_for(judged))
        assert (ruling.verdict, ruling.key, ruling.word) == (Verdict.ASK_TYPED, Key.TYPED, "6")

    def test_a_grant_of_the_future_covers_nothing(self) -> None:
        judged = case(W, undo=UNDO)
        later = replace(grant_for(judged), given=NOW + timedelta(seconds=1))
        assert ruled(judged, later).verdict is Verdict.ASK
