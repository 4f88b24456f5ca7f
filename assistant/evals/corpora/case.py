"""One goal out of a collection, with what its first call should be."""

from dataclasses import dataclass

from assistant.evals.corpora.label import Label


@dataclass(frozen=True, slots=True)
class Case:
    """One goal.

    `tools` are those the first call may be of (none: no tool fits), `group` is what the collection calls it,
    `labels` are the exact calls where they are known, and `agreed` says that a second, careful reading of the
    words comes to the same as the collection's own label.
    """

    goal: str
    tools: frozenset[str]
    group: str
    labels: tuple[Label, ...] | None = None
    agreed: bool = False
