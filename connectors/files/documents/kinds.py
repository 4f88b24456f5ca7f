"""Which documents hold a text, and the library that takes it out."""

import importlib.util
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of document: its name in words and the module that can read it."""

    name: str
    words: str
    module: str

    @property
    def readable(self) -> bool:
        """Whether the library is installed; it is looked for, not loaded."""
        return importlib.util.find_spec(self.module) is not None


_PDF = Kind("pdf", "a PDF document", "pypdf")
_OPEN = "odfdo"
KINDS = {
    b".pdf": _PDF,
    b".docx": Kind("docx", "a Word document", "docx"),
    b".xlsx": Kind("xlsx", "an Excel workbook", "openpyxl"),
    b".pptx": Kind("pptx", "a PowerPoint presentation", "pptx"),
    b".odt": Kind("odf", "an OpenDocument text", _OPEN),
    b".ods": Kind("odf", "an OpenDocument spreadsheet", _OPEN),
    b".odp": Kind("odf", "an OpenDocument presentation", _OPEN),
}
_ZIP = b"PK\x03\x04"


def kind_by(name: bytes, start: bytes) -> Kind | None:
    """The kind of a document by its first bytes, and by its name where those say only that it is packed."""
    if start.startswith(b"%PDF-"):
        return _PDF
    if not start.startswith(_ZIP):
        return None
    kind = KINDS.get(name[name.rfind(b".") :].lower())
    return None if kind is _PDF else kind
