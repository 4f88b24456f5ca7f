"""A no is read generously and an allow to the letter; names and paths are compared part by part."""

from dataclasses import replace
from datetime import datetime

import pytest

from connectors.base import Effect, Resolved, Role
from permissions.limits import contains, within
from permissions.policy import Policy
from permissions.words import EVERY_ARGUMENT, Flag, Key, Limit, Scope, Verdict, Who, Width
from tests.permissions.fakes import ANA, EVE, NOW, prepared_for
from tests.permissions.policy_cases import UNDO, C, Case, D, R, S, W, case, dest, grant_for, ruled
from tests.permissions.rule_texts import rules_of

NONE: frozenset[Flag] = frozenset()


def file(value: str, role: Role = Role.TARGET, argument: str = "file") -> Resolved:
    return Resolved(role, argument, value, value)


def policy(text: str, service: str = "files") -> Policy:
    return Policy(rules_of(text, service))


def calling(tool: str, effect: Effect, *things: Resolved, **changes: object) -> Case:
    made = case(effect, things, undo=UNDO, **changes)
    prepared = replace(made.prepared, call=replace(made.prepared.call, tool=tool))
    return replace(made, prepared=prepared, tool=replace(made.tool, name=tool))


def writing(*values: str) -> Case:
    return calling("files.write", W, *(file(value) for value in values))


class TestUnder:
    NOTES = Limit(EVERY_ARGUMENT, Width.UNDER, ("Documents/notes",))

    @pytest.mark.parametrize(
        "value",
        [
            "file:Documents/notes",
            "file:Documents/notes/a.md",
            "file:documents/notes/x/y",
            "file:Documents/notes/%3Ca",
        ],
    )
    def test_a_folder_holds_itself_and_all_below(self, value: str) -> None:
        assert within(self.NOTES, file(value))

    @pytest.mark.parametrize(
        "value",
        [
            "file:Documents/notes2/a",
            "file:Documents/notes.md",
            "file:Documents",
            "file:Documents/NOTES/a",
            "file:Documents/notes/../tax",
            "file:Documents/notes/%2E%2E/tax",
            "file:Documents//notes/a",
            "file:Documents/notes/",
            "Documents/notes/a",
            "event:Documents/notes/a",
            "",
        ],
    )
    def test_nothing_else_is_in_it(self, value: str) -> None:
        assert not within(self.NOTES, file(value))

    def test_a_no_also_takes_other_capitals(self) -> None:
        assert within(self.NOTES, file("file:Documents/NOTES/a"), generous=True)
        assert not within(self.NOTES, file("file:Documents/NOTES2/a"), generous=True)


class TestDomains:
    ACME = Limit(EVERY_ARGUMENT, Width.DOMAIN, ("acme.com",), Role.DESTINATION)

    def test_only_an_address_at_the_very_domain_is_at_it(self) -> None:
        assert within(self.ACME, dest("a@ACME.com"))
        for value in (
            "a@x.acme.com",
            "a@acme.com.evil",
            "acme.com",
            "@acme.com",
            "a@notacme.com",
            "event:h/x@acme.com",
        ):
            assert not within(self.ACME, dest(value))
        assert not within(self.ACME, Resolved(Role.TARGET, "to", ANA, ANA))

    def test_a_no_also_holds_for_domains_below(self) -> None:
        assert within(self.ACME, dest("a@x.acme.com"), generous=True)
        assert not within(self.ACME, dest("a@notacme.com"), generous=True)


class TestCalendars:
    def test_a_calendar_holds_its_events_and_itself(self) -> None:
        home = Limit(EVERY_ARGUMENT, Width.CALENDAR, ("my home",))
        for value in ("event:my%20home/a@20261203T140000Z", "task:my%20home/b", "my home"):
            assert within(home, file(value))
        for value in ("event:my%20home2/a", "event:work/my home", "my", "file:my home/x"):
            assert not within(home, file(value))


