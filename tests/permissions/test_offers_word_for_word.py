"""An offer is exactly what its words say: whom it covers, where, how long, and with which call it came."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from connectors.base import Prepared, Resolved, Role
from permissions.grants import Past
from permissions.offers import QUARTER, UNUSED, offers, standing_noes
from permissions.words import Ban, Grant, Limit, Scope, Width
from tests.permissions.fakes import ANA, GOAL, NOW
from tests.permissions.grant_cases import (
    ASK,
    READ,
    SEND,
    UNDO,
    WRITE,
    dest,
    reading,
    sending,
    thing,
    words_of,
    writing,
)

MIDNIGHT = datetime(2026, 11, 30, 23, tzinfo=UTC)
TO_ACME = Limit("to", Width.DOMAIN, ("acme.com",), Role.DESTINATION)
NOTES = thing("file:Documents/notes/a.md", "file")
UNDER_NOTES = Limit("file", Width.UNDER, ("Documents/notes",))


def grants(prepared: Prepared, scope: Scope, now: datetime = NOW) -> list[Grant]:
    return [each.grant for each in offers(prepared, ASK, GOAL, now) if each.grant.scope is scope]


def calendar(value: str = "home", argument: str = "calendar", role: Role = Role.TARGET) -> Resolved:
    return Resolved(role, argument, value, value)


def in_calendar(name: str) -> Limit:
    return Limit("*", Width.CALENDAR, (name,))


class TestGrants:
    def test_a_send_is_on_offer_for_the_goal_to_these_people_or_their_domain(self) -> None:
        exact = "anything more that does it (only ana@acme.com), for this goal"
        wide = "anything more that does it, to anyone at acme.com you have written to before, for this goal"
        found = offers(sending(), ASK, GOAL, NOW, origin="req-7")
        assert [each.words for each in found] == [exact, wide]
        assert [each.grant for each in found] == [
            Grant(
                "messaging.send",
                (("to", (ANA,)),),
                Scope.GOAL,
                NOW,
                GOAL.id,
                SEND,
                words=exact,
                origin="req-7",
            ),
            Grant("messaging.send", (), Scope.GOAL, NOW, GOAL.id, SEND, (TO_ACME,), None, wide, "req-7"),
        ]

    def test_a_read_has_its_ends_in_utc(self) -> None:
        words = "any reading of the calendar"
        start = NOW.astimezone(UTC)
        found = offers(reading(), ASK, GOAL, NOW, origin="req-7")
        assert [each.grant for each in found if each.grant.tool == "calendar"] == [
            Grant("calendar", (), scope, NOW, goal, READ, (), expires, f"{words}, {span}", "req-7")
            for scope, goal, expires, span in (
                (Scope.GOAL, GOAL.id, None, "for this goal"),
                (Scope.SESSION, "", None, "for this session"),
                (Scope.UNTIL, "", start + QUARTER, "for 15 minutes"),
                (Scope.UNTIL, "", MIDNIGHT, "until midnight today"),
                (Scope.ALWAYS, "", start + UNUSED, "always, until unused for 60 days"),
            )
        ]
        assert all(each.grant.expires is None or each.grant.expires.tzinfo is UTC for each in found)

    @pytest.mark.parametrize(("minutes", "offered"), [(16, True), (15, False), (14, False)])
    def test_midnight_is_on_offer_while_it_is_further_off_than_a_quarter_of_an_hour(
        self, minutes: int, offered: bool
    ) -> None:
        late = datetime(2026, 12, 1, tzinfo=NOW.tzinfo) - timedelta(minutes=minutes)
        ends = [grant.expires for grant in grants(reading(), Scope.UNTIL, late)]
        assert ends == [late.astimezone(UTC) + QUARTER, *([MIDNIGHT] if offered else [])]

    def test_a_change_is_on_offer_more_widely_only_for_the_goal_or_for_good(self) -> None:
        wide = writing(NOTES)
        narrow = (("file", ("file:Documents/notes/a.md",)),)
        for scope in (Scope.GOAL, Scope.ALWAYS):
            assert [(each.things, each.limits) for each in grants(wide, scope)] == [
                (narrow, ()),
                ((), (UNDER_NOTES,)),
            ]
        assert [each.things for each in grants(wide, Scope.SESSION)] == [narrow]
        assert [each.things for each in grants(wide, Scope.UNTIL)] == [narrow, narrow]

    def test_a_read_is_on_offer_more_narrowly_only_for_good(self) -> None:
        read = reading(NOTES, tool="files.read")
        for scope, times in ((Scope.GOAL, 1), (Scope.SESSION, 1), (Scope.UNTIL, 2)):
            assert [each.tool for each in grants(read, scope)] == ["files"] * times
        assert [(each.tool, each.limits) for each in grants(read, Scope.ALWAYS)] == [
            ("files.read", (UNDER_NOTES,)),
            ("files.read", ()),
            ("files", ()),
        ]

    @pytest.mark.parametrize(
        ("tool", "words"),
        [
            ("messaging.search", "any reading of messages that leaves them as they are"),
            ("files.read", "any reading of files"),
            ("settings.get", "any reading of settings"),
            ("weather.ask.today", "any reading of weather"),
        ],
    )
    def test_a_service_is_called_as_people_call_it(self, tool: str, words: str) -> None:
        assert words_of(reading(tool=tool), Scope.GOAL) == [f"{words}, for this goal"]


class TestPlaces:
    @pytest.mark.parametrize(
        ("touched", "limits"),
        [
            ([calendar()], [in_calendar("home")]),
            ([calendar(argument="")], [in_calendar("home")]),
            ([calendar("event:my%20home/a")], [in_calendar("my home")]),
            ([calendar("task:work/a", "task"), calendar()], [in_calendar("work"), in_calendar("home")]),
            ([calendar(argument="name")], []),
            ([calendar(role=Role.DESTINATION)], []),
            ([calendar("event:a%0Ab/x")], []),
            ([calendar(), calendar("x", "name")], []),
        ],
    )
    def test_a_change_in_a_calendar_is_on_offer_for_that_calendar(
        self, touched: list[Resolved], limits: list[Limit]
    ) -> None:
        made = replace(writing(*touched), undo=UNDO)
        made = replace(made, call=replace(made.call, tool="calendar.create_event"))
        found = [each.limits for each in grants(made, Scope.GOAL) if each.limits]
        assert found == ([tuple(limits)] if limits else [])

    def test_only_in_the_calendar_is_a_name_a_calendar(self) -> None:
        assert [each.limits for each in grants(writing(calendar()), Scope.GOAL)] == [()]

    def test_the_places_are_told_the_first_three_by_name(self) -> None:
        files = [thing(f"file:Documents/{n}/a", "file") for n in range(3)]
        words = words_of(writing(*files), Scope.GOAL)[1]
        assert words == (
            "anything more that does it (in Documents/0 or below, in Documents/1 or below, in Documents/2 or"
            " below), for this goal"
        )
        files += [thing("file:Documents/3/a", "file"), thing("file:Documents/4/a", "file")]
        assert (
            "in Documents/2 or below and 2 more), for this goal" in words_of(writing(*files), Scope.GOAL)[1]
        )
        made = reading(calendar(), tool="calendar.list_events")
        assert words_of(made, Scope.ALWAYS)[0] == (
            "anything that does it (in the calendar home), always, until unused for 60 days"
        )


class TestPeople:
    def test_domains_are_kept_apart_by_argument_and_named_in_order(self) -> None:
        made = sending(dest("z@x.org"), dest("y@X.org"), dest(), dest("b@b.org", argument="cc"))
        wide = grants(made, Scope.GOAL)[1]
        assert wide.limits == (
            Limit("to", Width.DOMAIN, ("x.org", "acme.com"), Role.DESTINATION),
            Limit("cc", Width.DOMAIN, ("b.org",), Role.DESTINATION),
        )
        assert "to anyone at acme.com, b.org, x.org you have written to before" in wide.words

    def test_what_is_no_address_stays_exact_beside_a_domain(self) -> None:
        made = sending(dest(), thing("message:1", "message"), thing("message:2", "message"))
        wide = grants(made, Scope.GOAL)[1]
        assert (wide.things, wide.limits) == ((("message", ("message:1", "message:2")),), (TO_ACME,))

    @pytest.mark.parametrize("other", [dest("bob@Gmail.com"), dest("+4512345")])
    def test_one_without_a_domain_of_their_own_leaves_only_these_people(self, other: Resolved) -> None:
        (only,) = grants(sending(dest(), other), Scope.GOAL)
        assert only.things == (("to", (ANA, other.value)),)

    def test_an_address_is_spelled_out_where_the_name_does_not_hold_it(self) -> None:
        named = [replace(dest(), label=label) for label in ("Ana", "Ana (ana@acme.com)")]
        for each, said in zip(named, ("Ana <ana@acme.com>", "Ana (ana@acme.com)"), strict=True):
            assert words_of(sending(each), Scope.GOAL)[0] == (
                f"anything more that does it (only {said}), for this goal"
            )


class TestThePast:
    def test_at_most_fifty_calls_are_shown(self) -> None:
        past = [Past(writing(NOTES), f"call {n}") for n in range(51)]
        for each in offers(writing(NOTES), ASK, GOAL, NOW, past):
            shown = () if each.grant.scope is Scope.GOAL else tuple(f"call {n}" for n in range(50))
            assert each.covered == shown


class TestNoes:
    def test_each_no_is_for_the_goal_or_for_good_and_says_so(self) -> None:
        deed = "messaging.send"
        never = "never anything that does it"
        exact = (("to", (ANA,)),)
        assert standing_noes(sending(), GOAL, NOW, "req-7") == (
            *(
                Ban(deed, things, Scope.GOAL, NOW, f"{never}{words}, in this goal", GOAL.id, limits, "req-7")
                for things, limits, words in (
                    (exact, (), " (ana@acme.com)"),
                    ((), (TO_ACME,), ", to anyone at acme.com"),
                    ((), (), ""),
                )
            ),
            *(
                Ban(deed, things, Scope.ALWAYS, NOW, f"{never}{words}, ever again", "", limits, "req-7")
                for things, limits, words in (
                    (exact, (), " (ana@acme.com)"),
                    ((), (TO_ACME,), ", to anyone at acme.com"),
                    ((), (), ""),
                )
            ),
        )

    def test_where_nothing_is_touched_only_the_deed_can_be_forbidden(self) -> None:
        assert [ban.words for ban in standing_noes(reading(), GOAL, NOW)] == [
            "never anything that does it, in this goal",
            "never anything that does it, ever again",
        ]

    def test_domains_of_several_arguments_are_named_in_order(self) -> None:
        made = sending(dest("z@x.org"), dest("b@b.org", argument="cc"))
        assert "to anyone at b.org, x.org, in this goal" in standing_noes(made, GOAL, NOW)[1].words


def test_taking_back_is_on_offer_only_where_the_tool_is_the_one_that_takes_back() -> None:
    made = writing(effects=WRITE)
    once = replace(made, call=replace(made.call, tool="files.undo"))
    more = replace(made, call=replace(made.call, tool="files.write.undo"))
    assert {each.grant.scope for each in offers(once, ASK, GOAL, NOW)} == {Scope.GOAL}
    assert Scope.ALWAYS in {each.grant.scope for each in offers(more, ASK, GOAL, NOW)}


def test_what_comes_with_no_call_in_the_journal_names_none() -> None:
    assert {each.grant.origin for each in offers(sending(), ASK, GOAL, NOW)} == {""}
    assert {ban.origin for ban in standing_noes(sending(), GOAL, NOW)} == {""}
