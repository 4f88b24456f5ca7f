"""Handles and paths: what they mean, and that nothing is lost on the way."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.base import Needs
from connectors.clean import clean_line, for_model
from connectors.files.errors import Refused
from connectors.files.places import Place, Places, Root
from connectors.files.tools import Read

COMPONENT = st.binary(min_size=1, max_size=20).filter(
    lambda name: b"/" not in name and b"\0" not in name and not name.startswith(b".")
)
ODD = st.text(min_size=1, max_size=12).map(lambda text: text.encode("utf-8", "surrogatepass"))
NAMES = st.lists(
    COMPONENT | ODD.filter(lambda name: b"/" not in name and b"\0" not in name and not name.startswith(b".")),
    min_size=1,
    max_size=3,
)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(
        [Root("Documents", tmp_path / "Documents"), Root("My Pictures", tmp_path / "pictures")], tmp_path
    )


def meant(places: Places, expression: str) -> list[str]:
    return [f"{place.root.name}:{os.fsdecode(place.relative)}" for place in places.readings(expression)]


HERE = Places([Root("Documents", Path("/home/u/Documents"))], Path("/home/u"))


@settings(deadline=None)
@given(NAMES)
def test_a_handle_carries_any_name_without_loss(parts: list[bytes]) -> None:
    place = Place(HERE.roots[0], b"/".join(parts))
    assert HERE.readings(place.handle) == (place,)


@settings(deadline=None)
@given(NAMES)
def test_a_handle_is_not_changed_by_json_cleaning_or_arguments(parts: list[bytes]) -> None:
    handle = Place(HERE.roots[0], b"/".join(parts)).handle
    assert json.loads(json.dumps(handle)) == handle
    assert handle.encode()
    assert clean_line(handle) == handle == for_model(handle)
    assert Read(file=handle).file == handle


@settings(deadline=None)
@given(NAMES)
def test_a_name_is_shown_clean(parts: list[bytes]) -> None:
    shown = Place(HERE.roots[0], b"/".join(parts)).shown
    assert "\x1b" not in shown
    assert "\n" not in shown


def test_handles_stay_readable_where_they_can(places: Places) -> None:
    root = places.roots[0]
    assert Place(root, b"flat/lease 2.txt").handle == "file:Documents/flat/lease 2.txt"
    assert Place(root, "Übersicht 日本.txt".encode()).handle == "file:Documents/Übersicht 日本.txt"
    assert Place(root, b"K\xf6nig.txt").handle == "file:Documents/K%F6nig.txt"
    assert Place(root, b"100% [x].txt").handle == "file:Documents/100%25 %5Bx%5D.txt"
    assert Place(root, b"K\xf6nig.txt").shown == "Documents/K\\xf6nig.txt"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("lease.txt", ["Documents:lease.txt", "My Pictures:lease.txt"]),
        ("flat/lease.txt", ["Documents:flat/lease.txt", "My Pictures:flat/lease.txt"]),
        (
            "documents/lease.txt",
            ["Documents:lease.txt", "Documents:documents/lease.txt", "My Pictures:documents/lease.txt"],
        ),
        ("file:Documents/lease.txt", ["Documents:lease.txt"]),
        ("file:my pictures/a b.png", ["My Pictures:a b.png"]),
        ("file:Documents", ["Documents:"]),
        ("file:lease.txt", ["Documents:lease.txt", "My Pictures:lease.txt"]),
        ("~/Documents/lease.txt", ["Documents:lease.txt"]),
        (
            "Documents/./flat//x/",
            ["Documents:flat/x", "Documents:Documents/flat/x", "My Pictures:Documents/flat/x"],
        ),
    ],
)
def test_a_path_means_all_that_it_can(places: Places, expression: str, expected: list[str]) -> None:
    assert meant(places, expression) == expected


def test_an_absolute_path_means_the_place_in_its_folder(places: Places, tmp_path: Path) -> None:
    assert meant(places, f"{tmp_path}/Documents/flat/lease.txt") == ["Documents:flat/lease.txt"]
    assert meant(places, f"file://{tmp_path}/pictures/a%20b.png") == ["My Pictures:a b.png"]


@pytest.mark.parametrize(
    "expression",
    [
        "../secret.txt",
        "Documents/../../secret.txt",
        "file:Documents/../x",
        "file:Documents/%2E%2E/x",
        "file:Documents/%2e%2e%2fx",
        "/etc/passwd",
        "file:///etc/passwd",
        "file:/etc/passwd",
        "~/secret.txt",
        "~/../other/Documents/x",
        "a\0b",
        "file:Documents/a%00b",
        "\ud800",
        ".ssh/id_rsa",
        "Documents/.git/config",
        "file:Documents/%2Egit",
    ],
)
def test_a_path_that_leads_elsewhere_is_refused(places: Places, expression: str) -> None:
    with pytest.raises(Refused) as caught:
        places.readings(expression)
    assert caught.value.needs is Needs.INVALID


def test_hidden_names_may_be_allowed(tmp_path: Path) -> None:
    places = Places([Root("Documents", tmp_path / "Documents")], tmp_path, hidden=True)
    assert meant(places, ".notes.txt") == ["Documents:.notes.txt"]
    for expression in ("../x", "Documents/../x", "file:Documents/%2E%2E/x"):
        with pytest.raises(Refused, match=r"goes up with"):
            places.readings(expression)


def test_a_folder_in_another_is_the_same_place_under_both_names(tmp_path: Path) -> None:
    whole, part = Root("Home", tmp_path / "home"), Root("Letters", tmp_path / "home" / "a" / "letters")
    places = Places([part, whole], tmp_path)
    assert places.roots == (whole,)
    assert places.names == ("Letters", "Home")
    assert places.readings("Letters/x.txt")[0] == Place(whole, b"a/letters/x.txt")
    assert places.at("file:Letters/x.txt") == Place(whole, b"a/letters/x.txt")


def test_a_folder_reached_by_a_link_is_known_by_both_paths(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "Documents").symlink_to("disk")
    places = Places([Root("Documents", tmp_path / "Documents")], tmp_path)
    assert meant(places, f"{tmp_path}/disk/x") == meant(places, f"{tmp_path}/Documents/x") == ["Documents:x"]


@pytest.mark.parametrize("name", ["", ".hidden", "a/b", "a%b", "<|x|>", " a", "a\x1bb", "a\u202eb"])
def test_a_folders_name_must_be_fit_for_a_handle(name: str) -> None:
    with pytest.raises(ValueError, match="folder's name"):
        Root(name, Path("/tmp"))
