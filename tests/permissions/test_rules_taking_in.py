"""One rule takes in another only where every part of it is as wide; what decides is all told in its parts."""

from dataclasses import replace
from datetime import datetime, time
from typing import Any

import pytest

from connectors.base import Resolved, Role
from permissions.rules import Hours, Links, Rule, takes_in
from permissions.words import Flag, Limit, Verdict, Width
from tests.permissions.fakes import NOW
from tests.permissions.policy_cases import UNDO, R, S, W, case, dest

STOP = Rule("stop", Verdict.REFUSE)
ANY = Limit("*", Width.ANY)
DAY, NIGHT = Hours(time(9), time(18)), Hours(time(22), time(7))


def is_(value: str, argument: str = "a", role: Role | None = None) -> Limit:
    return Limit(argument, Width.IS, (value,), role)


def clock(text: str) -> Hours:
    start, _, end = text.partition("-")
    return Hours(time.fromisoformat(start), time.fromisoformat(end))


class TestHours:
    @pytest.mark.parametrize(
        ("hours", "at", "holds"),
        [
            ("09:00-18:00", "09:00", True),
            ("09:00-18:00", "08:59:59", False),
            ("09:00-18:00", "17:59:59", True),
            ("09:00-18:00", "18:00", False),
            ("22:00-07:00", "22:00", True),
            ("22:00-07:00", "21:59:59", False),
            ("22:00-07:00", "06:59:59", True),
            ("22:00-07:00", "07:00", False),
            ("09:00-09:00", "09:00", True),
            ("09:00-09:00", "08:59", True),
        ],
    )
    def test_a_time_of_the_day_is_in_them_or_not(self, hours: str, at: str, holds: bool) -> None:
        now = datetime.combine(NOW.date(), time.fromisoformat(at), NOW.tzinfo)
        assert clock(hours).has(now) is holds

    @pytest.mark.parametrize(
        ("narrow", "wide", "holds"),
        [
            ("09:00-12:00", "09:00-12:00", True),
            ("09:50-10:10", "09:40-10:20", True),
            ("09:00-12:01", "09:00-12:00", False),
            ("08:59-12:00", "09:00-12:00", False),
            ("12:00-12:01", "09:00-12:00", False),
            ("23:59-00:01", "23:58-00:02", True),
            ("23:58-00:01", "23:59-00:02", False),
            ("23:59-00:03", "23:58-00:02", False),
            ("06:00-07:00", "22:00-07:00", True),
            ("06:00-07:01", "22:00-07:00", False),
            ("22:00-23:00", "22:00-07:00", True),
            ("21:59-23:00", "22:00-07:00", False),
            ("22:00-07:00", "00:00-00:00", True),
            ("09:00-09:00", "12:00-12:00", True),
            ("09:00-09:00", "09:00-08:59", False),
            ("00:00-23:59", "09:00-18:00", False),
        ],
    )
    def test_hours_are_within_others_or_not(self, narrow: str, wide: str, holds: bool) -> None:
        assert clock(narrow).within(clock(wide)) is holds


class TestEveryPart:
    @pytest.mark.parametrize("verdict", [Verdict.REFUSE, Verdict.ALLOW])
    @pytest.mark.parametrize(
        ("part", "wide", "narrow", "holds"),
        [
            ("service", "", "s", True),
            ("service", "s", "s", True),
            ("service", "s", "", False),
            ("service", "s", "t", False),
            ("verb", "", "v", True),
            ("verb", "v", "v", True),
            ("verb", "v", "", False),
            ("verb", "v", "w", False),
            ("effect", None, S, True),
            ("effect", S, S, True),
            ("effect", S, None, False),
            ("effect", S, W, False),
            ("at_most", None, 2, True),
            ("at_most", 2, 2, True),
            ("at_most", 2, 1, True),
            ("at_most", 2, 3, False),
            ("at_most", 2, None, False),
            ("more_than", None, 2, True),
            ("more_than", 2, 2, True),
            ("more_than", 2, 3, True),
            ("more_than", 2, 1, False),
            ("more_than", 2, None, False),
            ("hours", None, DAY, True),
            ("hours", DAY, DAY, True),
            ("hours", DAY, NIGHT, False),
            ("hours", DAY, None, False),
            ("links", None, Links.FROM_USER, True),
            ("links", Links.FROM_USER, Links.FROM_USER, True),
            ("links", Links.FROM_USER, Links.NOT_FROM_USER, False),
            ("links", Links.FROM_USER, None, False),
            ("flags", frozenset(), frozenset({Flag.MANY}), True),
            ("flags", frozenset({Flag.MANY}), frozenset({Flag.MANY}), True),
            ("flags", frozenset({Flag.MANY, Flag.LOOKALIKE}), frozenset({Flag.MANY}), True),
            ("flags", frozenset({Flag.MANY}), frozenset({Flag.MANY, Flag.LOOKALIKE}), False),
            ("flags", frozenset({Flag.MANY}), frozenset(), False),
        ],
    )
    def test_a_part_must_be_as_wide(
        self, verdict: Verdict, part: str, wide: Any, narrow: Any, holds: bool
    ) -> None:
        rule = replace(STOP, verdict=verdict)
        assert takes_in(replace(rule, **{part: wide}), replace(rule, **{part: narrow})) is holds


