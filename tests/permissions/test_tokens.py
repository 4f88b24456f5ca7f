"""Words, names and addresses as a person types them: whole, without the signs around them."""

import pytest

from permissions.tokens import addresses, find_run, fold, is_kind, is_name, links, one_slip, sounds, spoken


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("write to Bob now", "Bob"),
        ("write to “Bob” now", "Bob"),
        ("(Bob)", "Bob"),
        ("¿Bob?", "Bob"),
        ("«Bob», please", "Bob"),
        ("BOB!", "BOB"),
        ("Bobby", None),
        ("x(Bob)", None),
        ("", None),
    ],
)
def test_a_name_is_found_as_it_was_typed_without_the_signs_around_it(text: str, found: str | None) -> None:
    assert find_run("bob", text) == found


def test_a_name_of_several_words_is_found_in_one_run_only() -> None:
    assert find_run("ana maria", "ask „Ana  Maria“, please") == "Ana  Maria"
    assert find_run("ana maria", "Ana and Maria") is None
    assert find_run("ana maria", "I know Ana") is None
    assert find_run("the last words", "say the last words") == "the last words"
    assert find_run("...", "...") is None


def test_a_text_sounds_like_its_words() -> None:
    assert sounds(" Hello,   (dear) “ANA” – ! ") == ["hello", "dear", "ana", "–"]
    assert spoken(" Hello,   (dear) ANA!\n") == "hello dear ana"
    assert fold("Å K\u212a") == "å k\u212a"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("'ana@acme.com'", {"ana@acme.com"}),
        ("‘ana@acme.com’,¿ben@acme.com?", {"ana@acme.com", "ben@acme.com"}),
        ("„Ana@ACME.com“.", {"ana@acme.com"}),
        ("Ana <ana@acme.com>;ben@acme.com", {"ana@acme.com", "ben@acme.com"}),
        ("@acme.com ana@ a@b@c än@acme.com", set()),
    ],
)
def test_addresses_are_whole_and_plain(text: str, found: set[str]) -> None:
    assert addresses(text) == found


def test_links_are_whole() -> None:
    assert links("see https://a.example/b?c=1, (www.b.example) or ftp") == {
        "https://a.example/b?c=1",
        "www.b.example",
    }


@pytest.mark.parametrize(
    ("one", "other", "slip"),
    [
        ("anna", "anna", True),
        ("anna", "ana", True),
        ("ana", "anna", True),
        ("anna", "anja", True),
        ("anna", "nana", True),
        ("abcd", "acbd", True),
        ("abcd", "axyd", False),
        ("abcd", "dbca", False),
        ("abcde", "adcbe", False),
        ("abcd", "ab", False),
        ("", "a", True),
        ("", "ab", False),
    ],
)
def test_one_slip_is_one_letter_or_two_that_changed_places(one: str, other: str, slip: bool) -> None:
    assert one_slip(one, other) is slip


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Q3 plan", True),
        ("my latest file", False),
        ("note", False),
        ("abc", False),
        ("abcd", True),
        ("", False),
    ],
)
def test_a_name_is_more_than_a_kind_of_thing(text: str, name: bool) -> None:
    assert is_name(text) is name


def test_a_kind_of_thing_is_known_by_its_word() -> None:
    assert [is_kind(word) for word in ("note", "latest", "ana", "")] == [True, True, False, False]
