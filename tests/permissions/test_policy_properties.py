"""The one decision for any call at all: total, pure, and never opened by more danger."""

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from connectors.base import Effect, Resolved, Role
from permissions.policy import Case, Policy, Rule, decide, sufficient
from permissions.words import Asker, Ban, Flag, Grant, Key, Limit, Origin, Ruling, Scope, Verdict, Who, Width
from tests.permissions.fakes import ANA, EVE, GOAL, NOW, prepared_for, tool_for
from tests.permissions.policy_cases import (
    NONE,
    SH,
    UNDO,
    R,
    S,
    W,
    case,
    grant_for,
)


def mostly(usual: st.SearchStrategy[Any], odd: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """The usual nine times of ten."""
    return st.integers(0, 9).flatmap(lambda n: odd if n == 9 else usual)


VALUES = mostly(st.sampled_from([ANA, EVE, "note:1"]), st.sampled_from(["", "ſ@x", "a b"]))


LABELS = mostly(st.just("label"), st.just(""))


WRITTEN = st.sampled_from([2, 2, 0, None])


DESTINATIONS = st.builds(
    Resolved, st.just(Role.DESTINATION), st.sampled_from(["to", ""]), VALUES, LABELS, WRITTEN
)


OTHERS = st.builds(
    Resolved,
    st.sampled_from([Role.TARGET, Role.TARGET, Role.CONTENT, Role.BOUND]),
    st.sampled_from(["thing", ""]),
    VALUES,
    LABELS,
)


ORIGINS = st.builds(Origin, st.sampled_from([Who.YOU, *Who]))


GRANTS = st.lists(
    st.builds(
        Grant,
        st.sampled_from(["messaging.send", "messaging.read", "messaging", "", "mess"]),
        st.lists(
            st.tuples(
                st.sampled_from(["", "to", "thing"]),
                st.lists(st.sampled_from([ANA, EVE, "note:1", ""]), max_size=3).map(tuple),
            ),
            max_size=2,
        ).map(tuple),
        st.sampled_from(Scope),
        st.just(NOW),
        st.sampled_from(["", GOAL.id, "other"]),
        st.frozensets(st.sampled_from(Effect)),
    ),
    max_size=3,
)


POLICIES = st.builds(
    Policy,
    st.lists(
        st.builds(
            Rule,
            st.just("rule"),
            st.sampled_from([Verdict.ALLOW, Verdict.ALLOW, Verdict.ASK, Verdict.ASK_TYPED, Verdict.REFUSE]),
            st.sampled_from(["messaging", "files", ""]),
            st.sampled_from(["send", "write", ""]),
            st.sampled_from([None, None, *Effect]),
            st.sampled_from([(), (Limit("*", Width.ANY),), (Limit("to", Width.DOMAIN, ("acme.com",)),)]),
        ),
        max_size=2,
    ).map(tuple),
)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    effect = draw(st.sampled_from(Effect))
    effects = {effect} | draw(
        mostly(st.just(frozenset()), st.frozensets(st.sampled_from(Effect), max_size=2))
    )
    things = [draw(DESTINATIONS)] if effects & {S, SH} else []
    things += draw(st.lists(mostly(OTHERS, DESTINATIONS), max_size=3))
    undo = draw(st.sampled_from([UNDO, None]))
    prepared = prepared_for(f"messaging.{effect}", frozenset(effects), tuple(things), {}, undo=undo)
    return Case(
        tool=tool_for(prepared, effect),
        prepared=prepared,
        traced=draw(st.lists(ORIGINS, min_size=len(things), max_size=len(things)).map(tuple)),
        asker=draw(st.sampled_from(Asker)),
        in_plan=draw(mostly(st.just(True), st.just(False))),
        goal=GOAL,
        flags=draw(mostly(st.just(frozenset()), st.just(frozenset({Flag.LINK_NOT_YOURS})))),
        repeated=draw(mostly(st.just(False), st.just(True))),
    )


@st.composite
def granted(draw: st.DrawFn) -> tuple[Case, list[Grant]]:
    """A case, with grants that often cover it."""
    judged = draw(cases())
    grants = draw(GRANTS)
    if draw(st.booleans()):
        effects = judged.prepared.effects | {judged.tool.effect}
        grants.append(replace(grant_for(judged, draw(st.sampled_from(Scope))), effects=effects))
    return judged, grants


OPENNESS = {Verdict.REFUSE: 0, Verdict.ASK_TYPED: 1, Verdict.ASK: 2, Verdict.ALLOW: 3}


KEYS = {Key.SMALL: 2, Key.CAPITAL: 1, Key.TYPED: 0}


def openness(ruling: Ruling) -> tuple[int, int]:
    return OPENNESS[ruling.verdict], KEYS[ruling.key]


@given(granted(), POLICIES)
def test_the_same_call_always_gets_the_same_ruling(pair: tuple[Case, list[Grant]], policy: Policy) -> None:
    judged, grants = pair
    ruling = decide(judged, policy, grants, NOW)
    assert ruling == decide(judged, policy, list(grants), NOW)
    assert (ruling.verdict is Verdict.ASK_TYPED) == (ruling.key is Key.TYPED and bool(ruling.word))


@given(granted(), POLICIES)
def test_the_grants_that_suffice_are_those_that_it_is_ruled_to_run_by(
    pair: tuple[Case, list[Grant]], policy: Policy
) -> None:
    judged, grants = pair
    rulings = [(grant, decide(judged, policy, [grant], NOW)) for grant in grants]
    run = tuple(g for g, r in rulings if r.verdict is Verdict.ALLOW and r.rule == f"grant.{g.scope}")
    assert sufficient(judged, policy, grants, NOW) == run


@given(granted(), POLICIES)
def test_only_reading_is_ever_silent_about_things_that_are_not_the_persons(
    pair: tuple[Case, list[Grant]], policy: Policy
) -> None:
    judged, grants = pair
    if decide(judged, policy, grants, NOW).verdict is not Verdict.ALLOW:
        return
    effects = judged.prepared.effects | {judged.tool.effect}
    if effects != {R}:
        for thing, origin in zip(judged.prepared.resolved, judged.traced, strict=True):
            assert thing.role not in (Role.DESTINATION, Role.TARGET) or origin.who < Who.CONTENT


@given(granted(), POLICIES, st.sampled_from([Flag.LOOKALIKE, Flag.LINK_NOT_YOURS]))
def test_one_more_flag_never_opens_anything(
    pair: tuple[Case, list[Grant]], policy: Policy, flag: Flag
) -> None:
    judged, grants = pair
    flagged = replace(judged, flags=judged.flags | {flag})
    before, after = decide(judged, policy, grants, NOW), decide(flagged, policy, grants, NOW)
    assert openness(after) <= openness(before)
    assert after.flags >= before.flags or after.verdict is Verdict.REFUSE


@given(granted(), POLICIES, st.data())
def test_a_less_trusted_origin_never_opens_anything(
    pair: tuple[Case, list[Grant]], policy: Policy, data: st.DataObject
) -> None:
    judged, grants = pair
    worse = tuple(Origin(data.draw(st.sampled_from([w for w in Who if w >= o.who]))) for o in judged.traced)
    before = decide(judged, policy, grants, NOW)
    after = decide(replace(judged, traced=worse), policy, grants, NOW)
    assert openness(after) <= openness(before)


@given(granted(), POLICIES, st.sampled_from(Effect))
def test_one_more_effect_never_opens_anything(
    pair: tuple[Case, list[Grant]], policy: Policy, effect: Effect
) -> None:
    judged, grants = pair
    if not judged.prepared.effects:
        return
    more = replace(judged.prepared, effects=judged.prepared.effects | {effect})
    before = decide(judged, policy, grants, NOW)
    after = decide(replace(judged, prepared=more), policy, grants, NOW)
    assert openness(after) <= openness(before)


@given(granted(), POLICIES)
def test_being_outside_the_plan_never_opens_anything(pair: tuple[Case, list[Grant]], policy: Policy) -> None:
    judged, grants = pair
    inside = replace(judged, asker=Asker.PLAN, in_plan=True)
    outside = replace(judged, asker=Asker.ADDED)
    assert openness(decide(outside, policy, grants, NOW)) <= openness(decide(inside, policy, grants, NOW))


@given(granted(), POLICIES)
def test_nothing_for_good_or_for_a_session_covers_what_is_asked_every_time(
    pair: tuple[Case, list[Grant]], policy: Policy
) -> None:
    judged, grants = pair
    lasting = [grant for grant in grants if grant.scope not in (Scope.ONCE, Scope.GOAL)]
    if judged.effects & {Effect.SEND, Effect.SHARE, Effect.DELETE}:
        assert decide(judged, policy, lasting, NOW).verdict is not Verdict.ALLOW


@given(granted(), POLICIES, st.sampled_from(["messaging", "messaging.send", "messaging.read"]))
def test_a_standing_no_beats_every_grant_and_every_rule(
    pair: tuple[Case, list[Grant]], policy: Policy, tool: str
) -> None:
    judged, grants = pair
    ban = Ban(tool, (), Scope.ALWAYS, NOW, "never")
    before = decide(judged, policy, grants, NOW)
    after = decide(judged, policy, grants, NOW, [ban])
    assert openness(after) <= openness(before)
    if tool in ("messaging", judged.tool.name):
        assert after.verdict is Verdict.REFUSE


@given(granted())
def test_without_rules_and_grants_nothing_is_silent(pair: tuple[Case, list[Grant]]) -> None:
    judged, grants = pair
    assert decide(judged, NONE, (), NOW).verdict is not Verdict.ALLOW
    no = Policy((Rule("no", Verdict.REFUSE),))
    assert decide(judged, no, grants, NOW).verdict is Verdict.REFUSE
    ask = Policy((Rule("ask", Verdict.ASK),))
    assert decide(judged, ask, grants, NOW).verdict is not Verdict.ALLOW


JUNK = st.none() | st.integers() | st.text() | st.lists(st.integers()) | st.builds(object)


@given(
    st.sampled_from(["tool", "prepared", "traced", "asker", "goal", "flags"]) | st.none(),
    JUNK,
    st.sampled_from(["call", "effects", "resolved", "preview"]),
    JUNK,
    GRANTS,
)
def test_whatever_is_put_in_a_ruling_comes_out_and_it_is_never_a_silent_yes(
    part: str | None, junk: object, inner: str, inner_junk: object, grants: list[Grant]
) -> None:
    broken: Any = case(S)
    broken = replace(broken, prepared=replace(broken.prepared, **{inner: inner_junk}))
    if part:
        broken = replace(broken, **{part: junk})
    for judged in (broken, junk):
        ruling = decide(judged, NONE, grants, NOW)
        assert isinstance(ruling, Ruling)
        assert ruling.verdict is Verdict.REFUSE or part in ("asker", "goal", "flags")
        assert ruling.verdict is not Verdict.ALLOW


def test_grants_that_are_junk_are_a_no() -> None:
    assert decide(case(W), NONE, [None], NOW).verdict is Verdict.REFUSE