class TestLimitsOfStops:
    @pytest.mark.parametrize(
        ("wide", "narrow", "holds"),
        [
            ((), (is_("x"),), True),
            ((is_("x"),), (), False),
            ((is_("x"), is_("y")), (is_("x"),), True),
            ((is_("x"),), (is_("x"), is_("y")), False),
            ((is_("x"),), (is_("X"),), True),
            ((is_("x"),), (is_("x"), is_("y", "b")), True),
            ((is_("x"), is_("y", "b")), (is_("x"),), False),
            ((is_("x"), is_("y", "b")), (is_("x"), is_("y", "b")), True),
            ((is_("x", "*"),), (is_("x"),), True),
            ((is_("x"),), (is_("x", role=Role.TARGET),), True),
            ((is_("x", role=Role.TARGET),), (is_("x"),), False),
        ],
    )
    def test_one_within_is_enough_and_capitals_do_not_count(
        self, wide: tuple[Limit, ...], narrow: tuple[Limit, ...], holds: bool
    ) -> None:
        assert takes_in(replace(STOP, limits=wide), replace(STOP, limits=narrow)) is holds

    @pytest.mark.parametrize(
        ("wide", "narrow", "holds"),
        [
            ((), (is_("x"),), True),
            ((is_("x"),), (), False),
            ((is_("x"),), (is_("x"),), True),
            ((is_("x"),), (is_("x"), is_("y")), True),
            ((is_("x"), is_("y")), (is_("x"),), False),
            ((is_("X"),), (is_("x"),), False),
            ((is_("x"),), (is_("x", "*"),), False),
            ((is_("x"),), (is_("x"), is_("y", "b")), True),
            ((is_("x"), is_("y", "b")), (is_("x"),), False),
            ((is_("x"),), (is_("x", role=Role.TARGET),), False),
        ],
    )
    def test_outside_a_longer_list_is_outside_a_shorter_one(
        self, wide: tuple[Limit, ...], narrow: tuple[Limit, ...], holds: bool
    ) -> None:
        assert takes_in(replace(STOP, strays=wide), replace(STOP, strays=narrow)) is holds


class TestLimitsOfPermissions:
    ALLOW = Rule("allow", Verdict.ALLOW, "files", "write")

    @pytest.mark.parametrize(
        ("wide", "narrow", "holds"),
        [
            ((), (), True),
            ((is_("x"),), (), False),
            ((), (is_("x"),), False),
            ((is_("x"), is_("y")), (is_("x"),), True),
            ((is_("x"),), (is_("x"), is_("y")), False),
            ((is_("x"),), (is_("X"),), False),
            ((ANY, is_("x")), (ANY,), False),
            ((ANY, is_("x")), (ANY, is_("x")), True),
            ((ANY, is_("x")), (ANY, is_("y")), False),
            ((ANY, is_("x")), (is_("x"),), True),
            ((ANY, is_("x")), (is_("x", "b"),), False),
            ((ANY,), (is_("x"), is_("y", "b")), True),
        ],
    )
    def test_all_must_be_within_to_the_letter_and_argument_by_argument(
        self, wide: tuple[Limit, ...], narrow: tuple[Limit, ...], holds: bool
    ) -> None:
        assert takes_in(replace(self.ALLOW, limits=wide), replace(self.ALLOW, limits=narrow)) is holds

    def test_a_permission_to_read_anything_takes_in_one_to_read_something(self) -> None:
        anything = replace(self.ALLOW, effect=R)
        assert takes_in(anything, replace(anything, limits=(is_("x"),)))
        assert not takes_in(replace(anything, effect=None), replace(anything, effect=W, limits=(is_("x"),)))


