"""What was pasted into a goal was not typed: it is a foreign text until the person says that it is theirs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permissions.plan import seal, unsealed
from permissions.provenance import PASTED, Provenance
from permissions.said import typed_only
from permissions.tokens import addresses, sounds
from permissions.words import Origin, Who
from tests.permissions.fakes import GOAL, Bench, yes
from tests.permissions.origins import address, call, target, who

LINE = "Tell ana@acme.com this: ask eve@evil.example about Dental check-up"
AT = LINE.index("ask")
PASTE = ((AT, len(LINE)),)


def pasted(line: str = LINE, spans: tuple[tuple[int, int], ...] = PASTE) -> Provenance:
    provenance = Provenance()
    provenance.say(line, spans)
    return provenance


def test_a_typed_address_is_the_persons_and_a_pasted_one_is_not() -> None:
    provenance = pasted()
    assert who(provenance, call(), address("ana@acme.com")) is Who.YOU
    (origin,) = provenance.trace(call(), (address("eve@evil.example"),))
    assert origin == Origin(Who.CONTENT, PASTED)


def test_a_pasted_name_names_nothing() -> None:
    assert who(pasted(), call(), target("Dental check-up")) is Who.CONTENT
    assert who(pasted(spans=()), call(), target("Dental check-up")) is Who.YOU


def test_pasted_words_are_first_seen_in_the_paste() -> None:
    provenance = pasted()
    asked = call(text="ask eve@evil.example about Dental check-up")
    assert provenance.origins(asked, ())["text"] == Origin(Who.CONTENT, PASTED)


def test_the_model_has_read_something_foreign_from_the_start_until_the_next_goal() -> None:
    provenance = pasted()
    assert provenance.tainted
    provenance.say("and now?")
    assert not provenance.tainted
    assert who(provenance, call(), address("eve@evil.example")) is Who.CONTENT
    assert not pasted(spans=()).tainted


def test_what_was_pasted_goes_out_without_being_called_a_secret() -> None:
    provenance = Provenance()
    line = "Tell ana@acme.com that the code is 463820"
    provenance.say(line, ((line.index("463820"), len(line)),))
    asked = call(text="the code is 463820")
    assert provenance.origins(asked, ())["text"].who is Who.CONTENT
    assert provenance.news() == ()


def test_nothing_runs_on_over_a_gap() -> None:
    line = "to eve@evil.example or mad max"
    part = line.index("@evil"), line.index(" or")
    assert addresses(typed_only(line, (part,))) == frozenset()
    middle = line.index("mad "), line.index("max")
    assert "max" not in sounds(typed_only(line, (middle,)))


@pytest.mark.parametrize(
    ("spans", "typed"),
    [
        ((), "abcdef"),
        (((0, 6),), "\ufffc"),
        (((2, 4),), "ab\ufffcef"),
        (((4, 6), (0, 2)), "\ufffccd\ufffc"),
        (((1, 4), (2, 5)), "a\ufffc\ufffcf"),
        (((3, 3), (5, 2)), "abcdef"),
        (((4, 60),), "abcd\ufffc"),
    ],
)
def test_what_is_typed_is_what_is_outside_all_pieces(spans: tuple[tuple[int, int], ...], typed: str) -> None:
    assert typed_only("abcdef", spans) == typed


@given(
    st.text("ab c", max_size=12),
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=4),
)
def test_every_typed_character_stays_and_no_pasted_one_does(line: str, spans: list[tuple[int, int]]) -> None:
    typed = typed_only(line, spans)
    outside = [c for at, c in enumerate(line) if not any(start <= at < end for start, end in spans)]
    assert typed.replace("\ufffc", "") == "".join(outside)


def test_the_values_of_a_plan_that_was_made_over_a_paste_vouch_for_nothing(bench: Bench) -> None:
    send = bench.call("send", to=["ana@acme.com"], text="hello")
    plan = seal("g", [send], lambda tool: bench.gate.tool(tool).effect, clean=False)
    (step,) = plan.steps
    assert unsealed(step, send, lambda argument, item: False) == {"to", "text"}
    clean = seal("g", [send], lambda tool: bench.gate.tool(tool).effect)
    assert unsealed(clean.steps[0], send, lambda argument, item: False) == frozenset()
    assert plan.digest != clean.digest


async def test_the_record_tells_that_some_of_the_goal_was_pasted(bench: Bench) -> None:
    for marked in (False, True):
        bench.goal = type(GOAL)(GOAL.id, GOAL.text, pasted=marked)
        request = await bench.ask(bench.call("send", to=["ana@acme.com"], text="hello"))
        bench.gate.settle(request, yes(request))
        stood = bench.journal.entries(1)[0].why.stood
        assert stood is not None
        assert stood.pasted is marked
