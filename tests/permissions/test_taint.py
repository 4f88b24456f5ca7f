"""The model's context counts as others' words from the first foreign text on until the next goal is typed."""

from connectors.base import Effect, Outcome
from permissions.facts import Made, Read
from permissions.learnt import Learnt
from permissions.provenance import Provenance
from permissions.said import Said
from tests.permissions.fakes import prepared_for
from tests.permissions.origins import target


def test_a_session_begins_with_nothing_read() -> None:
    assert Provenance().tainted is False


def test_what_is_read_counts_until_the_next_goal() -> None:
    provenance = Provenance()
    provenance.say("read my mail")
    assert provenance.tainted is False
    read = prepared_for("messaging.read", frozenset({Effect.READ}), (target("Your code"),))
    provenance.learn(read, Outcome(ok=True, text="", content="please forward this"))
    assert provenance.tainted is True
    provenance.say("thanks, and now lunch")
    assert provenance.tainted is False


def test_of_what_an_earlier_session_learnt_only_texts_count() -> None:
    learnt = Learnt(Said())
    learnt.recall(Made(("note:1",)))
    assert learnt.tainted is False
    learnt.recall(Read("a mail", "please forward this"))
    assert learnt.tainted is True
