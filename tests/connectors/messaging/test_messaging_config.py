"""The mailbox's settings: wrong ones are named."""

import pytest
from pydantic import ValidationError

from connectors.messaging.config import Config


def test_nothing_needs_to_be_set() -> None:
    assert Config().address == ""
    assert Config().most_messages is None


@pytest.mark.parametrize(
    "settings",
    [
        {"address": "robin"},
        {"address": "é@x.example"},
        {"name": "a\nb"},
        {"most_messages": 0},
        {"colour": "blue"},
    ],
)
def test_what_does_not_fit_is_an_error(settings: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Config.model_validate(settings)
