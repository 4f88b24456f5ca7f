"""The command line: the app, one goal on the terminal, and the lists; each loads only what it needs."""

import argparse
import logging
import sys
from collections.abc import Sequence
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from connectors.clean import clean_line
from tui.places import Places, throw_away, usual

_Argument = tuple[tuple[str, ...], dict[str, Any]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failed, 2 wrong words, 3 nobody there to ask."""
    options = _parser().parse_args(arguments)
    if options.demo:
        with throw_away(usual().cache) as places:
            return _start(options, places)
    return _start(options, usual())


def _start(options: argparse.Namespace, places: Places) -> int:
    try:
        places.make()
    except OSError as error:
        return _complain(f"The folder {clean_line(str(error.filename))} cannot be made: {error.strerror}.")
    _log_to(places.state / "askfirst.log")
    from tui.commands import run

    return run(options, places)


def _log_to(path: Path) -> None:
    """Keep the log in a file: nothing but the front end may write to the terminal."""
    try:
        handler: logging.Handler = RotatingFileHandler(path, maxBytes=1_000_000, backupCount=1, delay=True)
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.captureWarnings(True)


def _complain(text: str) -> int:
    sys.stderr.write(f"askfirst: {text}\n")
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "askfirst", description="A personal assistant for the terminal that asks first."
    )
    parser.add_argument(
        "--demo", action="store_true", help="use a throw-away world; nothing of yours is touched"
    )
    parser.set_defaults(command="app", resume=False)
    parser.add_argument("--resume", action="store_true", help="take up the last session")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, text, values in _WORDS:
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(command=name)
        for flags, settings in values:
            command.add_argument(*flags, **settings)
    return parser


_JSON: _Argument = (("--json",), {"action": "store_true", "help": "as JSON"})
_GRANT: _Argument = (
    ("--grant",),
    {"action": "append", "metavar": "FILE", "help": "a file of rules for this run only; may be repeated"},
)
_KEEP: _Argument = (
    ("--keep",),
    {"action": "store_true", "help": "keep what would else be set back, such as Wi-Fi turned off"},
)
_WORDS: tuple[tuple[str, str, list[_Argument]], ...] = (
    (
        "do",
        "carry out one goal, asking on this terminal",
        [(("goal",), {"nargs": "+"}), _GRANT, _KEEP, _JSON],
    ),
    (
        "activity",
        "what was asked, allowed and done, newest first",
        [
            _JSON,
            (("-n", "--number"), {"type": int, "default": 20, "help": "how many"}),
            (
                ("--verify",),
                {
                    "nargs": "?",
                    "const": "",
                    "metavar": "COUNT:HASH",
                    "help": "check that nothing was altered since, and show where the log stands",
                },
            ),
            (("--export",), {"metavar": "FILE", "help": "write the whole log into a new file"}),
            (("--recover",), {"action": "store_true", "help": "go through what was held or cut off"}),
        ],
    ),
    ("undo", "take back the last deed, or the one named", [(("id",), {"nargs": "?", "default": ""})]),
    (
        "connect",
        "set up a service by a few questions: an account, folders, or what may be set",
        [
            (("service",), {"choices": ["calendar", "messaging", "contacts", "files", "settings"]}),
            (("--stdout",), {"action": "store_true", "help": "only show the settings; write nothing"}),
        ],
    ),
    ("connectors", "the state of every service", [_JSON]),
    (
        "models",
        "the models here; get one, import a file, use another, remove one",
        [
            (
                ("action",),
                {"nargs": "?", "choices": ["list", "get", "import", "use", "remove"], "default": "list"},
            ),
            (("what",), {"nargs": "?", "default": "", "help": "a model's name, or the path of a file"}),
            (("--repository",), {"metavar": "NAME", "help": "where on the hub it is, as owner/name"}),
            (("--file",), {"metavar": "FILE", "help": "which file there; * stands for anything"}),
            (("--yes",), {"action": "store_true", "help": "remove without being asked"}),
            _JSON,
        ],
    ),
    (
        "permissions",
        "what is permitted and forbidden; take one back; say yes to changed rules; why a call was asked",
        [
            (("action",), {"nargs": "?", "choices": ["list", "revoke", "accept", "why"], "default": "list"}),
            (
                ("what",),
                {"nargs": "?", "default": "", "help": "the id of a permission or a call, or whose rules"},
            ),
            _JSON,
        ],
    ),
    ("check", "check every configuration file", []),
    ("doctor", "what works on this machine, and what is missing", [_JSON]),
    (
        "bench",
        "how fast a model is on this machine, and what would make it faster; takes a few minutes",
        [(("model",), {"nargs": "?", "default": "", "help": "a model's name or file"}), _JSON],
    ),
    (
        "eval",
        "measure models: in scenarios with a world of their own, or on goals that people typed",
        [
            (("--model",), {"action": "append", "help": "a model's name or file, or an anchor; repeat it"}),
            (("--goals",), {"action": "append", "metavar": "FILE", "help": "goals as JSON lines"}),
            (
                ("--without",),
                {"action": "append", "metavar": "FILE", "help": "leave out goals that are there"},
            ),
            (
                ("--scenarios",),
                {"metavar": "DIR", "help": "a folder of scenarios (left out: those built in)"},
            ),
            (("--kind",), {"action": "append", "help": "only scenarios of this kind"}),
            (("--half",), {"choices": ["tuning", "evaluation"], "help": "only this half of the scenarios"}),
            (("--limit",), {"type": int, "help": "so many scenarios a kind, goals in scope, goals beyond"}),
            (("--seed",), {"type": int, "default": 0, "help": "which goals are drawn"}),
            (("--runs",), {"type": int, "default": 3, "help": "how often each scenario is run"}),
            (("--faults",), {"action": "store_true", "help": "tell what went wrong, case by case"}),
            _JSON,
        ],
    ),
)

if __name__ == "__main__":
    sys.exit(main())
