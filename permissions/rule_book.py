"""The person's rules in force: read from their files, and never wider than they have said yes to."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from connectors.config import ConfigError
from permissions.policy import Policy
from permissions.rule_file import Tools, read_rules
from permissions.rule_keeping import Kept, KeptRules
from permissions.rules import Rule
from permissions.widening import lost_stops, narrower, new_permissions, widens
from permissions.words import Verdict

SUFFIX = ".toml"
OFF = Rule("everything is off", Verdict.REFUSE)
"""The rule that stands before all others while the services are switched off."""

_TRIES = 5


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one file that allows more than before: what it opens, in words, and what it says now.

    `diff` has the lines that were and are; `text`, and the `rules` in it, are exactly what a yes is about.
    """

    service: str
    opens: tuple[str, ...]
    diff: str
    text: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is in force of one file, and what is to be said about it."""

    rules: tuple[Rule, ...]
    fault: str = ""
    change: Change | None = None


class RuleBook:
    """All files of rules in one folder, each named after its service.

    `kept` is a folder for the rules that are in force, so that a file that is broken, gone, or allows more
    than before changes nothing for the worse, even after a restart. `tools` gives what the services have.
    `more` are rules for this run only.
    """

    def __init__(
        self,
        folder: Path,
        kept: Path,
        tools: Callable[[], Tools] = dict,
        more: Iterable[Rule] = (),
    ) -> None:
        self.folder = folder
        self._kept = KeptRules(kept)
        self._tools = tools
        self._more = tuple(more)
        self._lock = threading.RLock()
        self._readings: dict[str, _Reading] = {}
        self._heard: list[Callable[[], None]] = []
        self._off = False
        self.reload()

    @property
    def policy(self) -> Policy:
        """The rules in force now."""
        with self._lock:
            rules = [rule for name in sorted(self._readings) for rule in self._readings[name].rules]
        return Policy((*((OFF,) if self._off else ()), *rules, *self._more))

    @property
    def faults(self) -> tuple[str, ...]:
        """The files that cannot be used, one sentence each; their last good version holds."""
        return tuple(reading.fault for reading in self._all() if reading.fault)

    @property
    def changes(self) -> tuple[Change, ...]:
        """What would allow more, and waits for the person's yes."""
        return tuple(reading.change for reading in self._all() if reading.change)

    @property
    def off(self) -> bool:
        """True while everything is switched off."""
        return self._off

    def switch(self, *, off: bool) -> None:
        """Switch everything off, or on again."""
        self._off = off
        self._tell()

    def listen(self, heard: Callable[[], None]) -> None:
        """Have `heard` called, on any thread, whenever something here has changed."""
        self._heard.append(heard)

    def reload(self) -> None:
        """Read every file anew; what only narrows holds at once."""
        with self._lock:
            names = {path.stem for path in self.folder.glob(f"*{SUFFIX}")} | self._kept.services()
            readings = {name: self._read(name) for name in sorted(names)}
            same, self._readings = readings == self._readings, readings
        if not same:
            self._tell()

    def accept(self, change: Change) -> None:
        """The person said yes to exactly this change; what was changed since is asked about anew."""
        with self._lock:
            self._kept.write(change.service, Kept(change.text, change.rules))
            self.reload()

    def _all(self) -> tuple[_Reading, ...]:
        with self._lock:
            return tuple(self._readings[name] for name in sorted(self._readings))

    def _tell(self) -> None:
        for heard in self._heard:
            heard()

    def _read(self, service: str) -> _Reading:
        try:
            kept = self._kept.read(service)
        except (OSError, ValueError) as error:
            # What was forbidden is not known any more, so nothing of this service may run.
            stop = Rule(f"the rules for {service} are lost", Verdict.REFUSE, service)
            return _Reading((stop,), f"What was last in force cannot be read, so {service} is off: {error}")
        path = self.folder / f"{service}{SUFFIX}"
        try:
            text, new = _settled(path, service, self._tools())
        except ConfigError as error:
            return _Reading(kept.rules, f"{error}. The rules of {path.name} hold as they were before.")
        was, is_now = Policy(kept.rules), Policy(new)
        change = None
        if widens(was, is_now):
            diff = _diff(path.name, kept.text, text) or _diff(path.name, "", text)
            change = Change(service, _opens(was, is_now), diff, text, new)
            is_now, text = narrower(was, is_now), kept.text
        if (text, is_now.rules) != (kept.text, kept.rules):
            self._kept.write(service, Kept(text, is_now.rules))
        return _Reading(is_now.rules, change=change)


def _settled(path: Path, service: str, tools: Tools) -> tuple[str, tuple[Rule, ...]]:
    """The text of a file and the rules in this very text, although somebody may be writing it just now."""
    for _ in range(_TRIES):
        before = _text(path)
        rules = read_rules(path, service, tools)
        if _text(path) == before:
            return before, rules
    raise ConfigError(path, 1, "keeps changing while it is read")


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _opens(old: Policy, new: Policy) -> tuple[str, ...]:
    """What a change opens, rule by rule."""
    return (
        *(f"allows more: {_called(rule)} ({rule.source})" for rule in new_permissions(old, new)),
        *(f"no longer stops: {_called(rule)}" for rule in lost_stops(old, new)),
    )


def _called(rule: Rule) -> str:
    return f"“{rule.name}”, {rule.service}.{rule.verb or '*'}"


def _diff(name: str, before: str, after: str) -> str:
    lines = unified_diff(
        before.splitlines(), after.splitlines(), f"{name} (in force)", f"{name} (now)", n=2, lineterm=""
    )
    return "\n".join(lines)
