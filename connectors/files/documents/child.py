"""The process that parses a document: `child.py KIND LIMIT`, the file on stdin, its text on stdout.

It stands alone and is run by its path, so that nothing of Askfirst is loaded beside a foreign file.
"""

import importlib
import io
import resource
import sys
from collections.abc import Callable, Iterator
from typing import Any

_MEMORY = 512 << 20
_SECONDS = 15
_LARGEST = 64 << 20


def main(kind: str, limit: int) -> int:
    """Write at most `limit` characters; the exit code is 1 where there is no text to be had."""
    reader, module = READERS[kind]
    library = importlib.import_module(module)
    data = sys.stdin.buffer.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        return 1
    _confine()
    try:
        _write(reader(library, io.BytesIO(data)), limit)
    except Exception:  # A foreign file can break a parser in any way; the caller only needs to know that.
        return 1
    return 0


def _confine() -> None:
    """From here on: no new file, no more processes, so much memory and so many seconds."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _write(pieces: Iterator[str], limit: int) -> None:
    for piece in pieces:
        text = piece[:limit].encode("utf-8", "replace") + b"\n"
        sys.stdout.buffer.write(text)
        limit -= len(piece) + 1
        if limit <= 0:
            break
    sys.stdout.buffer.flush()


def _pdf(library: Any, file: io.BytesIO) -> Iterator[str]:
    for page in library.PdfReader(file).pages:
        yield page.extract_text()


def _docx(library: Any, file: io.BytesIO) -> Iterator[str]:
    for block in library.Document(file).iter_inner_content():
        if hasattr(block, "rows"):
            for row in block.rows:
                yield "\t".join(cell.text for cell in row.cells)
        else:
            yield block.text


def _xlsx(library: Any, file: io.BytesIO) -> Iterator[str]:
    book = library.load_workbook(file, read_only=True, data_only=True)
    for sheet in book.worksheets:
        yield str(sheet.title)
        for row in sheet.iter_rows(values_only=True):
            if any(cell is not None for cell in row):
                yield "\t".join("" if cell is None else str(cell) for cell in row)


def _pptx(library: Any, file: io.BytesIO) -> Iterator[str]:
    for slide in library.Presentation(file).slides:
        for shape in slide.shapes:
            if shape.has_text_frame:
                yield shape.text_frame.text
            elif getattr(shape, "has_table", False):
                for row in shape.table.rows:
                    yield "\t".join(cell.text for cell in row.cells)
        if slide.has_notes_slide:
            yield slide.notes_slide.notes_text_frame.text


def _odf(library: Any, file: io.BytesIO) -> Iterator[str]:
    yield library.Document(file).get_formatted_text()


READERS: dict[str, tuple[Callable[[Any, io.BytesIO], Iterator[str]], str]] = {
    "pdf": (_pdf, "pypdf"),
    "docx": (_docx, "docx"),
    "xlsx": (_xlsx, "openpyxl"),
    "pptx": (_pptx, "pptx"),
    "odf": (_odf, "odfdo"),
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
