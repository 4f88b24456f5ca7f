"""Permissions on the command line, and rules that a script brings along for one run."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from assistant.headless import Headless
from connectors.base import Effect
from permissions.grant_store import GrantStore
from permissions.grants import GrantBook
from permissions.journal import Journal
from permissions.judge import Judge, Matter
from permissions.offers import offers, standing_noes
from permissions.policy import Policy
from permissions.provenance import Provenance
from permissions.words import Asker, Origin, Request, Ruling, Scope, Verdict, Who
from tests.permissions.fakes import GOAL, prepared_for, tool_for
from tui.cli import main
from tui.compose import open_home
from tui.places import usual

pytestmark = pytest.mark.timeout(120)

READING = prepared_for("calendar.list_events", frozenset({Effect.READ}), (), {})
ASK = Ruling(Verdict.ASK, "ask.default", "no permission covers calendar.list_events yet")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASKFIRST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ASKFIRST_CACHE", str(tmp_path / "cache"))
    usual().make()
    return tmp_path / "home"


def give(scope: Scope) -> str:
    """Give the widest reading of the calendar, as the app would; its id."""
    now = datetime.now(ZoneInfo("Europe/Copenhagen")) - timedelta(minutes=1)
    book = GrantBook(GrantStore(usual().state / "grants.db"), lambda: now)
    book.add([o.grant for o in offers(READING, ASK, GOAL, now) if o.grant.scope is scope][-1])
    book.ban(standing_noes(prepared_for(), GOAL, now)[-1])
    return book.held()[0].id


def test_with_nothing_permitted_it_says_so(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["permissions"]) == 0
    assert capsys.readouterr().out == "Nothing is permitted in advance; every call is asked.\n"


def test_what_is_permitted_is_listed_and_taken_back(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id = give(Scope.ALWAYS)
    assert main(["permissions", "list", "--json"]) == 0
    grant, ban = json.loads(capsys.readouterr().out)
    if grant["kind"] != "grant":
        grant, ban = ban, grant
    assert (grant["id"], grant["scope"], grant["tool"], grant["uses"]) == (id, "always", "calendar", 0)
    assert grant["words"].startswith("any reading of the calendar, always")
    assert grant["expires"]
    assert (ban["kind"], ban["words"][:34]) == ("never", "never anything that does it, ever ")
    assert main(["permissions", "revoke", id[:6]]) == 0
    assert "Taken back: any reading of the calendar" in capsys.readouterr().out
    assert main(["permissions"]) == 0
    assert id not in capsys.readouterr().out
    assert main(["permissions", "revoke", id]) == 1
    assert "There is no permission" in capsys.readouterr().err


def test_why_tells_the_ruling_from_the_record_alone(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    now = datetime.now(ZoneInfo("Europe/Copenhagen"))
    journal = Journal(usual().state / "journal.db", lambda: now)
    prepared = prepared_for()
    traced = (Origin(Who.CONTENT, "“Invoice”"),)
    ruling = Ruling(Verdict.REFUSE, "user.deny:press", "your rule “press” says no")
    request = Request("abc123", prepared, ruling, {"to": traced[0]}, traced=traced, tainted=True)
    journal.planned(request, GOAL, "hash")
    journal.denied("abc123", "refused: your rule “press” says no")
    journal.close()
    assert main(["permissions", "why", "abc"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Ruling refused without asking, by the rule user.deny:press" in text
    assert "what you have laid down yourself" in text
    assert "named by a text that others wrote, first seen in “Invoice”, written to before: 3" in text
    assert "foreign text had been read before" in text
    assert main(["permissions", "why", "abc", "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert (record["verdict"], record["rule"], record["tainted"]) == ("refuse", "user.deny:press", True)
    assert record["things"][0]["value"] == "ana@acme.com"
    assert record["now"] is None
    assert main(["permissions", "why", "nothing"]) == 1


def test_why_tells_what_is_said_now_and_where_that_differs(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    now = datetime.now(ZoneInfo("Europe/Copenhagen"))
    journal = Journal(usual().state / "journal.db", lambda: now)
    tool = tool_for(READING, Effect.READ)
    judge = Judge(GrantBook())
    judged = judge.judge(READING, tool, Matter(Provenance(), GOAL, Asker.PLAN), Policy(), now)
    id = judged.request.id
    journal.planned(judged.request, GOAL, judged.hash, Policy().version, judged.case)
    journal.close()
    assert main(["permissions", "why", id]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Now asked, by the rule ask.default no permission covers calendar.list_events yet" in text
    assert "Since nothing has changed in the answer" in text
    give(Scope.ALWAYS)
    assert main(["permissions", "why", id]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Ruling asked, by the rule ask.default" in text
    assert "Now allowed without asking, by the rule grant.always a permission you gave covers this" in text
    assert "Since it was asked, and would now be allowed without asking" in text
    assert "Since then the rule ask.default decided, now grant.always" in text
    assert "Since your rules are as they were" in text
    assert main(["permissions", "why", id, "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert (record["rule"], record["now"]["rule"], record["exact"]) == ("ask.default", "grant.always", True)


async def test_while_everything_is_off_a_goal_does_nothing_and_says_how_to_turn_it_on(home: Path) -> None:
    askfirst = open_home(usual())
    askfirst.permits.panic()
    assert askfirst.tools == ()
    front = Headless(lambda text: None)
    await askfirst.run("what is on today", front)
    assert front.ended is not None
    assert front.ended.summary.startswith("Everything is off, so nothing was done.")
    askfirst.permits.turn_on()
    assert askfirst.tools
    await askfirst.close()


def test_a_file_that_allows_more_holds_once_its_name_is_typed(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = usual().config / "permissions"
    folder.mkdir()
    text = 'service = "calendar"\n[[rule]]\nname = "look"\neffect = "read"\ndecide = "allow"\n'
    (folder / "calendar.toml").write_text(text)
    assert main(["permissions", "--json"]) == 0
    captured = capsys.readouterr()
    assert "allows more than you have said yes to" in captured.err
    (waiting,) = json.loads(captured.out)
    assert (waiting["kind"], waiting["words"]) == (
        "change",
        "allows more: “look”, calendar.* (calendar.toml:2)",
    )
    assert main(["permissions", "accept", "calendar"]) == 3
    assert main(["permissions", "accept", "files"]) == 1
    monkeypatch.setattr("tui.permits_cli.present", lambda: True)
    for typed, code in (("y", 1), ("", 1), (None, 1), ("calendar", 0)):
        monkeypatch.setattr("tui.permits_cli.Tty.read", lambda tty, prompt, typed=typed: typed)
        assert main(["permissions", "accept", "calendar"]) == code
    assert '+name = "look"' in capsys.readouterr().out.split("\n")
    assert main(["permissions", "--json"]) == 0
    assert [row["kind"] for row in json.loads(capsys.readouterr().out)] == ["rule"]
    assert main(["permissions", "accept", "calendar"]) == 1


def test_check_names_the_file_and_the_line_of_a_rule_that_is_wrong(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = usual().config / "permissions"
    folder.mkdir()
    (folder / "files.toml").write_text('[[rule]]\ndecide = "refuse"\n')
    assert main(["check"]) == 0
    (folder / "messaging.toml").write_text(
        '[[rule]]\ntool = "send"\ndecide = "allow"\nargs.to = {any = true}\n'
    )
    (folder / "calendar.toml").write_text('[[rule]]\ndecide = "ask"\ntool = "create"\n')
    assert main(["check"]) == 1
    said = capsys.readouterr().err
    assert "permissions/messaging.toml, line 3: what can send is asked for every time" in said
    assert "permissions/calendar.toml, line 3: calendar has no tool “create”; it has list_events," in said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "rules.toml, line 1: does not exist"),
        ("[[", "rules.toml, line 1: is not valid TOML"),
        (
            '[[rule]]\ntool = "files.delete"\ndecide = "allow"\n',
            "rules.toml, line 3: what can delete is asked",
        ),
        ('[[rule]]\ntool = "read"\ndecide = "allow"\n', "rules.toml, line 2: say which service"),
    ],
)
def test_a_broken_file_of_rules_stops_before_anything_runs(
    home: Path, capsys: pytest.CaptureFixture[str], text: str | None, message: str
) -> None:
    path = home / "rules.toml"
    if text is not None:
        path.write_text(text)
    assert main(["do", "--grant", str(path), "what is on today"]) == 1
    assert message in capsys.readouterr().err
    assert Journal(usual().state / "journal.db", datetime.now).entries() == ()


def test_rules_for_one_run_let_a_script_do_what_they_allow_and_nothing_else(
    tmp_path: Path, starter_cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASKFIRST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ASKFIRST_CACHE", str(starter_cache))
    monkeypatch.setattr("tui.commands.present", lambda: False)
    path = tmp_path / "rules.toml"
    path.write_text('service = "calendar"\n[[rule]]\nname = "look"\neffect = "read"\ndecide = "allow"\n')
    assert main(["do", "--grant", str(path), "what is in my calendar tomorrow"]) == 0
    assert main(["do", "what is in my calendar tomorrow"]) == 3
    assert "It would have asked:" in capsys.readouterr().err
    entries = Journal(usual().state / "journal.db", datetime.now).entries()
    assert [entry.rule for entry in entries] == ["ask.default", "user.allow:look"]
    assert [entry.state.value for entry in entries] == ["denied", "done"]
