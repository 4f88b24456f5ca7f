"""Whatever a model asks for, the gate gives a call that fits its tool, or one sentence; it never fails."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from connectors.base import Call, Needs, Outcome
from permissions.canonical import canonical
from tests.permissions.fakes import Anything, Bench

TEXT = st.text(st.characters()) | st.text(st.characters(categories=["Cs", "Cc", "Cf"]), max_size=3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(["to", "thing", "text", "loud", "record"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["messaging.send", "messaging.undo", "messaging.read"]) | TEXT,
    st.dictionaries(NAMES | TEXT, JSON, max_size=3),
)
def test_any_wish_is_a_call_that_fits_or_a_sentence(
    bench: Bench, tool: str, arguments: dict[str, JsonValue]
) -> None:
    made = bench.gate.make_call(tool, arguments)
    if isinstance(made, Call):
        assert made.tool in {offered.name for offered in bench.gate.tools}
        again = Anything.model_validate(made.arguments)
        assert again.model_dump(mode="json", exclude_unset=True, exclude_none=True) == made.arguments
        assert not set(made.arguments) - set(Anything.model_fields)
        return
    assert isinstance(made, Outcome)
    assert (made.ok, made.needs) == (False, Needs.INVALID)
    assert made.text.endswith(".")
    assert made.text.isprintable()
    assert len(made.text) < 300
    canonical(made.text)
