"""Which file is meant by what a person called it, and when they are asked."""

import os
from typing import Any

import pytest

from connectors.base import Needs
from connectors.files.disk.syscalls import has_openat2

READ = "read"


async def found(world: Any, expression: str) -> str:
    """The path of the file that would be read."""
    prepared = await world.prepared(READ, file=expression)
    return prepared.preview.fields[0].value


@pytest.mark.parametrize(
    "expression",
    [
        "flat/lease 2026.txt",
        "Documents/flat/lease 2026.txt",
        "documents/flat/lease 2026.txt",
        "file:Documents/flat/lease 2026.txt",
        "~/Documents/flat/lease 2026.txt",
        "lease 2026.txt",
        "LEASE 2026.TXT",
        "lease 2026",
        "Lease-2026",
        "lease",
        "2026 lease",
        "the lease file",
        "my lease",
        "“lease 2026.txt”",
        "Flat/lease",
        "Documents/flat/lease",
        "file:Documents/flat/lease",
        "my documents/flat/lease",
    ],
)
async def test_one_file_is_found_by_any_of_its_names(world: Any, expression: str) -> None:
    world.file("Documents/flat/lease 2026.txt")
    world.file("Documents/other.txt")
    assert await found(world, expression) == "Documents/flat/lease 2026.txt"


async def test_an_absolute_path_is_found(world: Any) -> None:
    world.file("Downloads/a.txt")
    assert await found(world, f"{world.downloads}/a.txt") == "Downloads/a.txt"


async def test_a_better_fit_wins_alone(world: Any) -> None:
    world.file("Documents/lease.txt")
    world.file("Documents/old lease.txt")
    world.file("Documents/lease")
    assert await found(world, "lease") == "Documents/lease"
    assert await found(world, "lease.txt") == "Documents/lease.txt"
    assert await found(world, "old") == "Documents/old lease.txt"


async def test_accents_and_case_do_not_matter(world: Any) -> None:
    world.file("Documents/Résumé Übersicht.txt")
    assert await found(world, "resume ubersicht") == "Documents/Résumé Übersicht.txt"


async def test_two_files_of_one_name_are_asked_about(world: Any) -> None:
    world.file("Documents/a/notes.txt")
    world.file("Downloads/notes.txt", "two\n")
    question = await world.asked(READ, file="notes.txt")
    assert question.text == "Which “notes.txt” do you mean?"
    assert question.argument == "file"
    assert [(option.label, option.arguments) for option in question.options] == [
        ("Downloads/notes.txt", {"file": "file:Downloads/notes.txt"}),
        ("Documents/a/notes.txt", {"file": "file:Documents/a/notes.txt"}),
    ]
    assert question.options[0].detail == "Downloads/notes.txt, 4 bytes, changed Tue 24 Nov 2026"
    picked = await world.prepared(READ, **question.options[1].arguments)
    assert picked.preview.fields[0].value == "Documents/a/notes.txt"


async def test_a_file_at_the_top_is_not_preferred_to_one_below(world: Any) -> None:
    world.file("Documents/notes.txt")
    world.file("Documents/a/notes.txt")
    assert len((await world.asked(READ, file="notes.txt")).options) == 2
    assert await found(world, "Documents/notes.txt") == "Documents/notes.txt"


async def test_many_files_are_counted_and_some_offered(world: Any) -> None:
    for number in range(25):
        world.file(f"Documents/{number}/notes.txt")
    question = await world.asked(READ, file="notes.txt")
    assert len(question.options) == 20
    assert "20 of 25" in question.text


async def test_another_type_of_the_same_name_is_offered_not_taken(world: Any) -> None:
    world.file("Documents/lease.md")
    question = await world.asked(READ, file="lease.txt")
    assert question.text == "There is no “lease.txt”. Do you mean one of these?"
    assert [option.label for option in question.options] == ["Documents/lease.md"]


async def test_what_is_not_there_is_said_to_be_so(world: Any) -> None:
    outcome = await world.refused(READ, file="tax return")
    assert outcome.needs is Needs.NOT_FOUND
    assert outcome.text.startswith("There is no file called “tax return” in Documents, Downloads.")


