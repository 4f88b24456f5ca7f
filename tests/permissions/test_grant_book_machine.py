"""Whatever is given, used, taken back and put back, only what stands and has not ended covers."""

import shutil
import tempfile
from datetime import UTC, timedelta
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from connectors.base import Effect
from permissions.coverage import covers
from permissions.grant_store import GrantStore
from permissions.grants import GrantBook, Held
from permissions.offers import UNUSED, offers
from permissions.words import GoalRef, Grant, Ruling, Scope, Verdict
from tests.permissions.fakes import NOW, prepared_for

ASK = Ruling(Verdict.ASK, "ask.default", "no permission covers it yet")
CALLS = {
    service: prepared_for(f"{service}.look", frozenset({Effect.READ}), (), {})
    for service in ("calendar", "files")
}
GOALS = {name: GoalRef(name, name) for name in ("one", "two")}


class Books(RuleBasedStateMachine):
    """A book over a file, beside a plain list of what should stand."""

    gone = Bundle("gone")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="askfirst-"))
        self.now = NOW.astimezone(UTC)
        self.standing: dict[str, Held] = {}
        self.open()

    def open(self) -> None:
        store = GrantStore(self.folder / "grants.db")
        self.book = GrantBook(store, lambda: self.now)

    def note(self) -> None:
        """What stands now is what the book says after something was given or used."""
        self.standing |= {held.id: held for held in self.book.held()}

    @rule(
        service=st.sampled_from(sorted(CALLS)), goal=st.sampled_from(sorted(GOALS)), number=st.integers(0, 9)
    )
    def give(self, service: str, goal: str, number: int) -> None:
        found = offers(CALLS[service], ASK, GOALS[goal], self.now)
        self.book.add(found[number % len(found)].grant)
        self.note()

    @rule(service=st.sampled_from(sorted(CALLS)), goal=st.sampled_from(sorted(GOALS)))
    def use(self, service: str, goal: str) -> None:
        before = {held.id for held in self.book.held()}
        self.book.used(CALLS[service], GOALS[goal], self.now)
        assert {held.id for held in self.book.held()} == before
        self.note()

    @rule(target=gone, number=st.integers(0, 9))
    def revoke(self, number: int) -> Held | None:
        held = self.book.held()
        if not held:
            return None
        taken = self.book.revoke(held[number % len(held)].id)
        assert taken is not None
        del self.standing[taken.id]
        return taken

    @rule(held=consumes(gone))
    def restore(self, held: Held | None) -> None:
        if held is not None:
            self.book.restore(held)
            self.standing[held.id] = held

    @rule(goal=st.sampled_from(sorted(GOALS)))
    def end_goal(self, goal: str) -> None:
        self.book.end_goal(GOALS[goal])
        self.standing = {
            id: held
            for id, held in self.standing.items()
            if held.what.scope is not Scope.GOAL or held.what.goal != goal
        }

    @rule(passed=st.sampled_from([timedelta(minutes=10), timedelta(hours=15), timedelta(days=40)]))
    def wait(self, passed: timedelta) -> None:
        self.now += passed

    @rule()
    def restart(self) -> None:
        self.open()
        self.standing = {
            id: held for id, held in self.standing.items() if held.what.scope in (Scope.UNTIL, Scope.ALWAYS)
        }

    @rule()
    def panic(self) -> None:
        self.book.end_session()
        self.standing = {id: h for id, h in self.standing.items() if h.what.scope is Scope.ALWAYS}

    @invariant()
    def only_what_stands_and_has_not_ended_is_held(self) -> None:
        if not hasattr(self, "book"):
            return
        self.standing = {
            id: held for id, held in self.standing.items() if held.expires is None or held.expires > self.now
        }
        assert {held.id for held in self.book.held()} == set(self.standing)

    @invariant()
    def a_call_is_covered_only_by_what_was_given_for_it(self) -> None:
        if not hasattr(self, "book"):
            return
        for service, call in CALLS.items():
            for goal in GOALS.values():
                for grant in self.book:
                    if covers(grant, call, goal, self.now):
                        assert grant.tool in (service, f"{service}.look")
                        assert grant.scope is not Scope.GOAL or grant.goal == goal.id
                        assert grant.expires is None or self.now < grant.expires <= self.now + UNUSED

    def teardown(self) -> None:
        shutil.rmtree(self.folder)


TestBooks = Books.TestCase
TestBooks.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)


def test_what_may_never_stand_covers_nothing_even_if_it_is_in_the_file(tmp_path: Path) -> None:
    store = GrantStore(tmp_path / "grants.db")
    for number, effect in enumerate((Effect.SEND, Effect.SHARE, Effect.DELETE)):
        call = prepared_for("messaging.send", frozenset({effect}), undo="it can be put back")
        things = (("to", ("ana@acme.com",)),)
        for scope in (Scope.ALWAYS, Scope.UNTIL):
            end = NOW + timedelta(days=9)
            grant = Grant("messaging.send", things, scope, NOW, "", frozenset(Effect), expires=end)
            store.put(Held(f"{number}{scope}", grant))
        book = GrantBook(store, lambda: NOW)
        assert not any(covers(grant, call, GOALS["one"], NOW) for grant in book)
