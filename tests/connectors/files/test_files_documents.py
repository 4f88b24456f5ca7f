"""PDF, Office and OpenDocument files: their text is read and found, and a hostile one harms nothing."""

import io
import os
import time
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest

from connectors.base import Needs
from connectors.files.config import Config
from connectors.files.documents.extract import Unreadable, extract
from connectors.files.documents.kinds import KINDS, Kind, kind_by

docx = pytest.importorskip("docx", reason="the extra askfirst[documents] is not installed")
openpyxl = pytest.importorskip("openpyxl", reason="the extra askfirst[documents] is not installed")
pptx = pytest.importorskip("pptx", reason="the extra askfirst[documents] is not installed")
odfdo = pytest.importorskip("odfdo", reason="the extra askfirst[documents] is not installed")
pypdf = pytest.importorskip("pypdf", reason="the extra askfirst[documents] is not installed")

WORD = "zebrafish"


def _pdf() -> bytes:
    content = f"BT /F1 24 Tf 72 720 Td ({WORD} report) Tj ET".encode()
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    )
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj%s endobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return data + (
        b"xref\n0 6\n0000000000 65535 f \n%strailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
        % (table, len(data))
    )


def _docx() -> bytes:
    document, file = docx.Document(), io.BytesIO()
    document.add_paragraph(f"The {WORD} agreement")
    document.add_table(1, 2).rows[0].cells[1].text = "9,500"
    document.save(file)
    return file.getvalue()


def _xlsx() -> bytes:
    book, file = openpyxl.Workbook(), io.BytesIO()
    book.active.append([WORD, 9500])
    book.save(file)
    return file.getvalue()


def _pptx() -> bytes:
    show, file = pptx.Presentation(), io.BytesIO()
    slide = show.slides.add_slide(show.slide_layouts[0])
    slide.shapes.title.text = WORD
    slide.notes_slide.notes_text_frame.text = "say thanks"
    show.save(file)
    return file.getvalue()


def _odt() -> bytes:
    document, file = odfdo.Document("text"), io.BytesIO()
    document.body.append(odfdo.Paragraph(f"A {WORD} letter"))
    document.save(file)
    return file.getvalue()


MAKERS = {"a.pdf": _pdf, "a.docx": _docx, "a.xlsx": _xlsx, "a.pptx": _pptx, "a.odt": _odt}


def _extracted(path: Path, limit: int = 1000, seconds: float = 20) -> str:
    with path.open("rb") as file:
        kind = kind_by(path.name.encode(), os.pread(file.fileno(), 16, 0))
        assert kind is not None
        return extract(file.fileno(), kind, limit, seconds)


@pytest.mark.parametrize("name", MAKERS)
async def test_the_text_of_a_document_is_read(world: Any, name: str) -> None:
    world.file(f"Documents/{name}", MAKERS[name]())
    outcome = await world.do("read", file=name)
    assert WORD in outcome.content
    assert outcome.text.endswith("only its text is shown.")


@pytest.mark.parametrize("name", MAKERS)
async def test_a_document_is_found_by_what_it_says(new_world: Any, name: str) -> None:
    world = new_world(config=Config())
    world.file(f"Documents/{name}", MAKERS[name]())
    world.file("Documents/other.txt", "nothing of it")
    world.connector.start()
    deadline = time.monotonic() + 30
    while not (found := (await world.do("search", words=WORD)).items):
        assert time.monotonic() < deadline
    assert [item.label for item in found] == [name]


async def test_a_table_and_the_notes_of_a_slide_are_text_too(world: Any) -> None:
    world.file("Documents/a.docx", _docx())
    world.file("Documents/a.pptx", _pptx())
    assert "9,500" in (await world.do("read", file="a.docx")).content
    assert "say thanks" in (await world.do("read", file="a.pptx")).content


async def test_a_damaged_document_is_refused_by_name_and_kind(world: Any) -> None:
    world.file("Documents/lease.docx", b"PK\x03\x04" + b"rubbish" * 50)
    outcome = await world.do("read", file="lease.docx")
    assert outcome.needs is Needs.UNSUPPORTED
    assert outcome.text == (
        "“lease.docx” is a Word document that is damaged, locked with a password or too large."
    )


async def test_a_document_that_is_locked_is_refused(world: Any) -> None:
    writer, file = pypdf.PdfWriter(io.BytesIO(_pdf())), io.BytesIO()
    writer.append(pypdf.PdfReader(io.BytesIO(_pdf())))
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(file)
    world.file("Documents/a.pdf", file.getvalue())
    assert (await world.do("read", file="a.pdf")).needs is Needs.UNSUPPORTED


async def test_an_unseen_control_character_in_a_document_is_shown(world: Any) -> None:
    document, file = docx.Document(), io.BytesIO()
    document.add_paragraph("pay\u202eme")
    document.save(file)
    world.file("Documents/a.docx", file.getvalue())
    assert (await world.do("read", file="a.docx")).content == "pay⟨U+202E⟩me\n"


def test_a_document_that_unpacks_to_gigabytes_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "bomb.docx"
    whole = zipfile.ZipFile(io.BytesIO(_docx()))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bomb:
        for name in whole.namelist():
            if name != "word/document.xml":
                bomb.writestr(name, whole.read(name))
        with bomb.open("word/document.xml", "w", force_zip64=True) as part:
            for _ in range(1024):
                part.write(b"\0" * (1 << 20))
    with pytest.raises(Unreadable, match="too large"):
        _extracted(path)


def test_a_document_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(_pdf())
    with pytest.raises(Unreadable, match="takes too long"):
        _extracted(path, seconds=0.001)


def test_no_more_is_read_than_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(_xlsx())
    assert len(_extracted(path, limit=7)) == 7


def test_a_kind_that_nothing_can_read_says_what_to_install(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(_pdf())
    with path.open("rb") as file, pytest.raises(Unreadable, match=r"install askfirst\[documents\]"):
        extract(file.fileno(), Kind("pdf", "a PDF document", "no_such_library"), 100)


@pytest.mark.parametrize(
    ("name", "start", "kind"),
    [
        (b"a.pdf", b"%PDF-1.7", KINDS[b".pdf"]),
        (b"no-suffix", b"%PDF-1.7", KINDS[b".pdf"]),
        (b"A.DOCX", b"PK\x03\x04", KINDS[b".docx"]),
        (b"a.zip", b"PK\x03\x04", None),
        (b"a.pdf", b"PK\x03\x04", None),
        (b"a.docx", b"plain text", None),
    ],
)
def test_a_kind_is_told_by_the_first_bytes(name: bytes, start: bytes, kind: Kind | None) -> None:
    assert kind_by(name, start) == kind


def test_what_a_stream_packs_is_not_taken_for_a_document() -> None:
    assert kind_by(b"a.docx", zlib.compress(b"x")) is None
