"""What the book of rules says of a change is all of it, and it speaks up only when something has changed."""

import logging
import stat
from pathlib import Path
from typing import Any

import pytest

from permissions import rule_book
from permissions.policy import Policy
from permissions.rule_book import OFF, Change, RuleBook
from permissions.rule_file import read_rules
from permissions.rule_keeping import Kept, KeptRules
from permissions.rules import Rule
from permissions.words import Verdict
from tests.permissions.policy_cases import S, case, ruled
from tests.permissions.rule_texts import TOOLS, rules_of

DENY = '[[rule]]\nname = "tax"\nunder = "Documents/tax"\ndecide = "refuse"\n'
ALLOW = '[[rule]]\nname = "notes"\ntool = "write"\nunder = "Documents/notes"\ndecide = "allow"\n'
ASK = '[[rule]]\nname = "é"\ndecide = "ask"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "permissions"
    made.mkdir()
    return made


def state(folder: Path) -> Path:
    return folder.parent / "state" / "rules"


def book_of(folder: Path, *more: Rule) -> RuleBook:
    return RuleBook(folder, state(folder), lambda: TOOLS, more)


def write(folder: Path, text: str, service: str = "files") -> None:
    (folder / f"{service}.toml").write_text(text, "utf-8")


class TestChanges:
    def test_a_change_is_told_whole(self, folder: Path) -> None:
        before = "# one\n# two\n# three\n# four\n" + DENY
        write(folder, before)
        book = book_of(folder)
        write(folder, before + ALLOW)
        book.reload()
        assert book.changes == (
            Change(
                "files",
                ("allows more: “notes”, files.write (files.toml:9)",),
                '--- files.toml (in force)\n+++ files.toml (now)\n@@ -7,2 +7,7 @@\n under = "Documents/tax"\n'
                ' decide = "refuse"\n+[[rule]]\n'
                '+name = "notes"\n+tool = "write"\n+under = "Documents/notes"\n'
                '+decide = "allow"',
                before + ALLOW,
                rules_of(before + ALLOW),
            ),
        )

    def test_a_file_that_is_gone_is_told_as_an_empty_one(self, folder: Path) -> None:
        write(folder, DENY)
        book = book_of(folder)
        (folder / "files.toml").unlink()
        book.reload()
        (change,) = book.changes
        assert (change.text, change.rules, change.opens) == ("", (), ("no longer stops: “tax”, files.*",))
        assert change.diff.endswith('-[[rule]]\n-name = "tax"\n-under = "Documents/tax"\n-decide = "refuse"')

    def test_what_is_given_up_and_wanted_again_is_shown_as_all_new(self, folder: Path) -> None:
        write(folder, ALLOW)
        book = book_of(folder)
        (first,) = book.changes
        book.accept(first)
        KeptRules(state(folder)).write("files", Kept(ALLOW, ()))
        (again,) = book_of(folder).changes
        assert again.diff == first.diff
        assert again.diff.startswith("--- files.toml (in force)\n+++ files.toml (now)\n@@ -0,0 +1,5 @@\n")

    def test_changes_and_faults_come_in_the_order_of_their_files(self, folder: Path) -> None:
        for service in ("post", "files"):
            write(folder, ALLOW, service)
        for service in ("settings", "messaging"):
            write(folder, "[[", service)
        book = book_of(folder)
        assert [change.service for change in book.changes] == ["files", "post"]
        assert [fault.partition(",")[0] for fault in book.faults] == ["messaging.toml", "settings.toml"]


class TestSpeakingUp:
    def test_it_is_heard_only_when_something_is_different(self, folder: Path) -> None:
        book = book_of(folder)
        heard: list[str] = []
        book.listen(lambda: heard.append("one"))
        book.listen(lambda: heard.append("two"))
        book.reload()
        assert heard == []
        write(folder, ASK)
        book.reload()
        book.reload()
        assert heard == ["one", "two"]
        book.switch(off=True)
        assert heard == ["one", "two"] * 2

    def test_it_is_on_until_it_is_switched_off(self, folder: Path) -> None:
        book = book_of(folder)
        assert book.off is False
        book.switch(off=True)
        assert book.off is True
        book.switch(off=False)
        assert book.off is False

    def test_off_stands_first_and_the_rules_of_this_run_last(self, folder: Path) -> None:
        write(folder, ASK, "messaging")
        write(folder, DENY)
        mine = Rule("mine", Verdict.ASK)
        book = book_of(folder, mine)
        rules = (*rules_of(DENY), *rules_of(ASK, "messaging"), mine)
        assert book.policy == Policy(rules)
        book.switch(off=True)
        assert book.policy == Policy((OFF, *rules))


