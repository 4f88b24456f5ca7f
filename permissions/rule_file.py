"""Reading a person's rules from a TOML file, with errors that name the file, the line and the key."""

import re
from collections.abc import Mapping, Sequence
from datetime import time
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from connectors.base import Effect, Role, Tool
from connectors.config import ConfigError, line_of, load
from permissions.rules import Hours, Links, Rule
from permissions.words import EVERY_ARGUMENT, Flag, Limit, Verdict, Width

Tools = Mapping[str, Sequence[Tool] | None]
"""The tools of every service by its name; None where the service is off, so that its tools are not known."""

_Place = tuple[str | int, ...]
_CLOCK = re.compile(r"(\d\d:\d\d)\s*[-–]\s*(\d\d:\d\d)")
_DOMAIN = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?", re.IGNORECASE | re.ASCII)
_NEVER_STANDING = frozenset({Effect.SEND, Effect.SHARE, Effect.DELETE})
_STRICT = ConfigDict(extra="forbid", frozen=True)


def _several(value: object) -> object:
    return [value] if isinstance(value, str) else value


Texts = Annotated[
    tuple[Annotated[str, Field(min_length=1)], ...], BeforeValidator(_several), Field(min_length=1)
]


class ValueTest(BaseModel):
    """What values a rule is for: those named, or with `not` all others."""

    model_config = _STRICT

    exact: Texts | None = Field(None, alias="is")
    domain: Texts | None = None
    under: Texts | None = None
    calendar: Texts | None = None
    any: Literal[True] | None = None
    negated: "ValueTest | None" = Field(None, alias="not")


class RuleText(BaseModel):
    """One rule as it is written."""

    model_config = _STRICT

    decide: Verdict
    name: str | None = Field(None, min_length=1, max_length=80)
    tool: Texts | None = None
    effect: Effect | None = None
    recipient: ValueTest | None = None
    calendar: Texts | None = None
    under: Texts | None = None
    args: dict[str, ValueTest] = {}
    at_most: int | None = Field(None, ge=1, strict=True)
    more_than: int | None = Field(None, ge=0, strict=True)
    hours: str | None = None
    links: Links | None = None
    flags: tuple[Flag, ...] = ()


class RuleFile(BaseModel):
    """A file of rules; `service` says whose tools they are about where the file's name does not."""

    model_config = _STRICT

    service: str | None = None
    rule: tuple[RuleText, ...] = ()


def read_rules(
    path: Path, service: str = "", tools: Tools | None = None, *, needed: bool = False
) -> tuple[Rule, ...]:
    """The rules in a file; with no service each rule says which tool it is for.

    Where there is no file there are no rules, unless it is `needed`.
    With `tools`, the tools and arguments that a rule names must be among them. Raises ConfigError, which
    names the file and the line, for what cannot be read, is unknown, or may never be allowed for good.
    """
    if needed and not path.exists():
        raise ConfigError(path, 1, "does not exist")
    written = load(path, RuleFile)
    if not written.rule:
        return ()
    return _Reader(path, path.read_text("utf-8"), service, tools or {}).rules(written)


def rule_faults(folder: Path, tools: Tools) -> tuple[str, ...]:
    """What is wrong with the files of rules in a folder, one sentence each."""
    found = []
    for path in sorted(folder.glob("*.toml")):
        try:
            read_rules(path, path.stem, tools)
        except ConfigError as error:
            found.append(f"permissions/{error}")
    return tuple(found)


