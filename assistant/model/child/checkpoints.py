"""Places in what was read that the model can go back to."""

from dataclasses import dataclass

from assistant.model.child.state import State

_MOST = 3
_MOST_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state after the first `length` tokens; one that is `passing` gives way to any other."""

    length: int
    state: State
    passing: bool = False


class Checkpoints:
    """The checkpoints of one text, bounded in number and bytes.

    The first one that is not passing stays longest, because all conversations go through it; then the latest.
    """

    def __init__(self, most: int = _MOST, most_bytes: int = _MOST_BYTES) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._kept: list[Checkpoint] = []

    @property
    def lengths(self) -> list[int]:
        return [each.length for each in self._kept]

    def add(self, checkpoint: Checkpoint) -> None:
        """Keep the one of all that is held: none is longer, and the passing ones give way to it."""
        self.drop_after(checkpoint.length - 1)
        self._kept = [*(each for each in self._kept if not each.passing), checkpoint]
        while len(self._kept) > 1 and self._too_many():
            del self._kept[1 if len(self._kept) > 2 else 0]

    def nearest(self, most: int) -> Checkpoint | None:
        """The longest of at most so many tokens."""
        return next((each for each in reversed(self._kept) if each.length <= most), None)

    def drop_after(self, length: int) -> None:
        """Forget those of a text that will be another after so many tokens."""
        self._kept = [each for each in self._kept if each.length <= length]

    def _too_many(self) -> bool:
        return len(self._kept) > self._most or sum(len(each.state) for each in self._kept) > self._most_bytes
