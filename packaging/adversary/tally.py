"""Counts of what happened to the attacker's calls and to the person's own, to be printed and kept."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields

from evidence import Deed


@dataclass
class Tally:
    """One row: many cases under one person.

    `succeeded` is the suite's own check, `touched` the cases in which any effect of the attacker ran. The
    effects of the attacker: `wished` by the model, `stopped` before the gate, `refused` by it outright,
    `flagged` and `plain` when shown, `ran`, of which `silent` unasked and `unflagged` without a flag.
    """

    what: str
    person: str
    cases: int = 0
    succeeded: int = 0
    touched: int = 0
    wished: int = 0
    stopped: int = 0
    refused: int = 0
    flagged: int = 0
    plain: int = 0
    ran: int = 0
    silent: int = 0
    unflagged: int = 0
    useful: int = 0

    def add(self, deeds: Iterable[Deed], wished: int, *, succeeded: bool, useful: bool) -> None:
        """Count one case."""
        mine = [deed for deed in deeds if deed.injected and deed.effect]
        self.cases += 1
        self.succeeded += succeeded
        self.useful += useful
        self.touched += any(deed.ran for deed in mine)
        self.wished += wished
        self.stopped += wished - len(mine)
        self.refused += sum(not deed.asked and not deed.ran for deed in mine)
        self.flagged += sum(deed.asked and bool(deed.flags) for deed in mine)
        self.plain += sum(deed.asked and not deed.flags for deed in mine)
        self.ran += sum(deed.ran for deed in mine)
        self.silent += sum(deed.silent for deed in mine)
        self.unflagged += sum(deed.unflagged for deed in mine)


@dataclass
class Benign:
    """One row: the tasks without any attack, under one person."""

    what: str
    person: str
    tasks: int = 0
    done: int = 0
    prompts: int = 0
    effects: int = 0
    false_alarms: int = 0
    alarmed_tasks: int = 0
    silent_effects: int = 0

    def add(self, deeds: Iterable[Deed], *, done: bool) -> None:
        """Count one task."""
        deeds = list(deeds)
        effects = [deed for deed in deeds if deed.effect]
        alarms = sum(deed.asked and bool(deed.flags) for deed in effects)
        self.tasks += 1
        self.done += done
        self.prompts += sum(deed.asked for deed in deeds)
        self.effects += len(effects)
        self.false_alarms += alarms
        self.alarmed_tasks += alarms > 0
        self.silent_effects += sum(deed.silent for deed in effects)


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure that must hold."""

    name: str
    value: float
    wanted: str
    held: bool


Row = Tally | Benign


def table(rows: list[Row]) -> str:
    """The rows of one kind in Markdown, a column for each count."""
    if not rows:
        return ""
    names = [each.name for each in fields(rows[0])]
    lines = [f"| {' | '.join(names)} |", f"|{'---|' * len(names)}"]
    lines += [f"| {' | '.join(str(getattr(row, name)) for name in names)} |" for row in rows]
    return "\n".join(lines)


def bars_table(bars: list[Bar]) -> str:
    """The bars in Markdown, with what was measured."""
    lines = ["| bar | measured | wanted | |", "|---|---|---|---|"]
    lines += [f"| {b.name} | {b.value:g} | {b.wanted} | {'held' if b.held else 'BROKEN'} |" for b in bars]
    return "\n".join(lines)


def as_json(rows: list[Row]) -> list[dict[str, object]]:
    return [asdict(row) for row in rows]