class TestContaining:
    @pytest.mark.parametrize(
        ("wide", "narrow", "holds"),
        [
            (Limit("a", Width.ANY), Limit("a", Width.IS, ("x",)), True),
            (Limit("*", Width.IS, ("x", "y")), Limit("a", Width.IS, ("x",)), True),
            (Limit("a", Width.IS, ("x",)), Limit("*", Width.IS, ("x",)), False),
            (Limit("a", Width.IS, ("x",)), Limit("a", Width.IS, ("x", "y")), False),
            (Limit("a", Width.IS, ("x",)), Limit("a", Width.ANY), False),
            (Limit("a", Width.DOMAIN, ("x.org",)), Limit("a", Width.IS, ("b@x.org",)), True),
            (Limit("a", Width.IS, ("b@x.org",)), Limit("a", Width.DOMAIN, ("x.org",)), False),
            (Limit("a", Width.UNDER, ("D/n",)), Limit("a", Width.UNDER, ("D/n/m",)), True),
            (Limit("a", Width.UNDER, ("D/n/m",)), Limit("a", Width.UNDER, ("D/n",)), False),
            (Limit("a", Width.ANY), Limit("a", Width.ANY, (), Role.TARGET), True),
            (Limit("a", Width.ANY, (), Role.TARGET), Limit("a", Width.ANY), False),
        ],
    )
    def test_a_wider_limit_takes_in_a_narrower_one(self, wide: Limit, narrow: Limit, holds: bool) -> None:
        assert contains(wide, narrow) is holds


class TestAllow:
    NOTES = '[[rule]]\nname = "notes"\ntool = ["write", "move"]\nunder = "Documents/notes"\ndecide = "allow"'

    def test_an_allow_lets_a_call_run_that_is_wholly_within_it(self) -> None:
        ruling = ruled(writing("file:Documents/notes/a"), policy=policy(self.NOTES))
        assert (ruling.verdict, ruling.rule) == (Verdict.ALLOW, "user.allow:notes")
        assert ruling.reason == "your rule “notes” allows it"

    def test_all_that_is_touched_must_be_within_it(self) -> None:
        out = calling(
            "files.move", W, file("file:Documents/notes/a"), file("file:Downloads", Role.DESTINATION, "to")
        )
        assert ruled(out, policy=policy(self.NOTES)).rule == "ask.default"

    def test_what_an_argument_may_be_binds_what_it_carries_too(self) -> None:
        rules = policy(
            '[[rule]]\ntool = "set"\ndecide = "allow"\n'
            'args.to = { is = "volume" }\nargs.value = { is = "20%" }',
            "settings",
        )
        volume = Resolved(Role.TARGET, "to", "volume", "Volume")
        soft, loud = (Resolved(Role.BOUND, "value", value, value) for value in ("20%", "100%"))
        assert ruled(calling("settings.set", C, volume, soft), policy=rules).verdict is Verdict.ALLOW
        assert ruled(calling("settings.set", C, volume, loud), policy=rules).verdict is Verdict.ASK

    @pytest.mark.parametrize("who", [Who.CONTENT, Who.MODEL])
    def test_no_allow_silences_a_thing_that_is_not_the_persons(self, who: Who) -> None:
        judged = calling("files.write", W, file("file:Documents/notes/a"), who=who)
        assert ruled(judged, policy=policy(self.NOTES)).verdict is Verdict.ASK

    def test_what_undo_cannot_take_back_is_asked(self) -> None:
        judged = writing("file:Documents/notes/a")
        judged = replace(judged, prepared=replace(judged.prepared, undo=None))
        assert ruled(judged, policy=policy(self.NOTES)).verdict is Verdict.ASK

    def test_a_no_and_an_ask_beat_it_wherever_they_stand(self) -> None:
        for decide, verdict in (
            ("refuse", Verdict.REFUSE),
            ("ask", Verdict.ASK),
            ("ask_typed", Verdict.ASK_TYPED),
        ):
            rules = policy(f'{self.NOTES}\n[[rule]]\ndecide = "{decide}"\nunder = "Documents"')
            assert ruled(writing("file:Documents/notes/a"), policy=rules).verdict is verdict

    def test_the_first_that_matches_gives_its_name(self) -> None:
        rules = policy(
            '[[rule]]\nname = "one"\nunder = "Downloads"\ndecide = "ask"\n'
            '[[rule]]\nname = "two"\ndecide = "ask"\n[[rule]]\nname = "three"\ndecide = "ask"'
        )
        assert ruled(writing("file:Documents/a"), policy=rules).rule == "user.ask:two"


