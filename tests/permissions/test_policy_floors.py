"""What never runs, whatever anybody allows."""

from dataclasses import replace
from typing import Any

import pytest

from connectors.base import Effect, Preview, Resolved, Role
from permissions.policy import MOST_DELETED, Case, decide
from permissions.words import Grant, Key, Origin, Ruling, Scope, Verdict, Who
from tests.permissions.fakes import NOW
from tests.permissions.policy_cases import (
    NONE,
    UNDO,
    C,
    D,
    M,
    R,
    S,
    W,
    case,
    dest,
    grant_for,
    ruled,
    targets,
)

REASONS = {
    "floor.tool": "the call and its tool do not belong together",
    "floor.reserved": "permissions are no tool",
    "floor.effect": "it is not known what this call does",
    "floor.reading": "a tool that only reads wants to do more",
    "floor.nothing": "it is not known what this call acts on",
    "floor.unseen": "part of this call cannot be shown",
    "floor.origin": "it is not known where the values come from",
    "floor.address": "an address is not written in the plain way",
    "floor.too_many": "more than 20 things cannot be deleted at once",
    "floor.repeated": "this very call has failed before; it is not run again",
    "floor.unreadable": "this call cannot be judged",
}


def refused(rule: str) -> Ruling:
    return Ruling(Verdict.REFUSE, rule, REASONS[rule], key=Key.CAPITAL)


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
            (case(S, traced=(Origin(0),)), "floor.origin"),
            (case(C, (Resolved(Role.TARGET, "setting", "permissions.mail", "x"),)), "floor.reserved"),
            (case(C, (Resolved(Role.TARGET, "setting", "Log", "x"),)), "floor.reserved"),
        ],
    )
    def test_what_never_runs_is_refused_by_name(self, judged: Case, rule: str) -> None:
        assert ruled(judged, grant_for(judged, Scope.ONCE)) == refused(rule)

    def test_a_call_that_cannot_be_judged_is_refused(self) -> None:
        assert decide(None, NONE, (), NOW) == refused("floor.unreadable")

    def test_a_call_must_belong_to_its_tool(self) -> None:
        judged = case(W)
        other = replace(judged, tool=replace(judged.tool, name="messaging.other"))
        assert ruled(other) == refused("floor.tool")
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
        configures = replace(judged, tool=replace(judged.tool, effect=C))
        assert ruled(configures).rule == "floor.reserved"

    @pytest.mark.parametrize(
        "effects", [frozenset(), frozenset({"exec"}), frozenset({Effect.WRITE, "fetch"})]
    )
    def test_an_unknown_effect_is_refused(self, effects: frozenset[Any]) -> None:
        judged = case(W)
        judged = replace(judged, prepared=replace(judged.prepared, effects=effects))
        assert ruled(judged) == refused("floor.effect")

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

    def test_a_reading_tool_may_mark_what_it_read(self) -> None:
        assert ruled(case(R, also=frozenset({M}), undo=UNDO)).verdict is Verdict.ASK

    def test_reading_that_failed_may_be_tried_again(self) -> None:
        assert ruled(case(R, repeated=True)).verdict is Verdict.ASK

    def test_up_to_twenty_things_may_be_deleted_and_more_may_be_written(self) -> None:
        assert ruled(case(D, targets(MOST_DELETED), undo=UNDO)).verdict is Verdict.ASK_TYPED
        assert ruled(case(W, targets(MOST_DELETED + 1), undo=UNDO)).verdict is Verdict.ASK_TYPED