class TestWhatIsLost:
    def test_only_the_service_whose_rules_are_lost_is_off_and_it_is_said(self, folder: Path) -> None:
        write(folder, DENY)
        book_of(folder)
        (state(folder) / "files.json").write_text("[[")
        book = book_of(folder)
        assert book.policy.rules == (Rule("the rules for files are lost", Verdict.REFUSE, "files"),)
        assert book.faults == ("What was last in force cannot be read, so files is off: it is damaged",)
        assert ruled(case(S), policy=book.policy).verdict is Verdict.ASK
        assert book.changes == ()


class TestAFileThatKeepsChanging:
    def book(self, folder: Path, monkeypatch: pytest.MonkeyPatch, times: int) -> RuleBook:
        left = [times]

        def read(*arguments: Any) -> tuple[Rule, ...]:
            found = read_rules(*arguments)
            if left[0]:
                left[0] -= 1
                write(folder, f"# {left[0]}\n{DENY}")
            return found

        write(folder, ASK)
        book = book_of(folder)
        monkeypatch.setattr(rule_book, "read_rules", read)
        book.reload()
        return book

    def test_it_is_read_again_until_it_is_at_rest(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        book = self.book(folder, monkeypatch, 4)
        assert book.faults == ()
        assert book.changes[0].text == f"# 0\n{DENY}"
        assert book.changes[0].rules == rules_of(DENY)

    def test_after_the_fifth_time_what_held_before_holds(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        book = self.book(folder, monkeypatch, 5)
        assert book.policy == Policy(rules_of(ASK))
        assert book.faults == (
            "files.toml, line 1: keeps changing while it is read. The rules of files.toml hold as they were"
            " before.",
        )


class TestKeeping:
    KEPT = Kept(ASK, rules_of(ASK))

    def test_what_is_kept_reads_back_and_nothing_is_kept_of_others(self, tmp_path: Path) -> None:
        folder = tmp_path / "a" / "rules"
        kept = KeptRules(folder)
        assert kept.services() == set()
        assert kept.read("files") == Kept() == Kept("", ())
        kept.write("files", self.KEPT)
        again = KeptRules(folder)
        assert (again.read("files"), again.read("post")) == (self.KEPT, Kept())
        assert again.services() == {"files"}
        assert again.read("files").rules[0].source == "files.toml:1"
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert [path.name for path in folder.iterdir()] == ["files.json"]
        assert (folder / "files.json").read_text().startswith('{\n "text": "')
        kept.write("files", Kept())
        assert again.read("files") == Kept()

    @pytest.mark.parametrize("damage", [b"[[", b"", b"[]", b'{"text": 1}', b"\xff"])
    def test_what_is_damaged_is_said_so(self, tmp_path: Path, damage: bytes) -> None:
        (tmp_path / "files.json").write_bytes(damage)
        with pytest.raises(ValueError, match=r"^it is damaged$"):
            KeptRules(tmp_path).read("files")

    def test_what_cannot_be_written_is_kept_until_it_can(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        folder = tmp_path / "rules"
        folder.write_text("in the way")
        kept = KeptRules(folder)
        with caplog.at_level(logging.ERROR):
            kept.write("files", self.KEPT)
        assert caplog.messages == ["the rules of files that are in force could not be kept"]
        assert caplog.records[0].exc_info is not None
        assert kept.read("files") == self.KEPT
        assert kept.services() == {"files"}
        folder.unlink()
        kept.write("files", self.KEPT)
        assert KeptRules(folder).read("files") == self.KEPT
        KeptRules(folder).write("files", Kept())
        assert kept.read("files") == Kept()
