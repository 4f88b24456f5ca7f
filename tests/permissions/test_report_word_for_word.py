"""What is said of a deed and of an error, and what is logged of it, word for word."""

import logging

import pytest

from connectors.base import Needs, Outcome, Prepared, failed
from permissions.report import beyond, broke, note
from tests.permissions.fakes import ANA, Bench, prepared_for

SENDING = prepared_for()
OWN_ERROR = "mail ran into an error of its own; the log has the details."


def test_a_look_without_an_answer_is_a_timeout_and_nothing_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert broke("mail", None, 2.0) == failed(Needs.TIMEOUT, "mail did not answer within 2 seconds.")
    assert caplog.messages == []


def test_a_look_that_breaks_is_told_in_our_words_and_logged_in_its_own(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        assert broke("mail", OSError("gone"), 2.0) == failed(Needs.UNAVAILABLE, OWN_ERROR)
    assert caplog.messages == ["mail failed:\nOSError: gone\n"]


def test_an_error_is_logged_whole_but_for_its_secrets(caplog: pytest.LogCaptureFixture) -> None:
    error = OSError("login failed")
    error.add_note("password: hunter2")
    with caplog.at_level(logging.ERROR):
        note("mail", error)
    assert caplog.messages == ["mail failed:\nOSError: login failed\npassword: •••\n"]


@pytest.mark.parametrize(
    ("needs", "state"), [(Needs.CONFLICT, "failed"), (Needs.OFFLINE, "failed"), (Needs.TIMEOUT, "unknown")]
)
async def test_an_effect_that_the_service_did_not_do_has_failed_unless_it_heard_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, needs: Needs, state: str
) -> None:
    async def perform(prepared: Prepared) -> Outcome:
        return failed(needs, "Not done.")

    monkeypatch.setattr(bench.service, "perform", perform)
    assert await bench.run(bench.call("send", to=[ANA])) == failed(needs, "Not done.")
    assert bench.states() == [state]


def test_a_long_thing_beyond_what_was_shown_is_cut_in_its_middle() -> None:
    outcome = Outcome(ok=True, text="", touched=("a" * 50 + "b" * 50,))
    assert beyond(SENDING, outcome) == f"{'a' * 40} …[20 more]… {'b' * 40}"
