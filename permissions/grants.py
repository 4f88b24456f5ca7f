"""The permissions and the standing noes in force: the one book that everything asks."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from connectors.base import Prepared
from permissions.coverage import covers
from permissions.offers import QUARTER, UNUSED, Past, held_against, offers, standing_noes
from permissions.words import Ban, GoalRef, Grant, Offer, Ruling, Scope

__all__ = ["GrantBook", "Held", "Past", "Store", "StoreError", "covers", "offers"]

_KEPT = (Scope.UNTIL, Scope.ALWAYS)


@dataclass(frozen=True, slots=True)
class Held:
    """A permission or a standing no as it is held, with the last use and the number of uses."""

    id: str
    what: Grant | Ban
    used: datetime | None = None
    uses: int = 0

    @property
    def expires(self) -> datetime | None:
        """When it ends by itself; an always grant ends 60 days after it was last used."""
        if isinstance(self.what, Ban):
            return None
        if self.what.scope is not Scope.ALWAYS:
            return self.what.expires
        return max(self.used or self.what.given, self.what.given).astimezone(UTC) + UNUSED


class StoreError(Exception):
    """What is kept cannot be read or written; the text is a plain sentence."""


class Store(Protocol):
    """Where what outlives the process is kept; every method may raise StoreError."""

    def held(self) -> Sequence[Held]: ...

    def put(self, held: Held) -> None:
        """Keep it, or replace what is kept under its id."""
        ...

    def use(self, id: str, now: datetime) -> None:
        """Note a use of what is kept; what was taken back meanwhile stays so."""
        ...

    def remove(self, id: str) -> None: ...


class GrantBook:
    """All grants and bans; what lasts for a time or for good is in the store, the rest ends with the process.

    `clock` gives aware times. `past` gives calls done before, newest first, that offers are held against.
    """

    def __init__(
        self,
        store: Store | None = None,
        clock: Callable[[], datetime] | None = None,
        past: Callable[[], Sequence[Past]] = lambda: (),
    ) -> None:
        self._store = store
        self._clock = clock
        self._past = past
        self._held: list[Held] = []
        self.notices: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Grant]:
        return iter([held.what for held in map(_as_of_now, self.held()) if isinstance(held.what, Grant)])

    @property
    def bans(self) -> tuple[Ban, ...]:
        """The standing noes in force."""
        return tuple(held.what for held in self.held() if isinstance(held.what, Ban))

    def held(self) -> tuple[Held, ...]:
        """Everything that is held, in the order it was given; what has ended by itself is let go."""
        kept = tuple(self._store.held()) if self._store else ()
        if self._clock is None:
            return (*kept, *self._held)
        now = self._clock()
        ended = [h for h in (*kept, *self._held) if h.expires is not None and h.expires <= now]
        for held in ended:
            # A clock that is set back later must not bring it back.
            with suppress(StoreError):
                self._drop(held)
        return tuple(h for h in (*kept, *self._held) if h not in ended)

    def offers(
        self, prepared: Prepared, ruling: Ruling, goal: GoalRef, now: datetime, origin: str = ""
    ) -> tuple[Offer, ...]:
        """The grants that may go with a yes to this call, with what each would have covered before."""
        found = offers(prepared, ruling, goal, now, (), origin)
        return held_against(self._past(), found) if found else ()

    def noes(self, prepared: Prepared, goal: GoalRef, now: datetime, origin: str = "") -> tuple[Ban, ...]:
        """The standing noes that may go with a no to this call."""
        return standing_noes(prepared, goal, now, origin)

    def add(self, grant: Grant) -> None:
        """Take a grant in; a quarter of an hour counts from now, and one given again is renewed."""
        now = self._clock() if self._clock else grant.given
        if grant.expires is not None and grant.expires - grant.given == QUARTER:
            grant = replace(grant, expires=now.astimezone(UTC) + QUARTER)
        self._take(grant)

    def ban(self, ban: Ban) -> None:
        """Take a standing no in; it wins over every grant."""
        self._take(ban)

    def revoke(self, what: Grant | Ban | str) -> Held | None:
        """Take a grant or a no back, named by itself or its id; calls it covered are asked again."""
        found = next((h for h in self.held() if what in (h.id, h.what, _as_of_now(h).what)), None)
        if found is not None:
            self._drop(found)
        return found

    def restore(self, held: Held) -> None:
        """Undo a revoking: it is held as before, and ends when it would have."""
        self._keep(held)

    def used(self, prepared: Prepared, goal: GoalRef, now: datetime) -> None:
        """Note the use of the grant that covered this call, and strike it out if it was for once."""
        for held in self.held():
            grant = _as_of_now(held).what
            if isinstance(grant, Grant) and covers(grant, prepared, goal, now):
                if grant.scope is Scope.ONCE:
                    self._drop(held)
                else:
                    self._use(held, now)
                return

    def end_goal(self, goal: GoalRef) -> None:
        """Drop what was given, or denied, for one goal."""
        self._held = [h for h in self._held if h.what.scope is not Scope.GOAL or h.what.goal != goal.id]

    def end_session(self) -> tuple[Held, ...]:
        """Drop every grant that is not for good; noes stay. What was dropped is returned."""
        gone = tuple(h for h in self.held() if isinstance(h.what, Grant) and h.what.scope is not Scope.ALWAYS)
        self._held = [held for held in self._held if held not in gone]
        for held in gone:
            self._drop(held)
        return gone

    def clear(self) -> None:
        """Take everything back."""
        for held in self.held():
            self._drop(held)

    def _take(self, what: Grant | Ban) -> None:
        same = next((h for h in self.held() if _alike(h.what) == _alike(what)), None)
        self._keep(replace(same, what=what) if same else Held(secrets.token_hex(8), what))

    def _keep(self, held: Held) -> None:
        if self._store and held.what.scope in _KEPT:
            try:
                self._store.put(held)
            except StoreError as error:
                # It was said, so it holds as long as it can.
                self.notices = (f"{error} What was decided holds until Askfirst ends.",)
            else:
                return
        places = [n for n, other in enumerate(self._held) if other.id == held.id]
        if places:
            self._held[places[0]] = held
        else:
            self._held.append(held)

    def _use(self, held: Held, now: datetime) -> None:
        if any(other.id == held.id for other in self._held):
            self._keep(replace(held, used=now, uses=held.uses + 1))
        elif self._store:
            try:
                self._store.use(held.id, now)
            except StoreError as error:
                self.notices = (str(error),)

    def _drop(self, held: Held) -> None:
        if self._store and held.what.scope in _KEPT:
            self._store.remove(held.id)
        self._held = [other for other in self._held if other.id != held.id]


def _as_of_now(held: Held) -> Held:
    """What is held, with the end that it has now."""
    what = held.what
    return replace(held, what=replace(what, expires=held.expires)) if isinstance(what, Grant) else held


def _alike(what: Grant | Ban) -> Grant | Ban:
    """What two things have in common that are the same but for when and with which call they were given."""
    if isinstance(what, Ban):
        return replace(what, given=_NEVER, origin="")
    return replace(what, given=_NEVER, expires=None, origin="")


_NEVER = datetime.min.replace(tzinfo=UTC)