async def test_a_folder_is_told_from_a_file(world: Any) -> None:
    world.file("Documents/flat/a.txt")
    assert (await world.refused(READ, file="flat")).text == "“Documents/flat” is a folder."
    assert (await world.refused("list", folder="Documents/flat/a.txt")).text.endswith("is not a folder.")


async def test_hidden_files_are_not_found(world: Any) -> None:
    world.file("Documents/.secret/plan.txt")
    world.file("Documents/.plan.txt")
    assert (await world.refused(READ, file="plan.txt")).needs is Needs.NOT_FOUND
    assert "hidden" in (await world.refused(READ, file=".plan.txt")).text


@pytest.mark.parametrize("expression", [r"K\xf6nig.txt", "König.txt", "könig", "file:Documents/K%F6nig.txt"])
async def test_a_name_that_is_not_utf8_is_found(world: Any, expression: str) -> None:
    world.file(b"Documents/K\xf6nig.txt")
    assert await found(world, expression) == "Documents/K\\xf6nig.txt"


@pytest.mark.parametrize("name", ["[/", "(1 3 [b +", "[data: /x?id=-609b-]", "[@click=app.bell]x[/]"])
async def test_markup_in_a_name_is_only_text(world: Any, name: str) -> None:
    world.file(f"Documents/{name.replace('/', '∕')}.txt")
    shown = f"Documents/{name.replace('/', '∕')}.txt"
    assert await found(world, name.replace("/", "∕") + ".txt") == shown


async def test_control_characters_in_a_name_are_made_visible(world: Any) -> None:
    world.file(b"Documents/a\x1b]0;x\x07\n.txt")
    listed = await world.do("list", folder="Documents")
    assert listed.items[0].label == "a⟨U+001B⟩]0;x⟨U+0007⟩⏎.txt"
    assert (await world.do(READ, file=listed.items[0].handle)).content == "some text\n"


async def test_a_folder_said_before_a_name_may_lie_deeper(world: Any) -> None:
    world.file("Documents/home/flat/lease.txt")
    world.file("Documents/car/lease.txt")
    assert await found(world, "flat/lease.txt") == "Documents/home/flat/lease.txt"


@pytest.mark.parametrize(
    "said", ["Downloads", "downloads", "my downloads folder", "the Downloads", "Downloads/", "~/Downloads"]
)
async def test_a_folder_is_known_by_what_people_call_it(world: Any, said: str) -> None:
    prepared = await world.prepared("list", folder=said)
    assert prepared.preview.title == "List what is in Downloads"


async def test_a_missing_detail_is_asked_for(world: Any) -> None:
    for tool, argument in (
        ("read", "file"),
        ("delete", "file"),
        ("move", "file"),
        ("write", "file"),
        ("search", "words"),
    ):
        assert (await world.asked(tool)).argument == argument
    assert (await world.asked("make_folder")).argument == "folder"
    world.file("Documents/a.txt")
    assert (await world.asked("move", file="a.txt")).argument == "to"
    assert (await world.asked("write", file="a.txt")).argument == "text"


async def test_unknown_details_and_tools_are_refused_not_raised(world: Any) -> None:
    assert (await world.refused("read", path="/etc")).needs is Needs.INVALID
    assert (await world.refused("explode")).needs is Needs.UNSUPPORTED


async def test_a_link_inside_is_read_and_one_leading_out_is_not(world: Any) -> None:
    world.file("Documents/real/a.txt", "inside\n")
    os.symlink("real/a.txt", world.documents / "in.txt")
    os.symlink("../outside/secret.txt", world.documents / "out.txt")
    if has_openat2():
        inside = await world.prepared(READ, file="Documents/in.txt")
        assert [field.value for field in inside.preview.fields if field.label == "Really at"] == [
            str(world.documents / "real/a.txt")
        ]
    assert (await world.refused(READ, file="Documents/out.txt")).needs is Needs.INVALID