class _Reader:
    """Makes rules of what a file says, one after another."""

    def __init__(self, path: Path, text: str, service: str, tools: Tools) -> None:
        self._path = path
        self._text = text
        self._service = service
        self._tools = tools

    def rules(self, written: RuleFile) -> tuple[Rule, ...]:
        if self._service and written.service not in (None, self._service):
            raise self._error(("service",), f"this file is about {self._service}")
        service = self._service or written.service or ""
        found: list[Rule] = []
        for number, text in enumerate(written.rule):
            found += self._rule(number, text, service)
        return tuple(found)

    def _rule(self, number: int, text: RuleText, service: str) -> list[Rule]:
        where = ("rule", number)
        name = text.name or f"{service or self._path.stem} rule {number + 1}"
        limits, strays = self._limits(where, text)
        rules = []
        for tool in text.tool or ("",):
            owner, _, verb = tool.rpartition(".")
            rule = Rule(
                name=name,
                verdict=text.decide,
                service=owner or service,
                verb=verb,
                effect=text.effect,
                limits=limits,
                strays=strays,
                at_most=text.at_most,
                more_than=text.more_than,
                hours=self._hours(where, text.hours),
                links=text.links,
                flags=frozenset(text.flags),
                source=f"{self._path.name}:{line_of(self._text, where)}",
            )
            self._check(where, rule, text, service)
            rules.append(rule)
        return rules

    def _limits(self, where: _Place, text: RuleText) -> tuple[tuple[Limit, ...], tuple[Limit, ...]]:
        limits: list[Limit] = []
        strays: list[Limit] = []
        if text.calendar:
            limits.append(Limit(EVERY_ARGUMENT, Width.CALENDAR, text.calendar, Role.TARGET))
        if text.under:
            folders = self._folders((*where, "under"), text.under)
            limits.append(Limit(EVERY_ARGUMENT, Width.UNDER, folders))
        tests: list[tuple[_Place, str, Role | None, ValueTest]] = [
            ((*where, "args", name), name, None, test) for name, test in text.args.items()
        ]
        if text.recipient:
            tests.append(((*where, "recipient"), EVERY_ARGUMENT, Role.DESTINATION, text.recipient))
        for place, argument, role, test in tests:
            made = self._made(place, argument, role, test)
            outside = self._made((*place, "not"), argument, role, test.negated) if test.negated else []
            if (test.negated and test.negated.negated) or not (made or outside):
                raise self._error(place, "says nothing; write is, domain, under, calendar, any, or not once")
            limits += made
            strays += outside
        return tuple(limits), tuple(strays)

    def _made(self, place: _Place, argument: str, role: Role | None, test: ValueTest) -> list[Limit]:
        found = []
        if test.exact:
            found.append(Limit(argument, Width.IS, test.exact, role))
        if test.domain:
            if bad := next((domain for domain in test.domain if not _DOMAIN.fullmatch(domain)), None):
                raise self._error((*place, "domain"), f"“{bad}” is not a domain; write example.org")
            found.append(Limit(argument, Width.DOMAIN, tuple(map(str.lower, test.domain)), role))
        if test.under:
            found.append(Limit(argument, Width.UNDER, self._folders((*place, "under"), test.under), role))
        if test.calendar:
            found.append(Limit(argument, Width.CALENDAR, test.calendar, role))
        if test.any:
            found.append(Limit(argument, Width.ANY, (), role))
        return found

    def _folders(self, place: _Place, folders: tuple[str, ...]) -> tuple[str, ...]:
        found = tuple(folder.rstrip("/") for folder in folders)
        for folder in found:
            if folder.startswith(("/", "~")) or any(part in ("", ".", "..") for part in folder.split("/")):
                raise self._error(
                    place,
                    f"“{folder}” should begin with the name of a folder that may be used: Documents/notes",
                )
        return found

    def _hours(self, where: _Place, text: str | None) -> Hours | None:
        if text is None:
            return None
        match = _CLOCK.fullmatch(text.strip())
        try:
            start, end = [time.fromisoformat(part) for part in match.groups()] if match else []
        except ValueError:
            message = f"“{text}” is no time of the day; write 09:00-18:00"
            raise self._error((*where, "hours"), message) from None
        return Hours(start, end)

    def _check(self, where: _Place, rule: Rule, text: RuleText, service: str) -> None:
        place = (*where, "tool")
        if not rule.service:
            raise self._error(place, 'say which service: files.write, or service = "files" at the top')
        if service and rule.service != service:
            raise self._error(place, f"this file is about {service}, not {rule.service}")
        if self._tools and rule.service not in self._tools:
            raise self._error(
                place, f"there is no service “{rule.service}”; there are {', '.join(self._tools)}"
            )
        tools = self._tools.get(rule.service)
        meant = [tool for tool in tools or () if rule.verb in ("", tool.name.partition(".")[2])]
        if tools and not meant:
            known = ", ".join(tool.name.partition(".")[2] for tool in tools if tool.offered)
            raise self._error(place, f"{rule.service} has no tool “{rule.verb}”; it has {known}")
        for argument in text.args:
            if tools and not any(argument in tool.arguments.model_fields for tool in meant):
                raise self._error((*where, "args", argument), f"no such tool has an argument “{argument}”")
        if rule.verdict is Verdict.ALLOW:
            self._check_allow(where, rule, meant)

    def _check_allow(self, where: _Place, rule: Rule, meant: Sequence[Tool]) -> None:
        """What may never be allowed for good is an error already here."""
        place = (*where, "decide")
        effects = {tool.effect for tool in meant if rule.verb} | ({rule.effect} if rule.effect else set())
        if never := effects & _NEVER_STANDING:
            words = ", ".join(sorted(effect.value for effect in never))
            raise self._error(
                place, f"what can {words} is asked for every time and cannot be allowed by a rule"
            )
        if rule.strays or rule.flags:
            raise self._error(
                place, "an allow says what it covers; “not” and “flags” are for rules that stop"
            )
        if not rule.verb and rule.effect is not Effect.READ:
            raise self._error(place, 'an allow names its tools, or is for reading: effect = "read"')
        known = bool(meant) or rule.effect is not None
        if known and not rule.limits and effects != {Effect.READ}:
            raise self._error(
                place, "an allow says what it covers: calendar, under, or args (args.x = { any = true })"
            )

    def _error(self, location: Sequence[str | int], message: str) -> ConfigError:
        return ConfigError(self._path, line_of(self._text, location), message)
