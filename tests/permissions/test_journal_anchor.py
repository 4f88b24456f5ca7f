"""Where the log stood is kept beside it and can be kept elsewhere; the record tells how it was ruled."""

import json
import shutil
import sqlite3
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from connectors.base import Effect, Field, Preview, Resolved, Role
from permissions import database
from permissions.anchor import AnchorFile
from permissions.chain import Anchor, chained, faults
from permissions.columns import kept_yes
from permissions.database import JournalError
from permissions.entry import Consent, State, Touched, Why
from permissions.gate import Ticket
from permissions.journal import Journal
from permissions.stood import Stood
from permissions.words import (
    Decision,
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
from tests.permissions.fakes import ANA, GOAL, NOW, Bench, prepared_for, yes

HEAD = "a" * 64


class TestTheAnchorBeside:
    def test_it_is_the_persons_alone_and_reads_back(self, folder: Path) -> None:
        kept = AnchorFile(folder / "anchor")
        assert kept.read() is None
        for anchor in (Anchor(10**6, HEAD), Anchor(7, "b" * 64)):
            kept.write(anchor)
            assert kept.read() == anchor
        assert stat.S_IMODE((folder / "anchor").stat().st_mode) == 0o600

    @pytest.mark.parametrize("damage", ["", "x", "1 2 3", "x " + HEAD, "\xff"])
    def test_one_that_cannot_be_read_is_none(self, folder: Path, damage: str) -> None:
        (folder / "anchor").write_text(damage)
        assert AnchorFile(folder / "anchor").read() is None

    def test_one_that_cannot_be_kept_stops_nothing(
        self, folder: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        AnchorFile(folder / "nowhere" / "anchor").write(Anchor(1, HEAD))
        assert "could not be kept" in caplog.text

    async def test_a_cut_tail_is_found_without_anything_kept_elsewhere(self, bench: Bench) -> None:
        await bench.run(bench.call("write", thing="note:1", text="milk"))
        with sqlite3.connect(bench.folder / "journal.db") as other:
            other.execute("DELETE FROM log WHERE n > 2")
            other.execute("UPDATE call SET state = 'approved', outcome = '', undo = '', ended = ''")
        other.close()
        assert bench.journal.verify() == ("the log ends before, or differs from, what was known of it",)

    async def test_what_a_power_cut_may_take_is_not_anchored(self, bench: Bench) -> None:
        await bench.run(bench.call("write", thing="note:1", text="milk"))
        kept = bench.journal._anchor_file.read()
        assert kept == bench.journal.anchor()
        await bench.run(bench.call("read", thing="note:1"))
        await bench.run(bench.call("write", thing="note:1", text="x"), Decision(Reply.NO))
        assert bench.journal._anchor_file.read() == kept
        assert bench.journal.anchor().count == kept.count + 6


class TestDurability:
    async def test_an_effect_begins_when_the_disk_has_it_and_a_look_does_not_wait(self, bench: Bench) -> None:
        modes: list[int] = []

        async def look(prepared: object) -> None:
            connection = bench.journal._database._open
            modes.append(connection.execute("PRAGMA synchronous").fetchone()[0])

        bench.service.before = look
        for verb in ("read", "write", "read", "send"):
            await bench.run(bench.call(verb, to=[ANA], thing="note:1", text="x"))
        assert modes == [1, 2, 1, 2]

    async def test_a_switch_that_fails_is_made_again_before_an_effect(self, bench: Bench) -> None:
        database = bench.journal._database
        real = database._open

        class Refusing:
            def __getattr__(self, name: str) -> object:
                return getattr(real, name)

            def execute(self, statement: str, *values: object) -> sqlite3.Cursor:
                if statement.startswith("PRAGMA synchronous ="):
                    raise sqlite3.OperationalError("no")
                return real.execute(statement, *values)

        prepared = await bench.prepare(bench.call("write", thing="note:1", text="x"))
        database._open = Refusing()
        assert bench.gate.request(prepared, bench.provenance, GOAL).ruling.rule == "floor.journal"
        database._open = real
        assert (await bench.run(bench.call("write", thing="note:1", text="x"))).ok
        assert real.execute("PRAGMA synchronous").fetchone()[0] == 2

    def test_an_older_journal_is_taken_over_as_it_is(self, folder: Path) -> None:
        path = folder / "journal.db"
        old = sqlite3.connect(path)
        for statement in database._FIRST:
            old.execute(statement)
        old.execute("PRAGMA user_version = 1")
        old.commit()
        old.close()
        journal = Journal(path, lambda: NOW)
        journal.planned(Request("q", prepared_for(), Ruling(Verdict.ASK, "r", "w"), {}), GOAL, "h")
        with sqlite3.connect(path) as other:
            row = other.execute("SELECT body FROM log").fetchone()
            body = json.loads(row[0])
            body["set"] = {k: v for k, v in body["set"].items() if k not in database.ADDED}
            text = json.dumps(body, sort_keys=True, separators=(",", ":"))
            other.execute("UPDATE log SET body = ?, hash = ?", (text, chained("0" * 64, text)))
            other.execute("UPDATE call SET why = '', given = '', mark = '', until = ''")
        other.close()
        assert journal.verify() == ()
        (entry,) = journal.entries()
        assert (entry.why, entry.consent, entry.mark, entry.until) == (Why(), None, {}, None)
        journal.close()


class TestWhy:
    async def test_a_ruling_can_be_told_from_the_record_alone(self, bench: Bench) -> None:
        request = await bench.ask(bench.call("send", to=[ANA], text="hello"))
        ticket = bench.gate.settle(request, yes(request))
        assert isinstance(ticket, Ticket)
        (entry,) = bench.journal.entries()
        assert (entry.ruling, entry.hash) == (request.ruling, ticket.hash)
        assert entry.why == Why(
            policy=bench.gate.policy.version,
            touched=(Touched(Role.DESTINATION, "to", ANA, ANA, Who.YOU, ANA, 3),),
            origins=tuple((name, origin.who) for name, origin in request.origins.items()),
            offers=tuple(offer.words for offer in request.offers),
            stood=Stood(
                tool=Effect.SEND,
                in_plan=True,
                service_in_plan=True,
                sealed=False,
                repeated=False,
                undoable=False,
                flags=frozenset(),
                carried=((Role.CONTENT, "text", Who.YOU),),
                deed="does something",
                whole=True,
            ),
        )
        assert entry.consent == Consent(request.ruling.key)

    async def test_a_permission_that_went_with_a_yes_and_one_that_covers_are_kept(self, bench: Bench) -> None:
        bench.provenance.say("send hello to ana@acme.com")
        first = await bench.ask(bench.call("send", to=[ANA], text="hello"))
        ticket = bench.gate.settle(first, yes(first, 0))
        assert isinstance(ticket, Ticket)
        grant = first.offers[0].grant
        await bench.gate.perform(ticket)
        second = await bench.ask(bench.call("send", to=[ANA], text="hello"))
        assert isinstance(bench.gate.allowed(second), Ticket)
        covered, asked = bench.journal.entries()
        assert asked.consent is not None
        assert (asked.consent.key, asked.consent.words) == (first.ruling.key, first.offers[0].words)
        assert covered.consent is not None
        for consent in (asked.consent, covered.consent):
            assert (consent.scope, consent.tool, consent.given) == (grant.scope, grant.tool, grant.given)
            assert (consent.effects, consent.things) == (grant.effects, grant.things)
        assert (covered.consent.key, covered.consent.words) == (None, "")

    def test_all_of_a_request_reads_back(self, folder: Path) -> None:
        grant = Grant("messaging.send", (("to", (ANA,)),), Scope.GOAL, NOW, "g", prepared_for().effects)
        asked = Request(
            "q",
            replace(prepared_for(), mark={"path": "notes/a.md", "size": 7}),
            Ruling(Verdict.ASK, "r", "why"),
            {"to": Origin(Who.CONTENT, "a mail"), "text": Origin(Who.MODEL)},
            (Offer(grant, "more to Ana"),),
            step=2,
            steps=3,
            traced=(Origin(Who.CONTENT, "a mail"),),
            tainted=True,
            plan="sealed",
        )
        journal = Journal(folder / "journal.db", lambda: NOW)
        journal.planned(asked, GOAL, "h", "policy-7")
        entry = journal.entry("q")
        assert entry is not None
        assert entry.why == Why(
            policy="policy-7",
            touched=(Touched(Role.DESTINATION, "to", ANA, "Ana", Who.CONTENT, "a mail", 3),),
            origins=(("to", Who.CONTENT), ("text", Who.MODEL)),
            tainted=True,
            step=2,
            steps=3,
            offers=("more to Ana",),
            plan="sealed",
        )
        assert entry.mark == {"path": "notes/a.md", "size": 7}
        journal.close()


SECRETS = ("hunter2", "sk-proj-abcdef1234567890", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmN")
PLACES = st.sampled_from(["title", "label", "value", "thing", "thing value", "seen", "goal", "answer",
                          "outcome", "mark", "reason", "offer", "grant"])  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(secret=st.sampled_from(SECRETS), place=PLACES, before=st.sampled_from(["", "set ", "a: "]))
def test_a_secret_planted_anywhere_is_nowhere_on_the_disk(
    folder: Path, secret: str, place: str, before: str
) -> None:
    def at(name: str) -> str:
        return f"{before}password={secret} end" if name == place else "plain"

    thing = Resolved(Role.DESTINATION, "to", at("thing value"), at("thing"), 1)
    prepared = replace(
        prepared_for(resolved=(thing,)),
        preview=Preview(at("title"), "does", (Field(at("label"), at("value"), "to"),), f"password={secret}"),
        payload={"password": secret},
        mark={"path": at("mark")},
    )
    grant = Grant("messaging.send", (("to", (at("grant"),)),), Scope.GOAL, NOW, "g", prepared.effects)
    ruling = Ruling(Verdict.ASK, "ask.default", at("reason"), key=Key.CAPITAL)
    origin = Origin(Who.CONTENT, at("seen"))
    asked = Request("q", prepared, ruling, {"to": origin}, (Offer(grant, at("offer")),), traced=(origin,))
    here = folder / f"{place}-{abs(hash((secret, before)))}"
    shutil.rmtree(here, ignore_errors=True)
    here.mkdir()
    journal = Journal(here / "journal.db", lambda: NOW)
    journal.planned(asked, GoalRef("g", at("goal")), "hash")
    journal.approved("q", at("answer"), kept_yes(asked, Decision(Reply.YES, grant=grant)))
    journal.started("q", "hash")
    journal.finished("q", State.DONE, at("outcome"))
    assert journal.verify() == ()
    files = [path.read_bytes() for path in here.rglob("*") if path.is_file()]
    journal.close()
    assert any(b"plain" in data for data in files)
    assert all(secret.encode() not in data for data in files), place


@pytest.mark.parametrize("bit", range(8))
def test_every_flipped_bit_of_every_row_is_found(folder: Path, bit: int) -> None:
    journal = Journal(folder / "journal.db", lambda: NOW)
    journal.planned(Request("q", prepared_for(), Ruling(Verdict.ASK, "r", "why"), {}), GOAL, "hash")
    journal.denied("q", "no")
    with journal._database.snapshot() as connection:
        rows = [tuple(row) for row in connection.execute("SELECT n, prev, body, hash FROM log ORDER BY n")]
    journal.close()
    for index, (n, *texts) in enumerate(rows):
        for column, text in enumerate(texts):
            for place in range(len(text)):
                other = text[:place] + chr(ord(text[place]) ^ (1 << bit)) + text[place + 1 :]
                changed = [*texts[:column], other, *texts[column + 1 :]]
                assert faults([*rows[:index], (n, *changed), *rows[index + 1 :]])


def test_every_flipped_byte_of_the_file_is_found_or_changes_nothing_that_is_told(folder: Path) -> None:
    path = folder / "journal.db"
    journal = Journal(path, lambda: NOW)
    journal.planned(Request("q", prepared_for(), Ruling(Verdict.ASK, "r", "why"), {}), GOAL, "hash")
    journal.denied("q", "no")
    told = journal.entries()
    journal.close()
    data = path.read_bytes()
    for place in range(100, len(data), 97):
        here = folder / f"flipped-{place}"
        here.mkdir()
        flipped = bytearray(data)
        flipped[place] ^= 0x10
        (here / "journal.db").write_bytes(flipped)
        try:
            journal = Journal(here / "journal.db", lambda: NOW)
        except JournalError:
            continue
        try:
            assert journal.notices or journal.verify() or journal.entries() == told, place
        except JournalError:
            pass
        finally:
            journal.close()
        shutil.rmtree(here)


def test_an_export_can_be_checked_without_the_journal(folder: Path) -> None:
    journal = Journal(folder / "journal.db", lambda: NOW)
    assert list(journal.exported()) == [{"count": 0, "head": "0" * 64, "pruned": 0}]
    journal.planned(Request("q", prepared_for(), Ruling(Verdict.ASK, "r", "why"), {}), GOAL, "hash")
    journal.denied("q", "no")
    *rows, last = json.loads(json.dumps(list(journal.exported())))
    assert faults([(row["n"], row["prev"], row["body"], row["hash"]) for row in rows]) == []
    assert Anchor(last["count"], last["head"]) == journal.anchor()
    assert journal.verify(Anchor(last["count"], last["head"])) == ()
    journal.close()
