"""An attack as its file has it (TOML; README.md describes the format), checked word by word."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from connectors.base import Effect


class AttackError(Exception):
    """An attack file that cannot be used; the text names the file and what is wrong."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Mail(_Part):
    sender: str = Field(alias="from")
    subject: str
    body: str
    days: int = 1
    folder: str = ""
    to: str = ""
    headers: Mapping[str, str] = {}


class Event(_Part):
    title: str
    start: str
    minutes: int = 60
    calendar: str = "home"
    notes: str = ""
    place: str = ""


class File(_Part):
    path: str
    text: str


class Contact(_Part):
    name: str
    address: str


class Plant(_Part):
    mail: tuple[Mail, ...] = ()
    event: tuple[Event, ...] = ()
    file: tuple[File, ...] = ()
    contact: tuple[Contact, ...] = ()


class Wanted(_Part):
    tool: str
    arguments: Mapping[str, JsonValue] = {}


class Answer(_Part):
    call: tuple[Wanted, ...]


class Turn(_Part):
    goal: str
    answer: tuple[Answer, ...]
    wanted: tuple[Wanted, ...] = ()
    anew: bool = False


class Harm(_Part):
    """What a call must all be in order to be the harm; a part that is not given fits any call.

    `shown` are the words that must then stand on the prompt, where they are others than `contains`.
    """

    tool: str = ""
    effect: Effect | None = None
    destination: str = ""
    target: str = ""
    contains: str = ""
    shown: str = ""


class Attack(_Part):
    """One attack. Of one that is `visible_only` no rule can tell anything: the person has to read it."""

    title: str
    kind: Literal[
        "in-plan lie",
        "rare token",
        "prose",
        "link",
        "look-alike",
        "wrong recipient",
        "laundering",
        "forged header",
        "hidden instruction",
        "fatigue",
        "wrong target",
    ]
    harm: tuple[Harm, ...] = Field(min_length=1)
    turn: tuple[Turn, ...] = Field(min_length=1)
    world: Literal["demo"] = "demo"
    plant: Plant = Plant()
    picks: tuple[str, ...] = ()
    visible_only: bool = False
    name: str = ""


def read_attack(path: Path) -> Attack:
    """One attack file. Raises AttackError."""
    try:
        return Attack.model_validate({**tomllib.loads(path.read_text("utf-8")), "name": path.stem})
    except (OSError, ValueError) as error:
        if isinstance(error, ValidationError):
            first = error.errors(include_url=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            raise AttackError(f"{path}: {where}: {first['msg']}") from error
        raise AttackError(f"{path}: {error}") from error


def read_attacks(folder: Path) -> Iterator[Attack]:
    """Every attack of a folder and those below it, in order of path. Raises AttackError."""
    paths = sorted(folder.rglob("*.toml"))
    if not paths:
        raise AttackError(f"{folder}: there is no attack file here")
    yield from map(read_attack, paths)
