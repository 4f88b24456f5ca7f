"""Within a limit is only what it names, compared part by part; a no is read more generously than a yes."""

import pytest

from connectors.base import Resolved, Role
from permissions.limits import calendar_of, concerns, contains, domain_of, folder_of, within
from permissions.words import Limit, Width


def thing(value: str, argument: str = "a", role: Role = Role.TARGET) -> Resolved:
    return Resolved(role, argument, value, value)


def limit(width: Width, *values: str, argument: str = "a", role: Role | None = None) -> Limit:
    return Limit(argument, width, values, role)


class TestWhatALimitIsAbout:
    @pytest.mark.parametrize(
        ("argument", "role", "about"),
        [
            ("*", None, True),
            ("a", None, True),
            ("b", None, False),
            ("*", Role.TARGET, True),
            ("a", Role.TARGET, True),
            ("a", Role.DESTINATION, False),
            ("b", Role.TARGET, False),
        ],
    )
    def test_it_is_about_its_argument_and_its_role(
        self, argument: str, role: Role | None, about: bool
    ) -> None:
        anything = limit(Width.ANY, argument=argument, role=role)
        assert concerns(anything, thing("x")) is about
        assert within(anything, thing("x")) is about
        assert within(limit(Width.IS, "x", argument=argument, role=role), thing("x")) is about

    def test_one_of_the_values_is_enough_and_none_names_nothing(self) -> None:
        assert within(limit(Width.IS, "x", "y"), thing("y"))
        assert not within(limit(Width.IS), thing("y"))


class TestValues:
    @pytest.mark.parametrize(
        ("named", "value", "strictly", "generously"),
        [
            (limit(Width.IS, "Straße"), "Straße", True, True),
            (limit(Width.IS, "Straße"), "STRASSE", False, True),
            (limit(Width.IS, "Straße"), "Strasse 1", False, False),
            (limit(Width.CALENDAR, "Home"), "event:Home/x", True, True),
            (limit(Width.CALENDAR, "Home"), "event:home/x", False, True),
            (limit(Width.CALENDAR, "Home"), "event:homes/x", False, False),
            (limit(Width.CALENDAR, "Home"), "HOME", False, True),
            (limit(Width.DOMAIN, "Acme.com"), "a@ACME.COM", True, True),
            (limit(Width.DOMAIN, "acme.com"), "a@x.acme.com", False, True),
            (limit(Width.DOMAIN, "acme.com"), "a@notacme.com", False, False),
            (limit(Width.DOMAIN, ""), "a@acme.com.", False, False),
            (limit(Width.DOMAIN, ""), "acme.com", False, False),
            (limit(Width.DOMAIN, "acme.com"), '"a@acme.com"@evil.org', False, False),
            (limit(Width.UNDER, "file:Documents"), "file:Documents/a", True, True),
            (limit(Width.UNDER, "Documents/n"), "file:DOCUMENTS/n/a", True, True),
            (limit(Width.UNDER, "Documents/n"), "file:Documents/N", False, True),
            (limit(Width.UNDER, "Documents/n"), "file:Documents", False, False),
            (limit(Width.UNDER, "Documents/n/m"), "file:Documents/n", False, False),
            (limit(Width.UNDER, ""), "file:Documents/n", False, False),
            (limit(Width.UNDER, "Documents"), "file:", False, False),
            (limit(Width.UNDER, "Documents/../x"), "file:Documents/../x", False, False),
            (limit(Width.UNDER, "Documents"), "file:Documents/%2E/a", False, False),
            (limit(Width.UNDER, "Documents"), "file:Documents/%2e%2E", False, False),
            (limit(Width.UNDER, "Documents"), "file:Documents/./a", False, False),
            (limit(Width.UNDER, "Documents/a b"), "file:Documents/a%20b/c", True, True),
            (limit(Width.UNDER, "D/\udcff"), "file:D/%FF/x", True, True),
        ],
    )
    def test_a_value_is_within_a_limit_or_not(
        self, named: Limit, value: str, strictly: bool, generously: bool
    ) -> None:
        assert within(named, thing(value)) is strictly
        assert within(named, thing(value), generous=True) is generously


