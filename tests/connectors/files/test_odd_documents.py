"""Documents of odd kinds: locked, cut off, swollen or huge; each ends soon, in a sentence or a text."""

import io
import time
import zipfile
from collections.abc import Callable
from typing import Any

import odfdo
import openpyxl
import pypdf
import pytest
from docx import Document

from connectors.base import Needs
from connectors.files.config import Config

WORD = "zebrafish"
SOON = 40.0


def _docx() -> bytes:
    document, file = Document(), io.BytesIO()
    document.add_paragraph(WORD)
    document.save(file)
    return file.getvalue()


def _odt() -> bytes:
    document, file = odfdo.Document("text"), io.BytesIO()
    document.body.append(odfdo.Paragraph(WORD))
    document.save(file)
    return file.getvalue()


def _xlsx(rows: int) -> bytes:
    book, file = openpyxl.Workbook(write_only=True), io.BytesIO()
    sheet = book.create_sheet("Numbers")
    for number in range(rows):
        sheet.append([f"{WORD} {number}", *range(20)])
    book.save(file)
    return file.getvalue()


def _locked_pdf() -> bytes:
    writer, file = pypdf.PdfWriter(), io.BytesIO()
    writer.add_blank_page(100, 100)
    writer.encrypt("secret", algorithm="AES-256-R5")
    writer.write(file)
    return file.getvalue()


def _many_pages() -> bytes:
    writer, file = pypdf.PdfWriter(), io.BytesIO()
    for _ in range(3000):
        writer.add_blank_page(100, 100)
    writer.write(file)
    return file.getvalue()


def _looped_pdf() -> bytes:
    """The table of objects says that the one before it is itself."""
    return b"%PDF-1.4\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 1 /Prev 9 >>\nstartxref\n9\n%%EOF\n"


def _swollen(whole: bytes, part: str) -> bytes:
    """The same packed document with one part that unpacks to a gigabyte."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bomb:
        for name in old.namelist():
            if name != part:
                bomb.writestr(name, old.read(name))
        with bomb.open(part, "w", force_zip64=True) as entry:
            entry.write(b"<?xml version='1.0'?><a>")
            for _ in range(1024):
                entry.write(b" " * (1 << 20))
    return file.getvalue()


def _nested(whole: bytes) -> bytes:
    """A text whose entities would each unfold into ten others."""
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    body = f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e0 "{WORD}">{entities}]><d>&e9;</d>'
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            new.writestr(name, body if name == "word/document.xml" else old.read(name))
    return file.getvalue()


REFUSED: dict[str, Callable[[], bytes]] = {
    "locked.pdf": _locked_pdf,
    "looped.pdf": _looped_pdf,
    "cut.pdf": lambda: _locked_pdf()[:200],
    "cut.docx": lambda: _docx()[:-300],
    "half.docx": lambda: _docx()[: len(_docx()) // 2],
    "bomb.xlsx": lambda: _swollen(_xlsx(3), "xl/worksheets/sheet1.xml"),
    "bomb.odt": lambda: _swollen(_odt(), "content.xml"),
    "entities.docx": lambda: _nested(_docx()),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_what_cannot_be_read_is_told_in_a_sentence_and_soon(world: Any, name: str) -> None:
    world.file(f"Documents/{name}", REFUSED[name]())
    began = time.monotonic()
    outcome = await world.do("read", file=name)
    assert time.monotonic() - began < SOON
    assert outcome.needs is Needs.UNSUPPORTED
    assert outcome.text.startswith(f"“{name}” is a")
    assert "damaged, locked with a password or too large" in outcome.text


async def test_of_a_huge_workbook_the_beginning_is_read(world: Any) -> None:
    world.file("Documents/huge.xlsx", _xlsx(20_000))
    began = time.monotonic()
    outcome = await world.do("read", file="huge.xlsx")
    assert time.monotonic() - began < SOON
    assert outcome.ok
    assert f"{WORD} 0\t0\t1" in outcome.content
    assert len(outcome.content) <= Config().show_limit + 100


async def test_many_pages_without_a_text_are_no_trouble(world: Any) -> None:
    world.file("Documents/scan.pdf", _many_pages())
    began = time.monotonic()
    await world.do("read", file="scan.pdf")
    assert time.monotonic() - began < SOON


async def test_odd_documents_do_not_keep_others_from_being_found(new_world: Any) -> None:
    world = new_world(config=Config())
    for name in ("locked.pdf", "half.docx", "entities.docx"):
        world.file(f"Documents/{name}", REFUSED[name]())
    world.file("Documents/z.odt", _odt())
    world.connector.start()
    deadline = time.monotonic() + SOON
    while not (found := (await world.do("search", words=WORD)).items):
        assert time.monotonic() < deadline
    assert [item.label for item in found] == ["z.odt"]
    # A file that cannot be read is still found by its name.
    assert [item.label for item in (await world.do("search", words="locked")).items] == ["locked.pdf"]
