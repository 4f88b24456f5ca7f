"""Names and contents of files that others sent: a name fit to be given, and what to look at twice."""

import re
import unicodedata
from typing import Final

from connectors.clean import clean_line

_LONGEST: Final = 180
_LONGEST_ENDING: Final = 20
_SEPARATORS: Final = re.compile(r"[/\\]")
# What Windows takes in no name, and what has a meaning in our handles or in a model's template.
_ODD: Final = re.compile(r'[<>:"|?*%\[\]⟨⟩~`$&;!^]')
_RESERVED: Final = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\..*)?", re.IGNORECASE
)
_PROGRAMS: Final = re.compile(
    r"apk|app|appimage|appref-ms|bash|bat|bin|chm|class|cmd|com|command|cpl|csh|deb|desktop|dll|dmg|elf|exe|fish"
    r"|gadget|hta|inf|ins|iso|jar|jnlp|jse?|ksh|lnk|msc|msix?|msp|mst|php|pif|pkg|pl|ps1|ps1xml|psd1|psm1|pyc?|pyw"
    r"|rb|reg|rpm|run|scf|scpt|scr|sct|settingcontent-ms|sh|sys|url|vb|vbe|vbs|vhdx?|wsf?|wsh|xbap|xll|xpi|zsh"
)
_MACROS: Final = re.compile(r"do[ct]m?|iqy|mdb|mde|odb|ppam|pps|ppsm|pptm?|pub|slk|xla|xlam|xlsb?|xlsm|xltm?")
_PAGES: Final = re.compile(r"s?html?|mhtm?l?|svg|xhtm?l?|xml|xsl")
_PROGRAM_STARTS: Final = (
    b"MZ",
    b"\x7fELF",
    b"#!",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"L\x00\x00\x00\x01\x14\x02\x00",
    b"[Desktop Entry]",
)
_DOUBLE: Final = re.compile(
    r"\.(?:pdf|docx?|xlsx?|pptx?|odt|txt|rtf|csv|jpe?g|png|gif|mp[34]|zip)\s*\.\w+$", re.IGNORECASE
)


def fit_name(said: str, instead: str = "attachment") -> str:
    """A file's name made of one that somebody else wrote: it leads nowhere, and hides and commands nothing.

    Only what stands behind the last slash of either kind counts. Nothing unseen stays, nor a dot, dash or
    space at its ends; names that Windows keeps for devices get an underscore. At most 180 bytes of UTF-8,
    with the ending kept.
    """
    last = unicodedata.normalize("NFC", _SEPARATORS.split(said)[-1])
    name = _ODD.sub("_", "".join(character for character in last if _seen(character)))
    name = " ".join(name.split()).strip(" .-")
    if not name.strip("_"):
        name = instead
    if clean_line(name) != name:
        # Marks that stand on each other are only seen together.
        name = "".join(character for character in name if not unicodedata.combining(character))
    return _cut(f"_{name}" if _RESERVED.fullmatch(name) else name)


def numbered(name: str, number: int) -> str:
    """The name with a number before its ending."""
    stem, ending = _parts(name)
    return f"{stem} {number}{ending}"


def dangers(name: str, data: bytes) -> tuple[str, ...]:
    """What a person should know before opening a file from somebody else."""
    ending = _parts(name)[1].lstrip(".").lower()
    found = []
    if _PROGRAMS.fullmatch(ending) or data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(_PROGRAM_STARTS):
        found.append(f"“{name}” is a program or a script: to open it runs what its sender wrote.")
        if _DOUBLE.search(name):
            found.append("Its name ends twice, so that it looks like a document.")
        elif ending and not _PROGRAMS.fullmatch(ending):
            found.append(f"Its name ends in .{ending}, so that it looks like something else.")
    elif _MACROS.fullmatch(ending):
        found.append(f"“{name}” can hold macros: small programs that run when it is opened.")
    elif _PAGES.fullmatch(ending):
        found.append(f"“{name}” is a page for a browser: it can look like any site and ask for passwords.")
    return tuple(found)


def _seen(character: str) -> bool:
    return character == " " or clean_line(character) == character


def _parts(name: str) -> tuple[str, str]:
    """The stem, and the ending with its dot where there is one."""
    stem, dot, ending = name.rpartition(".")
    good = bool(stem.strip()) and ending.isalnum() and len(ending.encode()) <= _LONGEST_ENDING
    return (stem, dot + ending) if good else (name, "")


def _cut(name: str) -> str:
    stem, ending = _parts(name)
    most = _LONGEST - len(ending.encode())
    short = stem.encode()[:most].decode(errors="ignore")
    # A mark must not lose what it stands on, nor the name end in a space.
    return short.rstrip(" .") + ending
