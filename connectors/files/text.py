"""What a file's bytes say: its text and encoding, or that it is no text.

The order is fixed and needs no guessing: a byte order mark; a zero byte means binary; strict UTF-8;
Windows-1252. A file is written back only in the encoding, and with the line ends, that it was read with.
"""

import codecs
import re
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NAMES = {"utf-8": "UTF-8", "cp1252": "Windows-1252"}
# In a text of an 8-bit encoding no C0 control stands but white space, escape, and the end mark of DOS.
_CONTROL = re.compile(rb"[\x00-\x07\x0e-\x19\x1c-\x1f]")

_SIGNATURES = (
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"SQLite format 3\0", "a database"),
    (b"\x7fELF", "a program"),
    (b"ID3", "an MP3 recording"),
    (b"OggS", "an Ogg recording"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
)
# Short ones can be free of zero bytes.
_NEVER_TEXT = (b"%PDF-", b"PK\x03\x04", b"\xff\xd8\xff")
_ZIPPED = {
    b".docx": "a Word document",
    b".xlsx": "an Excel workbook",
    b".pptx": "a PowerPoint presentation",
    b".odt": "an OpenDocument text",
    b".ods": "an OpenDocument spreadsheet",
    b".odp": "an OpenDocument presentation",
    b".epub": "an e-book",
}


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a file with all that is needed to write it back: encoding, byte order mark, line ends."""

    text: str = ""
    encoding: str = "utf-8"
    mark: bytes = b""
    newline: str = "\n"

    @property
    def encoding_name(self) -> str:
        return _NAMES.get(self.encoding, self.encoding.upper())

    def with_line_ends(self, text: str) -> str:
        """Other text with this one's line ends."""
        return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", self.newline)

    def encode(self, text: str) -> bytes:
        """Other text in this one's encoding, without the mark. Raises UnicodeEncodeError."""
        return text.encode(self.encoding)


def decode(data: bytes, *, cut: bool = False) -> Text | None:
    """The text in a file's bytes, or None when they are no text; `cut` says that the file goes on."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding, mark, cut)
    if b"\0" in data or data.startswith(_NEVER_TEXT):
        return None
    if (text := _decoded(data, "utf-8", b"", cut)) is not None:
        return text
    return None if _CONTROL.search(data) else _decoded(data, "cp1252", b"", cut)


def kind_of(data: bytes, name: bytes) -> str:
    """What a file that is no text is, in words, by its first bytes."""
    for signature, words in _SIGNATURES:
        if data.startswith(signature):
            suffix = name[name.rfind(b".") :].lower()
            return _ZIPPED.get(suffix, words) if signature == b"PK\x03\x04" else words
    return "a binary file"


def _decoded(data: bytes, encoding: str, mark: bytes, cut: bool) -> Text | None:
    try:
        text = codecs.getincrementaldecoder(encoding)("strict").decode(data, final=not cut)
    except UnicodeDecodeError:
        return None
    return Text(text, encoding, mark, _newline(text))


def _newline(text: str) -> str:
    windows = text.count("\r\n")
    ends = {"\r\n": windows, "\n": text.count("\n") - windows, "\r": text.count("\r") - windows}
    most = max(ends, key=lambda end: ends[end])
    return most if ends[most] else "\n"
