"""What is new about the rules, told once each."""

from textual.message import Message

from permissions.grants import Held
from permissions.rule_book import Change
from tui.permits import Permits
from tui.text import counted


class RulesChanged(Message):
    """A file of rules was changed, or everything was switched off or on."""


class RuleNews:
    """Remembers what a person was told, so that they hear of each change and fault once."""

    def __init__(self, permits: Permits) -> None:
        self._permits = permits
        self._told: frozenset[Change | str] = frozenset()

    def fresh(self) -> list[str]:
        """The changes that wait and the faults that are new since the last look, in words."""
        now: tuple[Change | str, ...] = (*self._permits.changes, *self._permits.faults)
        found = [each for each in now if each not in self._told]
        self._told = frozenset(now)
        return [each if isinstance(each, str) else _waits(each) for each in found]


def _waits(change: Change) -> str:
    opens = "\n".join(f"  {words}" for words in change.opens)
    return (
        f"{change.service}.toml was changed and allows more than you have said yes to:\n{opens}\n"
        "Nothing of that holds yet: F3 shows the change and takes your yes."
    )


def panic_words(stopped: bool, gone: tuple[Held, ...], unsent: list[str]) -> str:
    """What the panic key has done, and how everything is turned on again."""
    lines = ["Everything is off: no service can be used, whatever is permitted."]
    if stopped:
        lines.append("What was being done was stopped.")
    if gone:
        lines.append(f"Taken back: {counted(len(gone), 'permission')} that was not for good.")
    lines += [f"Not sent: {title}" for title in unsent]
    return "\n".join([*lines, "To turn it on again: :on, or F3 and o."])
