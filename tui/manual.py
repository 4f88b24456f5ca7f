"""The manual page, made from the same words as the command line and the app."""

from collections.abc import Iterator, Sequence
from importlib.metadata import version

from tui.colon import COMMANDS as TYPED
from tui.grammar import COMMANDS, Argument

_ABOUT = (
    "Askfirst is a personal assistant for the terminal that asks first. You type a goal; a small language "
    "model on this machine plans calls against your calendar, messages, files and device settings. Every "
    "call is shown in full, and nothing runs until you press a key for it or a permission you gave before "
    "covers it."
)
_CODES = (
    ("0", "done, or nothing here can do it"),
    ("1", "not done; a sentence says why"),
    ("2", "the words of the command line are wrong"),
    ("3", "nobody was there to answer; what would have been asked is listed"),
)
_FILES = (
    ("~/.config/askfirst", "config.toml, keys.toml, connectors/NAME.toml and permissions/NAME.toml"),
    ("~/.local/state/askfirst", "the journal, the history, the trash and the log"),
    ("~/.local/share/askfirst", "the calendar, messages and contacts that are kept here"),
    ("~/.cache/askfirst", "models and indexes"),
)
_VARIABLES = (
    ("ASKFIRST_HOME", "a folder below which everything is kept"),
    ("ASKFIRST_CACHE", "a folder for models and indexes"),
    ("NO_COLOR", "if set, no colours"),
)


def manual() -> str:
    """The page in the man macros of roff, section 1."""
    lines = [
        f'.TH ASKFIRST 1 "" "askfirst {version("askfirst")}" "User commands"',
        ".SH NAME",
        r"askfirst \- a personal assistant for the terminal that asks first",
        ".SH SYNOPSIS",
        r".B askfirst\fR [\fB\-\-demo\fR] [\fB\-\-resume\fR] [\fICOMMAND\fR ...]",
        ".SH DESCRIPTION",
        _plain(_ABOUT),
        ".SH COMMANDS",
        *_commands(),
        ".SH IN THE APP",
        "What may be typed in place of a goal; ? shows every key.",
        *_list([(f":{name}", what) for name, (_, what) in TYPED.items()]),
        ".SH EXIT STATUS",
        *_list(_CODES),
        ".SH FILES",
        *_list(_FILES),
        ".SH ENVIRONMENT",
        *_list(_VARIABLES),
    ]
    return "\n".join(lines) + "\n"


def _commands() -> Iterator[str]:
    for name, text, arguments in COMMANDS:
        yield from (
            ".TP",
            rf".B askfirst {name}\fR {' '.join(map(_written, arguments))}".rstrip(),
            _plain(text),
        )
        told = [(_name(each), str(each[1]["help"])) for each in arguments if each[1].get("help")]
        yield from (".RS", *_list(told), ".RE")


def _written(argument: Argument) -> str:
    """How an argument stands in the command."""
    flags, settings = argument
    written = _plain(_name(argument) if flags[0].startswith("-") else flags[0].upper())
    return written if settings.get("nargs", "") == "+" else f"[{written}]" if _optional(argument) else written


def _optional(argument: Argument) -> bool:
    return argument[0][0].startswith("-") or argument[1].get("nargs") == "?"


def _name(argument: Argument) -> str:
    flags, settings = argument
    if not flags[0].startswith("-"):
        return flags[0].upper()
    takes = settings.get("action") != "store_true"
    return f"{flags[-1]} {settings.get('metavar', flags[-1][2:].upper())}" if takes else flags[-1]


def _list(pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    for name, text in pairs:
        yield from (".TP", rf".B {_plain(name)}", _plain(text))


def _plain(text: str) -> str:
    """Text in which roff finds nothing to obey."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{text}" if text.startswith((".", "'")) else text
