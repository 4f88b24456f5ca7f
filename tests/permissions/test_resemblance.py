"""A domain that looks like a known one is named with the one it looks like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permissions.resemblance import domain_of, resembled

KNOWN = ("bluesparrowtech.com", "acme.com", "acne.org")


@pytest.mark.parametrize(
    ("domain", "like"),
    [
        ("luesparrowtech.com", "bluesparrowtech.com"),
        ("bluesparowtec.com", "bluesparrowtech.com"),
        ("bluesparrow-tech.co", "bluesparrowtech.com"),
        ("acme.con", "acme.com"),
        ("acne.com", "acme.com"),
        ("acme.com", ""),
        ("acme.org", "acne.org"),
        ("gmail.com", ""),
        ("", ""),
    ],
)
def test_the_known_domain_that_it_looks_most_like_is_named(domain: str, like: str) -> None:
    assert resembled(domain, KNOWN) == like


@pytest.mark.parametrize(
    ("domain", "like"),
    [
        ("acrne.com", "acme.com"),
        ("vvild.de", "wild.de"),
        ("wilcl.de", "wild.de"),
        ("g00.gl", "goo.gl"),
        ("p1l1.at", "plll.at"),
        ("mmmm.at", "rnrnrnrn.at"),
        ("arne.com", ""),
    ],
)
def test_letters_that_pass_for_others_at_a_glance_are_seen(domain: str, like: str) -> None:
    assert resembled(domain, ["acme.com", "wild.de", "goo.gl", "plll.at", "rnrnrnrn.at"]) == like


def test_of_two_the_one_that_it_looks_more_like_is_named_in_whatever_order() -> None:
    known = ("bluesparrowtech.com", "bluesparrowtec.com")
    assert resembled("bluesparrowtecc.com", known) == resembled("bluesparrowtecc.com", known[::-1])
    assert resembled("xbluesparrowtec.com", known) == "bluesparrowtec.com"
    assert resembled("xbluesparrowtech.com", known) == "bluesparrowtech.com"


@given(st.text("abc.", max_size=6), st.lists(st.text("abc.", max_size=6), max_size=4))
def test_only_a_known_domain_is_ever_named_and_never_for_itself(domain: str, known: list[str]) -> None:
    found = resembled(domain, known)
    assert found == "" or found in known
    assert resembled(domain, [*known, domain]) == ""


@pytest.mark.parametrize(
    ("address", "domain"), [("A@Acme.COM", "acme.com"), ("a@b@c", "c"), ("+4512", "+4512")]
)
def test_the_domain_is_what_stands_after_the_last_at(address: str, domain: str) -> None:
    assert domain_of(address) == domain
