"""How a call is written down, column by column: whole where it is short, cut where it is long."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from connectors.base import Arguments, Call, Effect, Field, Preview, Resolved, Role
from permissions.columns import kept_cover, kept_mark, kept_text, kept_undo, kept_yes, planned
from permissions.words import (
    Asker,
    Decision,
    Flag,
    GoalRef,
    Grant,
    Key,
    Offer,
    Origin,
    Reply,
    Request,
    Ruling,
    Scope,
    Verdict,
    Who,
)
from tests.permissions.fakes import ANA, NOW, prepared_for

GRANT = Grant(
    "messaging.send",
    (("to", (ANA, "v" * 90)),),
    Scope.GOAL,
    NOW,
    "goal-1",
    frozenset({Effect.SEND, Effect.DELETE}),
)
KEPT_GRANT = {
    "tool": "messaging.send",
    "scope": "goal",
    "given": "2026-11-30T10:00:00+01:00",
    "effects": "delete send",
    "things": [["to", [ANA, f"{'v' * 40} …[10 more]… {'v' * 40}"]]],
}
WORDS = f"{'w' * 100} …[50 more]… {'w' * 100}"
LONG = f"{'l' * 100} …[50 more]… {'l' * 100}"
TRACED = (Origin(Who.YOU, "s" * 90), Origin(Who.WRITTEN_TO), Origin(Who.MODEL))
RULING = Ruling(
    Verdict.ASK_TYPED,
    "ask.default",
    "r" * 550,
    frozenset({Flag.MANY, Flag.DESTINATION_NEW}),
    Key.TYPED,
    "acme.com",
)
FIELDS = (
    Field("n" * 90, "short", "to"),
    Field("Edge", "e" * 80, "text"),
    Field("Text", "x" * 81, "text"),
    Field("Other", "y" * 81, "to"),
)
REQUEST = Request(
    "req-1",
    replace(
        prepared_for(
            effects=frozenset({Effect.SEND, Effect.DELETE}),
            resolved=(
                Resolved(Role.DESTINATION, "to", "d" * 250, "l" * 250, 3),
                Resolved(Role.TARGET, "thing", "note:1", "Shopping"),
                Resolved(Role.CONTENT, "text", "hello", "hello"),
            ),
        ),
        preview=Preview("t" * 250, "sends a message", FIELDS),
        mark={"id": "7"},
    ),
    RULING,
    {"to": TRACED[0], "thing": TRACED[1]},
    (Offer(GRANT, "w" * 250), Offer(replace(GRANT, scope=Scope.SESSION), "for this session")),
    Asker.ADDED,
    2,
    3,
    TRACED,
    True,
    plan="digest",
)
GOAL = GoalRef("goal-1", "g" * 550)
IN_JSON = {"shown", "ruling", "why", "given"}


def read(columns: dict[str, object]) -> dict[str, object]:
    """The columns with what is JSON in them read."""
    return {
        name: json.loads(str(value)) if name in IN_JSON and value else value
        for name, value in columns.items()
    }


def test_a_call_is_written_down_with_every_column() -> None:
    columns = planned(REQUEST, GOAL, "hash", "4711", NOW + timedelta(seconds=1))
    assert read(dict(columns)) == {
        "id": "req-1",
        "call_id": "call-1",
        "owner": "4711",
        "hash": "hash",
        "at": "2026-11-30T10:00:01+01:00",
        "goal_id": "goal-1",
        "goal": f"{'g' * 250} …[50 more]… {'g' * 250}",
        "asker": "added",
        "tool": "messaging.send",
        "effects": "delete send",
        "title": f"{'t' * 100} …[50 more]… {'t' * 100}",
        "shown": {
            "fields": [
                [f"{'n' * 40} …[10 more]… {'n' * 40}", "short"],
                ["Edge", "e" * 80],
                ["Text", "(81 characters)"],
                ["Other", f"{'y' * 40} …[1 more]… {'y' * 40}"],
            ],
            "things": [
                [
                    LONG,
                    "you",
                    "destination",
                    "to",
                    f"{'d' * 100} …[50 more]… {'d' * 100}",
                    f"{'s' * 40} …[10 more]… {'s' * 40}",
                    3,
                ],
                ["Shopping", "written_to", "target", "thing", "note:1", "", None],
            ],
        },
        "ruling": {
            "verdict": "ask_typed",
            "reason": f"{'r' * 250} …[50 more]… {'r' * 250}",
            "flags": ["destination_new", "many"],
            "key": "typed",
            "word": "acme.com",
        },
        "rule": "ask.default",
        "state": "planned",
        "answer": "",
        "outcome": "",
        "undo": "",
        "undone": 0,
        "ended": "",
        "why": {
            "policy": "",
            "origins": [["to", "you"], ["thing", "written_to"]],
            "tainted": True,
            "plan": "digest",
            "step": 2,
            "steps": 3,
            "offers": [WORDS, "for this session"],
        },
        "given": "",
        "mark": '{"id":"7"}',
        "until": "",
    }


def test_things_without_an_origin_are_not_written_down() -> None:
    columns = planned(replace(REQUEST, traced=TRACED[:1]), GOAL, "hash", "4711", NOW, "version")
    assert [thing[0] for thing in json.loads(str(columns["shown"]))["things"]] == [LONG]
    assert json.loads(str(columns["why"]))["policy"] == "version"


@pytest.mark.parametrize(
    ("decision", "kept"),
    [
        (Decision(Reply.YES), {"key": "typed", "words": "", "grant": None}),
        (Decision(Reply.YES, key=Key.CAPITAL), {"key": "Y", "words": "", "grant": None}),
        (Decision(Reply.YES, GRANT), {"key": "typed", "words": WORDS, "grant": KEPT_GRANT}),
        (
            Decision(Reply.YES, replace(GRANT, scope=Scope.ONCE)),
            {"key": "typed", "words": "", "grant": {**KEPT_GRANT, "scope": "once"}},
        ),
    ],
)
def test_a_yes_is_kept_with_its_key_and_the_permission_that_was_taken(
    decision: Decision, kept: dict[str, object]
) -> None:
    assert json.loads(kept_yes(REQUEST, decision)) == kept


def test_a_permission_that_covers_a_call_is_kept_and_else_nothing() -> None:
    assert json.loads(kept_cover(GRANT)) == {"key": "", "words": "", "grant": KEPT_GRANT}
    assert kept_cover(None) == ""


def test_an_undo_is_kept_whole_or_not_at_all() -> None:
    bare = kept_undo(Call("u-1", "notes.undo", {"record": ""}))
    assert bare == '["notes.undo",{"record":""},"u-1"]'
    room = 4000 - len(bare)
    longest = kept_undo(Call("u-1", "notes.undo", {"record": "r" * room}))
    assert longest == bare.replace('""', f'"{"r" * room}"')
    assert kept_undo(Call("u-1", "notes.undo", {"record": "r" * (room + 1)})) == ""
    assert kept_undo(None) == ""


@pytest.mark.parametrize(
    ("mark", "kept"),
    [
        ({}, ""),
        ({"id": "7", "n": 7, "of": ["a", None]}, '{"id":"7","n":7,"of":["a",null]}'),
        ({"digest": "0123456789abcdef" * 4}, f'{{"digest":"{"0123456789abcdef" * 4}"}}'),
        ({"x": "password: hunter2"}, ""),
        ({"id": "7", "x": {"password": "hunter2"}}, ""),
        ({"x": ["password: hunter2"]}, ""),
        ({"id": "m" * 1991}, f'{{"id":"{"m" * 1991}"}}'),
        ({"id": "m" * 1992}, ""),
    ],
)
def test_a_mark_is_kept_whole_and_without_secrets_or_not_at_all(mark: Arguments, kept: str) -> None:
    assert kept_mark(mark) == kept


def test_words_are_kept_short() -> None:
    assert kept_text("a\nb") == "a⏎b"
    assert kept_text("k" * 550) == f"{'k' * 250} …[50 more]… {'k' * 250}"
