"""Rules that forbid hold at once; a file that is broken or allows more changes nothing for the worse."""

import threading
from pathlib import Path

import pytest

from connectors.folder_watch import FolderWatch
from permissions.policy import Policy
from permissions.rule_book import RuleBook
from permissions.words import Verdict
from tests.permissions.fakes import Bench, yes
from tests.permissions.policy_cases import C, case, ruled
from tests.permissions.rule_texts import TOOLS, rules_of
from tests.permissions.test_rule_matching import writing

DENY = '[[rule]]\nname = "tax"\nunder = "Documents/tax"\ndecide = "refuse"\n'
ALLOW = '[[rule]]\nname = "notes"\ntool = "write"\nunder = "Documents/notes"\ndecide = "allow"\n'
TAX, NOTES = writing("file:Documents/tax/a"), writing("file:Documents/notes/a")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "permissions"
    made.mkdir()
    return made


def book_of(folder: Path) -> RuleBook:
    return RuleBook(folder, folder.parent / "state" / "rules", lambda: TOOLS)


def write(folder: Path, text: str, service: str = "files") -> None:
    (folder / f"{service}.toml").write_text(text, "utf-8")


def verdicts(book: RuleBook) -> tuple[Verdict, Verdict]:
    return ruled(TAX, policy=book.policy).verdict, ruled(NOTES, policy=book.policy).verdict


def test_without_files_there_are_no_rules(folder: Path) -> None:
    book = book_of(folder)
    assert (book.policy, book.faults, book.changes) == (Policy(), (), ())


def test_what_only_forbids_holds_at_once(folder: Path) -> None:
    book = book_of(folder)
    write(folder, DENY)
    book.reload()
    assert verdicts(book) == (Verdict.REFUSE, Verdict.ASK)
    assert book.changes == ()


class TestWidening:
    def test_a_file_that_allows_more_waits_for_a_yes_and_shows_what_it_opens(self, folder: Path) -> None:
        write(folder, DENY)
        book = book_of(folder)
        write(folder, DENY + ALLOW)
        book.reload()
        assert verdicts(book) == (Verdict.REFUSE, Verdict.ASK)
        (change,) = book.changes
        assert change.service == "files"
        assert change.opens == ("allows more: “notes”, files.write (files.toml:5)",)
        assert '+name = "notes"' in change.diff.split("\n")
        assert change.diff.startswith("--- files.toml (in force)\n+++ files.toml (now)\n")
        book.accept(change)
        assert verdicts(book) == (Verdict.REFUSE, Verdict.ALLOW)
        assert book.changes == ()

    def test_rules_that_were_there_before_askfirst_ever_saw_them_wait_too(self, folder: Path) -> None:
        write(folder, ALLOW)
        book = book_of(folder)
        assert len(book.changes) == 1
        book.accept(book.changes[0])
        assert book_of(folder).changes == ()
        assert verdicts(book_of(folder))[1] is Verdict.ALLOW

    def test_a_no_that_is_taken_out_or_deleted_holds_until_the_person_says_yes(self, folder: Path) -> None:
        write(folder, DENY)
        book = book_of(folder)
        for change in (lambda: write(folder, ""), (folder / "files.toml").unlink):
            change()
            for each in (book, book_of(folder)):
                each.reload()
                assert verdicts(each)[0] is Verdict.REFUSE
                assert each.changes[0].opens == ("no longer stops: “tax”, files.*",)
        book.accept(book.changes[0])
        assert verdicts(book)[0] is Verdict.ASK
        assert book_of(folder).policy == Policy()

    def test_the_part_of_a_change_that_narrows_holds_at_once(self, folder: Path) -> None:
        write(folder, ALLOW)
        book = book_of(folder)
        book.accept(book.changes[0])
        write(folder, ALLOW.replace("Documents/notes", "Documents/tax") + DENY.replace("tax", "notes"))
        book.reload()
        assert verdicts(book) == (Verdict.ASK, Verdict.REFUSE)

    def test_a_yes_is_for_what_was_shown_and_for_nothing_written_since(self, folder: Path) -> None:
        book = book_of(folder)
        write(folder, ALLOW)
        book.reload()
        (shown,) = book.changes
        write(folder, ALLOW.replace("Documents/notes", "Documents"))
        book.accept(shown)
        assert verdicts(book) == (Verdict.ASK, Verdict.ALLOW)
        (again,) = book.changes
        assert '-under = "Documents/notes"' in again.diff
        write(folder, ALLOW)
        book.reload()
        assert book.changes == ()
        assert verdicts(book) == (Verdict.ASK, Verdict.ALLOW)

    def test_what_was_given_up_is_asked_about_again_and_shown_whole(self, folder: Path) -> None:
        write(folder, ALLOW)
        book = book_of(folder)
        book.accept(book.changes[0])
        write(folder, ALLOW.replace("Documents/notes", "Downloads"))
        book.reload()
        assert verdicts(book)[1] is Verdict.ASK
        write(folder, ALLOW)
        book.reload()
        assert verdicts(book)[1] is Verdict.ASK
        assert '+under = "Documents/notes"' in book.changes[0].diff

    def test_a_no_beside_a_change_that_waits_is_not_lost_with_it(self, folder: Path) -> None:
        book = book_of(folder)
        write(folder, DENY + ALLOW)
        book.reload()
        for text in ("[[rule]", ALLOW, ""):
            write(folder, text)
            for each in (book, book_of(folder)):
                each.reload()
                assert verdicts(each) == (Verdict.REFUSE, Verdict.ASK)
        assert book.changes[0].opens == ("no longer stops: “tax”, files.*",)
        book.accept(book.changes[0])
        assert verdicts(book_of(folder)) == (Verdict.ASK, Verdict.ASK)

    def test_every_part_of_a_rule_is_the_same_after_a_restart(self, folder: Path) -> None:
        text = (
            '[[rule]]\nname = "é"\ntool = "write"\nargs.file = { not = { under = "Documents" } }\n'
            'more_than = 2\nat_most = 9\nhours = "22:00-07:30"\nlinks = "from_user"\n'
            'flags = ["many", "lookalike"]\neffect = "write"\nunder = "Downloads"\ndecide = "ask_typed"\n'
        )
        write(folder, text)
        book = book_of(folder)
        write(folder, "[[")
        again = book_of(folder)
        assert again.policy == book.policy
        assert again.policy.version == book.policy.version
        assert again.policy.rules[0].source == "files.toml:1"


