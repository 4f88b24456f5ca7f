"""Files and folders are found by the folders that were said with them, with an index and without."""

from typing import Any

import pytest

from connectors.files.config import Config
from connectors.files.finding.matching import plainer
from tests.waiting import until

TAXES = "Documents/Taxes/2025/report.txt"
SALES = "Documents/Sales/report.txt"


@pytest.fixture(params=["index", "walk"])
def shelves(request: pytest.FixtureRequest, new_world: Any) -> Any:
    """Reports in several folders, one of them two levels down."""
    world = new_world(config=Config(index=request.param == "index"))
    for path in (TAXES, SALES, "Documents/Invoices/March.pdf", "Downloads/invoice.txt"):
        world.file(path)
    if request.param == "index":
        world.connector.start()
        until(lambda: world.connector._desk.index.complete)
    return world


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("the report in taxes", TAXES),
        ("report in the Taxes folder", TAXES),
        ("my report from the folder taxes", TAXES),
        ("report in 2025", TAXES),
        ("report in taxes/2025", TAXES),
        ("report.txt in 2025 in taxes", TAXES),
        ("taxes report", TAXES),
        ("the 2025 taxes report", TAXES),
        ("sales report", SALES),
        ("the report file under Sales", SALES),
        ("march in invoices", "Documents/Invoices/March.pdf"),
        ("the March invoices document", "Documents/Invoices/March.pdf"),
        ("invoice in downloads", "Downloads/invoice.txt"),
        ("downloads invoice", "Downloads/invoice.txt"),
    ],
)
async def test_a_file_is_found_by_the_folder_said(shelves: Any, said: str, path: str) -> None:
    prepared = await shelves.prepared("read", file=said)
    assert [one.value for one in prepared.resolved] == [f"file:{path}"]
    assert path in {field.value for field in prepared.preview.fields}


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("the invoices folder", "Documents/Invoices"),
        ("folder called invoices", "Documents/Invoices"),
        ("the folder named “Invoices”", "Documents/Invoices"),
        ("invoices in documents", "Documents/Invoices"),
        ("2025 in the taxes folder", "Documents/Taxes/2025"),
        ("taxes 2025", "Documents/Taxes/2025"),
        ("the downloads folder", "Downloads"),
    ],
)
async def test_a_folder_is_found_by_what_it_is_called(shelves: Any, said: str, path: str) -> None:
    outcome = await shelves.do("list", folder=said)
    assert outcome.text.startswith(f"{path} holds ")


async def test_a_folder_said_that_is_not_there_finds_nothing(shelves: Any) -> None:
    for said in ("the report in travel", "travel report", "report in"):
        assert (await shelves.refused("read", file=said)).needs == "not_found"


async def test_several_are_asked_about_with_their_folders(shelves: Any) -> None:
    shelves.file("Downloads/Taxes/report.txt")
    shelves.connector._desk.index.touched(shelves.connector._desk.places.at("file:Downloads/Taxes"))
    question = await shelves.asked("read", file="report in taxes")
    assert {option.label for option in question.options} == {TAXES, "Downloads/Taxes/report.txt"}


async def test_a_name_that_has_all_the_words_comes_before_a_path_that_has_them(shelves: Any) -> None:
    path = "Downloads/taxes report.txt"
    shelves.file(path)
    shelves.connector._desk.index.touched(shelves.connector._desk.places.at(f"file:{path}"))
    assert (await shelves.prepared("read", file="taxes report")).resolved[0].value == f"file:{path}"


@pytest.mark.parametrize("words", ["report taxes", "taxes text report", "2025 report"])
async def test_a_search_takes_the_words_of_folders_too(shelves: Any, words: str) -> None:
    assert [item.handle for item in (await shelves.do("search", words=words)).items] == [f"file:{TAXES}"]


async def test_the_name_of_a_folder_alone_finds_it_and_not_all_in_it(shelves: Any) -> None:
    assert [item.detail.partition(",")[0] for item in (await shelves.do("search", words="sales")).items] == [
        "Documents/Sales"
    ]


async def test_a_new_file_goes_into_the_folder_that_was_said(shelves: Any) -> None:
    prepared = await shelves.prepared("write", file="plan for march in the sales folder", text="Sell more.")
    assert prepared.resolved[0].value == "file:Documents/Sales/plan for march.txt"
    prepared = await shelves.prepared("write", file="notes on birds", text="They sing.")
    assert prepared.resolved[0].value == "file:Documents/notes on birds.txt"


async def test_a_file_is_moved_to_the_folder_that_was_said(shelves: Any) -> None:
    prepared = await shelves.prepared("move", file="the report in sales", to="the invoices folder")
    assert prepared.payload["to"] == "file:Documents/Invoices/report.txt"
    fields = {field.label: field.value for field in prepared.preview.fields}
    assert (fields["From"], fields["To"]) == (SALES, "Documents/Invoices/report.txt")


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("the folder called “Invoices”", "Invoices"),
        ("my file named notes.txt", "notes.txt"),
        ("folder", "folder"),
        ("the invoices folder", "invoices"),
    ],
)
def test_words_round_a_name_are_left_out(said: str, plain: str) -> None:
    assert plainer(said) == plain
