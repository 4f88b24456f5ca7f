"""What a person may set in connectors/calendar.toml."""

from datetime import time
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from connectors.base import Effect
from connectors.calendar.accounts import Account
from connectors.dav.accounts import AccountName
from connectors.mode import CHANGES, Mode, forbidden, narrowed


class Config(BaseModel):
    """Settings of the calendar; with none given, everything works.

    `mode` says how much of all calendars is used. `default` and `read_only` name calendars by folder or
    displayed name; `displayname` is the name given to the calendar that is made when there is none; `minutes`
    is how long an event lasts when nothing is said; free time is looked for from `day_starts` to `day_ends`;
    undo records are kept for `keep_days`; accounts are looked at every `sync_every` seconds (0: only when
    they are needed); with `local` off, or an account and no calendar on this machine, only the accounts'
    calendars are used.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    mode: Mode = Mode.FULL
    displayname: str = Field("Home", min_length=1, max_length=60)
    default: str = ""
    read_only: tuple[str, ...] = ()
    minutes: int = Field(60, ge=1, le=24 * 60)
    day_starts: time = time(9)
    day_ends: time = time(18)
    keep_days: int = Field(90, ge=1)
    sync_every: int = Field(300, ge=0, le=24 * 60 * 60)
    local: bool = True
    accounts: dict[AccountName, Account] = {}

    @model_validator(mode="after")
    def _day_has_length(self) -> Self:
        if self.day_starts >= self.day_ends:
            raise ValueError("day_ends must be later than day_starts")
        return self


def stops(before: Config, now: Config) -> frozenset[Effect]:
    """What a change of the settings rules out at once, before it is taken over as a whole."""
    locked = CHANGES if set(now.read_only) - set(before.read_only) else frozenset()
    return forbidden(now.mode) | narrowed(before.accounts, now.accounts) | locked
