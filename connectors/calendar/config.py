"""What a person may set in connectors/calendar.toml."""

from datetime import time
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from connectors.calendar.accounts import Account
from connectors.dav.accounts import AccountName


class Config(BaseModel):
    """Settings of the calendar; with none given, everything works.

    `default` and `read_only` name calendars by folder or displayed name; `displayname` is the name given to
    the calendar that is made when there is none; `minutes` is how long an event lasts when nothing is said;
    free time is looked for from `day_starts` to `day_ends`; undo records are kept for `keep_days`; with
    `local` off, or an account and no calendar on this machine, only the accounts' calendars are used.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    displayname: str = Field("Home", min_length=1, max_length=60)
    default: str = ""
    read_only: tuple[str, ...] = ()
    minutes: int = Field(60, ge=1, le=24 * 60)
    day_starts: time = time(9)
    day_ends: time = time(18)
    keep_days: int = Field(90, ge=1)
    local: bool = True
    accounts: dict[AccountName, Account] = {}

    @model_validator(mode="after")
    def _day_has_length(self) -> Self:
        if self.day_starts >= self.day_ends:
            raise ValueError("day_ends must be later than day_starts")
        return self
