"""An id on Matrix that was typed whole is the person's own, as a mail address is."""

import pytest

from permissions.tokens import addresses


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Tell @ana:home.example that I am late", {"@ana:home.example"}),
        ("Tell (@Ana:home.example:8448).", {"@ana:home.example:8448"}),
        ("ana@post.example, @ana:home.example", {"ana@post.example", "@ana:home.example"}),
        ("@ana", set()),
        ("@:home.example", set()),
        ("@ana:", set()),
        ("@аna:home.example", set()),
        ("x@ana:home.example@y", set()),
    ],
)
def test_ids_are_found_whole(text: str, found: set[str]) -> None:
    assert addresses(text) == found
