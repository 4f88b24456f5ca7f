"""A change of rules that opens anything is always seen; one that only closes is not."""

from dataclasses import replace
from datetime import datetime, time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.base import Effect, Resolved, Role
from permissions.policy import Case, Policy, Rule, decide
from permissions.rules import Hours, Links
from permissions.widening import lost_stops, narrower, widens
from permissions.words import Flag, Key, Limit, Ruling, Scope, Verdict, Who, Width
from tests.permissions.fakes import NOW
from tests.permissions.policy_cases import UNDO, C, R, S, W, case, dest, grant_for
from tests.permissions.rule_texts import rules_of

pytestmark = pytest.mark.timeout(300)

ADDRESSES = ("ana@acme.com", "bob@acme.com", "eve@sub.acme.com", "eve@evil.example")
PLACES = ("file:Documents/notes/a", "file:Documents/notes/b", "file:Documents/tax", "event:home/x")

LIMITS = st.one_of(
    st.builds(
        Limit,
        st.sampled_from(["*", "to", "thing"]),
        st.just(Width.IS),
        st.lists(st.sampled_from(ADDRESSES + PLACES), min_size=1, max_size=2).map(tuple),
        st.sampled_from([None, Role.DESTINATION]),
    ),
    st.builds(
        Limit,
        st.sampled_from(["*", "to"]),
        st.just(Width.DOMAIN),
        st.lists(st.sampled_from(["acme.com", "sub.acme.com"]), min_size=1, max_size=2).map(tuple),
        st.sampled_from([None, Role.DESTINATION]),
    ),
    st.builds(
        Limit,
        st.sampled_from(["*", "thing"]),
        st.just(Width.UNDER),
        st.sampled_from([("Documents",), ("Documents/notes",)]),
    ),
    st.builds(Limit, st.sampled_from(["*", "thing", "to"]), st.just(Width.ANY)),
    st.builds(Limit, st.just("*"), st.just(Width.CALENDAR), st.just(("home",)), st.just(Role.TARGET)),
)
HOURS = st.builds(
    Hours, st.sampled_from([time(8), time(9), time(22)]), st.sampled_from([time(9), time(10, 30), time(18)])
)


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.integers(0, 3).flatmap(lambda n: strategy if n == 0 else st.none())


RULES = st.builds(
    Rule,
    st.sampled_from(["one", "two"]),
    st.sampled_from([Verdict.ALLOW, Verdict.ALLOW, Verdict.ASK, Verdict.ASK_TYPED, Verdict.REFUSE]),
    st.sampled_from(["", "messaging"]),
    st.sampled_from(["", "send", "write"]),
    maybe(st.sampled_from([R, W, S])),
    st.lists(LIMITS, max_size=2).map(tuple),
    maybe(st.lists(LIMITS, max_size=1).map(tuple)).map(lambda found: found or ()),
    maybe(st.integers(1, 3)),
    maybe(st.integers(0, 2)),
    maybe(HOURS),
    maybe(st.sampled_from(Links)),
    maybe(st.frozensets(st.sampled_from([Flag.DESTINATION_NEW, Flag.MANY]), min_size=1)).map(
        lambda found: found or frozenset()
    ),
)
POLICIES = st.lists(RULES, max_size=3).map(tuple).map(Policy)
THINGS = st.lists(
    st.one_of(
        st.builds(
            lambda value, written: dest(value, written), st.sampled_from(ADDRESSES), st.sampled_from([0, 2])
        ),
        st.builds(
            lambda value, role: Resolved(role, "thing", value, value),
            st.sampled_from(PLACES),
            st.sampled_from([Role.TARGET, Role.BOUND]),
        ),
    ),
    min_size=1,
    max_size=3,
).map(tuple)
CASES = st.builds(
    lambda effect, things, who, link: case(
        effect, things, who, undo=UNDO, flags=frozenset({Flag.LINK_NOT_YOURS} if link else ())
    ),
    st.sampled_from([R, W, W, S, C]),
    THINGS,
    st.sampled_from([Who.YOU, Who.YOU, Who.CONTENT]),
    st.booleans(),
)
TIMES = st.sampled_from([datetime(2026, 11, 30, hour, tzinfo=NOW.tzinfo) for hour in (8, 9, 10, 17, 23)])
OPENNESS = {Verdict.REFUSE: 0, Verdict.ASK_TYPED: 1, Verdict.ASK: 2, Verdict.ALLOW: 3}
KEYS = {Key.TYPED: 0, Key.CAPITAL: 1, Key.SMALL: 2}


def openness(ruling: Ruling) -> tuple[int, int]:
    return OPENNESS[ruling.verdict], KEYS[ruling.key] if ruling.verdict is not Verdict.REFUSE else 0


def ruling(judged: Case, policy: Policy, now: datetime, *, granted: bool) -> Ruling:
    grants = [replace(grant_for(judged, Scope.SESSION), given=datetime.min.replace(tzinfo=NOW.tzinfo))]
    return decide(judged, policy, grants if granted else (), now)