class TestMatching:
    """Held against calls one by one, with no decision around it."""

    def test_a_permission_to_read_something_is_none_to_read_anything(self) -> None:
        some = Rule("some", Verdict.ALLOW, limits=(is_("thing:0", "thing"),))
        everything = Rule("all", Verdict.ALLOW, effect=R)
        inside, outside = case(R).prepared, case(R, (Resolved(Role.TARGET, "thing", "x", "x"),)).prepared
        assert some.matches(inside, frozenset(), NOW)
        assert not some.matches(outside, frozenset(), NOW)
        assert everything.matches(outside, frozenset(), NOW)

    def test_a_permission_that_names_nothing_is_for_reading_only(self) -> None:
        nothing = Rule("nothing", Verdict.ALLOW)
        assert nothing.matches(case(R).prepared, frozenset(), NOW)
        assert not nothing.matches(case(W, undo=UNDO).prepared, frozenset(), NOW)

    def test_one_thing_outside_a_list_of_one_is_enough_for_a_stop(self) -> None:
        only_ana = Rule("only", Verdict.REFUSE, strays=(is_("ana@acme.com", "to"),))
        assert not only_ana.matches(case(S).prepared, frozenset(), NOW)
        assert only_ana.matches(case(S, (dest(), dest("bob@x.org"))).prepared, frozenset(), NOW)
        assert not only_ana.matches(case(W, undo=UNDO).prepared, frozenset(), NOW)


class TestWhatDecides:
    @pytest.mark.parametrize(
        ("rule", "holds"),
        [
            (STOP, True),
            (replace(STOP, service="files"), True),
            (replace(STOP, service="files.read"), False),
            (replace(STOP, verb="read.all"), True),
            (replace(STOP, verb="all"), False),
            (replace(STOP, effect=R), True),
            (replace(STOP, effect=W), False),
        ],
    )
    def test_a_tool_is_its_service_up_to_the_first_dot_and_its_verb_after_it(
        self, rule: Rule, holds: bool
    ) -> None:
        assert rule.is_for("files.read.all", frozenset({R})) is holds

    def test_the_parts_of_a_rule_are_all_that_decides_in_plain_values(self) -> None:
        rule = Rule(
            "mine",
            Verdict.ASK,
            "files",
            "write",
            W,
            (is_("x"), is_("y", "to", Role.DESTINATION)),
            (Limit("b", Width.UNDER, ("D/n", "E")),),
            3,
            1,
            Hours(time(9), time(18, 30)),
            Links.NOT_FROM_USER,
            frozenset({Flag.MANY, Flag.LOOKALIKE}),
            "files.toml:7",
        )
        assert rule.parts() == [
            "mine",
            "ask",
            "files",
            "write",
            "write",
            [["a", "is", ["x"], ""], ["to", "is", ["y"], "destination"]],
            [["b", "under", ["D/n", "E"], ""]],
            3,
            1,
            ["09:00:00", "18:30:00"],
            "not_from_user",
            ["lookalike", "many"],
        ]
        assert STOP.parts() == ["stop", "refuse", "", "", "", [], [], None, None, None, "", []]
        assert rule == replace(rule, source="elsewhere")

    @pytest.mark.parametrize(
        ("part", "value", "unconditional"),
        [
            ("service", "files", True),
            ("verb", "write", True),
            ("effect", W, True),
            ("limits", (ANY,), False),
            ("strays", (ANY,), False),
            ("at_most", 1, False),
            ("more_than", 0, False),
            ("hours", DAY, False),
            ("links", Links.FROM_USER, False),
            ("flags", frozenset({Flag.MANY}), False),
        ],
    )
    def test_a_rule_with_a_condition_does_not_hold_for_every_call(
        self, part: str, value: Any, unconditional: bool
    ) -> None:
        assert STOP.unconditional
        assert replace(STOP, **{part: value}).unconditional is unconditional
