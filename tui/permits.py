"""What stands of permissions: those given, the noes, the rules, and the switch that turns everything off."""

import hashlib
import logging
from collections.abc import Callable
from datetime import UTC, datetime

from permissions.audit import AuditLog, ChangeKind, PermissionChange
from permissions.entry import Entry
from permissions.grants import GrantBook, Held
from permissions.journal import JournalError
from permissions.judged_again import Again, judged_again
from permissions.rule_book import Change, RuleBook
from permissions.rules import Rule
from tui.permit_words import end_words, use_words

log = logging.getLogger(__name__)


class Permits:
    """All that a person may look at and take back; `entry` finds the call that something was given with.

    `clock` gives aware times.
    """

    def __init__(
        self,
        book: GrantBook,
        rules: RuleBook,
        entry: Callable[[str], Entry | None],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        log: AuditLog | None = None,
    ) -> None:
        self._book = book
        self._rules = rules
        self._entry = entry
        self._clock = clock
        self._log = log
        self._unwritten = ""

    def held(self) -> tuple[Held, ...]:
        """The permissions and standing noes in force, the latest first."""
        return tuple(sorted(self._book.held(), key=lambda held: held.what.given, reverse=True))

    def origin(self, held: Held) -> Entry | None:
        """The call with whose answer it was given, where the journal still has it."""
        return self._entry(held.what.origin) if held.what.origin else None

    def judged_again(self, entry: Entry) -> Again | None:
        """What would be said to a call of the journal now; None where its record is too old to tell.

        Raises StoreError.
        """
        return judged_again(entry, self._rules.policy, self._book, self._book.bans, self._clock())

    def find(self, id: str) -> Held | None:
        """What is held under an id, or under the only one that begins so."""
        found = [held for held in self._book.held() if id and held.id.startswith(id)]
        return found[0] if len(found) == 1 else None

    def revoke(self, held: Held) -> bool:
        """Take it back; False if it was not held any more. Raises StoreError."""
        gone = self._book.revoke(held.id)
        if gone is not None:
            self._note_after(_of(gone, ChangeKind.REVOKED))
        return gone is not None

    def restore(self, held: Held) -> None:
        """Undo a taking back. Raises StoreError, or JournalError, and then it stays taken back."""
        self._note(_of(held, ChangeKind.RESTORED))
        self._book.restore(held)

    def history(self, limit: int) -> tuple[PermissionChange, ...]:
        """What was taken back, put back, accepted, turned off and on, newest first. Raises JournalError."""
        return self._log.permission_changes(limit) if self._log else ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The person's rules in force."""
        return self._rules.policy.rules

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes of rule files that wait for a yes."""
        return self._rules.changes

    def accept(self, change: Change) -> None:
        """The person said yes to a change. Raises JournalError, and then it does not hold."""
        details = (*change.opens, f"SHA-256 of the file: {_digest(change.text)}")
        words = f"said yes to what {change.service}.toml allows"
        self._note(PermissionChange(ChangeKind.ACCEPTED, words, f"{change.service}.toml", details))
        self._rules.accept(change)

    @property
    def faults(self) -> tuple[str, ...]:
        """The files of rules that cannot be used, one sentence each."""
        return self._rules.faults

    @property
    def notices(self) -> tuple[str, ...]:
        """What is wrong, or waits, one sentence each."""
        waiting = (
            f"{change.service}.toml allows more than you have said yes to; nothing of that holds yet"
            f" (F3, or askfirst permissions accept {change.service})"
            for change in self.changes
        )
        off = ("Everything is off: F3 and o turn it on again",) if self.off else ()
        unwritten = (self._unwritten,) if self._unwritten else ()
        return (*off, *self._rules.faults, *waiting, *self._book.notices, *unwritten)

    def watch(self, heard: Callable[[], None]) -> None:
        """Have `heard` called, on any thread, when the rules or the switch have changed."""
        self._rules.listen(heard)

    @property
    def off(self) -> bool:
        """True while nothing may run."""
        return self._rules.off

    def panic(self) -> tuple[Held, ...]:
        """Turn everything off, and take back every permission that is not for good; what was taken.

        It is off whatever happens then; raises StoreError where something could not be taken back.
        """
        self._rules.switch(off=True)
        self._note_after(PermissionChange(ChangeKind.TURNED_OFF, "turned everything off"))
        gone = self._book.end_session()
        self._note_after(*(_of(held, ChangeKind.REVOKED) for held in gone))
        return gone

    def turn_on(self) -> None:
        """Let the services be used again; what was taken back stays so.

        Raises JournalError, and then everything stays off.
        """
        if self.off:
            self._note(PermissionChange(ChangeKind.TURNED_ON, "turned everything on again"))
        self._rules.switch(off=False)

    def _note(self, *changes: PermissionChange) -> None:
        """Write down what is about to allow more: what cannot be written down must not hold."""
        if self._log:
            self._log.note(*changes)

    def _note_after(self, *changes: PermissionChange) -> None:
        """Write down what allows less now, and does so whether it can be written down or not."""
        try:
            if changes:
                self._note(*changes)
        except JournalError as error:
            log.error("%s", error)
            self._unwritten = f"{error} What was taken back since is taken back all the same."


def _digest(text: str) -> str:
    """In groups, as one long run of signs is taken for a secret and not kept."""
    whole = hashlib.sha256(text.encode()).hexdigest()
    return " ".join(whole[at : at + 16] for at in range(0, len(whole), 16))


def _of(held: Held, kind: ChangeKind) -> PermissionChange:
    """What happened to a permission or a standing no."""
    did = "took back" if kind is ChangeKind.REVOKED else "put back"
    details = (f"{held.what.tool}, {use_words(held)}", f"ends {end_words(held)}")
    return PermissionChange(kind, f"{did}: {held.what.words}", held.id, details)
