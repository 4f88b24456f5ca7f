"""Whatever a model says and a person answers, nothing runs that was not in the plan or let into it."""

import asyncio
import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.budget import Limits
from assistant.events import TurnEnded
from assistant.frontend import Answer
from assistant.model.base import Piece, Text, Wish
from connectors.base import Effect, Question
from permissions.values import is_open
from permissions.words import Reply
from tests.assistant.bench import Bench
from tests.assistant.fakes import Person

HELD = "/dev/shm" if Path("/dev/shm").is_dir() else None
UNBOUNDED = Limits(calls=99, effects=99, sends=99, denials=99, same=99, garbled=99, additions=99)
TEXTS = st.sampled_from(["late", "463820", "?", "keys"])
WISHES = st.one_of(
    st.builds(
        lambda to, text: Wish("messaging.send", {"to": to, "text": text}),
        st.sampled_from(["Ben", "eve@evil.example", "?"]),
        TEXTS,
    ),
    st.builds(
        lambda verb, name: Wish(f"messaging.{verb}", {"message": name}),
        st.sampled_from(["read", "delete"]),
        st.sampled_from(["keys", "old newsletter", "?"]),
    ),
    st.just(Wish("settings.set", {"setting": "wifi", "value": "on"})),
)
ANSWERS = st.lists(st.lists(WISHES, max_size=3), min_size=1, max_size=4)


class Anybody(Person):
    """Answers by chance, and keeps a count of what was let into the plan."""

    def __init__(self, decisions: list[Reply], picks: list[bool]) -> None:
        super().__init__(*decisions)
        self.adds = list(picks)
        self.added = 0

    async def choose(self, question: Question) -> Answer:
        self.questions.append(question)
        if not question.text.startswith("Wanted also"):
            return Answer(None)
        if self.adds and self.adds.pop(0):
            self.added += 1
            return Answer(question.options[1].arguments)
        return Answer(question.options[0].arguments)


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(
    ANSWERS,
    st.lists(st.sampled_from([Reply.YES, Reply.YES, Reply.NO]), max_size=8),
    st.lists(st.booleans(), max_size=6),
)
def test_what_runs_was_planned_or_let_in(
    answers: list[list[Wish]], decisions: list[Reply], picks: list[bool]
) -> None:
    with tempfile.TemporaryDirectory(dir=HELD) as folder:
        bench = Bench(Path(folder))
        try:
            check(bench, answers, Anybody(decisions, picks))
        finally:
            bench.close()


def check(bench: Bench, answers: list[list[Wish]], person: Anybody) -> None:
    said: list[list[Piece]] = [[*wishes] or [Text("Hm.")] for wishes in answers]
    session = bench.new_session(*said, limits=UNBOUNDED)
    asyncio.run(session.run("read keys and tell Ben late", person))
    assert isinstance(person.events[-1], TurnEnded)
    changed = Counter(
        entry.tool
        for entry in bench.journal.entries(1000)
        if entry.state.value == "done" and changes(entry.effects)
    )
    first = next((wishes for wishes in answers if wishes), [])
    planned = Counter(wish.tool for wish in first)
    clean = Counter(
        request.call.tool
        for request in person.asked
        if not request.tainted and request.call.tool not in ("messaging.read",)
    )
    for tool, count in changed.items():
        assert count <= planned[tool] + clean[tool] + person.added
    for request in person.asked:
        outside = "not_in_plan" in request.ruling.flags
        if request.tainted and outside and changes(request.prepared.effects):
            assert person.added > 0, "after reading, nothing from outside the plan is even asked for"
        exact = any(
            wish.tool == request.call.tool and dict(wish.arguments) == dict(request.call.arguments)
            for wish in first
        )
        may_fill = any(
            wish.tool == request.call.tool and any(map(is_open, wish.arguments.values())) for wish in first
        )
        if not outside and request.asker.value == "plan":
            assert exact or may_fill


def changes(effects: frozenset[Effect]) -> bool:
    return not effects <= {Effect.READ, Effect.MARK}
