"""The journal: every call moves on one durable step at a time, and reads back as what was shown and done."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from connectors.base import Call, Effect, Field, Preview, Resolved, Role
from permissions.entry import State
from permissions.journal import Journal, JournalConflict, JournalError
from permissions.words import Asker, Flag, GoalRef, Key, Origin, Request, Ruling, Verdict, Who
from tests.permissions.fakes import ANA, GOAL, NOW, Clock, prepared_for

UNDO = Call("undo-call-1", "messaging.undo", {"record": "r-1"})


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def journal(folder: Path, clock: Clock) -> Iterator[Journal]:
    made = Journal(folder / "state" / "journal.db", clock)
    yield made
    made.close()


def request(number: int = 1, *, asker: Asker = Asker.PLAN, call_id: str = "") -> Request:
    prepared = prepared_for()
    prepared = replace(
        prepared,
        call=replace(prepared.call, id=call_id or f"call-{number}"),
        preview=Preview("Send a message to Ana", "sends a message", (Field("To", "Ana", "to"),), "the body"),
    )
    flags = frozenset({Flag.MANY, Flag.DESTINATION_NEW})
    ruling = Ruling(Verdict.ASK_TYPED, "ask.default", "no permission yet", flags, Key.TYPED, "acme.com")
    origin = Origin(Who.YOU, "Ana")
    return Request(f"req-{number}", prepared, ruling, {"to": origin}, asker=asker, traced=(origin,))


def plan(journal: Journal, number: int = 1, **changes: object) -> str:
    asked = request(number, **changes)
    journal.planned(asked, GOAL, "hash")
    return asked.id


def do(journal: Journal, number: int = 1, *, undo: Call | None = None, **changes: object) -> str:
    id = plan(journal, number, **changes)
    journal.approved(id, "yes (Y)")
    journal.started(id, "hash")
    journal.finished(id, State.DONE, "Sent.", undo)
    return id


class TestSteps:
    def test_a_call_reads_back_as_it_was_shown_decided_and_done(self, journal: Journal) -> None:
        entry = journal.entry(do(journal, undo=UNDO))
        assert entry is not None
        assert (entry.id, entry.call_id, entry.at) == ("req-1", "call-1", NOW)
        assert (entry.goal_id, entry.goal, entry.asker) == (GOAL.id, GOAL.text, Asker.PLAN)
        assert (entry.tool, entry.effects) == ("messaging.send", {Effect.SEND})
        assert (entry.title, entry.fields) == ("Send a message to Ana", (("To", "Ana"),))
        assert entry.things == (("Ana", "you"),)
        assert (entry.rule, entry.ruling) == ("ask.default", request().ruling)
        assert (entry.verdict, entry.reason) == (Verdict.ASK_TYPED, "no permission yet")
        assert (entry.flags, entry.answer) == (("destination_new", "many"), "yes (Y)")
        assert (entry.state, entry.outcome) == (State.DONE, "Sent.")
        assert (entry.undo, entry.undone) == (UNDO, False)

    def test_a_call_has_ended_when_it_does_not_move_on_by_itself(
        self, journal: Journal, clock: Clock
    ) -> None:
        id = plan(journal)
        ended = []
        steps = (
            lambda: journal.approved(id, "yes"),
            lambda: journal.started(id, "hash"),
            lambda: journal.finished(id, State.UNKNOWN, "perhaps"),
            lambda: journal.resolved(id, True),
        )
        for step in steps:
            clock.pass_(seconds=1)
            step()
            entry = journal.entry(id)
            assert entry is not None
            ended.append(entry.ended and (entry.ended - NOW).total_seconds())
        assert ended == [None, None, 3, 4]

    def test_a_call_that_is_not_there_is_none(self, journal: Journal) -> None:
        assert journal.entry("nowhere") is None

    def test_steps_can_only_be_taken_in_their_order(self, journal: Journal) -> None:
        steps = {
            "denied": lambda id: journal.denied(id, "no"),
            "approved": lambda id: journal.approved(id, "yes"),
            "expired": journal.expired,
            "started": lambda id: journal.started(id, "hash"),
            "finished": lambda id: journal.finished(id, State.DONE, ""),
            "resolved": lambda id: journal.resolved(id, True),
        }
        ways = {
            (): {"denied", "approved"},
            ("approved",): {"denied", "expired", "started"},
            ("denied",): set(),
            ("approved", "expired"): set(),
            ("approved", "started"): {"finished"},
            ("approved", "started", "finished"): set(),
        }
        number = 0
        for way, open_steps in ways.items():
            for name, step in steps.items():
                number += 1
                id = plan(journal, number)
                for taken in way:
                    steps[taken](id)
                if name in open_steps:
                    step(id)
                else:
                    before = journal.entry(id)
                    with pytest.raises(JournalConflict):
                        step(id)
                    assert journal.entry(id) == before
        assert journal.verify() == ()

    def test_only_the_approved_fingerprint_can_start(self, journal: Journal) -> None:
        id = plan(journal)
        journal.approved(id, "yes")
        with pytest.raises(JournalConflict):
            journal.started(id, "another hash")
        journal.started(id, "hash")

    @pytest.mark.parametrize("state", [State.DONE, State.UNKNOWN])
    def test_one_call_is_done_once_even_if_asked_for_twice(self, journal: Journal, state: State) -> None:
        first, second = plan(journal, 1, call_id="same"), plan(journal, 2, call_id="same")
        for id in (first, second):
            journal.approved(id, "yes")
        journal.started(first, "hash")
        with pytest.raises(JournalConflict, match="already"):
            journal.started(second, "hash")
        journal.finished(first, state, "")
        with pytest.raises(JournalConflict, match="already"):
            journal.started(second, "hash")
        assert journal.verify() == ()

    @pytest.mark.parametrize(("done", "may"), [(True, False), (False, True)])
    def test_what_is_known_not_to_be_done_may_be_asked_for_again(
        self, journal: Journal, done: bool, may: bool
    ) -> None:
        first, second = plan(journal, 1, call_id="same"), plan(journal, 2, call_id="same")
        for id in (first, second):
            journal.approved(id, "yes")
        journal.started(first, "hash")
        journal.finished(first, State.UNKNOWN, "perhaps")
        journal.resolved(first, done, "Now it is known.")
        entry = journal.entry(first)
        assert entry is not None
        assert entry.state is (State.RESOLVED_DONE if done else State.RESOLVED_NOT)
        assert entry.outcome == "Now it is known."
        if may:
            journal.started(second, "hash")
        else:
            with pytest.raises(JournalConflict):
                journal.started(second, "hash")

    def test_resolving_without_words_keeps_the_outcome(self, journal: Journal) -> None:
        id = plan(journal)
        journal.approved(id, "yes")
        journal.started(id, "hash")
        journal.finished(id, State.UNKNOWN, "perhaps")
        journal.resolved(id, True)
        entry = journal.entry(id)
        assert entry is not None
        assert entry.outcome == "perhaps"

    def test_a_request_is_written_down_once(self, journal: Journal) -> None:
        plan(journal)
        with pytest.raises(JournalError):
            plan(journal)
        assert len(journal.entries()) == 1
        assert journal.verify() == ()


class TestReadings:
    def test_entries_come_newest_first_and_page_on(self, journal: Journal) -> None:
        for number in range(5):
            plan(journal, number)
        assert [entry.id for entry in journal.entries()] == [f"req-{n}" for n in (4, 3, 2, 1, 0)]
        assert [entry.id for entry in journal.entries(2)] == ["req-4", "req-3"]
        assert [entry.id for entry in journal.entries(2, before="req-3")] == ["req-2", "req-1"]
        assert journal.entries(2, before="req-0") == ()

    def test_a_hundred_are_told_at_once_unless_more_are_wanted(self, journal: Journal) -> None:
        for number in range(101):
            plan(journal, number)
        assert len(journal.entries()) == 100
        assert len(journal.entries(101)) == 101

    def test_deeds_with_an_undo_can_be_taken_back_even_those_that_failed_half_way(
        self, journal: Journal
    ) -> None:
        do(journal, 1)
        assert journal.last_undoable() is None
        second = do(journal, 2, undo=UNDO)
        third = do(journal, 3, undo=replace(UNDO, arguments={"record": "r-2"}))
        do(journal, 4, undo=replace(UNDO, arguments={"record": "r-3"}), asker=Asker.UNDO)
        failed = plan(journal, 5)
        journal.approved(failed, "yes")
        journal.started(failed, "hash")
        journal.finished(failed, State.FAILED, "no", UNDO)
        assert [entry.id for entry in journal.undoable()] == [failed, third, second]
        last = journal.last_undoable()
        assert last is not None
        assert last.id == failed
        lost = plan(journal, 6)
        journal.approved(lost, "yes")
        journal.started(lost, "hash")
        journal.finished(lost, State.UNKNOWN, "perhaps", UNDO)
        assert lost not in {entry.id for entry in journal.undoable()}

    def test_what_was_taken_back_cannot_be_taken_back_again(self, journal: Journal) -> None:
        id = do(journal, undo=UNDO)
        journal.mark_undone(id)
        journal.mark_undone(id)
        entry = journal.entry(id)
        assert entry is not None
        assert entry.undone
        assert journal.last_undoable() is None
        assert journal.verify() == ()

    def test_an_undo_that_was_done_marks_its_deed_and_no_other(self, journal: Journal) -> None:
        deed = do(journal, 1, undo=UNDO)
        other = do(journal, 2, undo=replace(UNDO, arguments={"record": "r-10"}))
        near = do(journal, 3, undo=replace(UNDO, tool="messaging.undo2"))
        undo = plan(journal, 4, asker=Asker.UNDO)
        journal.approved(undo, "yes")
        journal.started(undo, "hash")
        journal.finished(undo, State.DONE, "Back.", None, took_back=replace(UNDO, id="another id"))
        undone = {entry.id: entry.undone for entry in journal.entries()}
        assert undone == {deed: True, other: False, near: False, undo: False}
        assert journal.verify() == ()

    def test_an_undo_too_large_to_be_one_is_not_kept(self, journal: Journal) -> None:
        entry = journal.entry(do(journal, undo=replace(UNDO, arguments={"record": "x" * 5000})))
        assert entry is not None
        assert entry.undo is None


class TestWhatIsKept:
    CANARY = "canary-7f3k-body"
    SECRET = "hunter2"

    def test_neither_bodies_arguments_payloads_nor_secrets_are_on_the_disk(self, folder: Path) -> None:
        prepared = replace(
            prepared_for(
                resolved=(
                    Resolved(Role.DESTINATION, "to", ANA, "Ana", 3),
                    Resolved(Role.CONTENT, "body", self.CANARY, self.CANARY),
                ),
                arguments={"to": [ANA], "body": self.CANARY},
            ),
            payload={"message": self.CANARY},
            preview=Preview(
                f"Send with password: {self.SECRET}",
                "sends",
                (
                    Field("Body", f"{self.CANARY} " * 20, "body"),
                    Field(f"password {self.SECRET}", f"token={self.SECRET}"),
                ),
                body=self.CANARY,
                diff=f"+{self.CANARY}",
                warnings=(self.CANARY,),
            ),
        )
        origins = (Origin(Who.YOU, "Ana"), Origin(Who.CONTENT, self.CANARY))
        ruling = Ruling(Verdict.ASK, "ask.default", "why")
        asked = Request("req-1", prepared, ruling, {"body": origins[1]}, traced=origins)
        journal = Journal(folder / "journal.db", lambda: NOW)
        journal.planned(asked, GoalRef("g", f"my password is {self.SECRET}"), "hash")
        journal.approved("req-1", f"yes, the pin is {self.SECRET}")
        journal.started("req-1", "hash")
        journal.finished("req-1", State.DONE, f"Sent with secret: {self.SECRET}")
        files = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
        journal.close()
        assert any(b"Send with password" in data for data in files)
        for data in files:
            assert self.CANARY.encode() not in data
            assert self.SECRET.encode() not in data

    def test_long_content_is_kept_as_its_size_only(self, journal: Journal) -> None:
        prepared = replace(
            prepared_for(resolved=(Resolved(Role.CONTENT, "text", "x" * 90, "x"),)),
            preview=Preview(
                "Write", "writes", (Field("Text", "x" * 90, "text"), Field("Name", "n" * 90, "file"))
            ),
        )
        ruling = Ruling(Verdict.ASK, "r", "why")
        journal.planned(Request("q", prepared, ruling, {}, traced=(Origin(Who.YOU),)), GOAL, "h")
        entry = journal.entry("q")
        assert entry is not None
        assert entry.fields[0] == ("Text", "(90 characters)")
        assert entry.fields[1][1].startswith("nnn")
        assert "more]" in entry.fields[1][1]

    def test_escapes_and_line_breaks_are_made_visible(self, journal: Journal) -> None:
        prepared = replace(prepared_for(), preview=Preview("Send \x1b[2J\n\u202e", "sends"))
        ruling = Ruling(Verdict.ASK, "r", "why")
        journal.planned(Request("q", prepared, ruling, {}, traced=(Origin(Who.YOU),)), GOAL, "h")
        entry = journal.entry("q")
        assert entry is not None
        assert entry.title == "Send ⟨U+001B⟩[2J⏎⟨U+202E⟩"