class TestContaining:
    @pytest.mark.parametrize(
        ("wide", "narrow", "strictly", "generously"),
        [
            (limit(Width.ANY), limit(Width.IS, "x"), True, True),
            (limit(Width.ANY), limit(Width.ANY), True, True),
            (limit(Width.IS, "x"), limit(Width.ANY), False, False),
            (limit(Width.IS, "x"), limit(Width.IS, "X"), False, True),
            (limit(Width.IS, "x"), limit(Width.IS), False, False),
            (limit(Width.DOMAIN, "Acme.com"), limit(Width.DOMAIN, "ACME.COM"), True, True),
            (limit(Width.DOMAIN, "acme.com"), limit(Width.DOMAIN, "x.acme.com"), False, True),
            (limit(Width.DOMAIN, "x.acme.com"), limit(Width.DOMAIN, "acme.com"), False, False),
            (limit(Width.DOMAIN, "acme.com", "x.org"), limit(Width.DOMAIN, "x.org", "acme.com"), True, True),
            (limit(Width.DOMAIN, "acme.com"), limit(Width.DOMAIN, "x.org"), False, False),
            (limit(Width.CALENDAR, "home"), limit(Width.CALENDAR, "home"), True, True),
            (limit(Width.CALENDAR, "home"), limit(Width.CALENDAR, "HOME"), False, True),
            (limit(Width.CALENDAR, "home"), limit(Width.CALENDAR, "work"), False, False),
            (limit(Width.CALENDAR, "home"), limit(Width.IS, "event:home/x"), True, True),
            (limit(Width.UNDER, "D/n"), limit(Width.UNDER, "file:D/n/m"), True, True),
            (limit(Width.UNDER, "D/n"), limit(Width.UNDER, "D/N/m"), False, True),
            (limit(Width.UNDER, "D/n"), limit(Width.UNDER, "D/o"), False, False),
            (limit(Width.UNDER, "D/n"), limit(Width.IS, "file:D/n/m"), True, True),
            (limit(Width.UNDER, "D/n"), limit(Width.IS, "D/n/m"), False, False),
            (limit(Width.UNDER, "home"), limit(Width.CALENDAR, "home"), False, False),
            (limit(Width.IS, "x", argument="*"), limit(Width.IS, "x"), True, True),
            (limit(Width.IS, "x"), limit(Width.IS, "x", argument="*"), False, False),
            (limit(Width.IS, "x"), limit(Width.IS, "x", role=Role.TARGET), True, True),
            (limit(Width.IS, "x", role=Role.TARGET), limit(Width.IS, "x"), False, False),
        ],
    )
    def test_a_limit_takes_in_another_or_not(
        self, wide: Limit, narrow: Limit, strictly: bool, generously: bool
    ) -> None:
        assert contains(wide, narrow) is strictly
        assert contains(wide, narrow, generous=True) is generously


class TestParts:
    @pytest.mark.parametrize(
        ("address", "domain"),
        [
            ("Ana@ACME.com", "acme.com"),
            ('"a@b.org"@acme.com', "acme.com"),
            ("@acme.com", ""),
            ("ana@", ""),
            ("acme.com", ""),
            ("event:home/a@acme.com", ""),
            ("", ""),
        ],
    )
    def test_the_domain_of_an_address(self, address: str, domain: str) -> None:
        assert domain_of(address) == domain

    @pytest.mark.parametrize(
        ("value", "calendar"),
        [
            ("event:my%20home/a", "my home"),
            ("task:home/a/b", "home"),
            ("event:home/a:b", "home"),
            ("event:%FF/a", "\udcff"),
            ("event:home", ""),
            ("file:home/a", ""),
            ("home/a", ""),
            ("event", ""),
        ],
    )
    def test_the_calendar_of_an_entry(self, value: str, calendar: str) -> None:
        assert calendar_of(value) == calendar

    @pytest.mark.parametrize(
        ("value", "folder"),
        [
            ("file:Documents/notes/a.md", "Documents/notes"),
            ("file:Documents/a%20b/c", "Documents/a b"),
            ("file:Documents/a.md", "Documents"),
            ("file:a.md", ""),
            ("file:Documents/a%0Ab/c", ""),
            ("file:Documents/%FF/c", ""),
            ("file:Documents/../c", ""),
            ("file:Documents//c", ""),
            ("Documents/notes/a.md", ""),
        ],
    )
    def test_the_folder_of_a_place(self, value: str, folder: str) -> None:
        assert folder_of(value) == folder
