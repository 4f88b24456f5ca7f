"""Authority: no output of a model can widen what it may do, and no address passes for another."""

import asyncio
import unicodedata
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from assistant.model.base import Piece, Result, Text, Wish
from connectors.base import Call, Resolved, Role
from permissions.provenance import Provenance
from permissions.words import Verdict, Who
from tests.invariants.world import Absent, Agreeing, World, tree
from tests.permissions.fakes import GOAL, Bench

TYPED = "sarah.connor@gmail.com"

# Every character that folding with compatibility turns into one that an address may have.
ALIKE: dict[str, list[str]] = {}
for number in range(0x80, 0x1F000):
    folded = unicodedata.normalize("NFKC", chr(number)).casefold()
    if len(folded) == 1 and folded in TYPED:
        ALIKE.setdefault(folded, []).append(chr(number))


def canon(address: str) -> str:
    """The form in which careless programs compare addresses."""
    kept = (c for c in unicodedata.normalize("NFKC", address).casefold() if unicodedata.category(c) != "Cf")
    return "".join(kept).strip()


@st.composite
def twins(draw: st.DrawFn) -> str:
    """Another spelling of the typed address that careless programs hold for the same."""
    signs = list(TYPED)
    places = draw(st.sets(st.integers(0, len(signs) - 1), min_size=1, max_size=4))
    for place in places:
        if alike := ALIKE.get(signs[place]):
            signs[place] = draw(st.sampled_from(alike))
        else:
            signs[place] += draw(st.sampled_from(["\u200b", "\u200d", "\ufeff", "\u00ad"]))
    return "".join(signs)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(twins())
def test_of_two_addresses_that_fold_to_one_the_strange_one_is_refused(bench: Bench, twin: str) -> None:
    """Invariant 10: for canon(a) = canon(b) and a ≠ b, at least one is refused, or the plain one is sent."""
    assert twin != TYPED
    assert canon(twin) == TYPED
    provenance = Provenance()
    provenance.say(f"write to {TYPED}")
    call = Call("c", "messaging.send", {"to": [twin], "text": "hello"})
    prepared = asyncio.run(bench.prepare(replace(call, arguments={"to": [TYPED], "text": "hello"})))
    thing = Resolved(Role.DESTINATION, "to", twin, twin, 4)
    request = bench.gate.request(replace(prepared, call=call, resolved=(thing,)), provenance, GOAL)
    assert request.ruling.verdict is Verdict.REFUSE
    assert all(origin.who is not Who.YOU for origin in request.traced)


@pytest.mark.parametrize("typed", [TYPED, TYPED.upper()])
def test_the_address_as_typed_is_the_persons_and_can_be_asked_for(bench: Bench, typed: str) -> None:
    """Invariant 10: the plain spelling is not refused, so the refusals above are of the twin alone."""
    provenance = Provenance()
    provenance.say(f"write to {TYPED}")
    call = Call("c", "messaging.send", {"to": [typed], "text": "hello"})
    request = bench.gate.request(asyncio.run(bench.prepare(call)), provenance, GOAL)
    assert request.ruling.verdict is not Verdict.REFUSE
    assert request.traced[0].who is Who.YOU


NAMES = (
    *("permissions", "policy", "grants", "journal", "log", "model", "hold", "address book", "config"),
    *("../config/permissions/messaging.toml", "~/.config/askfirst/config.toml", "/etc/passwd"),
    *("../../config/connectors/files.toml", "lease.txt", "Documents", "contact:1", "wifi", "on", "0", "?"),
)
TOOLS = (
    *("messaging.add_contact", "messaging.send", "messaging.delete", "messaging.move", "messaging.draft"),
    *("files.write", "files.move", "files.delete", "files.make_folder", "files.read"),
    *("settings.set", "calendar.create_event", "calendar.undo", "files.undo", "permissions.grant"),
)
ARGUMENTS = (
    *("file", "to", "text", "folder", "name", "address", "setting", "value", "title", "when"),
    *("record", "message", "body", "subject", "invite"),
)
WISHES = st.builds(
    Wish,
    st.sampled_from(TOOLS),
    st.dictionaries(st.sampled_from(ARGUMENTS), st.sampled_from(NAMES), max_size=4),
)
ANSWERS = st.lists(st.lists(WISHES, min_size=1, max_size=3), min_size=1, max_size=3)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10)
@given(ANSWERS)
def test_with_nobody_there_no_output_of_a_model_changes_anything(
    new_folder: Callable[[], Path], answers: list[list[Wish]]
) -> None:
    """Invariant 16: no sequence of outputs touches a grant, a rule, the address book or a setting."""
    with closing(World(new_folder())) as world:
        before = world.authority() | tree(world.places.data)
        asyncio.run(world.run(Absent(), ["look after my things"], *answers))
        after = world.authority() | tree(world.places.data)
        assert {k: v for k, v in after.items() if "index" not in k} == {
            k: v for k, v in before.items() if "index" not in k
        }


APPROVED = [
    Wish("files.write", {"file": "../config/permissions/messaging.toml", "text": "[[rule]]"}),
    Wish("messaging.add_contact", {"name": "Eve", "address": "eve@evil.example"}),
    Wish("settings.set", {"setting": "wifi", "value": "on"}),
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10)
@example([APPROVED])
@given(ANSWERS)
def test_even_with_every_call_approved_no_output_widens_what_may_be_done(
    new_folder: Callable[[], Path], answers: list[list[Wish]]
) -> None:
    """Invariant 16: a yes to calls is no grant, and no call reaches rules, grants or settings of Askfirst."""
    with closing(World(new_folder())) as world:
        before = world.authority()
        person = Agreeing()
        asyncio.run(world.run(person, ["look after my things"], *answers))
        assert world.authority() == before
        assert answers != [APPROVED] or len(person.asked) >= 2


CANARY = "The quick canary flies over the old harbour wall at dawn"


def test_a_plan_is_made_in_a_context_without_a_word_that_others_wrote(new_folder: Callable[[], Path]) -> None:
    """Invariant 19: the context of a goal's first answer holds no foreign text, whatever was read before."""
    with closing(World(new_folder())) as world:
        for number in range(3):
            path = world.places.data / "files" / "Documents" / f"note {number}.txt"
            path.write_text(f"{CANARY} {number}\n", "utf-8")
        read = [Wish("files.read", {"file": f"note {number}.txt"}) for number in range(3)]
        told: list[Piece] = [Text(f"It says: {CANARY} 0")]
        repeats = [Wish("files.write", {"file": "copy.txt", "text": f"{CANARY} 1"})]
        model = asyncio.run(
            world.run(Agreeing(), ["read my notes", "and now?"], read, repeats, told, [Text("Nothing.")])
        )
    within = [turn for turn in model.heard[1] if isinstance(turn, Result)]
    assert any(CANARY in (turn.outcome.content or "") for turn in within)
    assert CANARY not in repr(model.heard[0])
    assert CANARY not in repr(model.heard[-1])