@settings(max_examples=80)
@given(POLICIES, POLICIES, CASES, TIMES, st.booleans())
def test_whatever_opens_anything_is_seen(
    old: Policy, new: Policy, judged: Case, now: datetime, granted: bool
) -> None:
    before = ruling(judged, old, now, granted=granted)
    after = ruling(judged, new, now, granted=granted)
    if openness(after) > openness(before):
        assert widens(old, new)


@settings(max_examples=80)
@given(POLICIES, POLICIES, CASES, TIMES, st.booleans())
def test_until_the_person_says_yes_nothing_is_more_open_than_before_or_after(
    old: Policy, new: Policy, judged: Case, now: datetime, granted: bool
) -> None:
    meanwhile = ruling(judged, narrower(old, new), now, granted=granted)
    assert openness(meanwhile) <= openness(ruling(judged, old, now, granted=granted))
    assert openness(meanwhile) <= openness(ruling(judged, new, now, granted=granted))
    assert not widens(old, narrower(old, new))
    if not widens(old, new):
        assert narrower(old, new) == new


@given(POLICIES)
def test_the_same_rules_open_nothing(policy: Policy) -> None:
    assert not widens(policy, policy)


@given(POLICIES, RULES)
def test_one_more_stop_or_one_less_permission_opens_nothing(policy: Policy, rule: Rule) -> None:
    more = Policy((*policy.rules, rule))
    if rule.verdict is Verdict.ALLOW:
        assert not widens(more, policy)
    else:
        assert not widens(policy, more)


ALLOW = '[[rule]]\ntool = "write"\ndecide = "allow"\n'
REFUSE = '[[rule]]\ndecide = "refuse"\n'


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        (ALLOW + 'under = "Documents/notes"', ALLOW + 'under = "Documents"'),
        (
            ALLOW + 'args.file = { is = "file:Documents/notes/a" }',
            ALLOW + 'args.file = { under = "Documents" }',
        ),
        (ALLOW + 'under = "Documents"', ALLOW + 'under = ["Documents", "Downloads"]'),
        (ALLOW + 'under = "Documents"', ALLOW + 'args.file = { any = true }\nunder = "Documents"'),
        (ALLOW + 'under = "Documents"\nat_most = 1', ALLOW + 'under = "Documents"\nat_most = 2'),
        (ALLOW + 'under = "Documents"\nat_most = 1', ALLOW + 'under = "Documents"'),
        (
            ALLOW + 'under = "Documents"\nhours = "09:00-12:00"',
            ALLOW + 'under = "Documents"\nhours = "09:00-13:00"',
        ),
        (
            ALLOW + 'under = "Documents"\nhours = "23:00-01:00"',
            ALLOW + 'under = "Documents"\nhours = "22:00-07:00"',
        ),
        (
            ALLOW + 'under = "Documents"\nargs.value = { is = "x" }',
            ALLOW + 'under = "Documents"\nargs.value = { is = ["x", "y"] }',
        ),
        ("", ALLOW + 'under = "Documents"'),
        (REFUSE, ""),
        (REFUSE, REFUSE + 'tool = "write"'),
        (REFUSE + 'under = "Documents"', REFUSE + 'under = "Documents/notes"'),
        (REFUSE + 'under = ["Documents", "Downloads"]', REFUSE + 'under = "Documents"'),
        (REFUSE + "more_than = 1", REFUSE + "more_than = 2"),
        (REFUSE, '[[rule]]\ndecide = "ask_typed"'),
        ('[[rule]]\ndecide = "ask_typed"', '[[rule]]\ndecide = "ask"'),
        ('[[rule]]\ndecide = "ask"', ""),
        (
            REFUSE + 'args.file = { not = { under = "Documents/notes" } }',
            REFUSE + 'args.file = { not = { under = "Documents" } }',
        ),
        (
            REFUSE + 'args.file = { not = { under = "Documents" } }',
            REFUSE + 'args.file = { not = { under = ["Documents", "Downloads"] } }',
        ),
    ],
)
def test_widening_is_reported_and_narrowing_is_not(narrow: str, wide: str) -> None:
    less, more = Policy(rules_of(narrow)), Policy(rules_of(wide))
    assert widens(less, more)
    if "any = true" not in wide:
        assert not widens(more, less)


@pytest.mark.parametrize("stop", ["ask", "ask_typed", "refuse"])
def test_a_permission_stands_in_for_no_stop(stop: str) -> None:
    stops = Policy(rules_of(f'[[rule]]\ntool = "read"\ndecide = "{stop}"'))
    assert lost_stops(stops, Policy(rules_of('[[rule]]\ntool = "read"\ndecide = "allow"'))) == stops.rules


def test_a_bound_on_one_argument_that_is_gone_is_reported() -> None:
    bound = Policy(rules_of(ALLOW + 'under = "Documents"\nargs.value = { is = "x" }'))
    free = Policy(rules_of(ALLOW + 'under = "Documents"'))
    assert widens(bound, free)


def test_an_effect_that_is_left_out_counts_as_any() -> None:
    read = Policy(rules_of('[[rule]]\neffect = "read"\ndecide = "allow"'))
    assert widens(read, Policy((replace(read.rules[0], effect=None),)))
    assert widens(Policy(), read)
    assert read.rules[0].effect is Effect.READ