class TestBrokenFiles:
    def test_a_broken_file_leaves_its_last_good_version_in_force_and_is_not_written_over(
        self, folder: Path
    ) -> None:
        write(folder, DENY + ALLOW)
        book = book_of(folder)
        book.accept(book.changes[0])
        for broken in ("[[rule]\n", DENY + "colour = 1", '[[rule]]\ntool = "write"\ndecide = "allow"'):
            write(folder, broken)
            for each in (book, book_of(folder)):
                each.reload()
                assert verdicts(each) == (Verdict.REFUSE, Verdict.ALLOW)
                (fault,) = each.faults
                assert fault.startswith("files.toml, line ")
                assert fault.endswith("The rules of files.toml hold as they were before.")
            assert (folder / "files.toml").read_text() == broken
        write(folder, DENY)
        book.reload()
        assert (book.faults, verdicts(book)) == ((), (Verdict.REFUSE, Verdict.ASK))

    def test_one_broken_file_breaks_no_other(self, folder: Path) -> None:
        write(folder, DENY)
        write(folder, "[[", "messaging")
        book = book_of(folder)
        assert verdicts(book)[0] is Verdict.REFUSE
        assert book.faults[0].startswith("messaging.toml, line 1")

    def test_a_file_for_no_service_is_a_fault(self, folder: Path) -> None:
        write(folder, DENY, "disks")
        assert "there is no service “disks”" in book_of(folder).faults[0]

    def test_where_the_last_good_version_is_lost_nothing_of_that_service_runs(self, folder: Path) -> None:
        write(folder, DENY)
        book_of(folder)
        (folder.parent / "state" / "rules" / "files.json").write_text("[[")
        book = book_of(folder)
        assert verdicts(book) == (Verdict.REFUSE, Verdict.REFUSE)
        assert "so files is off" in book.faults[0]


class TestSwitchingOff:
    def test_while_all_is_off_nothing_may_run(self, folder: Path) -> None:
        book = book_of(folder)
        version = book.policy.version
        book.switch(off=True)
        assert verdicts(book) == (Verdict.REFUSE, Verdict.REFUSE)
        assert ruled(case(C), policy=book.policy).rule == "user.deny:everything is off"
        assert book.policy.version != version
        book.switch(off=False)
        assert book.policy.version == version

    async def test_an_approval_given_before_does_not_outlive_it(self, bench: Bench, folder: Path) -> None:
        book = book_of(folder)
        book.listen(lambda: setattr(bench.gate, "policy", book.policy))
        request = await bench.ask(bench.call("read", thing="note:1"))
        ticket = bench.gate.settle(request, yes(request))
        book.switch(off=True)
        outcome = await bench.gate.perform(ticket)
        assert not outcome.ok
        assert bench.service.effects == []
        assert bench.gate.tools == ()


def test_what_cannot_be_kept_holds_until_the_end(folder: Path) -> None:
    (folder.parent / "state").write_text("in the way")
    book = book_of(folder)
    write(folder, DENY)
    book.reload()
    assert verdicts(book)[0] is Verdict.REFUSE
    write(folder, "[[")
    book.reload()
    assert verdicts(book)[0] is Verdict.REFUSE


def test_rules_for_one_run_stand_beside_the_files(folder: Path) -> None:
    write(folder, DENY)
    book = RuleBook(folder, folder.parent / "rules", lambda: TOOLS, rules_of(ALLOW))
    assert verdicts(book) == (Verdict.REFUSE, Verdict.ALLOW)


@pytest.mark.parametrize("told", [True, False])
def test_a_saved_file_is_seen_without_asking(
    folder: Path, monkeypatch: pytest.MonkeyPatch, told: bool
) -> None:
    if not told:
        monkeypatch.setattr("connectors.folder_watch.Observer", _no_more_watches)
    book = book_of(folder)
    heard = threading.Event()
    book.listen(heard.set)
    watch = FolderWatch({folder: book.reload})
    watch.start()
    try:
        write(folder, DENY)
        assert heard.wait(20)
    finally:
        watch.close()
    book.reload()
    assert verdicts(book)[0] is Verdict.REFUSE


def _no_more_watches() -> None:
    raise OSError(24, "inotify instance limit reached")
