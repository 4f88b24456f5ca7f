"""The person's own rules beat every grant, and a grant never silences what must be looked at."""

from dataclasses import replace
from datetime import timedelta

import pytest

from connectors.base import Effect, Tool
from permissions.policy import MANY, Policy, Rule
from permissions.words import Asker, Flag, Key, Scope, Verdict, Who
from tests.permissions.fakes import NOW, Anything
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

    def test_a_floor_beats_the_persons_rules(self) -> None:
        assert ruled(case(S, ()), policy=Policy((self.DENY,))).rule == "floor.nothing"

    def test_the_persons_ask_beats_every_grant(self) -> None:
        judged = case(S)
        ruling = ruled(judged, grant_for(judged), policy=Policy((self.ASK,)))
        assert (ruling.verdict, ruling.rule, ruling.key) == (
            Verdict.ASK,
            "user.ask:always ask",
            Key.CAPITAL,
        )

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
        assert (ruling.verdict, ruling.rule) == (Verdict.ALLOW, "grant.goal")

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
        assert (ruling.verdict, ruling.rule) == (Verdict.ASK, "ask.flagged")

    def test_no_grant_silences_a_change_that_was_not_in_the_plan(self) -> None:
        judged = case(W, undo=UNDO, asker=Asker.ADDED)
        assert ruled(judged, grant_for(judged)).verdict is Verdict.ASK

    def test_no_grant_silences_many_things(self) -> None:
        judged = case(W, targets(MANY + 1), undo=UNDO)
        assert ruled(judged, grant_for(judged)).verdict is Verdict.ASK_TYPED

    def test_a_grant_of_the_future_covers_nothing(self) -> None:
        judged = case(W, undo=UNDO)
        later = replace(grant_for(judged), given=NOW + timedelta(seconds=1))
        assert ruled(judged, later).verdict is Verdict.ASK
