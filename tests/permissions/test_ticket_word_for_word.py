"""What a fingerprint is over, to the byte; and nothing of a frozen call can be reached from outside."""

from dataclasses import replace

import pytest
from pydantic import JsonValue

from connectors.base import Call, Prepared, Trial
from permissions.ticket import fingerprint, frozen, likeness, matches
from tests.permissions.fakes import prepared_for

BACK = Call("b", "settings.set", {"setting": "wifi", "value": "on"})


def on_trial(back: Call = BACK, seconds: float = 20) -> Prepared:
    return replace(prepared_for(), trial=Trial(back, seconds))


def test_a_yes_under_one_plan_is_none_under_another() -> None:
    prepared = prepared_for()
    hash = fingerprint("r", prepared, "p", "plan")
    assert matches(hash, "r", prepared, "p", "plan")
    assert not matches(hash, "r", prepared, "p", "another")
    assert not matches(hash, "r", prepared, "p")


@pytest.mark.parametrize(
    "other",
    [
        prepared_for(),
        on_trial(seconds=21),
        on_trial(replace(BACK, tool="settings.show")),
        on_trial(replace(BACK, arguments={"setting": "wifi", "value": "off"})),
    ],
)
def test_what_sets_it_back_and_when_is_part_of_what_was_approved(other: Prepared) -> None:
    assert fingerprint("r", other, "p") != fingerprint("r", on_trial(), "p")
    assert likeness(other) != likeness(on_trial())
    assert matches(fingerprint("r", on_trial(), "p"), "r", on_trial(), "p")


def test_nothing_within_a_frozen_call_is_anybody_elses() -> None:
    names: list[JsonValue] = ["ana"]
    held: list[JsonValue] = ["v"]
    inner: dict[str, JsonValue] = {"k": held}
    arguments: dict[str, JsonValue] = {"to": names, "deep": {"list": [inner]}}
    given = replace(
        prepared_for(arguments=arguments),
        payload={"deep": {"list": [inner]}, "pair": (inner, "x")},
    )
    kept = frozen(given)
    names.append("eve")
    held.append("w")
    inner["new"] = ["n"]
    assert kept.call.arguments == {"to": ["ana"], "deep": {"list": [{"k": ["v"]}]}}
    assert kept.payload == {"deep": {"list": [{"k": ["v"]}]}, "pair": ({"k": ["v"]}, "x")}


def test_the_fingerprint_of_a_call_on_trial_is_pinned() -> None:
    assert (
        fingerprint("r", on_trial(), "p", "plan")
        == "430d70e409b8540499d12f5f6d575c087c91b20a3e51e95fe6aec067eef2acda"
    )