class TestStops:
    def test_one_recipient_is_enough_for_a_no(self) -> None:
        rules = policy(
            '[[rule]]\nname = "press"\nrecipient = { domain = "press.example" }\ndecide = "refuse"',
            "messaging",
        )
        both = case(S, (dest(), dest("x@mail.PRESS.example")))
        assert ruled(both, policy=rules).rule == "user.deny:press"
        assert ruled(case(S, (dest(),)), policy=rules).verdict is Verdict.ASK

    def test_one_recipient_outside_a_list_is_enough_for_a_no(self) -> None:
        allowed = '{ not = { domain = "acme.com", is = "bob@x.org" } }'
        text = f'[[rule]]\nname = "list"\nrecipient = {allowed}\ndecide = "refuse"'
        rules = policy(text, "messaging")
        assert ruled(case(S, (dest(ANA), dest("bob@x.org"))), policy=rules).verdict is Verdict.ASK
        assert ruled(case(S, (dest(ANA), dest(EVE))), policy=rules).rule == "user.deny:list"
        assert ruled(case(S, (dest("ana@sub.acme.com"),)), policy=rules).rule == "user.deny:list"

    def test_all_parts_of_a_rule_must_hold(self) -> None:
        text = '[[rule]]\nunder = "Documents"\nmore_than = 2\ndecide = "refuse"'
        assert (
            ruled(writing("file:Documents/a", "file:Documents/b"), policy=policy(text)).verdict is Verdict.ASK
        )
        three = writing("file:Documents/a", "file:Downloads/b", "file:Downloads/c")
        assert ruled(three, policy=policy(text)).verdict is Verdict.REFUSE

    def test_at_most_counts_each_thing_once(self) -> None:
        text = '[[rule]]\nunder = "Documents"\nat_most = 1\ndecide = "refuse"'
        assert (
            ruled(writing("file:Documents/a", "file:Documents/a"), policy=policy(text)).verdict
            is Verdict.REFUSE
        )
        assert (
            ruled(writing("file:Documents/a", "file:Documents/b"), policy=policy(text)).verdict is Verdict.ASK
        )

    @pytest.mark.parametrize(
        ("hours", "clock", "holds"),
        [
            ("09:00-18:00", (9, 0), True),
            ("09:00-18:00", (18, 0), False),
            ("22:00-07:00", (23, 30), True),
            ("22:00-07:00", (6, 59), True),
            ("22:00-07:00", (7, 0), False),
            ("00:00-00:00", (12, 0), True),
        ],
    )
    def test_hours_are_of_the_persons_day(self, hours: str, clock: tuple[int, int], holds: bool) -> None:
        (rule,) = rules_of(f'[[rule]]\nhours = "{hours}"\ndecide = "refuse"')
        now = datetime(2026, 11, 30, *clock, tzinfo=NOW.tzinfo)
        assert rule.matches(writing("file:Documents/a").prepared, NONE, now) is holds

    def test_flags_and_links_can_be_refused(self) -> None:
        strangers = policy('[[rule]]\nflags = ["destination_new"]\ndecide = "refuse"', "messaging")
        assert ruled(case(S, (dest(EVE, 0),)), policy=strangers).verdict is Verdict.REFUSE
        assert ruled(case(S), policy=strangers).verdict is Verdict.ASK
        links = policy('[[rule]]\nlinks = "not_from_user"\ndecide = "refuse"', "messaging")
        assert ruled(case(S, flags=frozenset({Flag.LINK_NOT_YOURS})), policy=links).verdict is Verdict.REFUSE
        assert ruled(case(S), policy=links).verdict is Verdict.ASK

    def test_a_word_is_asked_for_even_where_there_is_no_danger(self) -> None:
        rules = policy('[[rule]]\nname = "word"\ndecide = "ask_typed"', "messaging")
        ruling = ruled(case(S), grant_for(case(S)), policy=rules)
        assert (ruling.verdict, ruling.rule, ruling.key, ruling.word) == (
            Verdict.ASK_TYPED,
            "user.ask:word",
            Key.TYPED,
            "acme.com",
        )
        assert ruled(case(D, undo=UNDO), policy=rules).word == "delete"

    def test_only_a_rule_without_conditions_hides_a_tool_from_the_model(self) -> None:
        read = case(R).tool
        assert policy('[[rule]]\ndecide = "refuse"', "messaging").hides(read)
        for part in (
            'recipient = { is = "a@b.c" }',
            "more_than = 3",
            'hours = "09:00-10:00"',
            'flags = ["many"]',
        ):
            assert not policy(f'[[rule]]\ndecide = "refuse"\n{part}', "messaging").hides(read)


def test_a_reading_rule_never_lets_anything_else_run() -> None:
    rules = policy('[[rule]]\neffect = "read"\ndecide = "allow"', "messaging")
    assert ruled(case(R), policy=rules).verdict is Verdict.ALLOW
    for effect in Effect:
        if effect is not R:
            assert ruled(case(effect, undo=UNDO), policy=rules).verdict is not Verdict.ALLOW
            also = case(R, also=frozenset({effect}), undo=UNDO)
            assert ruled(also, policy=rules).verdict is not Verdict.ALLOW


def test_a_grant_and_an_allow_are_one_or_the_other() -> None:
    judged = writing("file:Documents/notes/a")
    assert ruled(judged, grant_for(judged, Scope.GOAL), policy=policy(TestAllow.NOTES)).rule == "grant.goal"
    assert prepared_for().call.tool == "messaging.send"
