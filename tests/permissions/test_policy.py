"""The one decision: floors, then the person's no, then their "ask me", then grants, and else ask."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.base import Effect, Preview, Resolved, Role, Tool
from permissions.policy import MANY, MOST_DELETED, Case, Policy, Rule, decide
from permissions.words import Asker, Flag, Grant, Key, Origin, Ruling, Scope, Verdict, Who
from tests.permissions.fakes import ANA, EVE, GOAL, NOW, Anything, prepared_for, tool_for

R, M, W, C, D, SH, S = (
    Effect.READ,
    Effect.MARK,
    Effect.WRITE,
    Effect.CONFIGURE,
    Effect.DELETE,
    Effect.SHARE,
    Effect.SEND,
)
UNDO = "it can be put back"
NONE = Policy()


def dest(value: str = ANA, written: int | None = 3) -> Resolved:
    return Resolved(Role.DESTINATION, "to", value, value, written)


def targets(count: int = 1, label: str = "thing") -> tuple[Resolved, ...]:
    return tuple(Resolved(Role.TARGET, "thing", f"{label}:{n}", f"{label} {n}") for n in range(count))


def case(
    effect: Effect = S,
    resolved: tuple[Resolved, ...] | None = None,
    who: Who | tuple[Who, ...] = Who.YOU,
    *,
    also: frozenset[Effect] = frozenset(),
    undo: str | None = None,
    **changes: Any,
) -> Case:
    """A case of one effect on some things, whose origins are all `who` or one by one."""
    things = resolved if resolved is not None else ((dest(),) if effect in (S, SH) else targets())
    prepared = prepared_for(f"messaging.{effect.value}", also | {effect}, things, {}, undo=undo)
    whos = who if isinstance(who, tuple) else (who,) * len(things)
    made = Case(tool_for(prepared, effect), prepared, tuple(map(Origin, whos)), Asker.PLAN, True, GOAL)
    return replace(made, **changes)


def grant_for(judged: Case, scope: Scope = Scope.GOAL) -> Grant:
    things: dict[str, list[str]] = {}
    for thing in judged.prepared.resolved:
        things.setdefault(thing.argument, []).append(thing.value)
    named = tuple((argument, tuple(values)) for argument, values in things.items())
    return Grant(judged.tool.name, named, scope, NOW, GOAL.id, judged.prepared.effects)


def ruled(judged: Case, *grants: Grant, policy: Policy = NONE) -> Ruling:
    return decide(judged, policy, grants, NOW)


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
        assert ruled(judged).key is key

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


class TestFloors:
    @pytest.mark.parametrize(
        ("judged", "rule"),
        [
            (case(S, ()), "floor.nothing"),
            (case(W, ()), "floor.nothing"),
            (case(S, targets()), "floor.nothing"),
            (case(R, also=frozenset({S})), "floor.reading"),
            (case(R, also=frozenset({D})), "floor.reading"),
            (case(D, targets(MOST_DELETED + 1), undo=UNDO), "floor.too_many"),
            (case(W, repeated=True), "floor.repeated"),
            (case(S, (dest("ſarah@x.org"),)), "floor.address"),
            (case(S, (dest("a b@x.org"),)), "floor.address"),
            (case(S, (dest("a\n@x.org"),)), "floor.address"),
            (case(W, (dest("ſ@x.org"),)), "floor.address"),
            (case(S, (dest("+45 12"),)), "floor.address"),
            (case(S, (dest(""),)), "floor.unseen"),
            (case(W, (Resolved(Role.TARGET, "thing", "x", " "),)), "floor.unseen"),
            (case(S, traced=()), "floor.origin"),
            (case(S, traced=(Origin(Who.YOU),) * 2), "floor.origin"),
            (case(S, traced=(Origin(0),)), "floor.origin"),  # type: ignore[arg-type]
            (case(C, (Resolved(Role.TARGET, "setting", "permissions.mail", "x"),)), "floor.reserved"),
            (case(C, (Resolved(Role.TARGET, "setting", "Log", "x"),)), "floor.reserved"),
        ],
    )
    def test_what_never_runs_is_refused_by_name(self, judged: Case, rule: str) -> None:
        ruling = ruled(judged, grant_for(judged, Scope.ONCE))
        assert (ruling.verdict, ruling.rule) == (Verdict.REFUSE, rule)
        assert ruling.reason

    def test_a_call_must_belong_to_its_tool(self) -> None:
        judged = case(W)
        other = replace(judged, tool=replace(judged.tool, name="messaging.other"))
        assert ruled(other).rule == "floor.tool"
        nameless = replace(
            judged,
            tool=replace(judged.tool, name="write"),
            prepared=replace(judged.prepared, call=replace(judged.prepared.call, tool="write")),
        )
        assert ruled(nameless).rule == "floor.tool"

    @pytest.mark.parametrize("service", ["permissions", "Policy", "grants", "journal", "log", "model"])
    def test_permissions_policy_log_and_model_are_no_tools(self, service: str) -> None:
        judged = case(W)
        name = f"{service}.set"
        call = replace(judged.prepared.call, tool=name)
        judged = replace(
            judged, tool=replace(judged.tool, name=name), prepared=replace(judged.prepared, call=call)
        )
        assert ruled(judged).rule == "floor.reserved"

    @pytest.mark.parametrize(
        "effects", [frozenset(), frozenset({"exec"}), frozenset({Effect.WRITE, "fetch"})]
    )
    def test_an_unknown_effect_is_refused(self, effects: frozenset[Any]) -> None:
        judged = case(W)
        judged = replace(judged, prepared=replace(judged.prepared, effects=effects))
        assert ruled(judged).rule == "floor.effect"

    @pytest.mark.parametrize("part", ["title", "deed"])
    def test_a_preview_without_words_is_refused(self, part: str) -> None:
        judged = case(W)
        preview = replace(Preview("Do it", "does it"), **{part: "  "})
        assert (
            ruled(replace(judged, prepared=replace(judged.prepared, preview=preview))).rule == "floor.unseen"
        )

    def test_a_call_never_does_less_than_its_tool_is_declared_to(self) -> None:
        judged = case(S)
        harmless = replace(judged, prepared=replace(judged.prepared, effects=frozenset({R})))
        reading = Grant("messaging", (), Scope.SESSION, NOW, "", frozenset({R}))
        ruling = ruled(harmless, reading)
        assert (ruling.verdict, ruling.key) == (Verdict.ASK, Key.CAPITAL)

    def test_a_folder_may_be_called_as_people_call_folders(self) -> None:
        folder = replace(dest("file:Documents/Gamle æbler"), written_before=None)
        assert ruled(case(W, (*targets(), folder), undo=UNDO)).verdict is Verdict.ASK

    def test_reading_that_failed_may_be_tried_again(self) -> None:
        assert ruled(case(R, repeated=True)).verdict is Verdict.ASK

    def test_up_to_twenty_things_may_be_deleted_and_more_may_be_written(self) -> None:
        assert ruled(case(D, targets(MOST_DELETED), undo=UNDO)).verdict is Verdict.ASK_TYPED
        assert ruled(case(W, targets(MOST_DELETED + 1), undo=UNDO)).verdict is Verdict.ASK_TYPED


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


# From here on: any call at all.


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
            st.sampled_from([Verdict.ASK, Verdict.REFUSE]),
            st.sampled_from(["messaging", "files", ""]),
            st.sampled_from(["send", "write", ""]),
            st.sampled_from(Effect),
        ),
        max_size=1,
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
    assert decide(case(W), NONE, [None], NOW).verdict is Verdict.REFUSE  # type: ignore[list-item]
